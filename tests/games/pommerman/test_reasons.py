"""Why a move of Pommerman was a mistake: what burns, and when."""

from __future__ import annotations

import pytest

from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.games.pommerman.actions import MOVES
from boardgames_cli.games.pommerman.analyst import explain
from boardgames_cli.games.pommerman.board import MOVE_NAMES
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import Bomb, PommermanState

GAME = Pommerman(mode="duel")


def with_bomb(cells_away: int, life: int) -> PommermanState:
    """The start of a duel with a bomb so many cells to the right of the first agent."""
    match: AnyMatch = Match(GAME, seed=1)
    match.resolve_chance()
    state: PommermanState = match.state
    here = state.agents[0].cell
    row = 0b11111 << here
    bomb = Bomb(here + cells_away, life, 3, 1, 0)
    return state._replace(bombs=(bomb,), wood=state.wood & ~row, rigid=state.rigid & ~row)


@pytest.mark.parametrize(
    ("cells_away", "life", "played", "kind", "fact"),
    [
        (0, 2, "stop", "did not flee", "the cell burns in 2 steps"),
        (3, 1, "right", "walked into a blast", "right leads to a cell that burns in 1 step;"),
        (2, 8, "stop", "fled the wrong way", "the cell burns in 8 steps"),
        (4, 9, "bomb", "laid a bomb without a way out", "its own bomb goes off in 10 steps"),
        (4, 9, "stop", "walked into a trap", "in 90 % of quick playouts after down"),
    ],
)
def test_the_reason_names_the_fire(
    cells_away: int, life: int, played: str, kind: str, fact: str
) -> None:
    moves = (MOVES[MOVE_NAMES.index(played)], MOVES[MOVE_NAMES.index("down")])
    reason = explain(GAME, GAME.observe(with_bomb(cells_away, life), 0), *moves, (0.25, 0.9))
    assert reason.kind == kind
    assert fact in reason.text
    assert reason.text.endswith(f"in 25 % after {played}")
