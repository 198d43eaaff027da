from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from boardgames_cli.core.errors import GameError
from boardgames_cli.registry import make
from boardgames_cli.tournament.players import name_entrants
from boardgames_cli.tournament.schedule import Pairing, Schedule
from boardgames_cli.tournament.tournament_config import (
    GAUNTLET,
    ONE_AGAINST_MANY,
    ROUND_ROBIN,
    SCHEDULES,
    TABLES,
    TournamentConfig,
)


def schedule(
    name: str, entrants: int, game: str = "senet", *sets: Mapping[str, Any], **more: Any
) -> Schedule:
    config = TournamentConfig(
        game, name_entrants(["random"] * entrants), sets or ({},), name, **more
    )
    return Schedule(config, [make(game, **options) for options in config.option_sets])


def lineups(pairings: list[Pairing]) -> list[tuple[int, ...]]:
    return [pairing.lineup for pairing in pairings]


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("senet", {}),
        ("deepsea", {"players": 3}),
        ("deepsea", {"players": 6}),
        ("pommerman", {}),
        ("pommerman", {"mode": "team"}),
        ("pommerman", {"mode": "duel"}),
    ],
)
@pytest.mark.parametrize("name", [ROUND_ROBIN, GAUNTLET, TABLES])
def test_everybody_has_every_seat_equally_often(
    name: str, game: str, options: Mapping[str, Any]
) -> None:
    rules = make(game, **options)
    for pairing in schedule(name, 7, game, options).pairings():
        sat = Counter(
            (entrant, seat) for seating in pairing.seatings for seat, entrant in enumerate(seating)
        )
        assert {entrant for entrant, _ in sat} == set(pairing.lineup)
        assert set(sat) == set(itertools.product(pairing.lineup, range(rules.seats)))
        assert len(set(sat.values())) == 1
        assert len(set(pairing.seatings)) == len(pairing.seatings)


def test_a_round_robin_has_all_pairs_with_all_options() -> None:
    pairings = schedule(ROUND_ROBIN, 4, "senet", {}, {"rules": "skyruk"}).pairings()
    pairs = list(itertools.combinations(range(4), 2))
    assert Counter(lineups(pairings)) == dict.fromkeys(pairs, 2)
    assert Counter(pairing.options for pairing in pairings) == {0: 6, 1: 6}


def test_a_gauntlet_has_all_pairs_with_the_first() -> None:
    assert lineups(schedule(GAUNTLET, 4).pairings()) == [(0, 1), (0, 2), (0, 3)]


@pytest.mark.parametrize(
    ("game", "options", "seatings"),
    [
        ("senet", {}, {(0, 1), (1, 0)}),
        ("deepsea", {"players": 3}, {(0, 1, 1), (1, 0, 1), (1, 1, 0)}),
        ("pommerman", {}, {(0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)}),
        ("pommerman", {"mode": "team"}, {(0, 1, 0, 1), (1, 0, 1, 0)}),
    ],
)
def test_one_plays_alone_against_many_from_every_side(
    game: str, options: Mapping[str, Any], seatings: set[tuple[int, ...]]
) -> None:
    plan = schedule(ONE_AGAINST_MANY, 3, game, options, games=8)
    first, second = plan.pairings()
    assert set(first.seatings) == seatings
    assert (first.lineup, second.lineup) == ((0, 1), (0, 2))
    assert set(second.seatings) == {tuple(2 * one for one in seating) for seating in seatings}
    for pairing in (first, second):
        assert len(pairing.seatings) == len(seatings)
    assert plan.total() == sum(plan.deals_of(one) * len(one.seatings) for one in (first, second))


def test_tables_have_all_lineups() -> None:
    options = {"players": 3}
    every = schedule(TABLES, 5, "deepsea", options).pairings()
    assert sorted(lineups(every)) == list(itertools.combinations(range(5), 3))


def test_deals_take_turns_and_have_seeds_of_their_own() -> None:
    plan = schedule(ROUND_ROBIN, 3, games=5)
    pairings = plan.pairings()
    deals = list(plan.deals())
    assert [deal.number for deal in deals] == list(range(9))
    assert [deal.pairing for deal in deals] == pairings * 3  # 5 games are 3 deals of 2
    assert plan.total() == 18
    other = schedule(ROUND_ROBIN, 3, games=5, seed=2)
    seeds = {deal.seed for one in (plan, other) for deal in one.deals()}
    assert len(seeds) == 18


@pytest.mark.parametrize(
    ("name", "entrants", "game", "wanted"),
    [(name, 1, "senet", "2 entrants") for name in SCHEDULES]
    + [(TABLES, 3, "pommerman", "4 entrants")],
)
def test_too_few_entrants_are_refused(name: str, entrants: int, game: str, wanted: str) -> None:
    with pytest.raises(GameError, match=wanted):
        schedule(name, entrants, game)
