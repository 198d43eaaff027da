#!/usr/bin/env python3
"""Seats a policy of gym-DeepSeaAdventure in boardgames.

    boardgames play deepsea -s human -s 'cmd:python3 deepsea_policy.py policy:Grabber n=2'

Run it in the policy's own Python, 3.6 or later. The class is looked for in the current folder and
on PYTHONPATH; words like n=2 after it are its arguments (numbers are read as numbers). It needs the
methods ``forward``, ``pick`` and ``drop``: each gets the list of 83 numbers and answers 1 or 0.
What it prints goes to standard error.

Copy this file freely: it needs nothing of boardgames, and speaks its protocol (docs/protocol.md).
"""

import importlib
import json
import os
import sys

MOST = 6
"""Divers, for which the list has room."""
ASKED = {"dive": "forward", "take": "pick", "drop": "drop"}
YES = {"forward": "dive", "pick": "take"}
NO = {"forward": "return", "pick": "leave", "drop": "keep"}


def see(position, seat):
    """The 83 numbers: oxygen, own diver, others in seat order, dots on the trail, skipped ones."""
    divers = list(zip(position["pos"], map(len, position["held"]), position["dir"]))
    own, others = divers[seat], divers[:seat] + divers[seat + 1 :]
    places, loads, ways = zip(*(others + [(0, 0, 0)] * (MOST - 1 - len(others))))
    path = position["path"]
    dots = [sum(one["dots"]) if isinstance(one["dots"], list) else one["dots"] for one in path]
    skipped = [int(one["removed"] or at in places) for at, one in enumerate(path, 1)]
    return [position["oxygen"]] + list(own + places + loads + ways) + dots + skipped


def choose(policy, seen, legal):
    """The action that the policy's answer stands for; of several chips the lowest is dropped."""
    method = next(ASKED[word.split()[0]] for word in legal if word.split()[0] in ASKED)
    if getattr(policy, method)(seen) != 1:
        return NO[method]
    drops = [word for word in legal if word.split()[0] == "drop"]
    return YES.get(method) or min(drops, key=lambda word: sum(map(int, filter(str.isdigit, word))))


def value(word):
    """A whole number, a decimal number, or a text."""
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            pass
    return word


def make(text="", *given):
    """A policy from MODULE:CLASS and arguments like n=2."""
    module, colon, name = text.partition(":")
    if not colon:
        raise ValueError("name its class: deepsea_policy.py MODULE:CLASS")
    wrong = [word for word in given if "=" not in word]
    if wrong:
        raise ValueError('write "%s" as NAME=VALUE' % wrong[0])
    kind = getattr(importlib.import_module(module), name)
    return kind(**{key: value(word) for key, word in (one.split("=", 1) for one in given)})


def main():
    """Answer messages until there are no more."""
    out, sys.stdout = sys.stdout, sys.stderr  # what the policy prints is no message

    def say(kind, **fields):
        out.write(json.dumps(dict(fields, type=kind)) + "\n")
        out.flush()

    sys.path.insert(0, os.getcwd())
    policy = last = seat = None
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            seat = message["seat"]
            try:
                policy = make(*sys.argv[1:])
                say("ready", name=sys.argv[1][:100], games=["deepsea"])
            except Exception as error:  # whatever somebody's class does while it is made
                say("error", message="the policy can't be made (%s)." % error)
        elif message["type"] == "observe":
            last = message
        elif message["type"] == "act":
            say("action", action=choose(policy, see(last["position"], seat), last["legal"]))
        elif message["type"] == "quit":
            break


if __name__ == "__main__":
    main()
