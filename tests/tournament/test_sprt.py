"""The sequential test: its ratios, its bounds and its errors."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence

import pytest

from boardgames_cli.agents.ratings import expected_score
from boardgames_cli.core.errors import GameError
from boardgames_cli.tournament.ratings.sprt import BOUND, Sprt, log_likelihood_ratio
from boardgames_cli.tournament.rows import MAX_PLIES, VOID, GameRow

TEAMS = ((0,), (1,))
WIN, DRAW, LOSS = 1.0, 0.0, -1.0


def deal(*returns: float, endings: Sequence[str] = ("", "")) -> tuple[GameRow, ...]:
    """A deal of entrants 3 and 5, who exchange seats: what 3 got in each game."""
    seatings = ((3, 5), (5, 3))
    return tuple(
        GameRow(0, 0, 1, seating, (won, -won) if seating[0] == 3 else (-won, won), 9, ending=ending)
        for seating, won, ending in zip(seatings, returns, endings, strict=True)
    )


def played(test: Sprt, *deals: tuple[GameRow, ...]) -> Sprt:
    for rows in deals:
        test.add(rows, TEAMS)
    return test


def outcome(elo: float, seed: str) -> str:
    """The verdict where three of ten games are drawn."""
    rng, share = random.Random(seed), expected_score(elo)
    test = Sprt(0, 120)

    def game() -> float:
        number = rng.random()
        return WIN if number < share - 0.15 else DRAW if number < share + 0.15 else LOSS

    while not test.is_decided and test.deals < 1000:
        played(test, deal(game(), game()))
    return test.verdict


def test_each_hypothesis_is_wrongly_accepted_in_five_of_a_hundred() -> None:
    # 100 tests: with an error of 5 % more than 12 are wrong in one run of a thousand.
    null = Counter(outcome(0, f"null/{number}") for number in range(100))
    other = Counter(outcome(120, f"other/{number}") for number in range(100))
    assert null["H1"] <= 12
    assert other["H0"] <= 12
    assert null["undecided"] == other["undecided"] == 0


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
    assert log_likelihood_ratio(counts, elo0, elo1) == pytest.approx(published, abs=0.01)


def test_few_games_without_draws_have_the_ratio_of_two_coins() -> None:
    share = expected_score(100)
    by_hand = 6 * math.log(share / 0.5) + 4 * math.log((1 - share) / 0.5)
    assert log_likelihood_ratio((4, 0, 6), 0, 100) == pytest.approx(by_hand, abs=0.01)


def test_the_bounds_are_those_of_wald_for_errors_of_five_percent() -> None:
    assert round(BOUND, 3) == 2.944


def test_nothing_counts_after_the_verdict() -> None:
    test = Sprt(0, 60)
    won = deal(WIN, DRAW)
    taken = [test.add(won, TEAMS) for _ in range(100)]
    assert test.verdict == "H1"
    assert test.deals == taken.count(True) < 100
    assert taken == sorted(taken, reverse=True)


def test_a_deal_without_a_game_counts_as_a_deal_alone() -> None:
    test = played(Sprt(0, 60), deal(WIN, WIN, endings=(VOID, VOID)))
    assert test.llr == 0
    assert played(test, deal(WIN, WIN)).deals == 2


def test_the_score_of_a_deal_is_that_of_its_games() -> None:
    for rows, counts in (
        (deal(WIN, LOSS), (0, 0, 1, 0, 0)),
        (deal(LOSS, LOSS), (1, 0, 0, 0, 0)),
        (deal(WIN, DRAW), (0, 0, 0, 1, 0)),
        (deal(LOSS, WIN, endings=(VOID, "")), (0, 0, 0, 0, 1)),
        (deal(LOSS, LOSS, endings=("", MAX_PLIES)), (0, 1, 0, 0, 0)),
    ):
        assert played(Sprt(0, 60), rows).llr == log_likelihood_ratio(counts, 0, 60)


def test_the_state_reads_as_a_sentence() -> None:
    test = played(Sprt(0, 20), deal(WIN, WIN))
    assert str(test).startswith("SPRT 0 against 20: undecided after 1 deals, LLR 0.")
    played(test, *[deal(WIN, DRAW)] * 2000)
    assert "H1 accepted, the difference is nearer to 20 after" in str(test)
    test = played(Sprt(0, 20), *[deal(DRAW, DRAW)] * 2000)
    assert "H0 accepted, the difference is nearer to 0 after" in str(test)


@pytest.mark.parametrize("bounds", [(20, 0), (5, 5), (math.nan, 5), (0, 2001), (-2001, 0)])
def test_bounds_that_do_not_rise_or_are_too_far_are_refused(bounds: tuple[float, float]) -> None:
    with pytest.raises(GameError, match="can't have the bounds"):
        Sprt(*bounds)
