#!/usr/bin/env python3
"""Seats an agent behind HTTP, as the original Pommerman has them, in boardgames.

    boardgames play pommerman -s human -s 'cmd:python3 http_agent.py http://localhost:10080'

Needs Python 3.6 or later and nothing else. The server gets the requests of the original's
``HttpAgent``: ``/init_agent``, ``/action`` and ``/episode_end``, each a JSON object whose values
are JSON texts. An agent in a container of a competition answers them:
``docker run -p 10080:10080 IMAGE``. A second word is the time in seconds that it has for a move
(0.15 by default); without an answer in that time its agent stands still.

Copy this file freely: it needs nothing of boardgames, and speaks its protocol (docs/protocol.md).
"""

import json
import sys
import urllib.request

TYPES = {"ffa": 1, "team": 2, "radio": 3, "duel": 4}
MOVES = ["stop", "up", "down", "left", "right", "bomb"]
FLAMES, DUMMY, FIRST = 4, 9, 10


def see(position, game, seat):
    """The original's observation as JSON, from a position of the protocol."""
    board = position["board"]
    names = ("bomb_blast_strength", "bomb_life", "bomb_moving_direction", "flame_life")
    maps = {name: [[0.0] * len(row) for row in board] for name in names}
    for bomb in position["bombs"]:
        row, column = bomb["pos"]
        maps["bomb_blast_strength"][row][column] = float(bomb["blast_strength"])
        maps["bomb_life"][row][column] = float(bomb["life"])
        maps["bomb_moving_direction"][row][column] = float(bomb["dir"])
    for flame in position["flames"]:
        row, column = flame["pos"]
        if board[row][column] == FLAMES:
            maps["flame_life"][row][column] = flame["life"] + 1.0
    own, mode = position["agents"][seat], game["options"]["mode"]
    mate = (seat + 2) % 4 if mode in ("team", "radio") else None
    foes = [FIRST + other for other in range(game["seats"]) if other not in (seat, mate)]
    version = 2 if mode == "radio" else 1 if game["options"].get("collapse") else 0
    seen = dict(
        maps, board=board, position=own["pos"], ammo=own["ammo"],
        blast_strength=own["blast_strength"], can_kick=bool(own["can_kick"]),
        alive=[FIRST + one["id"] for one in position["agents"] if one["alive"]],
        teammate=DUMMY if mate is None else FIRST + mate, enemies=(foes + 3 * [DUMMY])[:3],
        game_type=TYPES[mode], game_env="pommerman.envs.v%d:Pomme" % version,
        step_count=position["step"],
    )  # fmt: skip
    if mode == "radio":
        seen["message"] = position["messages"][mate]
    return seen


def notation(answer, mode):
    """The protocol's text of an answer: 0 to 5, by radio with two words; a word 0 is silence."""
    move, *words = answer if isinstance(answer, list) else [answer]
    said = words if mode == "radio" and len(words) == 2 and all(words) else []
    if int(move) < 0:
        raise ValueError("%s is no move" % move)
    return " ".join([MOVES[int(move)]] + [str(int(word)) for word in said])


def post(url, seconds, **values):
    """Ask the server; the values are JSON inside of JSON, as the original sends them."""
    data = json.dumps({name: json.dumps(value) for name, value in values.items()}).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=seconds) as answer:
        return json.loads(answer.read().decode() or "null")


def say(kind, **fields):
    """Write one message, at once."""
    print(json.dumps(dict(fields, type=kind)), flush=True)


def main():
    """Answer messages until there are no more."""
    url = sys.argv[1].rstrip("/") if sys.argv[1:] else "http://localhost:10080"
    game = position = None
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            game, seat, mode = message, message["seat"], message["options"].get("mode")
            try:
                seconds = float(sys.argv[2]) if sys.argv[2:] else 0.15
                post(url + "/init_agent", 10, id=seat, game_type=TYPES[mode])
                say("ready", name=url[:100], games=["pommerman"])
            except Exception as error:  # whatever answers there
                say("error", message="no agent answers at %s (%s)." % (url, error))
        elif message["type"] == "observe":
            position = message["position"]
        elif message["type"] == "act":
            space = [6, 8, 8] if mode == "radio" else 6
            try:
                seen = see(position, game, seat)
                found = post(url + "/action", seconds, obs=seen, action_space=space)
                move = notation(found["action"], mode)
            except Exception as error:
                say("log", text="no move: %s" % error)
                move = MOVES[0]
            say("action", action=move)
        elif message["type"] == "over" and message["returns"]:
            try:
                post(url + "/episode_end", 10, reward=message["returns"][seat])
            except Exception as error:
                say("log", text="it did not hear the end: %s" % error)
        elif message["type"] == "quit":
            break


if __name__ == "__main__":
    main()
