#!/usr/bin/env python3
"""Two opponents at Senet without learning or search, to measure others by. Standard library only.

boardgames tournament senet -s hard -s 'cmd:python3 examples/agents/senet_hands.py careful'

``furthest`` always moves the dancer that is furthest on. ``careful`` looks at the position after
each of its moves: dancers are worth the houses they have come, more when they are off the board or
stand together, and less where a throw of the other side can send them back.
"""

import json
import random
import sys

SAFE = {15, 26, 27, 28, 29, 30}
CHANCES = {1: 4 / 16, 2: 6 / 16, 3: 4 / 16, 4: 1 / 16, 5: 1 / 16}
OFF = 31


def read_move(text):
    """The houses from and to; a pass goes from 0 to 0."""
    if text == "pass":
        return 0, 0
    start, end = text.split(">")
    return int(start), OFF if end == "off" else int(end)


def play(own, opponent, start, end):
    """Both sides after a move; a dancer that is met comes to where the move began."""
    own, opponent = own - {start}, set(opponent)
    if end in opponent:
        opponent = opponent - {end} | {start}
    return (own, opponent) if end in (0, OFF) else (own | {end}, opponent)


def worth(own, opponent):
    """What the dancers of a side are worth to it."""
    total = -20.0 * len(own)
    for house in own:
        total += house
        if house in SAFE:
            continue
        if house - 1 in own or house + 1 in own:
            total += 2.0
        else:
            # A swap costs the way back to where the other came from.
            total -= sum(
                chance * steps for steps, chance in CHANCES.items() if house - steps in opponent
            )
    return total


def careful(position, moves):
    """The moves after which the difference of both sides' worth is greatest."""
    own, opponent = sides(position)
    values = {}
    for text in moves:
        after, rival = play(own, opponent, *read_move(text))
        again = 2.5 if position["steps"] in (1, 4, 5) else 0.0
        values[text] = worth(after, rival) - worth(rival, after) + again
    best = max(values.values())
    return [text for text, value in values.items() if value == best]


def furthest(_, moves):
    """The moves of the dancer furthest on."""
    last = max(read_move(text)[0] for text in moves)
    return [text for text in moves if read_move(text)[0] == last]


def sides(position):
    """The houses of the player and of the other, from 1."""
    cones, spools = ({house + 1 for house in position[name]} for name in ("cones", "spools"))
    return (spools, cones) if position["player"] else (cones, spools)


def say(kind, **fields):
    """Write one message, at once."""
    print(json.dumps({"type": kind, **fields}), flush=True)


def main():
    """Read messages until there are no more."""
    name = sys.argv[1] if len(sys.argv) > 1 else "careful"
    choose = {"careful": careful, "furthest": furthest}[name]
    seen = {}
    for line in sys.stdin:
        message = json.loads(line)
        match message["type"]:
            case "hello":
                say("ready", name=f"Senet by hand: {name}", games=["senet"], deterministic=True)
            case "observe":
                seen = message
            case "act":
                rng = random.Random(message["random"])
                say("action", action=rng.choice(choose(seen["position"], seen["legal"])))
            case "quit":
                break


if __name__ == "__main__":
    main()
