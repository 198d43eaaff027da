"""What `e` shows at each table: the truth where it is known, and never at the board's expense."""

from __future__ import annotations

import re
from typing import Any

import pytest

from boardgames_cli.session.opening import open_session
from boardgames_cli.session.settings import Setup
from boardgames_cli.tui.app import BoardgamesApp, build_app
from boardgames_cli.tui.table.analysis import Panel
from boardgames_cli.tui.widgets.picture import PictureView
from tests.tui.tables import game_screen, my_turn, says, settings, shown, until


def seated(game: str, options: dict[str, Any], seed: int = 7) -> BoardgamesApp:
    setup = Setup(game, options, ("human:Ann",), "random", seed=seed)
    return build_app(open_session(setup, settings(think_seconds=60)), settings())


def board_size(app: BoardgamesApp) -> tuple[int, int]:
    return game_screen(app).query_one("#board", PictureView).size


async def test_a_solved_game_tells_the_exact_verdict_and_nothing_else() -> None:
    app = seated("tapnswap", {})
    async with app.run_test(size=(80, 24)) as pilot:
        await my_turn(pilot, app)
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
    app = seated(game, options)
    async with app.run_test(size=size) as pilot:
        screen = await my_turn(pilot, app)
        before = board_size(app)
        for _ in screen.hints.panels:
            await pilot.press("e")
            await pilot.pause()
            assert board_size(app) == before
            assert "there is none" not in "\n".join(shown(app))


async def test_in_poker_each_choice_has_its_expected_chips() -> None:
    app = seated("kuhn", {"hands": 3})
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await my_turn(pilot, app)
        await pilot.press("e")
        assert screen.hints.panel is Panel.ANALYSIS
        worth = re.compile(r"of the time, [+-]\d\.\d\d chips")
        for_each = len(screen.listed)
        await until(pilot, lambda: sum(bool(worth.search(line)) for line in shown(app)) == for_each)


async def test_divers_have_one_segment_each_that_add_up() -> None:
    app = seated("deepsea", {"players": 4})
    async with app.run_test(size=(80, 24)) as pilot:
        await my_turn(pilot, app)
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
