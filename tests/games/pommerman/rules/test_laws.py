"""Laws of the step, on crowded positions made up at random."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from boardgames_cli.games.pommerman.board import grid_of
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.rules.step import play_step
from boardgames_cli.games.pommerman.state import PommermanState
from tests.games.pommerman.crowds import crowded

FFA = Pommerman()
SEEDS = st.integers(0, 2**32)


def make(seed: int) -> tuple[PommermanState, list[int]]:
    rng = random.Random(seed)
    return crowded(FFA, rng), [rng.randrange(6) for _ in range(FFA.seats)]


def owned(state: PommermanState) -> list[int]:
    """Every agent's bombs, in the pocket and on the board."""
    return [
        agent.ammo + sum(bomb.owner == seat for bomb in state.bombs)
        for seat, agent in enumerate(state.agents)
    ]


@given(SEEDS)
@settings(max_examples=300, deadline=None)
def test_bombs_are_conserved(seed: int) -> None:
    state, moves = make(seed)
    after = play_step(FFA.step_rules, state, moves)
    for seat, (before, now) in enumerate(zip(owned(state), owned(after), strict=True)):
        # One more only by taking the power-up; never one less.
        took = now - before
        assert took in (0, 1), seat
        if took:
            lit = state.powers[0] | state.hidden[0] & state.flames[0]
            assert lit >> after.agents[seat].cell & 1


@given(SEEDS)
@settings(max_examples=300, deadline=None)
def test_nobody_goes_through_walls_or_into_another(seed: int) -> None:
    state, moves = make(seed)
    after = play_step(FFA.step_rules, state, moves)
    walls = state.rigid | state.wood
    near = grid_of(FFA.board_spec.size).near
    for before, now in zip(state.agents, after.agents, strict=True):
        assert now.cell == before.cell or now.cell in near[before.cell]
        assert not walls >> now.cell & 1
        assert before.alive >= now.alive
    living = [agent.cell for agent in after.agents if agent.alive]
    assert len(set(living)) == len(living)
    cells = [bomb.cell for bomb in after.bombs]
    assert cells == sorted(set(cells))
    assert not any(walls >> cell & 1 or after.burning >> cell & 1 for cell in cells)
    assert not any(after.burning >> cell & 1 for cell in living)
    assert after.rigid == state.rigid
    assert after.wood & ~state.wood == 0
