"""A step of Pommerman in sentences, from what the reader saw before and after it."""

from __future__ import annotations

from boardgames_cli.core.view import Look
from boardgames_cli.games.pommerman.actions import PommermanAction
from boardgames_cli.games.pommerman.board import POWERS, UNKNOWN
from boardgames_cli.games.pommerman.drawing import LETTERS, name_of, names_of
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import SILENCE, Bomb, PommermanState

_TAKEN = dict(zip(POWERS, ("an extra bomb", "an extra range", "the kick"), strict=True))
_MOST_NAMED = 4


def tell(
    game: Pommerman, before: PommermanState, after: PommermanState, look: Look[PommermanAction]
) -> list[str]:
    """What a reader can tell about a step; both states are redacted for that reader."""
    if not before.agents:
        return [f"The board is laid out: {len(after.agents)} agents, {game.mode}."]
    return [
        *_bombs(game, before, after, look),
        *_powers(before, after, look),
        *_deaths(before, after, look),
        *_words(after, look),
        *_collapse(game, before, after),
    ]


def called(look: Look[PommermanAction], seat: int) -> str:
    """What to call a seat: its letter, and its owner's name if that is another word."""
    name = look.name(seat)
    return LETTERS[seat] if name in (LETTERS[seat], f"Seat {seat + 1}") else name


def _bombs(
    game: Pommerman, before: PommermanState, after: PommermanState, look: Look[PommermanAction]
) -> list[str]:
    grid, told = game.terms.grid, []
    lying = {bomb.cell for bomb in before.bombs}
    for bomb in after.bombs:
        # Only a bomb just laid has the full life less one and lies under its owner.
        if bomb.life == 9 and bomb.cell not in lying and not bomb.direction:
            who = called(look, bomb.owner) if bomb.owner != UNKNOWN else "Somebody"
            told.append(f"{who} laid a bomb at {name_of(grid, bomb.cell)}.")
    told += [
        f"A bomb rolls from {name_of(grid, bomb.cell)}."
        for bomb in after.bombs
        if bomb.direction and _was_kicked(game, before, bomb)
    ]
    gone = before.wood & ~after.wood & ~after.fog & ~after.rigid
    if gone:
        told.append(f"Wood burns at {names_of(grid, gone, _MOST_NAMED)}.")
    elif after.flames[2] & ~before.burning:
        told.append("Boom.")
    return told


def _was_kicked(game: Pommerman, before: PommermanState, bomb: Bomb) -> bool:
    """Whether a rolling bomb rolled otherwise, or not at all, a step ago."""
    size = game.terms.grid.size
    return any(
        (old.owner, old.life) == (bomb.owner, bomb.life + 1)
        and old.direction != bomb.direction
        and abs(old.cell - bomb.cell) in (0, 1, 2, size, 2 * size)
        for old in before.bombs
    )


def _powers(
    before: PommermanState, after: PommermanState, look: Look[PommermanAction]
) -> list[str]:
    told = []
    for seat, agent in enumerate(after.agents):
        was = before.agents[seat]
        if UNKNOWN in (agent.cell, was.cell) or agent.cell == was.cell:
            continue
        for kind, mask in zip(POWERS, before.powers, strict=True):
            if mask >> agent.cell & 1:
                told.append(f"{called(look, seat)} took {_TAKEN[kind]}.")
    return told


def _deaths(
    before: PommermanState, after: PommermanState, look: Look[PommermanAction]
) -> list[str]:
    return [
        f"{called(look, seat)} is dead."
        for seat, agent in enumerate(after.agents)
        if before.agents[seat].alive and not agent.alive
    ]


def _words(after: PommermanState, look: Look[PommermanAction]) -> list[str]:
    return [
        f"{called(look, seat)} says {said[0]} {said[1]}."
        for seat, said in enumerate(after.words)
        if said != SILENCE
    ]


def _collapse(game: Pommerman, before: PommermanState, after: PommermanState) -> list[str]:
    if after.step not in game.collapses or after.step == before.step:
        return []
    ring = game.collapses.index(after.step)
    return [f"The board falls in: ring {ring + 1} from the edge is rigid now."]
