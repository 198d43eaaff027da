"""TapnSwap judged exactly, within the moves that a game has left."""

from __future__ import annotations

import dataclasses

import pytest

from boardgames_cli.games.tapnswap.analyst import TapnSwapAnalyst
from boardgames_cli.games.tapnswap.rules import TapnSwap
from boardgames_cli.games.tapnswap.state import TapnSwapState

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


def test_a_mistake_says_what_wins_and_how_the_other_side_answers() -> None:
    seen = GAME.observe(at((1, 3), (0, 4)), 0)
    judgement = ANALYST.judge(seen)
    reason = ANALYST.reason(seen, judgement.choices[-1].action, judgement.best.action)
    assert reason.kind == "turned a win into a loss"
    assert reason.text == (
        "tap L>R (kills the right hand) wins in 1; after swap 4-0 the other side wins in 1, "
        "beginning with tap R>L (kills the left hand)"
    )


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
