"""The home screen and its pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardgames_cli.storage.played_games import PlayedGame, add_result
from boardgames_cli.tui.screens.replay_screen import ReplayScreen
from boardgames_cli.tui.screens.table import GameScreen
from tests.tui.tables import SIZES, comes, on_screen, settings, shown, table, text, until
from tests.tui.test_replay import played


def fill(folder: Path) -> None:
    """Saves and results for the home screen."""
    for seed in (1, 2, 3):
        session = table("senet", ("human", "random"), folder, seed)
        session.resolve_chance()
        session.close()
    results = folder / "results.jsonl"
    for number, opponent in enumerate(("Ipi", "Ipi", "easy", "Meret")):
        returns, names = (1.0, -1.0), ("You", opponent)
        ended = f"2026-05-0{number + 1}T10:00:00"
        add_result(results, PlayedGame(str(number), "senet", ended, (0,), names, returns))


@pytest.mark.parametrize("size", [*SIZES, (200, 50)], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_a_newcomer_is_told_where_to_begin(size: tuple[int, int], tmp_path: Path) -> None:
    async with on_screen(None, settings(tmp_path), size=size) as (pilot, app):
        await until(pilot, lambda: "puzzle of the day" in " ".join(shown(app)))
        assert not any("…" in line for line in shown(app) if "Pommerman" in line)
        assert "Start: enter" in text(app)
        for key in ("f play a friend", "v you", "r saved games", "? help", "ctrl+p more", "q quit"):
            assert key in text(app)
        for widget in ("#games", "#form", "#start", "#keys"):
            assert app.screen.region.contains_region(app.screen.query_one(widget).region)


async def test_the_last_result_is_shown_once_and_an_opponent_of_the_ladder_plays(
    tmp_path: Path,
) -> None:
    fill(tmp_path)
    async with on_screen(
        None, settings(tmp_path, results_file=tmp_path / "results.jsonl"), size=(200, 50)
    ) as (pilot, app):
        await until(pilot, lambda: text(app).count("won v Meret, won 4 of 4") == 1)
        await pilot.resize_terminal(60, 20)  # no cards: the title tells it
        await until(pilot, lambda: text(app).count("won 4 of 4") == 1)
        await pilot.press("2")  # of another game nothing was won
        await until(pilot, lambda: "won" not in text(app))
        await pilot.press("1", *["right"] * 4, "enter")
        screen = await comes(pilot, GameScreen)
        assert screen.session.holders[1].name == "Meret"


async def test_you_shows_what_was_reached(tmp_path: Path) -> None:
    fill(tmp_path)
    played(table("race", ("human:Ann", "random"), tmp_path)).close()
    (tmp_path / "half.jsonl").write_text('{"boardgames": 1, "ga')
    chosen = settings(tmp_path, results_file=tmp_path / "results.jsonl")
    async with on_screen(None, chosen) as (pilot, app):
        await pilot.press("v")
        for size in (*SIZES, (200, 50)):
            await pilot.resize_terminal(*size)
            await pilot.press("home")
            for said in ("You: 4 games", "A rating appears", "None is saved", "read: half."):
                await until(pilot, lambda: said in "\n".join(shown(app)), "down")  # noqa: B023
        await pilot.press("tab")
        await until(pilot, lambda: "Ann: 0 games" in shown(app)[0])
        await pilot.click("#recent", offset=(4, 1))
        assert (await comes(pilot, ReplayScreen)).replay.names == ("Ann", "easy")


@pytest.mark.parametrize("has_drill", [True, False])
async def test_the_drill_is_offered_only_where_there_is_one(
    tmp_path: Path, has_drill: bool
) -> None:
    chosen = settings(tmp_path, drill_file=tmp_path / "drill.json" if has_drill else None)
    async with on_screen(None, chosen) as (pilot, app):
        await until(pilot, lambda: "puzzle of the day" in text(app))
        assert ("drill: nothing due" in "\n".join(shown(app))) == has_drill
        if not has_drill:
            await pilot.press("d")
            await until(pilot, lambda: "games saved for you" in "\n".join(shown(app)))
