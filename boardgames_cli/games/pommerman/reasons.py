"""Why one move of Pommerman is better than another: what burns, and when."""

from __future__ import annotations

from boardgames_cli.core.analyst import Reason
from boardgames_cli.core.game import Seat
from boardgames_cli.games.pommerman.actions import Move
from boardgames_cli.games.pommerman.board import BOMB, BOMB_LIFE, MOVE_NAMES, STOP
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import PommermanState
from boardgames_cli.games.pommerman.view.danger import burn_times

_SOON = 3
"""Steps; who stays where it burns by then has not fled."""


def explain(
    game: Pommerman,
    seen: PommermanState,
    seat: Seat,
    moves: tuple[Move, Move],
    lives: tuple[float, float],
    horizon: int,
) -> Reason:
    """What speaks against one move and for the other.

    Args:
        game: The rulebook.
        seen: What the seat sees.
        seat: Who moves.
        moves: The one that was made, and the better one.
        lives: For both the share of playouts that the seat survived.
        horizon: The steps of a playout.
    """
    played, better = moves
    burns = burn_times(game.step_rules, seen)
    here = seen.agents[seat].cell
    there = _target(game, seen, seat, played)
    soon, now = burns.get(there), burns.get(here)
    facts = []
    if played.code == BOMB:
        kind = "laid a bomb without a way out"
        facts.append(f"its own bomb goes off in {BOMB_LIFE} steps")
    elif there == here and now is not None and now <= _SOON:
        kind = "did not flee"
        facts.append(f"the cell burns in {_steps(now)}")
    elif there != here and soon is not None and (now is None or soon <= now):
        kind = "walked into a blast"
        facts.append(f"{_name(played)} leads to a cell that burns in {_steps(soon)}")
    elif now is not None:
        kind = "fled the wrong way"
        facts.append(f"the cell burns in {_steps(now)}")
    else:
        kind = "walked into a trap"
    facts.append(
        f"alive after {horizon} steps in {lives[1]:.0%} of playouts after {_name(better)}, "
        f"in {lives[0]:.0%} after {_name(played)}"
    )
    return Reason(kind, "; ".join(facts))


def _target(game: Pommerman, seen: PommermanState, seat: Seat, move: Move) -> int:
    """Where a move leads if nothing is in the way; else where the agent stands."""
    here = seen.agents[seat].cell
    if move.code in (STOP, BOMB):
        return here
    there = game.step_rules.grid.steps[move.code][here]
    taken = seen.rigid | seen.wood | sum(1 << bomb.cell for bomb in seen.bombs)
    return here if there < 0 or taken >> there & 1 else there


def _name(move: Move) -> str:
    """A move without the words that are said with it."""
    return MOVE_NAMES[move.code]


def _steps(count: int) -> str:
    return f"{count} step{'s' if count != 1 else ''}"
