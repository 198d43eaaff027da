"""The fast copy of the rules for searches against the rules themselves, turn by turn."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest

from boardgames_cli.core.game import CHANCE
from boardgames_cli.games.deepsea.actions import Dice
from boardgames_cli.games.deepsea.agents.monte_carlo import spread, win_share
from boardgames_cli.games.deepsea.agents.odds import chance_home, turns_left
from boardgames_cli.games.deepsea.agents.plans import (
    SLOTS,
    Plan,
    Sea,
    chance,
    question_of,
    returns,
    tuned_plan,
)
from boardgames_cli.games.deepsea.agents.playout import STREAM, TURN_PHASES, Continuation
from boardgames_cli.games.deepsea.chips import GONE, PLACES
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.games.deepsea.state import DeepSeaState, Phase

PLANS = [
    Plan(slip=0.5),
    Plan(chips_down=3, depth=12, chips_up=3, risk_return=0.8, risk_take=0.6, risk_drop=1.0),
    Plan(chips_down=2, chips_return=2, slip=0.1),
    Plan(worth_down=12.0, chips_down=9, chips_return=1, low_oxygen=9),
    Plan(weighs=True, slip=0.05),
    Plan(weighs=True, sinking=0, rising=0, growth=0, take_down=(0.0, 0.0, 0.0, 0.0), ahead=1),
    tuned_plan(6),
    Plan(slip=0.5, chips_return=0, hesitation=0.5),
    Plan(weighs=True, hesitation=0.3),
]


class ByTheRules:
    """Plays by the rules what `finish_round` plays on its numbers, with the same luck.

    Args:
        game: The rulebook; one round, so that the state after it shows where everybody was.
        plans: By seat its plan.
        rng: For the luck.
    """

    def __init__(self, game: DeepSea, plans: list[Plan], rng: random.Random) -> None:
        self.game, self.plans = game, plans
        self.dice = [rng.randint(1, 3) + rng.randint(1, 3) for _ in range(STREAM * game.seats)]
        self.slips = [rng.random() for _ in range(STREAM * game.seats)]
        self.turns = [0] * game.seats

    def decision(self, state: DeepSeaState, seat: int) -> bool:
        """What the plan says, or its opposite if it slips."""
        plan, slip = self.plans[seat], self._luck(self.slips, seat)
        question = question_of(state)
        is_yes = question(plan, Sea.of(state), seat)
        if question is returns:
            return is_yes != (slip < plan.slip) and slip >= plan.hesitation
        return is_yes != (slip > 1 - plan.slip)

    def _luck(self, stream: list[Any], seat: int) -> float:
        return float(stream[seat * STREAM + self.turns[seat] % STREAM])

    def finish(self, state: DeepSeaState) -> DeepSeaState:
        """The last state of the round before its end is worked out."""
        while True:
            (actor,) = self.game.to_act(state)
            if actor == CHANCE:
                thrown = int(self._luck(self.dice, state.current))
                first = max(1, thrown - 3)
                after = self.game.apply_chance(state, Dice(first, thrown - first))
            else:
                wanted = self.decision(state, actor)
                legal = self.game.legal_actions(state, actor)
                # Yes has the number 1, but for the return, which has 0.
                number = int(wanted != (state.phase is Phase.DIRECTION))
                action = next(action for action in legal if action.id == number)
                after = self.game.apply(state, {actor: action})
            if after.phase not in TURN_PHASES:
                return after
            is_next = after.current != state.current or after.phase is not Phase.CHIP
            is_same_turn = state.phase is Phase.DIRECTION
            if is_next and not is_same_turn:
                self.turns[state.current] += 1
            state = after


def positions(game: DeepSea, rng: random.Random) -> Iterator[DeepSeaState]:
    """The states of a round in the middle of it, decided by lot."""
    start = game.initial_state()
    state = game.apply_chance(start, game.chance_outcomes(start)[0][0])
    while state.phase in TURN_PHASES:
        yield state
        (actor,) = game.to_act(state)
        if actor == CHANCE:
            state = game.apply_chance(state, game.sample_chance(state, rng))
        else:
            state = game.apply(state, {actor: rng.choice(game.legal_actions(state, actor))})


@pytest.mark.parametrize("seed", range(150))
def test_the_playout_plays_a_round_as_the_rules_do(seed: int) -> None:
    rng = random.Random(seed)
    game = DeepSea(players=rng.randint(2, 6), rounds=1, stacks=rng.random() < 0.3)
    state = rng.choice(list(itertools.islice(positions(game, rng), 60)))
    plans = [rng.choice(PLANS) for _ in range(game.seats)]
    witness = ByTheRules(game, plans, rng)
    played = Continuation(state).finish(plans, witness.dice, witness.slips)
    wanted = Sea.of(witness.finish(state))
    assert played.carried == pytest.approx(wanted.carried)
    for seat, load in enumerate(wanted.loads):
        # Beyond its load there may be chips that it no longer has.
        played.held[SLOTS * seat + load : SLOTS * (seat + 1)] = [0] * (SLOTS - load)
    played.carried = wanted.carried
    assert played == wanted


def test_the_odds_are_those_of_the_table() -> None:
    for oxygen, drain, load, way in itertools.product((0, 4, 11), (0.0, 2.5), (0, 2, 5, 6), (3, 9)):
        expected = chance_home(way, load, turns_left(oxygen, drain, load))
        assert chance(oxygen, drain, load, way) == expected


def test_a_thought_ends_even_if_the_round_would_not() -> None:
    state = next(positions(DeepSea(players=2), random.Random(1)))
    luck = [4] * (2 * STREAM), [0.5] * (2 * STREAM)
    # They stay at the end of the trail, carry nothing, and so breathe nothing.
    stubborn = Plan(hesitation=1.0, chips_down=0, chips_return=0, chips_up=0)
    played = Continuation(state).finish([stubborn] * 2, *luck)
    assert played.places == [32, 31]
    assert state.places == (0, 0), "the state itself stays as it is"


def test_where_no_place_is_left_all_are_home_at_once() -> None:
    state = (
        DeepSea(players=3).initial_state()._replace(phase=Phase.DICE, trail=bytes([GONE] * PLACES))
    )
    played = Continuation(state).finish([Plan()] * 3, [4] * (3 * STREAM), [0.5] * (3 * STREAM))
    assert [played.brought(seat) for seat in range(3)] == [0.0] * 3
    assert played.divers == 0


def test_a_share_of_the_win_counts_who_is_home_and_what_is_still_open() -> None:
    game = DeepSea(players=3)
    state = game.initial_state()._replace(
        places=(0, 0, 5), diving=(False, False, True), held=(bytes([3]), b"", bytes([4]))
    )
    sea = Sea.of(state)
    last = [win_share(sea, seat, [0.0, 9.5, 0.0], spread(0)) for seat in range(3)]
    assert last[0] == pytest.approx(last[1])
    assert last[2] < 0.01
    assert sum(last) == pytest.approx(1.0)
    early = win_share(sea, 2, [0.0, 9.5, 0.0], spread(2))
    assert 0.05 < early < 1 / 3
