"""The home screen and its pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardgames_cli.storage.played_games import PlayedGame, add_result
from boardgames_cli.tui.screens.dialogs import ChoiceDialog
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
        await until(pilot, lambda: "New here? l teaches" in " ".join(shown(app)))
        await until(pilot, lambda: "v you" in "\n".join(shown(app)))
        assert not any("…" in line for line in shown(app) if "Pommerman" in line)
        assert "Start: enter" in text(app)
        assert "$ boardgames play senet -s human -s medium" in text(app)
        for widget in ("#games", "#form", "#start", "#command", "#keys"):
            assert app.screen.region.contains_region(app.screen.query_one(widget).region)
        await pilot.press("n")
        await until(pilot, lambda: isinstance(app.screen, ChoiceDialog))
        assert "Ipi" in "\n".join(shown(app))
        await pilot.press("escape", "v")
        await until(pilot, lambda: "Nobody has finished a game here" in "\n".join(shown(app)))


async def test_what_was_reached_is_shown_and_the_next_opponent_plays(tmp_path: Path) -> None:
    fill(tmp_path)
    played(table("race", ("human:Ann", "random"), tmp_path)).close()
    (tmp_path / "half.jsonl").write_text('{"boardgames": 1, "ga')
    async with on_screen(None, settings(tmp_path, results_file=tmp_path / "results.jsonl")) as (
        pilot,
        app,
    ):
        await until(pilot, lambda: "ladder 1/5" in "\n".join(shown(app)))
        text = "\n".join(shown(app))
        assert "won 4 of 4" in text
        assert "ladder: Meret is next" in text
        await pilot.press("v")
        for size in (*SIZES, (200, 50)):
            await pilot.resize_terminal(*size)
            await pilot.press("home")
            for said in (
                "You: 4 games",
                "A rating appears",
                "None is saved",
                "can't be read: half.",
            ):
                await until(pilot, lambda: said in "\n".join(shown(app)), "down")  # noqa: B023
        await pilot.press("tab")
        await until(pilot, lambda: "Ann: 0 games" in shown(app)[0])
        await pilot.click("#recent", offset=(4, 1))
        assert (await comes(pilot, ReplayScreen)).replay.names == ("Ann", "easy")
        await pilot.resize_terminal(80, 24)
        await pilot.press("q", "escape", "n", "down", "up", "enter")
        screen = await comes(pilot, GameScreen)
        assert screen.session.holders[1].name == "Meret"


async def test_a_high_window_shows_the_ladder_and_no_record_is_told_twice(tmp_path: Path) -> None:
    fill(tmp_path)
    async with on_screen(
        None, settings(tmp_path, results_file=tmp_path / "results.jsonl"), size=(200, 50)
    ) as (pilot, app):
        await until(pilot, lambda: "LADDER  1 of 5 beaten" in "\n".join(shown(app)))
        text = "\n".join(shown(app))
        assert "* Ipi" in text
        assert "> Meret" in text
        assert text.count("won 4 of 4") == 1
        await pilot.resize_terminal(60, 20)  # no cards: the title tells the record
        await until(pilot, lambda: "won 4 of 4" in "\n".join(shown(app)))
        await pilot.press("2")  # of another game nothing was won
        await until(pilot, lambda: "won" not in "\n".join(shown(app)))


@pytest.mark.parametrize("has_drill", [True, False])
async def test_the_drill_is_offered_only_where_there_is_one(
    tmp_path: Path, has_drill: bool
) -> None:
    chosen = settings(tmp_path, drill_file=tmp_path / "drill.json" if has_drill else None)
    async with on_screen(None, chosen) as (pilot, app):
        await until(pilot, lambda: "v you" in "\n".join(shown(app)))
        assert ("drill: nothing due" in "\n".join(shown(app))) == has_drill
        if not has_drill:
            await pilot.press("d")
            await until(pilot, lambda: "games saved for you" in "\n".join(shown(app)))
