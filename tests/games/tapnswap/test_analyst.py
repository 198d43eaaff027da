"""TapnSwap judged exactly, within the moves that a game has left."""

from __future__ import annotations

import dataclasses

import pytest

from boardgames_cli.core.analyst import CHANCE_TO_WIN, Mark
from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.evaluation.plots import course
from boardgames_cli.evaluation.review_text import review_page
from boardgames_cli.evaluation.reviewer import ReviewedGame, review_of
from boardgames_cli.games.tapnswap.analyst import TapnSwapAnalyst
from boardgames_cli.games.tapnswap.rules import TapnSwap
from boardgames_cli.games.tapnswap.state import TapnSwapState
from boardgames_cli.registry import make_agent
from tests.games.tapnswap import slow_rules

PLIES = slow_rules.solve()
"""The distance of every end, from a second, plain reading of the rules."""
LONG = TapnSwap()
LONG_ANALYST = TapnSwapAnalyst(LONG)
GAME = TapnSwap(max_plies=20)
ANALYST = TapnSwapAnalyst(GAME)


def at(own: tuple[int, int], opponent: tuple[int, int], ply: int = 0) -> TapnSwapState:
    return TapnSwapState((own, opponent), 0, ply)


def test_choices_are_ranked_and_named_by_how_they_end() -> None:
    judgement = ANALYST.judge(GAME.observe(at((1, 3), (0, 4)), 0))
    assert judgement.method.is_exact
    found = [(choice.words, choice.loss) for choice in judgement.choices]
    assert found == [
        ("win in 1", 0.0), ("win in 1", 0.0), ("draw", 1.0), ("loss in 2", 2.0), ("loss in 2", 2.0),
    ]  # fmt: skip


@pytest.mark.parametrize(("left", "worth"), [(1, 0.0), (2, 0.0), (3, 1.0), (20, 1.0)])
def test_who_can_not_win_in_time_has_a_draw(left: int, worth: float) -> None:
    # The start of a win in three plies, found in the solution itself.
    state = next(
        state
        for state in GAME.every_position()
        if ANALYST.judge(GAME.observe(state, 0)).best.words == "win in 3"
    )
    late = dataclasses.replace(state, ply=GAME.max_plies - left)
    assert ANALYST.value(late).returns == (worth, -worth)
    assert ANALYST.value(state).returns == (1.0, -1.0), "the same hands, earlier"


def test_of_moves_with_one_result_the_nearer_win_and_the_later_loss_are_better() -> None:
    marked = 0
    for own, opponent in slow_rules.POSITIONS:
        state = at(own, opponent)
        if LONG.is_over(state):
            continue
        judgement = LONG_ANALYST.judge(LONG.observe(state, 0))
        best = PLIES[own, opponent]
        for choice in judgement.choices:
            after = LONG.apply(state, {0: choice.action})
            plies = 1 + (0 if LONG.is_over(after) else PLIES[after.hands[1], after.hands[0]])
            if best and choice.returns == judgement.best.returns:
                kept = min(plies, best) / max(plies, best)
                assert choice.plies_lost == abs(plies - best)
                wanted = (
                    Mark.BLUNDER if kept <= 0.1
                    else Mark.MISTAKE if kept <= 0.55
                    else Mark.INACCURACY if kept <= 0.775
                    else Mark.GOOD
                )  # fmt: skip
                assert CHANCE_TO_WIN.mark(choice.loss) is wanted
                marked += wanted is not Mark.GOOD
            else:
                assert choice.plies_lost == 0
        delays = [choice.loss for choice in judgement.choices if choice.plies_lost]
        losses = [one.loss for one in judgement.choices if one.loss and not one.plies_lost]
        assert max(delays, default=0.0) < 0.45 < min(losses, default=1.0), "a result weighs more"
    assert marked > 400


def test_who_hastens_a_loss_is_marked_and_the_curve_falls() -> None:
    match: AnyMatch = Match(LONG, seed=3)
    play(match, [make_agent("random", LONG), make_agent("perfect", LONG)])
    review = review_of(ReviewedGame(match, ("A", "B")), LONG_ANALYST)
    hastened = [
        (step, decision) for step, decision in review.mistakes(0) if decision.choice.plies_lost
    ]
    assert hastened
    curve = course(review, 0)
    for step, decision in hastened:
        assert step.value is not None
        before, after = curve[step.ply], curve[step.ply + 1]
        assert before is not None
        assert after is not None
        assert 0 < before < 0.5
        assert after < before
        assert decision.reason.kind == "hastened a loss"
    assert "counted in chances to win." in str(review_page(review, 0, 400, has_figures=True))
    own = review.summary(0)
    assert own.start + own.own + own.others == own.result == -1
    assert curve[-1] == 0
