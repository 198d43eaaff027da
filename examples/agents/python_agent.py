#!/usr/bin/env python3
"""An agent in Python: plays any game at random. Only the standard library is needed.

boardgames play senet --vs 'cmd:python3 examples/agents/python_agent.py'
"""

import json
import random
import sys


def say(kind, **fields):
    """Write one message, at once."""
    print(json.dumps({"type": kind, **fields}), flush=True)


def main():
    """Read messages until there are no more."""
    legal = []
    for line in sys.stdin:
        message = json.loads(line)
        match message["type"]:
            case "hello":  # a game begins; forget the one before
                legal = []
                say("ready", name="Random in Python", version="1.0", deterministic=True)
            case "observe":  # what our seat sees; there is more in it than this
                legal = message["legal"]
            case "act":  # our turn
                rng = random.Random(message["random"])
                say("action", action=rng.choice(legal))
            case "quit":
                break
            case "error":  # we did something wrong
                print(message["message"], file=sys.stderr)
            case kind if kind not in ("over", "hurry"):
                say("error", message=f"I don't know the type {kind}")


main()
