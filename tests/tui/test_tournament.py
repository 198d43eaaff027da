from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from boardgames_cli import registry
from boardgames_cli.agents.remote.process_pool import Pool, ProcessPool
from boardgames_cli.core.errors import GameError
from boardgames_cli.registry import make
from boardgames_cli.tournament.folder import RunFolder
from boardgames_cli.tournament.pools import InProcessPool
from boardgames_cli.tui import background_tournament
from boardgames_cli.tui.app import BoardgamesApp, build_app
from boardgames_cli.tui.screens.launcher import Launcher
from boardgames_cli.tui.screens.replay_screen import ReplayScreen
from boardgames_cli.tui.screens.tournament_screen import TournamentForm, TournamentScreen
from tests.tui.tables import SIZES, settings, shown, until

PROCESSES = background_tournament.make_workers


class Gate(InProcessPool):
    """Plays a batch whenever the test lets one through."""

    def __init__(self) -> None:
        super().__init__()
        self.passes = threading.Semaphore(0)
        self.is_closed = False

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        assert self.passes.acquire(timeout=60)
        return super().submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.is_closed = True
        super().shutdown()


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty current folder, and workers in this process, which know the toys."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(background_tournament, "make_workers", InProcessPool)
    return tmp_path


def text_of(app: BoardgamesApp) -> str:
    return "\n".join(shown(app))


async def opened(pilot: Pilot[None], app: BoardgamesApp, games: int = 4) -> TournamentScreen:
    """The screen for a race, opened from the launcher."""
    await pilot.press("2", "t")
    await until(pilot, lambda: isinstance(app.screen, TournamentScreen))
    screen = app.screen
    assert isinstance(screen, TournamentScreen)
    await until(pilot, lambda: "[x] hard" in text_of(app))
    screen.form.games.value = str(games)
    return screen


async def ended(pilot: Pilot[None], screen: TournamentScreen) -> None:
    await until(pilot, lambda: screen.ended is not None)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_from_the_menu_to_a_game_that_was_played(size: tuple[int, int], here: Path) -> None:
    app = build_app(None, settings(here))
    async with app.run_test(size=size) as pilot:
        screen = await opened(pilot, app)
        words = ("Tournament: Race", "[x] easy", "[x] hard", "s start", "q close")
        await until(pilot, lambda: all(word in text_of(app) for word in words))
        await pilot.press("s")
        await ended(pilot, screen)
        await until(pilot, lambda: "GAMES" in text_of(app))
        text = text_of(app)
        assert "score" in text
        assert "Finished. The whole report: race-" in text
        assert screen.ended is not None
        assert screen.ended.is_finished
        # Three levels meet each other in four games each.
        assert len(screen.ended.games) == 12
        assert "deal 1: easy v medium" in text
        await pilot.press("down", "enter")
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        replay = app.screen
        assert isinstance(replay, ReplayScreen)
        assert replay.last == screen.ended.games[1][1].plies
        await pilot.press("q", "q")
        await until(pilot, lambda: isinstance(app.screen, Launcher))
    folder = next(here.glob("race-*"))
    assert (folder / "report.html").exists()
    assert (folder / "ratings.json").exists()


async def test_the_options_of_the_form_are_played(here: Path) -> None:
    app = build_app(None, settings(here))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("1", "right", "t")
        await until(pilot, lambda: isinstance(app.screen, TournamentScreen))
        await until(pilot, lambda: "Tournament: Senet, skyruk" in text_of(app))
        await until(pilot, lambda: "--set rules=skyruk" in text_of(app))


async def test_one_entrant_is_too_few(here: Path) -> None:
    app = build_app(None, settings(here))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, app)
        await pilot.press("space", "down", "enter", "s")
        assert screen.form.marked == {"hard"}
        await until(pilot, lambda: "A tournament needs two entrants or more." in text_of(app))
        assert not screen.is_playing
        await pilot.press("up")
        await until(pilot, lambda: "A tournament needs" not in text_of(app))
    assert list(here.iterdir()) == []


async def test_mouse_marks_entrants_and_turns_the_number(here: Path) -> None:
    app = build_app(None, settings(here))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, app)
        await until(pilot, lambda: "[x] medium" in text_of(app))
        await pilot.click("#rows", offset=(4, 3))
        assert screen.form.marked == {"easy", "hard"}
        await pilot.click("#rows", offset=(4, 3))
        assert screen.form.marked == {"easy", "medium", "hard"}
        await pilot.click("#rows", offset=(23, 0))
        assert screen.form.games.value == "3"
        await pilot.press("right", "right")
        assert screen.form.games.value == "5"


