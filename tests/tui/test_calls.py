"""What a key costs, in calls of our own functions: this does not depend on the machine."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import boardgames_cli
from boardgames_cli.tui.app import BoardgamesApp
from tests.tui.tables import my_turn, settings, table

ROOT = str(Path(boardgames_cli.__file__).parent)
MOST_CALLS = 5000
"""For a key that plays two plies of Senet; the same key took 13,412 to 30,417 calls once."""


async def test_a_key_that_plays_two_plies_takes_few_calls() -> None:
    calls = 0

    def count(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event == "call" and frame.f_code.co_filename.startswith(ROOT)

    session = table("senet", ("human", "human"), seed=3)
    app = BoardgamesApp(session, settings())
    async with app.run_test(size=(120, 40)) as pilot:
        await my_turn(pilot, app)
        before, played = session.match.ply, 0
        while played != 2:
            calls = 0
            sys.setprofile(count)
            await pilot.press("enter")
            await my_turn(pilot, app)
            sys.setprofile(None)
            played, before = session.match.ply - before, session.match.ply
    assert 100 < calls < MOST_CALLS
