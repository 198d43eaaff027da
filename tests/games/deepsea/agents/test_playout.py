"""The fast copy of the rules for searches against the rules themselves, turn by turn."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest

from boardgames_cli.core.game import CHANCE
from boardgames_cli.games.deepsea.actions import Dice
from boardgames_cli.games.deepsea.agents import playout
from boardgames_cli.games.deepsea.agents.monte_carlo import chip_worths, spread, win_share
from boardgames_cli.games.deepsea.agents.odds import chance_home, turns_left
from boardgames_cli.games.deepsea.agents.plans import (
    HESITATION,
    HOME,
    SLIP,
    WIDTH,
    chance,
    drops,
    returns,
    risk_plan,
    rule,
    takes,
)
from boardgames_cli.games.deepsea.agents.playout import (
    CHIP,
    DICE,
    DIRECTION,
    STREAM,
    finish_round,
    sea_of,
    tables_of,
)
from boardgames_cli.games.deepsea.agents.policies import (
    Diver,
    Grabber,
    GreedyClassic,
    Policy,
)
from boardgames_cli.games.deepsea.agents.tuned import tuned_plan
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.games.deepsea.state import DeepSeaState, Phase

PHASES = {Phase.DIRECTION: DIRECTION, Phase.DICE: DICE, Phase.CHIP: CHIP}
PLANS = [
    rule(slip=0.5),
    rule(chips_down=3, depth=12, chips_up=3, risk_return=0.8, risk_take=0.6, risk_drop=1.0),
    rule(chips_down=2, chips_return=2, slip=0.1),
    rule(worth_down=12.0, chips_down=9, chips_return=1, low_oxygen=9),
    risk_plan(slip=0.05),
    risk_plan(fear=0.0, growth=0.0, take_down=(0.0, 0.0, 0.0, 0.0), ahead=1),
    tuned_plan(6),
    [*rule(slip=0.5, chips_return=0)[:HESITATION], 0.5],
    [*risk_plan()[:HESITATION], 0.3],
]
FLAT = [number for plan in PLANS for number in plan]


class ByTheRules:
    """Plays by the rules what `finish_round` plays on its numbers, with the same luck.

    Args:
        game: The rulebook; one round, so that the state after it shows where everybody was.
        bases: By seat where in `FLAT` its plan begins.
        rng: For the luck.
    """

    def __init__(self, game: DeepSea, bases: list[int], rng: random.Random) -> None:
        self.game, self.bases = game, bases
        self.dice = [rng.randint(1, 3) + rng.randint(1, 3) for _ in range(STREAM * game.seats)]
        self.slips = [rng.random() for _ in range(STREAM * game.seats)]
        self.turns = [0] * game.seats

    def decision(self, state: DeepSeaState, seat: int) -> bool:
        """What the plan says, or its opposite if it slips."""
        base, slip = self.bases[seat], self._luck(self.slips, seat)
        worth = chip_worths(state.ledger)
        sea, tables = sea_of(state, worth), tables_of(state.trail, worth)
        often = FLAT[base + SLIP]
        if state.phase is Phase.DIRECTION:
            wants = returns(sea, tables, FLAT, base, seat) != (slip < often)
            return wants and slip >= FLAT[base + HESITATION]
        ask = takes if state.chip_under(seat) else drops
        return ask(sea, tables, FLAT, base, seat) != (slip > 1 - often)

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
            if after.phase not in PHASES:
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
    while state.phase in PHASES:
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
    bases = [WIDTH * rng.randrange(len(PLANS)) for _ in range(game.seats)]
    witness = ByTheRules(game, bases, rng)
    worth = chip_worths(state.ledger)
    sea, tables = sea_of(state, worth), tables_of(state.trail, worth)
    finish_round(
        sea, tables, FLAT, bases, witness.dice, witness.slips, state.current, PHASES[state.phase]
    )
    ended = witness.finish(state)
    places, diving, loads, values, held, trail, blocked, tank = sea_of(ended, worth)
    assert sea[:3] == (places, diving, loads)
    assert sea[3] == pytest.approx(values)
    for seat, load in enumerate(loads):
        assert sea[4][8 * seat : 8 * seat + load] == held[8 * seat : 8 * seat + load]
    assert sea[5:7] == (trail, blocked)
    assert sea[7] == tank


CLASSICS = [
    (Grabber(1), rule(chips_down=1, chips_return=1)),
    (Grabber(3), rule(chips_down=3, chips_return=3)),
    (Diver(8, 2), rule(chips_down=2, depth=8, chips_up=2)),
    (Diver(16, 1), rule(chips_down=1, depth=16, chips_up=1)),
    (
        GreedyClassic(),
        rule(chips_down=9, worth_down=12.0, chips_return=1, chips_up=9, worth_up=12.0),
    ),
]


@pytest.mark.parametrize(("policy", "plan"), CLASSICS)
def test_rules_of_thumb_can_say_what_the_classic_agents_do(
    policy: Policy, plan: list[float]
) -> None:
    rng, asked = random.Random(7), 0
    for _ in range(20):
        for state in positions(DeepSea(players=3, rounds=1), rng):
            seat, worth = state.current, chip_worths(state.ledger)
            holds_other = any(chip < 4 for chip in state.held[seat])
            if isinstance(policy, GreedyClassic) and holds_other:
                continue  # it never comes to hold one
            sea, tables = sea_of(state, worth), tables_of(state.trail, worth)
            if state.phase is Phase.DIRECTION:
                asked += 1
                assert returns(sea, tables, plan, 0, seat) == policy.returns(state, seat)
            elif state.phase is Phase.CHIP and state.chip_under(seat):
                asked += 1
                assert takes(sea, tables, plan, 0, seat) == policy.takes(state, seat)
    assert asked > 100


def test_the_odds_are_those_of_the_table() -> None:
    for oxygen, drain, load, way in itertools.product((0, 4, 11), (0.0, 2.5), (0, 2, 5, 6), (3, 9)):
        expected = chance_home(way, load, turns_left(oxygen, drain, load))
        assert chance(HOME, oxygen, drain, load, way) == expected


def test_a_thought_ends_even_if_the_round_would_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playout, "MOST_TURNS", 6)
    game = DeepSea(players=2)
    state = next(positions(game, random.Random(1)))
    worth = chip_worths(state.ledger)
    sea, luck = sea_of(state, worth), [0.5] * (2 * STREAM)
    tables = tables_of(state.trail, worth)
    finish_round(sea, tables, rule(), [0, 0], [4] * (2 * STREAM), luck, 0, DICE)
    assert sea[0] == [11, 12]
    assert state.places == (0, 0), "the state itself stays as it is"


def test_a_share_of_the_win_counts_who_is_home_and_what_is_still_open() -> None:
    game = DeepSea(players=3)
    state = game.initial_state()._replace(
        places=(0, 0, 5), diving=(False, False, True), held=(bytes([3]), b"", bytes([4]))
    )
    sea = sea_of(state, chip_worths(state.ledger))
    last = [win_share(sea, seat, [0.0, 9.5, 0.0], spread(0)) for seat in range(3)]
    assert last[0] == pytest.approx(last[1])
    assert last[2] < 0.01
    assert sum(last) == pytest.approx(1.0)
    early = win_share(sea, 2, [0.0, 9.5, 0.0], spread(2))
    assert 0.05 < early < 1 / 3
