"""Who beats whom: small samples of what tournaments measure, with room for bad luck."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.registry import make, make_agent

pytestmark = pytest.mark.slow


class Pairing(NamedTuple):
    """An agent, those at its table in turn, and the share of wins that it has at least."""

    game: str
    agent: str
    others: tuple[str, ...]
    games: int
    least: float
    options: Mapping[str, Any] = MappingProxyType({})


CLASSIC = ("grabber:n=1", "diver:depth=16,n=1", "greedy-classic")
PAIRINGS = [
    Pairing("senet", "easy", ("random",), 200, 0.535),
    Pairing("senet", "easy", ("random",), 200, 0.535, {"rules": "skyruk"}),
    Pairing("senet", "greedy", ("random",), 120, 0.62),
    Pairing("senet", "greedy", ("random",), 120, 0.74, {"rules": "skyruk"}),
    Pairing("senet", "expectimax:depth=2", ("random",), 40, 0.62),
    Pairing("senet", "expectimax:depth=2", ("random",), 40, 0.78, {"rules": "skyruk"}),
    Pairing("tapnswap", "greedy", ("random",), 40, 0.75),
    Pairing("tapnswap", "q-table:level=medium", ("q-table:level=easy",), 60, 0.65),
    Pairing("tapnswap", "q-table:level=hard", ("q-table:level=medium",), 60, 0.6),
    Pairing("tapnswap", "q-table:level=perfect", ("q-table:level=easy",), 60, 0.9),
    Pairing("deepsea", "medium", ("easy",), 40, 0.6, {"players": 2}),
    Pairing("deepsea", "risk", CLASSIC, 100, 0.5),
    Pairing("deepsea", "monte-carlo:samples=40", CLASSIC, 16, 0.4),
    Pairing("pommerman", "simple", ("random",), 40, 0.9),
    # An equal agent would win 15 % of such games; the benchmark has the exact share.
    Pairing("pommerman", "hard", ("simple",), 16, 0.375),
    Pairing("pommerman", "hard", ("simple",), 6, 0.66, {"mode": "team"}),
    Pairing("pommerman", "easy", ("random",), 24, 0.66, {"mode": "duel"}),
    Pairing("pommerman", "medium", ("easy",), 24, 0.54, {"mode": "duel"}),
]


@pytest.mark.parametrize("pairing", PAIRINGS, ids=lambda one: f"{one.game}-{one.agent}")
def test_the_better_one_wins_more(pairing: Pairing) -> None:
    game = make(pairing.game, **pairing.options)
    points = 0.0
    for number in range(pairing.games):
        side = next(team for team in game.teams if number % game.seats in team)
        others = [pairing.others[seat % len(pairing.others)] for seat in range(game.seats)]
        agents = [
            make_agent(pairing.agent if seat in side else others[seat], game)
            for seat in range(game.seats)
        ]
        match: AnyMatch = Match(game, seed=number // 2)
        returns = play(match, agents)
        best = [seat for seat, value in enumerate(returns) if value == max(returns)]
        won = len({*side}.intersection(best)) / len(best)
        points += 1 / len(game.teams) if len(best) == game.seats else won
    assert points >= pairing.least * pairing.games
