"""What one game says: sides, places, choices, points, groups and classes."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter

import pytest

from boardgames_cli.tournament.ratings.comparisons import (
    Side,
    by_lineup,
    choices,
    classes_of,
    compare,
    first_places,
    groups_of,
    meetings,
    only_winners,
)
from boardgames_cli.tournament.results import GameOutcome, GameSetOutcome

TEAMS = ((0, 2), (1, 3))


def game(*places: int) -> tuple[Side, ...]:
    """A game in which entrant n has the n-th place."""
    return compare(GameOutcome(tuple(range(len(places))), places))


def test_a_team_is_one_side() -> None:
    outcome = GameOutcome((4, 7, 4, 9), (0, 2, 0, 2))
    assert compare(outcome, TEAMS) == (Side(0, (4, 4)), Side(2, (7, 9)))
    assert len(compare(outcome)) == 4


def test_seatings_that_say_the_same_are_the_same() -> None:
    one = GameOutcome((0, 1), (0, 1))
    two = GameOutcome((1, 0), (1, 0))
    assert compare(one) == compare(two)


def test_deals_are_sorted_by_lineup_in_an_order_of_their_own() -> None:
    deals = [
        GameSetOutcome(0, (GameOutcome((0, 1), (0, 1)), GameOutcome((1, 0), (0, 1)))),
        GameSetOutcome(0, (GameOutcome((0, 1), (1, 0)), GameOutcome((1, 0), (1, 0)))),
        GameSetOutcome(0, (GameOutcome((0, 2), (0, 0)),)),
        GameSetOutcome(1, (GameOutcome((0, 2), (0, 0)),)),
        GameSetOutcome(0, ()),
    ]
    orders = [by_lineup(Counter(order)) for order in itertools.permutations(deals)]
    assert all(order == orders[0] for order in orders)
    assert [list(order.outcomes.items()) for order in orders[0]] == [
        list(order.outcomes.items()) for order in orders[-1]
    ]
    assert [(group.options, group.lineup, group.deals) for group in orders[0]] == [
        (0, (0, 1), 2),
        (0, (0, 2), 1),
        (1, (0, 2), 1),
    ]
    # One win each: the two first deals say the same, whoever won from which seat.
    assert len(orders[0][0].outcomes) == 1


def test_each_option_set_has_its_own_teams() -> None:
    outcome = GameOutcome((0, 1, 0, 1), (0, 2, 0, 2))
    deals = Counter({GameSetOutcome(0, (outcome,)): 1, GameSetOutcome(1, (outcome,)): 1})
    teams = (TEAMS, ((0,), (1,), (2,), (3,)))
    first, second = by_lineup(deals, teams)
    assert [len(next(iter(group.games()))) for group in (first, second)] == [2, 4]


def test_a_draw_is_half_a_win() -> None:
    won, drawn = choices(game(0, 1)), choices(game(0, 0))
    assert won.sets == drawn.sets == {((0,), (1,)): 1}
    assert won.chosen == {(0,): 1, (1,): 0}
    assert drawn.chosen == {(0,): 0.5, (1,): 0.5}


def likelihood(places: tuple[int, ...], strengths: list[float]) -> float:
    """The mean logarithm of the likelihood of all orders that ties leave open, by definition."""
    found = []
    for order in itertools.permutations(range(len(places))):
        ranked = [places[one] for one in order]
        if ranked != sorted(ranked):
            continue
        weights = [math.exp(strengths[one]) for one in order]
        parts = [math.log(weight / sum(weights[at:])) for at, weight in enumerate(weights)]
        found.append(math.fsum(parts))
    return math.fsum(found) / len(found)


@pytest.mark.parametrize(
    "places", [(0, 1), (0, 0), (2, 0, 1), (0, 0, 2), (0, 1, 1), (0, 1, 1, 3), (0, 0, 0, 0)]
)
def test_ties_are_the_mean_of_all_orders(places: tuple[int, ...]) -> None:
    rng = random.Random(str(places))
    strengths = [rng.uniform(-2, 2) for _ in places]
    found = choices(game(*places))
    value = sum(weight * strengths[side[0]] for side, weight in found.chosen.items())
    for sides, weight in found.sets.items():
        value -= weight * math.log(sum(math.exp(strengths[side[0]]) for side in sides))
    assert float(value) == pytest.approx(likelihood(places, strengths))


def test_where_only_winners_are_known_losers_are_not_compared() -> None:
    found = choices(game(1, 0, 1, 1), winners_only=True)
    assert found.sets == {((0,), (1,), (2,), (3,)): 1}
    assert {side for side, weight in found.chosen.items() if weight} == {(1,)}
    assert only_winners([game(1, 0, 1, 1), game(0, 0, 0, 0), game(0, 1)])
    assert not only_winners([game(1, 0, 1, 1), game(2, 0, 1)])
    assert not only_winners([game(0, 1)])


def test_the_first_place_is_shared_by_all_who_have_it() -> None:
    assert dict(first_places(game(0, 1))) == {0: 1, 1: 0}
    assert dict(first_places(game(0, 0, 2))) == {0: 2, 1: 2, 2: 0}
    team = compare(GameOutcome((0, 1, 0, 2), (0, 2, 0, 2)), TEAMS)
    assert list(first_places(team)) == [(0, 1), (1, 0), (2, 0)]


def test_meetings_are_between_sides() -> None:
    assert dict(meetings(game(1, 0, 1))) == {(0, 1): 0, (1, 2): 2, (0, 2): 1}
    team = compare(GameOutcome((0, 1, 0, 2), (2, 0, 2, 0)), TEAMS)
    assert dict(meetings(team)) == {(0, 1): 0, (0, 2): 0}
    assert list(meetings(compare(GameOutcome((5, 5), (0, 1))))) == []


def test_groups_are_linked_by_games() -> None:
    def met(*entrants: int) -> tuple[Side, ...]:
        return compare(GameOutcome(entrants, tuple(range(len(entrants)))))

    assert groups_of(5, [met(0, 3), met(4, 1)]) == [0, 1, 2, 0, 1]
    assert groups_of(5, [met(0, 3), met(4, 1), met(1, 3, 2)]) == [0] * 5
    assert groups_of(2, []) == [0, 1]


def test_classes_end_where_all_results_go_one_way() -> None:
    def beat(winner: int, loser: int) -> tuple[Side, ...]:
        return compare(GameOutcome((winner, loser), (0, 1)))

    both_ways = [beat(0, 1), beat(1, 0)]
    assert classes_of(2, both_ways) == []
    assert classes_of(3, [*both_ways, beat(1, 2)]) == [([0, 1], [2])]
    assert classes_of(3, [beat(0, 1), beat(1, 2)]) == [([0], [1, 2]), ([0, 1], [2])]
    assert classes_of(3, [beat(0, 1), beat(1, 2), beat(2, 0)]) == []
    assert classes_of(2, [compare(GameOutcome((0, 1), (0, 0)))]) == []
