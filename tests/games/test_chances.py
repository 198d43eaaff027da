"""What `e` shows at each table: the truth where it is known, and never at the board's expense."""

from __future__ import annotations

import re
from typing import Any

import pytest

from boardgames_cli.session.opening import open_session
from boardgames_cli.session.session import Session
from boardgames_cli.session.settings import Setup
from boardgames_cli.tui.app import BoardgamesApp
from boardgames_cli.tui.table.analysis import Panel
from boardgames_cli.tui.widgets.picture import PictureView
from tests.tui.tables import at_table, game_screen, says, settings, shown, until


def session_of(game: str, options: dict[str, Any]) -> Session:
    setup = Setup(game, options, ("human:Ann",), "random", seed=7)
    return open_session(setup, settings(think_seconds=60))


def board_size(app: BoardgamesApp) -> tuple[int, int]:
    return game_screen(app).query_one("#board", PictureView).size


async def test_a_solved_game_tells_the_exact_verdict_and_nothing_else() -> None:
    async with at_table(session_of("tapnswap", {})) as (pilot, app, _):
        await pilot.press("e")
        await until(pilot, lambda: any("exact" in line for line in shown(app)))
        (row,) = (line for line in shown(app) if "exact" in line)
        assert re.fullmatch(r" exact  Ann: (win|loss) in \d+ +", row)
        assert not any("%" in line for line in shown(app))


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
@pytest.mark.parametrize(
    ("game", "options"),
    [("kuhn", {"hands": 3}), ("deepsea", {"players": 3}), ("pommerman", {"mode": "duel"})],
)
async def test_the_board_keeps_its_size(
    game: str, options: dict[str, Any], size: tuple[int, int]
) -> None:
    async with at_table(session_of(game, options), size=size) as (pilot, app, screen):
        before = board_size(app)
        for _ in screen.hints.panels:
            await pilot.press("e")
            await pilot.pause()
            assert board_size(app) == before
            assert "there is none" not in "\n".join(shown(app))


async def test_in_poker_each_choice_has_its_expected_chips() -> None:
    async with at_table(session_of("kuhn", {"hands": 3})) as (pilot, app, screen):
        await pilot.press("e")
        assert screen.hints.panel is Panel.ANALYSIS
        worth = re.compile(r"of the time, [+-]\d\.\d\d chips")
        for_each = len(screen.listed)
        await until(pilot, lambda: sum(bool(worth.search(line)) for line in shown(app)) == for_each)


async def test_divers_have_one_segment_each_that_add_up() -> None:
    async with at_table(session_of("deepsea", {"players": 4})) as (pilot, app, _):
        await pilot.press("e")
        await until(pilot, lambda: "%" in says(app, "#gauge"))
        text = says(app, "#gauge")
        shares = [int(share) for share in re.findall(r"(\d+) %", text)]
        assert len(shares) == 4
        assert sum(shares) == 100
        assert len(text) <= 80
        await pilot.press("colon")
        assert "press : " not in "\n".join(shown(app)), "the line has come back to be typed in"
        await pilot.press("u", "n", "d", "o", "escape")
        await until(pilot, lambda: bool(game_screen(app).query_one("#gauge").display))
