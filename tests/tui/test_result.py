"""The end of a game: what is said about it, and what a stray key must not do."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.core.game import DRAWN, LOST
from boardgames_cli.core.text import Glyphs
from boardgames_cli.evaluation.reviewer import ReviewedGame, load_review
from boardgames_cli.session.opening import open_session
from boardgames_cli.session.parting import played_game
from boardgames_cli.session.seats import seat_people
from boardgames_cli.session.session import Session
from boardgames_cli.session.settings import Pace, Settings, Setup
from boardgames_cli.storage.played_games import PlayedGame, add_result
from boardgames_cli.storage.store import Store
from boardgames_cli.tui.app import BoardgamesApp
from boardgames_cli.tui.effects import ending_of, large_text
from boardgames_cli.tui.screens.dialogs import ChoiceDialog
from boardgames_cli.tui.screens.replay_screen import ReplayScreen
from boardgames_cli.tui.screens.table_dialogs import ResultScene
from boardgames_cli.tui.widgets.picture import PictureView
from tests.core.test_ending import last_two_die_together
from tests.tui.tables import (
    Time,
    at_table,
    comes,
    game_screen,
    my_turn,
    on_screen,
    settings,
    shown,
    table,
    until,
)

pytestmark = pytest.mark.usefixtures("more_games")


def one_hand(chosen: Settings | None = None) -> Session:
    setup = Setup("kuhn", {"hands": 1}, ("human:Ann", "always-call"), seed=5)
    return open_session(setup, chosen or settings())


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_the_review_of_a_match_stands_in_the_result(size: tuple[int, int]) -> None:
    async with at_table(one_hand(), size=size) as (pilot, app, screen):
        await at_the_end(pilot, app)
        text = "\n".join(shown(app))
        for line in screen.session.review():
            assert "".join(line.split()) in "".join(text.split())
        assert "luck" in text
        assert "q  Quit" in text, "all answers have room"


def test_who_died_first_is_told_that_they_lost_although_the_last_two_tie() -> None:
    match = last_two_die_together("ffa")
    session = Session(match, seat_people(match.game, ("random", "random", "human:Ann", "random")))
    assert ending_of(session.snapshot()).banner == "you lost"
    assert session.games_won == [0, 0, 0, 0]
    assert [played_game(session).outcome(seat) for seat in (1, 2)] == [DRAWN, LOST]


async def at_the_end(pilot: Pilot[None], app: BoardgamesApp) -> ChoiceDialog:
    """Play to the end, and wait for the result."""
    screen = await my_turn(pilot, app)
    while not screen.session.match.is_over:
        await pilot.press("2")
        await my_turn(pilot, app)
    return await comes(pilot, ChoiceDialog)


async def test_no_key_counts_at_the_end_until_it_could_be_noticed(time: Time) -> None:
    calm = settings(pace=Pace.FAST)
    async with on_screen(one_hand(calm), calm) as (pilot, app):
        dialog = await at_the_end(pilot, app)
        session = app.session
        for _ in range(11):  # held for 1.4 seconds
            time.now += 0.125
            await pilot.press("r", "enter", "space", "q", "down")
        assert app.screen is dialog
        time.now += 0.2  # however many keys came before
        await pilot.press("1", "2", "enter", "space")
        assert app.screen is dialog, "keys of the game answer nothing"
        await pilot.press("r")
        await until(pilot, lambda: app.session is not session)


async def test_who_asks_for_the_result_again_needs_not_wait(time: Time) -> None:
    calm = settings(pace=Pace.FAST)
    async with on_screen(one_hand(calm), calm) as (pilot, app):
        await at_the_end(pilot, app)
        session = app.session
        time.now += 2
        await pilot.press("escape")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ChoiceDialog))
        await pilot.press("r")
        await until(pilot, lambda: app.session is not session)


def is_in_sight(app: BoardgamesApp) -> bool:
    """Whether the whole board can be seen beside the result."""
    board = game_screen(app).query_one("#board", PictureView)
    bottom = board.region.bottom
    fits = board.picture.height <= board.size.height and board.picture.width <= board.size.width
    return fits and bottom <= app.screen.query_one("#result").region.y


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40), (200, 50)])
async def test_the_board_stays_in_sight_at_the_end(size: tuple[int, int]) -> None:
    async with on_screen(one_hand(), size=size) as (pilot, app):
        await at_the_end(pilot, app)
        await until(pilot, lambda: is_in_sight(app))
        board = game_screen(app).query_one("#board", PictureView)

        def is_uncovered() -> bool:
            text = "\n".join(shown(app))
            drawn = str(board.picture).splitlines()
            return "G A M E   O V E R" in text and all(line.strip() in text for line in drawn)

        await until(pilot, is_uncovered)  # nothing lies over the board


async def test_the_result_fits_a_window_that_changes(tmp_path: Path) -> None:
    chosen = settings(tmp_path)
    async with on_screen(one_hand(chosen), chosen, size=(120, 40)) as (pilot, app):
        await at_the_end(pilot, app)
        for size in ((60, 20), (200, 50), (80, 24)):
            await pilot.resize_terminal(*size)
            await until(pilot, lambda: is_in_sight(app))
            assert "q  Quit" in "\n".join(shown(app))


async def test_the_board_does_not_move_where_there_is_room_enough() -> None:
    setup = Setup("pommerman", {"mode": "duel"}, ("human:Ann", "random"), seed=5, max_plies=2)
    async with at_table(open_session(setup, settings()), settings(think_seconds=60)) as (
        pilot,
        app,
        screen,
    ):
        board = screen.query_one("#board", PictureView)
        before = board.picture.width, board.region
        await pilot.press("full_stop")
        await until(pilot, lambda: isinstance(app.screen, ResultScene) and is_in_sight(app))
        await pilot.pause()
        assert (board.picture.width, board.region) == before


async def test_the_board_gets_its_room_back_when_the_result_is_closed() -> None:
    async with at_table(one_hand(), size=(60, 20)) as (pilot, app, screen):
        board = screen.query_one("#board", PictureView)
        rows = board.size.height
        await at_the_end(pilot, app)
        await until(pilot, lambda: board.size.height < rows)
        await pilot.press("escape")
        await until(pilot, lambda: board.size.height == rows)


async def test_the_result_tells_of_hints_and_of_the_record(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    told = settings(tmp_path, results_file=path)
    async with on_screen(one_hand(told), told) as (pilot, app):
        await at_the_end(pilot, app)
        assert "against" not in "\n".join(shown(app)), "the first game"
        first = app.session
        await pilot.press("r")
        await until(pilot, lambda: app.session is not first)
        screen = await my_turn(pilot, app)
        screen.session.take_hint(0, screen.session.observe(0).legal[0])
        await at_the_end(pilot, app)
        assert isinstance(app.screen, ResultScene)
        text = "\n".join(shown(app))
        assert "Ann against always-call: " in text
        assert " of 2 won" in text
        assert "Assisted: 1 hint." in text
        assert "saved as kuhn-2" in text


async def test_the_review_begins_at_the_end_and_is_kept(tmp_path: Path) -> None:
    session = table("race", ("human:Ann", "random"), tmp_path, seed=5)
    async with on_screen(session, settings(tmp_path)) as (pilot, app):
        await my_turn(pilot, app)
        while not session.match.is_over:
            await pilot.press("1")
            await my_turn(pilot, app)
        file = Store(tmp_path).review_file(tmp_path / "race-1.jsonl")
        await until(pilot, file.exists)
        await pilot.press("v")
        first = (await comes(pilot, ReplayScreen)).review
        assert first is not None
        assert first.review is not None, "it has begun before it was asked for"
        await until(pilot, lambda: not first.progress)
        assert "REVIEW" in shown(app)[0]
        for _ in range(2):  # the result and its keys are there again, and so is the review
            await pilot.press("q")
            await comes(pilot, ResultScene)
            await pilot.press("v")
            assert (await comes(pilot, ReplayScreen)).review is first
            assert not first.progress
        await pilot.press("q")
    seats = tuple(holder.spec for holder in session.holders)
    game = ReviewedGame(session.match, session.names, file=file)
    known = load_review(game, analyst_for(session.game, seats))
    assert known is not None
    assert known.is_complete


@pytest.mark.parametrize(
    ("size", "is_large", "is_wide"),
    [
        ((200, 50), True, True),
        ((120, 40), True, True),
        ((120, 30), True, False),
        ((80, 24), True, False),
        ((60, 20), False, False),
    ],
)
async def test_the_winner_stands_in_block_letters_where_there_is_room(
    size: tuple[int, int], is_large: bool, is_wide: bool
) -> None:
    async with at_table(one_hand(), size=size) as (pilot, app, screen):
        await at_the_end(pilot, app)
        await until(pilot, lambda: "GAMEOVER" in "".join(shown(app)).replace(" ", ""))
        won = screen.session.match.returns[0] > 0
        title = "YOU WON" if won else "YOU LOST"
        first, *_ = large_text(title, Glyphs.UNICODE, is_wide=is_wide)
        await until(pilot, lambda: (first in "\n".join(shown(app))) is is_large)


async def test_the_score_of_rematches_stands_between_the_names() -> None:
    async with on_screen(one_hand()) as (pilot, app):
        won = [0, 0]
        assert "Ann v always-call" in shown(app)[0]
        for key in ("r", "s", "r"):
            await at_the_end(pilot, app)
            session = app.session
            assert session is not None
            winner = session.match.returns.index(max(session.match.returns))
            won[winner] += 1
            told = f"{session.names[0]} {won[0]} : {won[1]} {session.names[1]}"
            assert told in shown(app)[0]
            await pilot.press(key)
            await until(pilot, lambda old=session: app.session is not old)  # type: ignore[misc]
            if key == "s":
                won.reverse()
        assert sum(won) == 3
        await my_turn(pilot, app)
        assert f" {won[0]} : {won[1]} " in shown(app)[0]


async def test_the_next_opponent_and_the_moment_that_changed_most(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    for number in range(2):
        names, returns = ("Ann", "Dizzy"), (1.0, -1.0)
        add_result(results, PlayedGame(str(number), "kuhn", "now", (0,), names, returns))
    chosen = settings(tmp_path, results_file=results)
    setup = Setup("kuhn", {"hands": 1}, ("human:Ann", "Dizzy"), seed=5)
    async with on_screen(open_session(setup, chosen), chosen) as (pilot, app):
        await at_the_end(pilot, app)
        box = app.screen.query_one("#result")
        await until(pilot, lambda: box.region.height > 0)
        rows = box.region.height
        await until(pilot, lambda: "That moment" in "\n".join(shown(app)))
        assert box.region.height == rows, "its rows are reserved from the start"
        assert "(@_@) Dizzy:" in "\n".join(shown(app))
        scene = await comes(pilot, ResultScene)
        await pilot.press("n")
        replay = await comes(pilot, ReplayScreen)
        assert (replay.ply, replay.is_summary) == (scene.swing, False)
        await pilot.press("q")
        await until(pilot, lambda: "Play Curious Cora" in "\n".join(shown(app)))
        await pilot.press("o")
        await until(pilot, lambda: game_screen(app).session.names[1] == "Curious Cora")
