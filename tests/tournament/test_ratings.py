"""Ratings: known truth, independent witnesses, and what can't be known."""

from __future__ import annotations

import itertools
import math
import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from simulated_tournaments import tables, two_sided

from boardgames_cli.agents.ratings import ELO, expected_score
from boardgames_cli.core.errors import MissingPackageError, install_command
from boardgames_cli.tournament.ratings import plackett_luce, rate
from boardgames_cli.tournament.ratings.comparisons import by_lineup
from boardgames_cli.tournament.ratings.statistics import Ratings
from boardgames_cli.tournament.results import GameOutcome, GameSetOutcome, places_of

np = pytest.importorskip("numpy")

TRUTH = (150.0, 60.0, 0.0, -40.0, -170.0)
TEAMS = ((0, 2), (1, 3))

Deals = Counter[GameSetOutcome]


def rated(deals: Deals, entrants: int = len(TRUTH), samples: int = 200, **more: object) -> Ratings:
    return rate(by_lineup(deals), entrants, samples=samples, **more)  # type: ignore[arg-type]


def values(ratings: Ratings) -> list[float]:
    return [one.value for one in ratings.ratings if one is not None]


def deals_of(*games: tuple[tuple[int, ...], tuple[float, ...]], times: int = 1) -> Deals:
    """Deals of one game: the entrants by seat, and their returns."""
    found: Deals = Counter()
    for entrants, returns in games:
        found[GameSetOutcome(0, (GameOutcome(entrants, places_of(returns)),))] += times
    return found


@pytest.fixture
def no_virtual_opponent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plackett_luce, "VIRTUAL", 1e-9)


@pytest.fixture
def choix() -> Any:
    """Another program for ratings."""
    return pytest.importorskip("choix")


@pytest.mark.usefixtures("no_virtual_opponent")
def test_two_sides_agree_with_another_program(choix: Any) -> None:
    deals = two_sided(TRUTH, 40, random.Random(1), draws=0.4)
    points = np.zeros((len(TRUTH), len(TRUTH)))
    for deal, count in deals.items():
        for (one, two), places in deal.games:
            shares: dict[tuple[int, ...], float] = {(0, 1): 1, (0, 0): 0.5, (1, 0): 0}
            share = shares[places]
            points[one, two] += count * share
            points[two, one] += count * (1 - share)
    other = choix.ilsr_pairwise_dense(points) * ELO
    assert values(rated(deals)) == pytest.approx(list(other - other.mean()), abs=1e-4)


@pytest.mark.usefixtures("no_virtual_opponent")
def test_tables_agree_with_another_program(choix: Any) -> None:
    deals = tables(TRUTH, 4, 10, random.Random(2))
    rankings = [
        [game.entrants[seat] for seat in sorted(range(4), key=game.places.__getitem__)]
        for deal in deals.elements()
        for game in deal.games
    ]
    other = choix.ilsr_rankings(len(TRUTH), rankings) * ELO
    assert values(rated(deals)) == pytest.approx(list(other - other.mean()), abs=1e-4)


@pytest.mark.usefixtures("no_virtual_opponent")
def test_winners_agree_with_another_program(choix: Any) -> None:
    rng = random.Random(3)
    deals: Deals = Counter()
    firsts = []
    for _ in range(200):
        seats = rng.sample(range(len(TRUTH)), 4)
        weights = [math.exp(TRUTH[one] / ELO) for one in seats]
        winner = rng.choices(range(4), weights)[0]
        deals += deals_of((tuple(seats), tuple(1.0 if at == winner else -1.0 for at in range(4))))
        firsts.append((seats[winner], [one for one in seats if one != seats[winner]]))
    found = rated(deals)
    assert found.winners_only
    other = choix.ilsr_top1(len(TRUTH), firsts) * ELO
    assert values(found) == pytest.approx(list(other - other.mean()), abs=1e-4)


