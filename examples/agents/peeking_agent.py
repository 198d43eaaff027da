"""An agent that cheats at Kuhn poker, to show why `cmd:` is the wall.

In the process of the match, Python hides nothing: this agent finds the other's card. As a program
of its own it runs the same code, and finds nothing:

    boardgames watch kuhn --hands 100 -s 'cmd:python examples/agents/peeking_agent.py' -s hard
"""

import gc
import sys

from boardgames_cli import Agent, Match
from boardgames_cli.agents.remote.agent_server import serve


def matches_by_garbage_collection():
    """Every match that this process holds."""
    return [thing for thing in gc.get_objects() if isinstance(thing, Match)]


def matches_by_frames():
    """Every match that a calling function, or one of another thread, has a name for."""
    frames = [sys._getframe(), *sys._current_frames().values()]
    found = []
    for frame in frames:
        while frame is not None:
            found += [thing for thing in frame.f_locals.values() if isinstance(thing, Match)]
            frame = frame.f_back
    return found


def matches_by_references(seen):
    """Every match that can be reached from what it was given, by what refers to it."""
    found, layer = [], [seen.state]
    for _ in range(3):
        layer = [thing for known in layer for thing in gc.get_referrers(known)][:500]
        found += [thing for thing in layer if isinstance(thing, Match)]
    return found


def find_card(seen):
    """The other's card, by any trick; None if none works."""
    gc.collect()
    for match in [
        *matches_by_garbage_collection(), *matches_by_frames(), *matches_by_references(seen)
    ]:  # fmt: skip
        cards = getattr(match.state, "cards", ())
        if match.ply == seen.ply and len(cards) == 2:
            return cards[1 - seen.seat]
    return None


class Peeking(Agent):
    """Bets with the better card only, if it can find out which that is."""

    def act(self, seen, thinking):
        """Look at the other's card, and say whether that worked."""
        other = find_card(seen)
        self.comment = "found nothing" if other is None else "found the card"
        own = seen.state.cards[seen.seat]
        return seen.legal[1 if other is None or own > other else 0]

    def take_comment(self):
        """What it found, for people."""
        return self.comment


if __name__ == "__main__":
    serve(Peeking())
