"""Senet's reviews state errors that are true: neither too small nor hiding mistakes."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from senet_exact import read_choices

from boardgames_cli.core.analyst import Mark
from boardgames_cli.games.senet.actions import MOVE
from boardgames_cli.games.senet.analyst import (
    LOSS_ERROR,
    ROUNDED,
    VALUE_ERROR,
    SenetAnalyst,
    facts_of,
)
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState
from tests.games.senet.positions import position

NOTHING = 0.001
"""A smaller loss, in returns, is shown as one that costs nothing."""


class Compared(NamedTuple):
    """A choice as the analyst judges it, and as an independent solver does; in returns."""

    value_gap: float
    error: float
    loss: float
    exact_loss: float
    loss_error: float
    is_named_best: bool


def compared(analyst: SenetAnalyst, sample: str) -> list[Compared]:
    """All choices among several in a sample's positions that the exact table does not have."""
    game, found = analyst.game, []
    for known in read_choices(sample):
        if known.rules != game.rules:
            continue
        judgement = analyst.judge(game.observe(known.state, known.state.player))
        if judgement.method.is_exact:
            continue
        for choice in judgement.choices:
            value = known.values[game.action_id(known.state, choice.action)]
            found.append(
                Compared(
                    choice.returns[known.state.player] - (2 * value - 1),
                    choice.error,
                    choice.loss,
                    2 * (max(known.values.values()) - value),
                    choice.loss_error,
                    choice is judgement.best,
                )
            )
    return found


@pytest.mark.parametrize("rules", ["kendall", "skyruk"])
def test_the_stated_errors_are_those_of_endings_whose_values_are_known(rules: str) -> None:
    choices = compared(SenetAnalyst(Senet(rules)), "endings")
    assert len(choices) > 300
    rounding = 1 / 65_535
    too_small = [abs(one.value_gap) > 2 * one.error + rounding for one in choices]
    too_small += [
        abs(one.loss - one.exact_loss) > 2 * one.loss_error for one in choices if one.loss
    ]
    assert sum(too_small) <= 0.05 * len(too_small)
    assert all(one.error <= ROUNDED for one in choices)
    best = [one.exact_loss <= 2 * ROUNDED for one in choices if one.is_named_best]
    assert sum(best) >= 0.99 * len(best)
    losses = [one for one in choices if one.exact_loss > 0.04]
    found = sum(one.loss > 0.04 for one in losses)
    assert found >= 0.98 * len(losses), "losses of two points are recalled"


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["kendall", "skyruk"])
def test_the_best_move_that_a_review_names_of_whole_games_costs_nothing(rules: str) -> None:
    pytest.importorskip("numba", reason="reviews search further with the extra `fast` (numba)")
    choices = compared(SenetAnalyst(Senet(rules)).thorough(), "games")
    best = [one.exact_loss < NOTHING for one in choices if one.is_named_best]
    assert len(best) > 1_000
    assert sum(best) >= 0.9 * len(best)
    guesses = [one for one in choices if one.error > ROUNDED and not one.is_named_best]
    for gaps in (
        [abs(one.value_gap) > 2 * one.error for one in guesses],
        [abs(one.loss - one.exact_loss) > 2 * one.loss_error for one in guesses],
    ):
        assert 0.02 < sum(gaps) / len(gaps) < 0.06, "errors are neither too small nor too large"


@pytest.mark.parametrize("rules", ["kendall", "skyruk"])
def test_no_loss_that_earns_a_mark_is_hidden_by_the_stated_error(rules: str) -> None:
    scale = SenetAnalyst(Senet(rules)).scale
    assert scale.mark(0.101, max(LOSS_ERROR[rules])) is Mark.INACCURACY


def test_exact_values_are_preferred_to_rounded_ones() -> None:
    analyst = SenetAnalyst(Senet())
    two = analyst.value(SenetState(0b11, 0b1100, 0, None))
    three = analyst.value(SenetState(0b111, 0b111000, 0, None))
    four = analyst.value(SenetState(0b1111, 0b11110000, 0, None))
    assert (two.is_exact, two.error) == (True, 0.0)
    assert (three.is_exact, three.error) == (False, ROUNDED)
    assert (four.is_exact, four.error) == (False, VALUE_ERROR["kendall"][0])
    assert "exact with up to 2 dancers on either side, to 0.20 % with up to 3" in str(
        analyst.method
    )


def test_throws_are_counted_by_the_falls_of_the_sticks() -> None:
    # From 1 and 2 the lone cone on 4 is met by a 3 and by a 2: 4 and 6 of 16 falls.
    facts = facts_of(Senet(), position([4, 12], [1, 2], 0, 3), MOVE[12][15])
    assert (facts.open_houses, facts.open_falls) == ((4,), 10)