@pytest.mark.usefixtures("no_virtual_opponent")
def test_a_team_is_as_strong_as_the_mean_of_its_members() -> None:
    # 3 and 4 are always partners of 0: only the mean of two can be 200 apart.
    strong = GameSetOutcome(0, (GameOutcome((0, 1, 0, 1), (0, 2, 0, 2)),))
    weak = GameSetOutcome(0, (GameOutcome((0, 1, 0, 1), (2, 0, 2, 0)),))
    groups = by_lineup(Counter({strong: 30, weak: 10}), [TEAMS])
    one, two = values(rate(groups, 2, samples=10))
    assert one - two == pytest.approx(ELO * math.log(3), abs=1e-4)
    # Beside a partner of strength 0 against two such: half of its own strength counts.
    mixed = GameSetOutcome(0, (GameOutcome((0, 1, 1, 1), (0, 2, 0, 2)),))
    lost = GameSetOutcome(0, (GameOutcome((0, 1, 1, 1), (2, 0, 2, 0)),))
    groups = by_lineup(Counter({mixed: 30, lost: 10}), [TEAMS])
    one, two = values(rate(groups, 2, samples=10))
    assert one - two == pytest.approx(2 * ELO * math.log(3), abs=1e-4)


@pytest.mark.usefixtures("no_virtual_opponent")
def test_one_against_many_is_chosen_among_as_many_as_play() -> None:
    # The first wins 6 of 10 games, each of three equal others 4 of 30; 1 of 4 would be equal.
    won = tuple(GameOutcome((0, 1, 1, 1), (0, 1, 1, 1)) for _ in range(4))
    lost = tuple(GameOutcome((1, 1, 0, 1), (1, 0, 1, 1)) for _ in range(4))
    deals = Counter({GameSetOutcome(0, won): 60, GameSetOutcome(0, lost): 40})
    one, two = values(rated(deals, 2))
    assert one - two == pytest.approx(ELO * math.log(0.6 / (0.4 / 3)), abs=1e-4)
    # Equals have the rating of equals, whatever the number of their sides.
    even = Counter({GameSetOutcome(0, won): 25, GameSetOutcome(0, lost): 75})
    assert values(rated(even, 2)) == pytest.approx([0.0, 0.0], abs=1e-4)


def coverage(make: Callable[[random.Random], Deals], truth: Sequence[float], runs: int) -> float:
    """How often the interval of a rating holds the true one."""
    mean = sum(truth) / len(truth)
    hits = 0
    for run in range(runs):
        found = rated(make(random.Random(f"coverage/{run}")), len(truth), seed=run)
        for rating, true in zip(found.ratings, truth, strict=True):
            assert rating is not None
            hits += rating.interval.low <= true - mean <= rating.interval.high
    return hits / (runs * len(truth))


@pytest.mark.parametrize("draws", [0.0, 0.5])
def test_known_strengths_are_in_their_intervals_of_pairs(draws: float) -> None:
    # lab/rating_coverage.py counts more: about 95 %. These are fixed seeds.
    assert 0.90 <= coverage(lambda rng: two_sided(TRUTH, 30, rng, draws=draws), TRUTH, 30) <= 0.99


@pytest.mark.parametrize("ties", [0.0, 0.8])
def test_known_strengths_are_in_their_intervals_at_tables(ties: float) -> None:
    assert 0.89 <= coverage(lambda rng: tables(TRUTH, 3, 8, rng, ties=ties), TRUTH, 20) <= 0.99


def test_intervals_shrink_where_deals_cancel_luck() -> None:
    # The deal decides everything: whoever has the better seat wins, one time each.
    split = GameSetOutcome(0, (GameOutcome((0, 1), (0, 1)), GameOutcome((1, 0), (0, 1))))
    both = GameSetOutcome(0, (GameOutcome((0, 1), (0, 1)), GameOutcome((1, 0), (1, 0))))
    found = rated(Counter({split: 180, both: 20}), 2)
    paired, alone = found.scores[0], found.unpaired[0]
    assert paired is not None
    assert alone is not None
    assert paired.low < 0.55 < paired.high
    assert found.width_by_pairing == pytest.approx(0.43, abs=0.08)  # sqrt(0.09 / 0.495)
    assert alone.width == pytest.approx(2 * 1.96 * math.sqrt(0.55 * 0.45 / 400), rel=0.1)


