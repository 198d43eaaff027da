"""The fast copy of the rules for searches against the rules themselves, turn by turn."""

from __future__ import annotations

import random

import pytest

from boardgames_cli.core.game import CHANCE
from boardgames_cli.games.deepsea.actions import Dice
from boardgames_cli.games.deepsea.agents.planner import PlannerPolicy
from boardgames_cli.games.deepsea.agents.policies import (
    DiverPolicy,
    GrabberPolicy,
    GreedyPolicy,
    Policy,
    RandomPolicy,
    decide,
)
from boardgames_cli.games.deepsea.agents.round_simulator import RoundSimulator
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.games.deepsea.state import DeepSeaState, Phase

MID_TURN = (Phase.DIRECTION, Phase.DICE, Phase.CHIP)


def policies(players: int, rng: random.Random) -> list[Policy]:
    kinds: list[Policy] = [
        RandomPolicy(rng), PlannerPolicy(), GrabberPolicy(3), DiverPolicy(12, 2), GreedyPolicy(),
    ]  # fmt: skip
    return [rng.choice(kinds) for _ in range(players)]


def finish_by_the_rules(
    game: DeepSea, state: DeepSeaState, seats: list[Policy], thrown: list[int]
) -> DeepSeaState:
    """The last state of the round before its end is worked out, with the dice written down."""
    rng = random.Random(len(thrown))
    while True:
        (actor,) = game.to_act(state)
        if actor == CHANCE:
            dice = game.sample_chance(state, rng)
            assert isinstance(dice, Dice)
            thrown.append(dice.first + dice.second)
            after = game.apply_chance(state, dice)
        else:
            after = game.apply(state, {actor: decide(seats[actor], game.observe(state, actor))})
        if after.round != state.round or after.phase not in MID_TURN:
            return after
        state = after


@pytest.mark.parametrize("seed", range(150))
def test_the_simulator_plays_a_round_as_the_rules_do(seed: int) -> None:
    rng = random.Random(seed)
    # One round, so that the state after it still shows where everybody was.
    game = DeepSea(players=rng.randint(2, 6), rounds=1, stacks=rng.random() < 0.3)
    seats = policies(game.players, rng)
    state = game.apply_chance(
        game.initial_state(), game.chance_outcomes(game.initial_state())[0][0]
    )
    for _ in range(rng.randrange(40)):
        (actor,) = game.to_act(state)
        if actor == CHANCE:
            after = game.apply_chance(state, game.sample_chance(state, rng))
        else:
            after = game.apply(state, {actor: decide(seats[actor], game.observe(state, actor))})
        if after.phase not in MID_TURN:
            break
        state = after
    thrown: list[int] = []
    memory = rng.getstate()
    ended = finish_by_the_rules(game, state, seats, thrown)
    rng.setstate(memory)
    simulator = RoundSimulator(state)
    dice = iter(thrown)
    simulator.finish_round(seats, lambda: next(dice))
    assert next(dice, None) is None, "as many throws as by the rules"
    assert tuple(simulator.places) == ended.places
    assert tuple(simulator.diving) == ended.diving
    assert tuple(simulator.held) == ended.held
    assert bytes(simulator.trail) == ended.trail
    assert simulator.oxygen == ended.oxygen


def test_thinking_of_a_round_leaves_the_state_alone() -> None:
    game = DeepSea(players=2)
    state = game.apply_chance(
        game.initial_state(), game.chance_outcomes(game.initial_state())[0][0]
    )
    RoundSimulator(state).finish_round([GrabberPolicy(1)] * 2, lambda: 4)
    assert state.places == (0, 0)
    assert state.trail == game.initial_state().trail


def test_a_thought_ends_even_if_the_round_would_not() -> None:
    class Stubborn(Policy):
        def returns(self, sea: object, seat: int) -> bool:
            return False

    game = DeepSea(players=2)
    state = game.apply_chance(
        game.initial_state(), game.chance_outcomes(game.initial_state())[0][0]
    )
    simulator = RoundSimulator(state)
    simulator.finish_round([Stubborn(), Stubborn()], lambda: 4)
    assert not simulator.is_home(0)
