"""What an agent keeps in mind of what the fog has swallowed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardgames_cli.core.match import Match
from boardgames_cli.games.pommerman.agents.memory import Memory
from boardgames_cli.games.pommerman.board import grid_of
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import Bomb, Bomber, PommermanState
from boardgames_cli.testing.scene import one_step

GRID = grid_of(11)
LEFT = sum(1 << cell for cell in range(121) if cell % 11 < 5)
RIGHT = GRID.full & ~LEFT
AGENTS = tuple(Bomber(cell, True, 1, 3, False) for cell in (12, 20, 108, 100))


def seen(step: int, fog: int = RIGHT, **changes: Any) -> PommermanState:
    return PommermanState(agents=AGENTS, step=step, fog=fog, **changes)


WALLS: dict[str, Any] = {"rigid": 1 << 0, "wood": 1 << 1, "powers": (1 << 2, 1 << 3, 1 << 4)}
ROW = sum(1 << cell for cell in range(11))
LYING, ROLLING, OTHER = Bomb(0, 4, 3, 0, 0), Bomb(0, 9, 3, 0, 4), Bomb(5, 8, 3, 0, 0)
FULL = seen(7, **WALLS, bombs=(LYING,))
SEEN: dict[str, Any] = {"words": ((1, 2), (0, 0), (3, 4), (0, 0)), "fallen": (1,), "reruns": 2}


def after(*lives: int) -> list[PommermanState]:
    """The looks away from a bomb with 4 to go, so many steps after it was seen."""
    return [seen(0, bombs=(LYING,)), *(seen(life, fog=LEFT) for life in lives)]


def left(life: int) -> dict[str, Any]:
    return {"bombs": (LYING._replace(life=life),), "fog": 0}


CASES: dict[str, tuple[list[PommermanState], dict[str, Any]]] = {
    "what was seen is kept": ([seen(0, **WALLS), seen(1, fog=LEFT)], WALLS | {"fog": 0}),
    "and else fog": ([seen(0), seen(1, fog=GRID.full & ~ROW)], {"fog": RIGHT & ~ROW}),
    "what is seen now wins": ([FULL, seen(8, rigid=1 << 1)], {}),
    "a bomb burns down": (after(1), left(3)),
    "out of sight": (after(3), left(1)),
    "no faster with looks in between": (after(1, 2, 3), left(1)),
    "nor with a second look": (after(0, 1, 1, 1), left(3)),
    "it goes off": (after(4), {"fog": 0}),
    "it went off": (after(5), {"fog": 0}),
    "one that rolls": ([seen(0, bombs=(ROLLING,)), seen(1, fog=LEFT)], {"fog": 0}),
    "bombs are in order": (
        [*after(), seen(1, fog=LEFT, bombs=(OTHER,))],
        {"bombs": (LYING._replace(life=3), OTHER), "fog": 0},
    ),
    "nothing laid out": ([PommermanState(), seen(0, wood=0b10)], {}),
    "no fog": ([FULL, seen(8, fog=0)], {}),
    "all else": ([seen(5, fog=LEFT, flames=(0, 1 << 9, 0), **SEEN)], {}),
    "a new board": ([FULL, seen(0, fog=LEFT, reruns=1)], {}),
    "a new board, later": ([FULL, seen(9, fog=LEFT, reruns=1)], {}),
    "a new game": ([FULL, seen(0, fog=LEFT)], {}),
}


@pytest.mark.parametrize(("looks", "more"), CASES.values(), ids=CASES)
def test_what_is_known(looks: list[PommermanState], more: dict[str, Any]) -> None:
    memory = Memory(11)
    for look in looks:
        memory.watch(look)
    assert memory.complete(looks[-1]) == looks[-1]._replace(**more)


@given(st.integers(0, 1000), st.integers(0, 3))
@settings(max_examples=15, deadline=None)
def test_what_is_remembered_was_true_when_it_was_seen(seed: int, seat: int) -> None:
    game = Pommerman(mode="team", view=2, rerun_ties=True, steps=14, first_collapse=12)
    match: Match[PommermanState, Any, Any] = Match(game, seed=seed, max_plies=40)
    memory, boards = Memory(11), {0: [0, 0]}
    while match.waiting_for:
        one_step(match)
        state = match.state
        if match.steps[-1].is_chance:
            boards = {state.reruns: [state.rigid, state.wood]}
        look = game.redact(state, seat)
        memory.watch(look)
        whole = memory.complete(look)
        rigid, wood = boards[state.reruns]
        # Walls that are remembered were on this board, not on one before it.
        assert whole.rigid & ~(rigid | state.rigid) == 0
        assert whole.wood & ~wood == 0
        clear = ~look.fog
        assert (whole.rigid ^ state.rigid) & clear == 0
        assert (whole.wood ^ state.wood) & clear == 0
        assert whole.fog & clear == 0
