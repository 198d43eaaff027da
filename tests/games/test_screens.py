"""Every game on the full screen: how it looks, that it fits, and whole games by keys alone.

After a wanted change of a screen: pytest tests/games --snapshot-update, and look at them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from boardgames_cli.session.opening import open_session
from boardgames_cli.session.session import Session
from boardgames_cli.session.settings import Setup
from boardgames_cli.storage.reading import load_record, restore
from boardgames_cli.tui.app import BoardgamesApp, build_app
from boardgames_cli.tui.widgets.picture import PictureView
from tests.tui.tables import SIZES, at_table, game_screen, my_turn, settings, shown, until

GAMES: dict[str, dict[str, Any]] = {
    "senet": {},
    "tapnswap": {"max_plies": 20},
    "kuhn": {"hands": 3},
    "deepsea": {"players": 3, "rounds": 1, "oxygen": 6},
    "pommerman": {"mode": "duel"},
}
WAY = ("space", "right", "up", "down", "down", "left", "left", "right", "right", "down", "space")
ENDGAME = {"cones": [25, 28], "spools": [2], "player": 0, "steps": 2, "pieces": 5}
"""Of Senet only the end is played: a whole game takes a hundred turns."""


def table(game: str, folder: Path | None = None, rest: str = "random") -> Session:
    start = ENDGAME if game == "senet" and folder is not None else None
    setup = Setup(game, GAMES[game], ("human:Ann",), rest, seed=3803, start=start)
    # However slow the machine is, no agent is late, or the pictures would differ.
    return open_session(setup, settings(folder, think_seconds=60))


async def play_on(pilot: Pilot[None], app: BoardgamesApp, turns: int = 500) -> None:
    """Take the first choice again and again, by its digit."""
    for _ in range(turns):
        screen = await my_turn(pilot, app)
        if screen.session.match.is_over:
            return
        ply = screen.session.match.ply
        await pilot.press("1")
        await until(pilot, lambda: game_screen(app).session.match.ply > ply)  # noqa: B023


@pytest.mark.parametrize("game", ["tapnswap", "kuhn", "deepsea"])
def test_it_looks_like_this(snap_compare: Any, game: str) -> None:
    app = build_app(table(game), settings())

    async def play_two_turns(pilot: Pilot[None]) -> None:
        await play_on(pilot, app, turns=2)
        await my_turn(pilot, app)
        await pilot.press("down")
        await until(pilot, lambda: not any("is looking for" in line for line in shown(app)))

    assert snap_compare(app, terminal_size=(80, 24), run_before=play_two_turns)


@pytest.mark.parametrize(
    ("mode", "size", "theme"),
    [
        ("ffa", (80, 24), "dark"),
        ("radio", (80, 24), "monochrome"),
        ("ffa", (120, 40), "light"),
        ("team", (60, 20), "dark"),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{value[0]}x{value[1]}",
)
def test_bombs_and_fire(snap_compare: Any, mode: str, size: tuple[int, int], theme: str) -> None:
    setup = Setup("pommerman", {"mode": mode}, ("human:Ann",), "simple", seed=7)
    app = build_app(open_session(setup, settings(think_seconds=60)), settings(theme=theme))

    async def play(pilot: Pilot[None]) -> None:
        for key in WAY:
            screen = await my_turn(pilot, app)
            ply = screen.session.match.ply
            await pilot.press(key)
            await until(pilot, lambda: game_screen(app).session.match.ply > ply)  # noqa: B023
        await my_turn(pilot, app)
        await pilot.pause()

    assert snap_compare(app, terminal_size=size, run_before=play)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("game", GAMES)
async def test_everything_fits(game: str, size: tuple[int, int]) -> None:
    async with at_table(table(game), size=size) as (_, app, screen):
        board = screen.query_one("#board", PictureView)
        assert 0 < board.picture.width <= board.size.width
        assert 0 < board.picture.height <= board.size.height
        for widget in ("#title", "#board", "#prompt", "#choices", "#line", "#message", "#keys"):
            region = screen.query_one(widget).region
            assert screen.region.contains_region(region), widget
            assert region.area > 0, widget
        text = "\n".join(shown(app))
        assert "Ann" in text
        assert screen.choices.choices[0].label[:20] in text
        assert "q quit" in text


@pytest.mark.parametrize("game", GAMES)
async def test_a_whole_game_by_one_key(game: str, tmp_path: Path) -> None:
    session = table(game, tmp_path)
    app = build_app(session, settings(tmp_path))
    async with app.run_test(size=(80, 24)) as pilot:
        await play_on(pilot, app)
        assert session.match.is_over
        verdict = session.snapshot().result
        await until(pilot, lambda: "G A M E   O V E R" in "\n".join(shown(app)))
        assert verdict[:30] in "\n".join(shown(app))
    record = load_record(tmp_path / f"{game}-1.jsonl")
    assert record.result == session.match.returns
    assert restore(record).state == session.match.state


async def test_arrows_go_round_the_corner_and_escape_takes_the_highlight_back() -> None:
    async with at_table(table("deepsea")) as (pilot, _, screen):
        for key, highlight in (
            ("down", 0),
            ("up", len(screen.choices.choices) - 1),
            ("escape", None),
        ):
            await pilot.press(key)
            assert screen.choices.highlight == highlight
