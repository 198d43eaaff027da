"""The analysts of games that bring none: by an equilibrium, and by simulations."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from boardgames_cli.agents.expectimax import Expectimax
from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.algorithms.analysts.equilibrium_analyst import (
    EquilibriumAnalyst,
)
from boardgames_cli.algorithms.analysts.simulation_analyst import SimulationAnalyst
from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.analyst import AnyAnalyst
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.plugins import GAME_GROUP
from boardgames_cli.games.kuhn.rules import Kuhn
from boardgames_cli.registry import make
from boardgames_cli.testing import check_analyst
from boardgames_cli.testing.findings import call_game
from tests.plugins import Plugins
from tests.toys import Cards, Heap, Lots, Pennies, Race, RaceState
from tests.training.coin import Coin

EQUILIBRIUM: tuple[AnyGame, ...] = (Kuhn(), Coin(), Coin(prize=3), Pennies())
SIMULATED: tuple[AnyGame, ...] = (Cards(), Lots(), Heap())


@pytest.mark.parametrize("game", EQUILIBRIUM, ids=call_game)
def test_analysts_by_an_equilibrium_keep_the_contract(game: AnyGame) -> None:
    check_analyst(EquilibriumAnalyst[Any, Any, Any, Any](game), seeds=range(3))


@pytest.mark.parametrize("game", SIMULATED, ids=call_game)
def test_analysts_by_simulations_keep_the_contract(game: AnyGame) -> None:
    check_analyst(SimulationAnalyst[Any, Any, Any, Any](game), seeds=range(2))


def test_kuhns_own_analyst_and_the_generic_one_agree() -> None:
    game = make("kuhn")
    own, generic = analyst_for(game), EquilibriumAnalyst[Any, Any, Any, Any](game)
    start = game.initial_state()
    for first, _ in game.chance_outcomes(start):
        dealt = game.apply_chance(start, first)
        second = game.chance_outcomes(dealt)[0][0]
        seen = game.observe(game.apply_chance(dealt, second), 0, 2)
        for choice in own.judge(seen).choices:
            other = generic.judge(seen).of(choice.action)
            assert other.loss == pytest.approx(choice.loss, abs=0.02)


def test_what_the_search_proves_is_exact() -> None:
    # Who leaves a multiple of 4 wins: taking 2 or 1 from 7 loses.
    game = Heap()
    judged = SimulationAnalyst[Any, Any, Any, Any](game).judge(
        game.observe(game.initial_state(), 0)
    )
    assert judged.best.action == "3"
    for wrong in ("2", "1"):
        choice = judged.of(wrong)
        assert (choice.returns, choice.loss) == ((-1.0, 1.0), 2.0)
        assert choice.error == choice.loss_error == 0.0


def test_simulations_find_a_mistake_beyond_doubt() -> None:
    # A jump to 6 wins; after a step to 5 the tortoise jumps home with any roll.
    game = Race(6)
    state = game.from_json({"here": [4, 4], "turn": 0, "roll": 1})
    judged = SimulationAnalyst[Any, Any, Any, Any](game).judge(game.observe(state, 0))
    assert judged.best.action == "jump high"
    wrong = judged.of("step")
    assert wrong.loss > 2 * wrong.loss_error > 0


class Hesitant(Race):
    """A race in which a roll of 0 passes the turn."""

    def chance_outcomes(self, state: RaceState) -> Sequence[tuple[str, float]]:
        return (("roll 0", 1 / 2), ("roll 1", 1 / 2))

    def apply_chance(self, state: RaceState, outcome: str) -> RaceState:
        if outcome == "roll 0":
            return RaceState(state.here, 1 - state.turn, 0)
        return super().apply_chance(state, outcome)


class FullMemory(SimulationAnalyst[Any, Any, Any, Any]):
    """Remembers one value only."""

    remembered = 1


@pytest.mark.parametrize("kind", [SimulationAnalyst, FullMemory])
def test_chance_that_leads_back_is_valued(kind: type[AnyAnalyst]) -> None:
    game = Hesitant(length=6)
    state = replace(game.initial_state(), here=(5, 0))
    value = kind(game).value(state)
    # Every second roll wins, and the other seat needs several.
    assert value.returns[0] > 0.5


def test_search_ends_where_chance_leads_back(plugins: Plugins) -> None:
    plugins.add(GAME_GROUP, "race", "tests.toys:RACE")  # its heuristic is that of the race
    game = Hesitant(length=6)
    state = replace(game.initial_state(), here=(1, 0), roll=1)
    agent = Expectimax[Any, Any](depth=3)
    agent.reset(game, 0)
    values = agent.evaluate_actions(game.observe(state, 0), Thinking(random.Random(1)))
    assert values["jump high"] > values["step"]
