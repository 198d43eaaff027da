"""A program that plays and saves until it is killed: python driver.py FOLDER SEED LINES.

It kills itself after so many lines of the saving code.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any

from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.storage.store import Store, new_header
from boardgames_cli.testing.scene import one_step

UNDO_EVERY = 9
UNDO_STEPS = 5


def die_after(lines: int) -> None:
    """Kill this process after so many lines of `boardgames_cli.storage`."""
    left = lines

    def local(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal left
        left -= event == "line"
        if left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return local

    sys.settrace(
        lambda frame, *_: local if "/boardgames_cli/storage/" in frame.f_code.co_filename else None
    )


def main() -> None:
    """Play the one deterministic game of a seed again and again, with undos on the way."""
    store, seed = Store(Path(sys.argv[1])), int(sys.argv[2])
    match: AnyMatch
    if list(store.names()):
        match, journal, _ = store.resume(next(store.names()))
    else:
        match = Match(Senet(), seed=seed)
        journal = store.create(new_header(match.game, seed=seed, seats=("random", "random")))
    print("playing", flush=True)  # noqa: T201  # what the test waits for
    steps = 0
    die_after(int(sys.argv[3]))
    while True:
        steps += 1
        if not match.waiting_for:
            while match.ply:
                match.undo()
            journal.rewrite(match)
        one_step(match)
        journal.record(match)
        print(match.ply, flush=True)  # noqa: T201  # what has been told is saved
        if steps % UNDO_EVERY == 0 and match.ply > UNDO_STEPS:
            for _ in range(UNDO_STEPS):
                match.undo()
            journal.rewrite(match)
            print(match.ply, flush=True)  # noqa: T201
            journal.note(match, "took back \N{SNOWMAN}") if steps % 5 == 0 else None


if __name__ == "__main__":
    main()
