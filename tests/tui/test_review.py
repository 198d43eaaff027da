"""The review: a replay that is judged, and new games that begin in one."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from boardgames_cli.agents.perfect import solution_of
from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.core.game import CHANCE
from boardgames_cli.core.presentation.view import LEAST_SIDEBAR
from boardgames_cli.evaluation.review_text import listed, worst_moment
from boardgames_cli.evaluation.reviewer import ReviewedGame, review_of
from boardgames_cli.session.replay import Replay
from boardgames_cli.session.session import Session
from boardgames_cli.storage.store import Store
from boardgames_cli.tui.app import BoardgamesApp
from boardgames_cli.tui.review_model import choices_panel, listed_moves
from boardgames_cli.tui.screens.dialogs import ChoiceDialog, NameDialog
from boardgames_cli.tui.screens.question_screen import QuestionScreen
from boardgames_cli.tui.screens.replay_screen import ReplayScreen
from boardgames_cli.tui.screens.table import GameScreen
from boardgames_cli.tui.widgets.picture import PictureView
from tests.analysis import refuse_analysis
from tests.tui.tables import comes, on_screen, settings, shown, table, text, until, words
from tests.tui.test_replay import played

pytestmark = pytest.mark.usefixtures("more_games")


def blundered(folder: Path | None = None, game: str = "tapnswap") -> Session:
    """A finished game with mistakes: chosen at random."""
    session = table(game, ("human:name=Ann", "random"), folder)
    match, rng = session.match, random.Random(3)
    while not match.is_over:
        if match.waiting_for == (CHANCE,):
            session.resolve_chance()
            continue
        seat = match.waiting_for[0]
        session.submit(seat, rng.choice(session.observe(seat).legal))
    return session


def judged_screen(session: Session, folder: Path | None = None) -> ReplayScreen:
    replay = Replay.of_session(session)
    replay.is_judged = True
    session.close()
    return ReplayScreen(replay, settings(folder))


@asynccontextmanager
async def reviewed(
    session: Session | None = None, folder: Path | None = None, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[Pilot[None], BoardgamesApp, ReplayScreen]]:
    """A game on the screen, as soon as it is judged; by default one with mistakes."""
    screen = judged_screen(session or blundered(), folder)
    async with on_screen(None, settings(folder), size, screen) as (pilot, app):
        await until(pilot, lambda: screen.review is not None and not screen.review.progress)
        yield pilot, app, screen


def test_choices_that_only_hasten_a_loss_tell_when_it_comes() -> None:
    session = blundered()
    game, match = session.game, session.match
    review = review_of(ReviewedGame(match, ["Ann", "Random"]), analyst_for(game))
    step, decision = next(
        (step, one)
        for step in review.steps
        for one in step.decisions
        if any(choice.plies_lost for choice in one.choices)
    )
    judged = solution_of(game).judge(match.state_at(step.ply))
    solved = {str(one): str(found) for one, found in judged.items()}
    lines = str(choices_panel(review, step, decision, 0, 40)).splitlines()
    narrow = str(choices_panel(review, step, decision, 0, 28)).splitlines()
    for choice in decision.choices[:4]:
        line = next(line for line in lines if choice.label in line)
        assert solved[choice.action] in line
        line = next(line for line in narrow if choice.label in line)
        assert solved[choice.action].removeprefix("loss ") in line
    assert solved[decision.best.action].startswith("loss in")
    assert "exact, plies" in narrow[0]
    assert "exact, plies" in lines[0]


def test_figures_are_cut_before_moves() -> None:
    game, match = (session := blundered()).game, session.match
    review = review_of(ReviewedGame(match, ["Ann", "Random"]), analyst_for(game))
    for step in review.steps:
        for decision in step.decisions:
            told = str(choices_panel(review, step, decision, 0, LEAST_SIDEBAR))
            assert all(choice.label in told for choice in decision.choices[:6])


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)], ids=str)
async def test_from_mistake_to_mistake(size: tuple[int, int]) -> None:
    async with reviewed(size=size) as (pilot, app, screen):
        review = screen.review
        assert review is not None
        assert review.review is not None
        plies = [step.ply for step, _ in review.review.mistakes(0)]
        assert plies, "the game was chosen for its mistakes"
        await pilot.press("left_curly_bracket", "n")
        first = screen.ply
        assert first == plies[0]
        await until(pilot, lambda: "better: " in text(app))
        decision = review.decision(first)
        assert decision is not None
        assert decision.reason.text
        assert decision.reason.text[1:20] in words(app)
        if size[0] >= 80:
            assert "exact, % to win" in text(app)
            assert "played" in text(app)
            assert "best" in text(app)
        others = [step.ply for step, _ in review.review.mistakes()]
        visited = []
        for _ in others:  # after the last one the first comes again
            await pilot.press("N")
            visited.append(screen.ply)
        assert sorted(visited) == others
        assert screen.ply == first
        await pilot.press("P")
        assert screen.ply == visited[-2], "the way back"
        await pilot.press("N", "n", "p")
        assert screen.ply == first
        # The choice that is looked at moves, on the board too.
        await pilot.press("down")
        assert review.chosen(decision) == 1
        await pilot.press("s")
        await until(pilot, lambda: "What cost Ann most" in text(app))


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)], ids=str)
async def test_a_review_opens_on_the_worst_moment_and_has_a_summary(size: tuple[int, int]) -> None:
    async with reviewed(size=size) as (pilot, app, screen):
        review = screen.review.review if screen.review is not None else None
        assert review is not None
        assert not screen.is_summary
        found, moment = listed(review, 0), worst_moment(review, 0)
        assert moment is not None
        assert moment[0] == screen.ply == found[0][0].ply
        assert found[0][1].loss == max(one.loss for _, one in review.mistakes(0))
        await until(pilot, lambda: moment[1][:50] in text(app))
        await pilot.press("s")
        await until(pilot, lambda: "What cost Ann most" in text(app))
        assert "accuracy" not in text(app)
        await pilot.press("i")
        picture = screen.query_one("#review-page", PictureView)
        await until(pilot, lambda: "accuracy" in str(picture.picture))
        page = " ".join(str(picture.picture).split())
        for word in ("??", "What cost random most", "Chances are those of best play by all."):
            assert word in page
        assert not screen.query_one("#board").region, "the board is not below it"
        await pilot.press("2")
        assert screen.ply == found[1][0].ply
        await until(pilot, lambda: "better: " in text(app))
        assert screen.query_one("#board").size.width > 20
        await pilot.press("s")
        await until(pilot, lambda: "What cost Ann most" in text(app))
        await pilot.press("down", "up", "enter")
        assert not screen.is_summary
        assert screen.ply in [step.ply for step, _ in review.mistakes(0)]


async def test_a_summary_in_a_tiny_window_is_no_fault() -> None:
    async with reviewed() as (pilot, app, _):
        await pilot.press("s")
        await pilot.resize_terminal(1, 1)
        await pilot.pause()
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "What cost Ann most" in text(app))


async def test_a_click_in_the_summary_shows_the_decision() -> None:
    async with reviewed(size=(120, 40)) as (pilot, app, screen):
        review = screen.review.review if screen.review is not None else None
        assert review is not None
        ply = listed(review, 0)[0][0].ply
        await pilot.press("s")
        await until(pilot, lambda: "1  Step" in text(app))
        row = next(at for at, line in enumerate(shown(app)) if "1  Step" in line)
        await pilot.click(offset=(12, row))
        await until(pilot, lambda: not screen.is_summary)
        assert screen.ply == ply


@pytest.mark.parametrize("is_reviewed", [True, False])
async def test_the_list_of_moves_leads_to_every_move(is_reviewed: bool) -> None:
    async with reviewed() as (pilot, app, screen):
        if not is_reviewed:
            await pilot.press("v")
        await pilot.press("m")
        await until(pilot, lambda: isinstance(app.screen, ChoiceDialog))
        assert "Moves" in text(app)
        rows = listed_moves(screen.replay, screen.review)
        assert any(cost for _, _, cost in rows) == is_reviewed
        await pilot.press("pagedown", "pagedown", "pageup", "pageup", "down", "down", "enter")
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        assert screen.ply == rows[2][0] + (not is_reviewed)
        await pilot.press("m", *["pagedown"] * 4, "enter")
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        assert screen.ply == rows[-1][0] + (not is_reviewed)


async def test_a_throw_and_its_move_are_one_step_of_the_reader() -> None:
    async with reviewed(blundered(game="senet")) as (pilot, app, screen):
        await read_steps(pilot, app, screen, "estimate, %")
        await pilot.resize_terminal(120, 40)
        await read_steps(pilot, app, screen, "estimate, % to win")
        await pilot.press("v")
        screen.travel(4)
        assert screen.ply == 4, "unjudged, a step is a step"


async def read_steps(
    pilot: Pilot[None], app: BoardgamesApp, screen: ReplayScreen, note: str
) -> None:
    await pilot.press("left_curly_bracket", "right_square_bracket")
    assert screen.ply == 1, "the throw is made, the move is judged"
    await pilot.press("right_square_bracket")
    assert screen.ply == 3
    thrown = screen.replay.match.steps[2].outcome
    assert thrown is not None
    await until(pilot, lambda: f"threw {thrown.steps} (luck " in text(app))
    await pilot.press("left_square_bracket")
    assert screen.ply == 1
    await pilot.press("left_square_bracket")
    assert screen.ply == 0
    screen.travel(4)
    assert screen.ply == 5, "a throw is shown with the choice it leads to"
    assert "step 6 of " in text(app), "as in the list of mistakes"
    # What stands above the choices is not cut.
    await pilot.press("n")
    await until(pilot, lambda: any(line.rstrip(" │|").endswith(note) for line in shown(app)))


async def test_a_click_on_the_graph_goes_there() -> None:
    async with reviewed() as (pilot, _, screen):
        await until(pilot, lambda: screen.query_one("#graph").size.height == 3)
        await pilot.click("#graph", offset=(screen.size.width - 2, 1))
        assert screen.ply == screen.last
        graph = str(screen.query_one("#graph", PictureView).picture).splitlines()
        assert "───" in graph[1], "the line of an even game"
        assert "─" not in graph[0] + graph[2]
        await pilot.click("#graph", offset=(graph[1].index("─"), 2))
        assert screen.ply == 0


async def test_deciding_again_asks_until_it_is_right_and_changes_no_review() -> None:
    async with reviewed() as (pilot, app, screen):
        await pilot.press("n")
        decision = screen.review.decision(screen.ply) if screen.review is not None else None
        assert decision is not None
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ChoiceDialog))
        await pilot.press("1")
        asked = await comes(pilot, QuestionScreen)
        heading = f"AGAIN  TapnSwap  step {screen.ply + 1}, played: {decision.choice.label}"
        await until(pilot, lambda: heading in text(app))
        assert decision.best.words not in text(app).replace(asked.asked.about.task, "")
        assert "of the day" not in text(app), "there is nothing to choose"
        asked.answer(decision.played)
        await until(pilot, lambda: f"Not the best: {decision.choice.label}" in text(app))
        asked.answer(decision.best.action)
        await until(pilot, lambda: f"Right: {decision.best.label}." in text(app))
        await until(pilot, lambda: "Choices  exact" in text(app))
        await pilot.press("t", "g", "n")
        await until(pilot, lambda: app.screen is screen)
        assert screen.review is not None
        assert screen.review.decision(screen.ply) == decision
        screen.clicked(decision.played)
        assert decision.choices[screen.review.chosen(decision)].action == decision.played


async def test_playing_on_is_a_new_game_from_that_position(tmp_path: Path) -> None:
    old = blundered(tmp_path)
    async with reviewed(old, tmp_path) as (pilot, app, screen):
        await pilot.press("n")
        ply = screen.ply
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ChoiceDialog))
        assert f"From step {ply + 1}" in text(app), "as the list of mistakes counts"
        await pilot.press("4")
        await until(pilot, lambda: isinstance(app.screen, GameScreen))
        new = app.session
        assert new is not None
        assert new is not old
        assert new.match.start == old.match.state_at(ply)
        assert new.match.seed != old.match.seed
        assert "human:name=Ann" in [holder.spec for holder in new.holders]
        assert new.journal is not None
        assert new.journal.name == "tapnswap-2"
    assert Store(tmp_path).review_file(tmp_path / "tapnswap-1.jsonl").exists()


async def test_a_wrong_agent_is_refused_in_words() -> None:
    async with reviewed() as (pilot, app, _):
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ChoiceDialog))
        await pilot.press("up", "enter")
        await until(pilot, lambda: isinstance(app.screen, NameDialog))
        await pilot.press(*"nobody", "enter")
        await until(pilot, lambda: "unknown agent" in text(app))
        assert "Agents: " in text(app), "a dialog has room for the whole message"
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        await pilot.press("right_curly_bracket", "enter")
        assert "The game is over here." in text(app)


async def test_what_cannot_be_judged_says_why_and_is_still_seen_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refuse_analysis(monkeypatch)
    screen = judged_screen(played(table("cards")))
    async with on_screen(None, only=screen) as (pilot, app):
        await until(pilot, lambda: "can't be reviewed" in text(app))
        assert "REPLAY" in shown(app)[0]
        await pilot.press("right_square_bracket")
        assert screen.ply == 1
    screen = judged_screen(played(table("senet"), 10))
    async with on_screen(None, None, (120, 24), screen) as (pilot, app):
        await until(pilot, lambda: "is not over" in text(app))
        await pilot.press("n")
        assert screen.ply == 1


async def test_v_takes_the_judgement_away_and_brings_it_back() -> None:
    async with reviewed(played(table("kuhn", seed=3))) as (pilot, app, screen):
        assert "REVIEW" in shown(app)[0]
        await pilot.press("v")
        await until(pilot, lambda: "REPLAY" in shown(app)[0])
        assert screen.review is None
        await pilot.press("v")
        await until(pilot, lambda: "REVIEW" in shown(app)[0])
