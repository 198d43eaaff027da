#!/usr/bin/env python3
"""Seats an agent of the original Pommerman, or of one of its competitions, in boardgames.

    boardgames play pommerman -s human -s 'cmd:python3 pommerman_agent.py my_agents:MyAgent'

Run it in the agent's own Python, 3.6 or later, with what the agent needs: numpy, and the original
if the agent imports it. The class is looked for in the current folder and on PYTHONPATH; words like
depth=3 after it are its arguments (numbers are read as numbers). It needs ``act(obs,
action_space)``; ``init_agent`` and ``episode_end`` are called if it has them. What it prints goes
to standard error.

Copy this file freely: it needs nothing of boardgames, and speaks its protocol (docs/protocol.md).
"""

import importlib
import json
import os
import random
import sys

import numpy as np

TYPES = {"ffa": 1, "team": 2, "radio": 3, "duel": 4}
MOVES = ["stop", "up", "down", "left", "right", "bomb"]
FLAMES, DUMMY, FIRST = 4, 9, 10


def original(name, number):
    """The member of an enum of the original, if that is in use; else the number."""
    kind = getattr(sys.modules.get("pommerman.constants"), name, int)
    return kind(number)


class Discrete:
    """The numbers below n, as Gym's space of that name."""

    shape = ()

    def __init__(self, n):
        self.n = n

    def sample(self):
        """Any of them."""
        return random.randrange(self.n)

    def contains(self, number):
        """Whether it is one of them."""
        return 0 <= number < self.n


class Radio(Discrete):
    """A move and two words, which are 0 to 7 here as in the original."""

    shape = (3,)

    def sample(self):
        """Any move with any words."""
        return [random.randrange(self.n), random.randrange(8), random.randrange(8)]


def see(position, game, seat):
    """The original's observation, from a position of the protocol."""
    board = np.array(position["board"], dtype=np.uint8)
    names = ("bomb_blast_strength", "bomb_life", "bomb_moving_direction", "flame_life")
    maps = {name: np.zeros(board.shape) for name in names}
    for bomb in position["bombs"]:
        row, column = bomb["pos"]
        maps["bomb_blast_strength"][row, column] = bomb["blast_strength"]
        maps["bomb_life"][row, column] = bomb["life"]
        maps["bomb_moving_direction"][row, column] = bomb["dir"]
    for flame in position["flames"]:
        row, column = flame["pos"]
        if board[row, column] == FLAMES:
            maps["flame_life"][row, column] = flame["life"] + 1
    own, mode = position["agents"][seat], game["options"]["mode"]
    mate = (seat + 2) % 4 if mode in ("team", "radio") else None
    foes = [FIRST + other for other in range(game["seats"]) if other not in (seat, mate)]
    version = 2 if mode == "radio" else 1 if game["options"].get("collapse") else 0
    seen = dict(
        maps, board=board, position=tuple(own["pos"]), ammo=own["ammo"],
        blast_strength=own["blast_strength"], can_kick=bool(own["can_kick"]),
        alive=[FIRST + one["id"] for one in position["agents"] if one["alive"]],
        teammate=original("Item", DUMMY if mate is None else FIRST + mate),
        enemies=[original("Item", foe) for foe in (foes + 3 * [DUMMY])[:3]],
        game_type=TYPES[mode], game_env="pommerman.envs.v%d:Pomme" % version,
        step_count=position["step"],
    )  # fmt: skip
    if mode == "radio":
        seen["message"] = tuple(position["messages"][mate])
    return seen


def notation(answer, mode):
    """The protocol's text of an answer: 0 to 5, by radio with two words; a word 0 is silence."""
    listed = answer.tolist() if hasattr(answer, "tolist") else answer
    parts = listed if isinstance(listed, (list, tuple)) else [listed]
    move, *words = [int(getattr(part, "value", part)) for part in parts]
    said = words if mode == "radio" and len(words) == 2 and all(words) else []
    return " ".join([MOVES[move]] + [str(word) for word in said])


def value(word):
    """A whole number, a decimal number, or a text."""
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            pass
    return word


def make(text="", *given):
    """An agent from MODULE:CLASS and arguments like depth=3."""
    module, colon, name = text.partition(":")
    if not colon:
        raise ValueError("name its class: pommerman_agent.py MODULE:CLASS")
    wrong = [word for word in given if "=" not in word]
    if wrong:
        raise ValueError('write "%s" as NAME=VALUE' % wrong[0])
    kind = getattr(importlib.import_module(module), name)
    return kind(**{key: value(word) for key, word in (one.split("=", 1) for one in given)})


def main():
    """Answer messages until there are no more."""
    out, sys.stdout = sys.stdout, sys.stderr  # what the agent prints is no message

    def say(kind, **fields):
        out.write(json.dumps(dict(fields, type=kind)) + "\n")
        out.flush()

    sys.path.insert(0, os.getcwd())
    agent = game = position = None
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            game, seat, mode = message, message["seat"], message["options"].get("mode")
            try:
                agent = make(*sys.argv[1:])
                if hasattr(agent, "init_agent"):
                    agent.init_agent(seat, original("GameType", TYPES[mode]))
                say("ready", name=sys.argv[1][:100], games=["pommerman"])
            except Exception as error:  # whatever somebody's class does while it is made
                say("error", message="the agent can't be made (%s)." % error)
        elif message["type"] == "observe":
            position = message["position"]
        elif message["type"] == "act":
            random.seed(message["random"])
            space = (Radio if mode == "radio" else Discrete)(len(MOVES))
            say("action", action=notation(agent.act(see(position, game, seat), space), mode))
        elif message["type"] == "over" and message["returns"] and hasattr(agent, "episode_end"):
            agent.episode_end(message["returns"][seat])
        elif message["type"] == "quit":
            break


if __name__ == "__main__":
    main()
