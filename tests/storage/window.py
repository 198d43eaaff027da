"""A window that opens a save, plays a little and quits: python window.py FOLDER NAME ROUNDS SEED.

It begins when a line comes on standard input, and at the end writes how many steps it has saved.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from boardgames_cli.core.errors import StorageError
from boardgames_cli.storage.store import Store
from boardgames_cli.testing.scene import one_step

STEPS = 3


def main() -> None:
    """Open the save as often as told, each time as soon as the other window lets go of it."""
    folder, name, rounds, seed = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
    store, rng, saved = Store(folder), random.Random(seed), 0
    print("ready", flush=True)  # noqa: T201
    sys.stdin.readline()
    while rounds:
        try:
            match, journal, _ = store.resume(name)
        except StorageError as error:
            if "another window" in error.message:
                continue
            raise
        rounds -= 1
        for _ in range(rng.randint(1, STEPS)):
            if match.is_over:
                break
            one_step(match)
            journal.record(match)
            saved += 1
        if match.ply and rng.random() < 0.5:
            match.undo()
            journal.rewrite(match)
            saved -= 1
        journal.close()
    print(saved)  # noqa: T201


if __name__ == "__main__":
    main()
