"""Random keys, clicks and resizes over the home screen and its pages.

python -m tests.tui.home_events 20000 --seed 1
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from textual.pilot import Pilot, WaitForScreenTimeout

from boardgames_cli.storage.played_games import PlayedGame, ResultsFile
from boardgames_cli.tui.app import BoardgamesApp, build_app
from boardgames_cli.tui.screens.launcher import Launcher
from boardgames_cli.tui.screens.page_screen import PageScreen
from tests.tui.tables import settings, table

KEYS = [*"123456789navnavpolfdDcrte,?", *("up", "down", "left", "right", "tab", "enter", "space")]
LEAVING = ["escape", "escape", "q", "up", "down", "enter"]
SIZES = [(60, 20), (80, 24), (120, 40), (200, 50), (59, 19), (81, 23), (119, 41), (150, 30)]


def fill(folder: Path) -> None:
    """Saves and results for the home screen."""
    for seed in (1, 2, 3):
        session = table("senet", ("human", "random"), folder, seed)
        session.resolve_chance()
        session.close()
    results = ResultsFile(folder / "results.jsonl")
    for number, opponent in enumerate(("Ipi", "Ipi", "easy", "Meret")):
        returns, names = (1.0, -1.0), ("You", opponent)
        ended = f"2026-05-0{number + 1}T10:00:00"
        results.add(PlayedGame(str(number), "senet", ended, (0,), names, returns))


async def run(count: int, seed: int, folder: Path) -> Counter[str]:
    """Do so many things; the number of each kind, and of the screens that were seen.

    A key that leaves the program starts it anew.

    Raises:
        AssertionError: The application has crashed or ended with an error.
    """
    fill(folder)
    rng, done = random.Random(seed), Counter[str]()
    changes = {"results_file": folder / "results.jsonl", "puzzles_file": folder / "puzzles.json"}
    given = settings(folder, drill_file=folder / "drill.json", **changes)
    left = count
    while left:
        app = build_app(None, given)
        async with app.run_test(size=(80, 24)) as pilot:
            while left and app.is_running:
                try:
                    await _event(pilot, app, rng, done)
                except WaitForScreenTimeout:
                    assert not app.is_running, done  # who leaves does not answer
                left -= 1
                if not left % 1000:
                    sys.stderr.write(f"{left} left\n")
                done[type(app.screen).__name__ if app.is_running else "left"] += 1
        assert not app.crash_message, app.crash_message
        assert not app.return_code, (app.return_code, done)
    return done


async def _event(
    pilot: Pilot[None], app: BoardgamesApp, rng: random.Random, done: Counter[str]
) -> None:
    screen, kind = app.screen, rng.choice(("key", "key", "key", "click", "size"))
    if not isinstance(screen, (Launcher, PageScreen)) and rng.random() < 0.3:
        kind = "menu"
        await app.open_menu()
    elif kind == "key":
        at_home = isinstance(screen, Launcher)
        await pilot.press(
            rng.choice(KEYS if at_home else LEAVING if len(app.screen_stack) > 2 else ["down"])
        )
    elif kind == "click":
        width, height = app.size
        await pilot.click(offset=(rng.randrange(width), rng.randrange(height)))
    else:
        await pilot.resize_terminal(*rng.choice(SIZES))
    done[kind] += 1


def main() -> None:
    """Read the command line, and do as it says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.chdir(folder),
    ):  # tournaments write here
        sys.stdout.write(f"{asyncio.run(run(given.count, given.seed, Path(folder)))}\n")


if __name__ == "__main__":
    main()
