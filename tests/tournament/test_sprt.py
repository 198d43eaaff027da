"""The sequential test: its bounds and its errors."""

from __future__ import annotations

import math
import random
from collections import Counter
from fractions import Fraction

import pytest

from boardgames_cli.agents.ratings import expected_score
from boardgames_cli.core.errors import GameError
from boardgames_cli.tournament.ratings.statistics import (
    Sprt,
    SprtVerdict,
    deal_score,
    log_likelihood_ratio,
)
from boardgames_cli.tournament.rows import DealOutcome

WIN, DRAW, LOSS = Fraction(1), Fraction(1, 2), Fraction(0)


def scores(elo: float, seed: str, deals: int = 4000) -> list[Fraction]:
    """The scores of deals of two games, three of ten drawn."""
    rng, share = random.Random(seed), expected_score(elo)
    return [
        Fraction(
            sum(
                2 if number < share - 0.15 else 1 if number < share + 0.15 else 0
                for number in (rng.random(), rng.random())
            ),
            4,
        )
        for _ in range(deals)
    ]


def outcome(elo: float, seed: str) -> SprtVerdict:
    test = Sprt(0, 120)
    for score in scores(elo, seed, 1000):
        test.add(score)
        if test.verdict is not SprtVerdict.UNDECIDED:
            break
    return test.verdict


def test_each_hypothesis_is_wrongly_accepted_in_five_of_a_hundred() -> None:
    # 100 tests: with an error of 5 % more than 12 are wrong in one run of a thousand.
    null = Counter(outcome(0, f"null/{number}") for number in range(100))
    other = Counter(outcome(120, f"other/{number}") for number in range(100))
    assert null[SprtVerdict.H1] <= 12
    assert other[SprtVerdict.H0] <= 12
    assert null[SprtVerdict.UNDECIDED] == other[SprtVerdict.UNDECIDED] == 0


def test_the_ratio_is_that_of_the_likeliest_distributions() -> None:
    # By hand for two scores: with a mean m, all wins have the probability m.
    found = log_likelihood_ratio({WIN: 70, LOSS: 30}, 0, 100)
    share = expected_score(100)
    exact = 70 * math.log(share / 0.5) + 30 * math.log((1 - share) / 0.5)
    assert found == pytest.approx(exact, rel=1e-3)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "published"),
    [
        ((223, 9863, 20279 + 1000, 10037, 246), 0.5, 2.5, -3.07),
        ((871, 26175, 55003 + 980, 26678, 821), 0, 2, -4.98),
        ((21184, 40708, 21404), 0.5, 2.5, -1.57),
        ((57030, 106593, 57433), 0, 2, -2.59),
    ],
)
def test_pentanomial_and_trinomial_ratios_are_those_of_fastchess(
    counts: tuple[int, ...], elo0: float, elo1: float, published: float
) -> None:
    # github.com/Disservin/fastchess, app/tests/sprt_test.cpp, "logistic": matches between versions
    # of Stockfish, by the score of a pair of games, or of a game.
    scores = {Fraction(number, len(counts) - 1): count for number, count in enumerate(counts)}
    assert log_likelihood_ratio(scores, elo0, elo1) == pytest.approx(published, abs=0.01)


def test_paired_deals_decide_sooner_than_the_same_games_alone() -> None:
    # Always one win and one loss: as games these say little, as deals they say "equal".
    paired = log_likelihood_ratio({DRAW: 50}, 0, 60)
    single = log_likelihood_ratio({WIN: 50, LOSS: 50}, 0, 60)
    assert paired < 3 * single < 0


def test_nothing_counts_after_the_verdict() -> None:
    deals = scores(40, "order", 2000)
    test = Sprt(0, 60)
    for score in deals:
        test.add(score)
    assert test.verdict is not SprtVerdict.UNDECIDED
    assert test.deals < len(deals)


def test_a_deal_without_a_game_counts_as_a_deal_alone() -> None:
    test = Sprt(0, 60)
    test.add(None)
    assert test.llr == 0
    test.add(WIN)
    assert test.deals == 2


def test_the_state_reads_as_a_sentence() -> None:
    test = Sprt(0, 20)
    test.add(WIN)
    assert str(test).startswith("SPRT 0 against 20: undecided after 1 deals, LLR 0.")
    for number in range(1, 2000):
        test.add(WIN if number % 3 else LOSS)
    assert "H1 accepted, the difference is nearer to 20" in str(test)
    assert test.bound == pytest.approx(math.log(19))


def test_all_draws_accept_the_lower_bound() -> None:
    test = Sprt(0, 20)
    for _ in range(2000):
        test.add(DRAW)
    assert test.verdict is SprtVerdict.H0


@pytest.mark.parametrize("bounds", [(20, 0), (5, 5), (math.nan, 5), (0, math.inf), (-1e9, 0)])
def test_bounds_that_do_not_rise_are_refused(bounds: tuple[float, float]) -> None:
    with pytest.raises(GameError, match="can't have the bounds"):
        Sprt(*bounds)


def test_the_score_of_a_deal() -> None:
    won, lost, drawn = ((0, 3), (1, 5)), ((0, 5), (1, 3)), ((0, 3), (0, 5))
    assert deal_score(DealOutcome(0, (won, lost)), 3) == Fraction(1, 2)
    assert deal_score(DealOutcome(0, (won, won)), 5) == 0
    assert deal_score(DealOutcome(0, (won, drawn)), 3) == Fraction(3, 4)
    assert deal_score(DealOutcome(0, ()), 3) is None
