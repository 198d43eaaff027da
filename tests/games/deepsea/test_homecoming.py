"""The chances to get home that everybody is shown, against the rulebook itself."""

from __future__ import annotations

import functools
import random

import pytest

from boardgames_cli.games.deepsea.actions import KEEP, LEAVE, RETURN
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.games.deepsea.state import DeepSeaState, Phase
from boardgames_cli.games.deepsea.view.scoreboard import chance, no_return, turns_to_come
from tests.games.deepsea.test_rules import sea

TWO, THREE = DeepSea(players=2, rounds=1), DeepSea(players=3, rounds=1)
CALM = (RETURN, LEAVE, KEEP)


def go_home(game: DeepSea, state: DeepSeaState) -> DeepSeaState:
    """Let whoever must decide turn back, and touch no chip."""
    seat = state.current
    (action,) = (one for one in game.legal_actions(state, seat) if one in CALM)
    return game.apply(state, {seat: action})


@functools.cache
def exact(state: DeepSeaState, seat: int) -> float:
    """The chance of a seat to get home, through all throws of the dice."""
    if state.is_home(seat):
        return 1.0
    if state.phase in (Phase.REVEAL, Phase.OVER):
        return 0.0
    if state.phase is Phase.DICE:
        outcomes = TWO.chance_outcomes(state)
        return sum(share * exact(TWO.apply_chance(state, out), seat) for out, share in outcomes)
    return exact(go_home(TWO, state), seat)


@pytest.mark.parametrize("phase", ["direction", "chip"])
@pytest.mark.parametrize(
    ("place", "load", "oxygen"), [(8, 2, 9), (12, 3, 8), (14, 1, 4), (5, 4, 2)]
)
def test_a_diver_alone_on_the_trail(phase: str, place: int, load: int, oxygen: int) -> None:
    chips = [[1]] * load
    state = sea(TWO, phase=phase, pos=[place, 0], dir=[1, 0], held=[chips, []],
                blank=range(1, load + 1), oxygen=oxygen)  # fmt: skip
    told = chance(state, 0)
    assert told is not None
    assert told == pytest.approx(exact(state, 0))
    assert chance(state, 1) is None, "at home"


def test_the_turns_that_are_left_are_those_that_are_played() -> None:
    for seed in range(20):
        rng = random.Random(seed)
        loads = [rng.randint(2, 4) for _ in range(3)]
        held = [[[seat + 1]] * load for seat, load in enumerate(loads)]
        blank = [8 * seat + chip for seat, load in enumerate(loads) for chip in range(1, load + 1)]
        state = sea(THREE, phase="direction", current=rng.randrange(3), pos=[32, 31, 30],
                    held=held, blank=blank, oxygen=rng.randint(4, 25))  # fmt: skip
        told = [turns_to_come(state, seat) for seat in range(3)]
        played = [0, 0, 0]
        while state.phase in (Phase.DIRECTION, Phase.DICE, Phase.CHIP):
            if state.phase is Phase.DICE:
                played[state.current] += 1
                state = THREE.apply_chance(state, THREE.sample_chance(state, rng))
            else:
                state = go_home(THREE, state)
        assert state.phase is Phase.OVER, "nobody can come home from so far away"
        assert played == told


def test_with_six_chips_nobody_moves() -> None:
    state = sea(TWO, phase="direction", pos=[9, 5], held=[[[1]] * 6, []], blank=[*range(1, 7)])
    assert chance(state, 0) == 0.0
    assert no_return(state, 0) == 0
