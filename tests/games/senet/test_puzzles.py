"""Endings whose exact values another program worked out: puzzles in them, and how hard plays."""

from __future__ import annotations

from collections import Counter

import pytest
from senet_exact import judge, read_choices

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.evaluation.mining import CLEAR_ERRORS

GAP = 0.06
"""The gap of the bundled puzzles; docs/puzzles.md."""


def test_the_answers_of_clear_positions_are_right() -> None:
    clear: Counter[bool] = Counter()
    for choice in read_choices():
        game, state = choice.game, choice.state
        judged = analyst_for(game).judge(game.observe(state, state.player))
        second = judged.choices[1]
        if second.loss >= max(CLEAR_ERRORS * second.loss_error, 2 * GAP):
            clear[judged.method.is_exact] += 1
            assert game.action_id(state, judged.best.action) in choice.best
    assert clear[True] >= 15
    assert clear[False] == 19, "by the rounded table, which sees no more of them than there are"


@pytest.mark.parametrize("rules", ["kendall", "skyruk"])
def test_hard_gives_away_at_most_two_hundredths_of_a_point(rules: str) -> None:
    verdict = judge("hard", [choice for choice in read_choices() if choice.rules == rules])
    assert verdict.loss <= 0.0002
    assert verdict.optimal >= 0.94
