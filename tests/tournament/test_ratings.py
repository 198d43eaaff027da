"""Ratings: known truth, independent witnesses, and what can't be known."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from simulated_tournaments import game, tables, tally_of, two_sided

from boardgames_cli.agents.ratings import ELO, NEWCOMER
from boardgames_cli.tournament import bradley_terry
from boardgames_cli.tournament.ratings import estimates
from boardgames_cli.tournament.ratings.statistics import Ratings
from boardgames_cli.tournament.rows import DealOutcome, Tally

np = pytest.importorskip("numpy")

TRUTH = (150.0, 60.0, 0.0, -40.0, -170.0)


def rated(played: Tally, entrants: int = len(TRUTH), samples: int = 200, **more: Any) -> Ratings:
    return estimates.estimate(played.deals, entrants, samples=samples, **more)


def values(ratings: Ratings) -> list[float]:
    return [one.value - NEWCOMER for one in ratings.ratings if one is not None]


def deals_of(*games: tuple[tuple[int, ...], tuple[float, ...]], times: int = 1) -> Tally:
    """Deals of one game: the entrants by seat, and their returns."""
    return tally_of({(game(entrants, returns),): times for entrants, returns in games})


def test_strengths_are_those_that_were_published() -> None:
    """How often journals of statistics cite each other (S. M. Stigler, 1994).

    The strengths are those of H. Turner and D. Firth, "Bradley-Terry models in R" (2012).
    """
    points = np.array([[0, 730, 498, 221], [33, 0, 68, 17], [320, 813, 0, 142], [284, 276, 325, 0]])
    nothing = np.full((1, 4), 1e-12)
    (found,) = bradley_terry.fit(points[None].astype(float), nothing, nothing)
    assert list(found - found[0]) == pytest.approx([0, -2.94907, -0.47957, 0.26895], abs=1e-5)


@pytest.mark.usefixtures("no_virtual_opponent")
@pytest.mark.parametrize(
    "played",
    [
        two_sided(TRUTH, 40, random.Random(1), draws=0.4),
        tables(TRUTH, 4, 10, random.Random(2), ties=0.8),
        tally_of({(game((0, 1, 1, 2, 3, 4), (3, 3, 2, 1, 0, 5)),): 9, **{
            (game((one, two), (1, -1)),): 2 for one, two in itertools.permutations(range(5), 2)
        }}),
    ],
    ids=["pairs", "tables", "one entrant at several seats"],
)  # fmt: skip
def test_strengths_agree_with_another_program(played: Tally) -> None:
    choix = pytest.importorskip("choix")
    points = np.zeros((len(TRUTH), len(TRUTH)))
    for deal, count in played.deals.items():
        for sides in deal.games:
            for (place, one), (other, two) in itertools.permutations(sides, 2):
                points[one, two] += count * ((place < other) + (place == other) / 2)
    np.fill_diagonal(points, 0)
    other = choix.ilsr_pairwise_dense(points) * ELO
    assert values(rated(played)) == pytest.approx(list(other - other.mean()), abs=1e-4)


@pytest.mark.usefixtures("no_virtual_opponent")
def test_losers_that_the_game_does_not_rank_are_not_compared() -> None:
    # Each of four wins from one of three others in turn: 0 wins 6 of 10 games.
    won = [game((0, 1, 2, 3), [float(at == winner) for at in range(4)]) for winner in range(4)]
    found = rated(tally_of({(won[0],): 60, (won[1],): 20, (won[2],): 15, (won[3],): 5}), 4)
    assert found.winners_only
    # As pairs: 0 beats 1 in 60 games and loses 20, and so on.
    wins = (60, 20, 15, 5)
    expected = [ELO * math.log(one) for one in wins]
    assert values(found) == pytest.approx([one - sum(expected) / 4 for one in expected], abs=1e-3)
    # One game that ranks the losers, and all of them are compared.
    ranked = deals_of(((0, 1, 2, 3), (3, 2, 1, 0)))
    ranked.update(tally_of({(won[0],): 60}))
    assert not rated(ranked, 4).winners_only
    # Two sides have no losers that are not ranked.
    assert not rated(deals_of(((0, 1), (1, -1))), 2).winners_only


@pytest.mark.usefixtures("no_virtual_opponent")
def test_one_against_many_is_as_strong_as_a_meeting_says() -> None:
    # The first wins one of four games, as equals do at a table of four.
    won, lost = game((0, 1, 1, 1), (1, 0, 0, 0)), game((0, 1, 1, 1), (0, 1, 0, 0))
    assert values(rated(tally_of({(won,): 25, (lost,): 75}), 2)) == pytest.approx([0, 0], abs=1e-4)
    one, two = values(rated(tally_of({(won,): 60, (lost,): 40}), 2))
    assert one - two == pytest.approx(ELO * math.log(3 * 60 / 40), abs=1e-4)


@pytest.fixture
def no_virtual_opponent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimates, "VIRTUAL", 1e-9)


def coverage(make: Callable[[random.Random], Tally], truth: Sequence[float], runs: int) -> float:
    """How often the interval of a rating holds the true one."""
    mean = sum(truth) / len(truth)
    hits = 0
    for run in range(runs):
        found = rated(make(random.Random(f"coverage/{run}")), len(truth), seed=run)
        for rating, true in zip(found.ratings, truth, strict=True):
            assert rating is not None
            hits += rating.interval.low <= NEWCOMER + true - mean <= rating.interval.high
    return hits / (runs * len(truth))


@pytest.mark.parametrize("ties", [0.0, 0.7])
def test_known_strengths_are_in_their_intervals(ties: float) -> None:
    # lab/rating_coverage.py counts more: about 95 %. These are fixed seeds.
    assert 0.90 <= coverage(lambda rng: two_sided(TRUTH, 30, rng, draws=ties), TRUTH, 30) <= 0.99
    assert 0.89 <= coverage(lambda rng: tables(TRUTH, 3, 8, rng, ties=ties), TRUTH, 20) <= 0.99


def test_intervals_shrink_where_deals_cancel_luck() -> None:
    # The deal decides everything: whoever has the better seat wins, one time each.
    split = (game((0, 1), (1, -1)), game((1, 0), (1, -1)))
    both = (game((0, 1), (1, -1)), game((1, 0), (-1, 1)))
    found = rated(tally_of({split: 180, both: 20}), 2)
    paired = found.scores[0]
    assert paired is not None
    assert paired.low < 0.55 < paired.high
    alone = 2 * 1.96 * math.sqrt(0.55 * 0.45 / 400)
    assert (paired.high - paired.low) / alone == pytest.approx(0.43, abs=0.08)  # sqrt(.09 / .495)


def test_the_same_games_have_the_same_ratings_in_any_order() -> None:
    deals = tables(TRUTH, 4, 5, random.Random(4), ties=0.5)
    listed = list(deals.deals.elements())
    random.Random(5).shuffle(listed)
    assert rated(Tally(Counter(listed))) == rated(deals)
    assert rated(deals, seed=1) != rated(deals)


def test_who_won_everything_has_an_interval_without_an_upper_end() -> None:
    found = rated(deals_of(((0, 1), (1, -1)), times=100), 2)
    first, second = found.ratings
    assert first is not None
    assert second is not None
    assert first.interval.high == math.inf
    assert second.interval.low == -math.inf
    assert 1700 < first.interval.low < first.value < 3500


@pytest.mark.parametrize(("won", "low", "high"), [(100, 0.975, 1), (50, 0.403, 0.597)])
def test_a_share_of_a_hundred_games_has_the_interval_of_jeffreys(
    won: int, low: float, high: float
) -> None:
    played = tally_of({(game((0, 1), (1, -1)),): won, (game((0, 1), (-1, 1)),): 100 - won})
    score = rated(played, 2, samples=5000).scores[0]
    assert score is not None
    assert [*score] == pytest.approx([low, high], abs=0.004)


@pytest.mark.parametrize("deals", [1, 2, 9, 40])
def test_the_interval_of_a_score_holds_the_score(deals: int) -> None:
    one, two = rated(deals_of(((0, 1), (1, -1)), ((1, 0), (-1, 1)), times=deals), 2).scores
    assert one is not None
    assert two is not None
    assert one.high == 1.0
    assert 0.0 < one.low < 1.0
    assert two.low == 0.0
    assert 0.0 < two.high < 1.0


def test_groups_that_never_met_are_not_compared() -> None:
    deals = deals_of(((0, 1), (1, -1)), ((0, 1), (-1, 1)), ((2, 3), (1, -1)), times=20)
    found = rated(deals, 5)
    assert found.groups == (0, 0, 1, 1, 2)
    assert found.ratings[4] is None
    assert sum(values(found)[:2]) == pytest.approx(0)
    assert sum(values(found)[2:]) == pytest.approx(0)


def test_nothing_is_known_without_games() -> None:
    found = rated(Tally(), 2)
    assert found.ratings == found.scores == (None, None)
    assert rated(Tally(Counter({DealOutcome(0, ()): 3})), 2) == found


def test_a_million_games_cost_what_their_kinds_cost() -> None:
    deals = two_sided(TRUTH, 5, random.Random(8))
    many = Counter({deal: count * 20_000 for deal, count in deals.deals.items()})
    found = rated(Tally(many))
    for one in found.ratings:
        assert one is not None
        assert one.interval.high - one.interval.low < 3


def test_cuts_are_where_all_results_go_one_way() -> None:
    def cuts(*beaten: tuple[int, int], entrants: int = 3) -> tuple[tuple[list[int], ...], ...]:
        return rated(deals_of(*(((one, two), (1, -1)) for one, two in beaten)), entrants).cuts

    assert cuts((0, 1), (1, 0), entrants=2) == ()
    assert cuts((0, 1), (1, 0), (1, 2)) == (([0, 1], [2]),)
    assert cuts((0, 1), (1, 2)) == (([0], [1, 2]), ([0, 1], [2]))
    assert cuts((0, 1), (1, 2), (2, 0)) == ()
    assert rated(deals_of(((0, 1), (0, 0))), 2).cuts == ()