async def test_the_screen_reacts_while_games_are_played_and_the_table_grows(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate()
    monkeypatch.setattr(background_tournament, "make_workers", lambda: gate)
    monkeypatch.setattr(background_tournament, "TABLE_SECONDS", 0.0)
    app = build_app(None, settings(here))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, app, games=100)
        await pilot.press("s")
        await until(pilot, lambda: "0 of 300 games" in text_of(app))
        # Nothing is played now; the screen goes on, and other keys mean nothing.
        await pilot.press("space", "left", "down", "s")
        assert screen.form.marked == {"easy", "medium", "hard"}
        gate.passes.release()
        await until(pilot, lambda: "2 of 300 games" in text_of(app))
        assert "left, kept in race-" in text_of(app)
        await pilot.press("x")
        await until(pilot, lambda: "Stopping" in text_of(app))
        gate.passes.release()
        await ended(pilot, screen)
        assert gate.is_closed
        assert screen.ended is not None
        assert not screen.ended.is_finished
        folder = screen.ended.folder
        await until(pilot, lambda: f"$ boardgames tournament --resume {folder}" in text_of(app))
        assert "The tournament is not finished." in text_of(app)
    kept = RunFolder.open(here / folder)
    assert sum(map(len, kept.deals())) == len(screen.ended.games) >= 2
    kept.close()


async def test_escape_stops_and_then_closes(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate()
    monkeypatch.setattr(background_tournament, "make_workers", lambda: gate)
    app = build_app(None, settings(here))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await opened(pilot, app)
        await pilot.press("s")
        await until(pilot, lambda: "0 of 12 games" in text_of(app))
        await pilot.press("escape")
        assert app.screen is screen
        gate.passes.release()
        await ended(pilot, screen)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, Launcher))


async def test_a_folder_with_files_is_refused_in_one_message(here: Path) -> None:
    app = build_app(None, settings(here))
    (here / "mine").mkdir()
    (here / "mine" / "notes.txt").write_text("of mine")
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, Launcher))
        screen = TournamentScreen(make("race"), settings(here), here / "mine")
        await app.push_screen(screen)
        await pilot.press("s")
        await until(pilot, lambda: "already exists" in text_of(app))
        assert not screen.is_playing
        assert [path.name for path in (here / "mine").iterdir()] == ["notes.txt"]


async def test_without_numpy_there_is_a_table_and_a_message(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As if numpy were missing, which that module imports.
    monkeypatch.setitem(sys.modules, "boardgames_cli.tournament.ratings.plackett_luce", None)
    app = build_app(None, settings(here))
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await opened(pilot, app)
        await pilot.press("s")
        await ended(pilot, screen)
        await until(pilot, lambda: "pip install" in text_of(app))
        assert "rating " not in shown(app)[2]
        assert text_of(app).count("pip install") == 1


def pids_of(pools: Sequence[ProcessPool]) -> list[int]:
    return [pid for pool in pools for pid in pool.pids]


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.second_try("waits for worker processes")
@pytest.mark.skipif(os.name != "posix", reason="signal 0")
@pytest.mark.parametrize("key", ["q", "exit"])
async def test_no_process_is_left(key: str, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pools: list[ProcessPool] = []

    def workers() -> Pool:
        pool = PROCESSES()
        assert isinstance(pool, ProcessPool)
        pools.append(pool)
        return pool

    monkeypatch.setattr(background_tournament, "make_workers", workers)
    app = build_app(None, settings(here))
    pids: list[int] = []
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("1", "t")
        await until(pilot, lambda: isinstance(app.screen, TournamentScreen))
        screen = app.screen
        assert isinstance(screen, TournamentScreen)
        await until(pilot, lambda: "greedy" in screen.form.agents)
        screen.form.marked = {"random", "greedy"}
        screen.form.games.value = "100000"
        await pilot.press("s")
        await until(pilot, lambda: bool(pids_of(pools)))
        pids = pids_of(pools)
        running = screen._thread._thread
        assert running is not None
        if key == "q":
            await until(pilot, lambda: "a second" in text_of(app))
            await pilot.press("q")
            await ended(pilot, screen)
            assert screen.ended is not None
            assert screen.ended.games
    running.join(60)
    assert not running.is_alive()
    assert 1 <= pools[0].size <= 2
    assert not any(map(is_alive, pids))


def test_the_command_plays_the_same() -> None:
    form = TournamentForm(make("race"))
    form.games.value = "6"
    assert form.command() == (
        "boardgames tournament race -s easy -s medium -s hard --games 6 --seed 1 --records"
    )
    form.offer(["easy", "hard", "random"])
    assert form.config().records
    form.toggle("easy")
    assert form.command() == ""
    with pytest.raises(GameError, match="two entrants"):
        form.config()


def test_levels_say_what_they_stand_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.BUILT_IN_GAMES, "kuhn", "boardgames_cli.games.kuhn:GAME")
    form = TournamentForm(make("kuhn"))
    assert form.words("hard").startswith("equilibrium:curiosity=0.29, rated ")
    assert form.words("nobody") == ""
