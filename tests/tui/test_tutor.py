"""The tutor on the screen."""

from __future__ import annotations

import pytest

from boardgames_cli.evaluation.oracle import ConsideredDecision
from boardgames_cli.tui.screens.dialogs import ChoiceDialog
from boardgames_cli.tui.screens.table import GameScreen
from tests.evaluation.test_tutor import play_to_a_blunder
from tests.tui.tables import at_table, says, settings, shown, table, until

pytestmark = pytest.mark.usefixtures("more_games")


async def test_it_asks_before_a_mistake_and_takes_no_for_an_answer() -> None:
    session = table("tapnswap", ("human", "human:name=Ben"))
    match = session.match
    blunder = play_to_a_blunder(session)[-1]
    seat, ply = match.waiting_for[0], match.ply
    number = str([str(action) for action in session.observe(seat).legal].index(blunder) + 1)
    async with at_table(session, settings(tutor=True)) as (pilot, app, screen):
        assert screen.tutor_dialog is not None
        await pilot.press(number)
        await until(pilot, lambda: isinstance(app.screen, ChoiceDialog))
        assert "This looks like a mistake." in "\n".join(shown(app))
        assert (match.ply, session.hints_taken) == (ply, 1)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, GameScreen))
        assert match.ply == ply
        await pilot.press(number)
        await until(pilot, lambda: isinstance(app.screen, ChoiceDialog))
        assert session.hints_taken == 1, "once for a decision"
        assert "Again: " in "\n".join(shown(app)), "explained once"
        await pilot.press("enter")  # taking it back is chosen
        await until(pilot, lambda: isinstance(app.screen, GameScreen))
        assert match.ply == ply
        await until(pilot, lambda: "Look again. " in says(app, "#message"))
        assert "the best." in says(app, "#message")
        await pilot.press(number)
        await until(pilot, lambda: isinstance(app.screen, ChoiceDialog))
        await pilot.press("1")
        await until(pilot, lambda: match.ply > ply)


async def test_a_good_move_needs_no_answer_and_nobody_waits_for_the_judge(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = table("tapnswap", ("human", "human:name=Ben"))
    match = session.match
    # Whatever is not judged in time goes through.
    monkeypatch.setattr("boardgames_cli.evaluation.tutor.PATIENCE_SECONDS", 0.01)
    monkeypatch.setattr(ConsideredDecision, "begin", lambda *_: None)
    async with at_table(session, settings(tutor=True)) as (pilot, _, _):
        await pilot.press("1")
        await until(pilot, lambda: match.ply == 1)