def test_the_same_games_have_the_same_ratings_in_any_order() -> None:
    deals = tables(TRUTH, 4, 5, random.Random(4), ties=0.5)
    listed = list(deals.elements())
    random.Random(5).shuffle(listed)
    assert rated(Counter(listed)) == rated(deals)
    assert rated(deals, seed=1) != rated(deals)


def test_superiority_is_likely_where_the_difference_is_large() -> None:
    found = rated(two_sided(TRUTH, 30, random.Random(6)))
    for one, two in itertools.combinations(range(len(TRUTH)), 2):
        better, worse = found.superiority[one][two], found.superiority[two][one]
        assert better is not None
        assert worse is not None
        assert better + worse == pytest.approx(1)
    assert found.superiority[0][4] > 0.99  # type: ignore[operator]
    assert found.superiority[0][0] is None


def test_an_anchor_has_the_rating_0() -> None:
    deals = two_sided(TRUTH, 30, random.Random(7))
    found, free = rated(deals, anchor=2), rated(deals)
    anchored = found.ratings[2]
    assert anchored is not None
    assert (anchored.value, *anchored.interval) == (0, 0, 0)
    moved = [value - values(free)[2] for value in values(free)]
    assert values(found) == pytest.approx(moved)
    assert sum(values(free)) == pytest.approx(0)


def test_who_won_everything_has_an_interval_without_an_upper_end() -> None:
    found = rated(deals_of(((0, 1), (1, -1)), times=100), 2)
    first, second = found.ratings
    assert first is not None
    assert second is not None
    assert first.interval.high == math.inf
    assert second.interval.low == -math.inf
    assert 200 < first.interval.low < first.value < 2000
    score = found.scores[0]
    assert score is not None
    assert 0.95 < score.low < 0.99  # H. Jeffreys' interval of 100 of 100: from 0.975


@pytest.mark.parametrize("deals", [1, 2, 9, 40])
def test_the_interval_of_a_score_holds_the_score(deals: int) -> None:
    one, two = rated(deals_of(((0, 1), (1, -1)), ((1, 0), (-1, 1)), times=deals), 2).scores
    assert one is not None
    assert two is not None
    assert one.high == 1.0
    assert 0.0 < one.low < 1.0
    assert two.low == 0.0
    assert 0.0 < two.high < 1.0


def test_all_draws_are_equal_ratings() -> None:
    found = rated(deals_of(((0, 1), (0, 0)), ((1, 0), (0, 0)), times=50), 2)
    assert values(found) == pytest.approx([0, 0])


def test_groups_that_never_met_are_not_compared() -> None:
    deals = deals_of(((0, 1), (1, -1)), ((0, 1), (-1, 1)), ((2, 3), (1, -1)), times=20)
    found = rated(deals, 5)
    assert found.groups == (0, 0, 1, 1, 2)
    assert found.superiority[0][2] is None
    assert found.superiority[2][3] is not None
    assert found.ratings[4] is None
    assert sum(values(found)[:2]) == pytest.approx(0)
    assert sum(values(found)[2:]) == pytest.approx(0)


def test_nothing_is_known_without_games() -> None:
    found = rated(Counter(), 2)
    assert found.ratings == found.scores == (None, None)
    assert rated(Counter({GameSetOutcome(0, ()): 3}), 2) == found


def test_a_million_games_cost_what_their_kinds_cost() -> None:
    deals = two_sided(TRUTH, 5, random.Random(8))
    many = Counter({deal: count * 20_000 for deal, count in deals.items()})
    found = rated(many)
    assert all(one is not None and one.interval.width < 3 for one in found.ratings)
    assert len(by_lineup(many)) == len(by_lineup(deals))


def test_great_differences_are_found() -> None:
    truth = (1200.0, 400.0, -400.0, -1200.0)
    found = values(rated(two_sided(truth, 20_000, random.Random(9), draws=0.0), len(truth)))
    assert found == pytest.approx(truth, abs=60)
    assert expected_score(truth[0] - truth[1]) > 0.98


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, plackett_luce.__name__)
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(MissingPackageError, match="numpy") as caught:
        rated(two_sided(TRUTH, 2, random.Random(1)))
    assert install_command("tournament") in caught.value.todo
