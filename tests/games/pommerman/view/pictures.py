"""Positions of a duel, and pictures of them as front ends ask for them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from boardgames_cli.core.game import Seat
from boardgames_cli.core.presentation.view import RenderContext, Size
from boardgames_cli.core.text import Glyphs, Picture, Span
from boardgames_cli.games.pommerman.actions import Move
from boardgames_cli.games.pommerman.board import grid_of
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import Bomb, Bomber, PommermanState
from boardgames_cli.games.pommerman.view import PommermanView

DUEL = Pommerman(mode="duel")
GLYPHS = (Glyphs.ASCII, Glyphs.UNICODE)


def at(row: int, column: int) -> int:
    return grid_of(8).cell(row, column)


def duel(**changes: object) -> PommermanState:
    whole: dict[str, object] = {
        "rigid": 1 << at(0, 0) | 1 << at(3, 0),
        "wood": 1 << at(1, 3),
        "agents": (Bomber(at(1, 1), True, 1, 3, False), Bomber(at(6, 6), True, 0, 4, True)),
        "bombs": (Bomb(at(1, 1), 9, 3, 0, 0), Bomb(at(4, 4), 3, 2, 1, 4)),
        "flames": (0, 1 << at(6, 1), 1 << at(6, 0)),
        "powers": (1 << at(7, 0), 1 << at(7, 1), 1 << at(7, 2)),
    }
    return PommermanState(**(whole | changes))  # type: ignore[arg-type]


def calm_duel(**changes: object) -> PommermanState:
    """Nothing but two agents."""
    empty: dict[str, object] = {"bombs": (), "flames": (0, 0, 0), "powers": (0, 0, 0)}
    return duel(**(empty | {"wood": 0, "rigid": 0, "step": 48} | changes))


def draw(
    game: Pommerman,
    state: PommermanState,
    size: Size,
    glyphs: Glyphs = Glyphs.UNICODE,
    seat: Seat | None = 0,
    shows_layer: bool = True,
    highlight: Move | None = None,
) -> Picture:
    context: RenderContext[Any, Any] = RenderContext(
        glyphs, highlight=highlight, shows_layer=shows_layer
    )
    return PommermanView(game).picture(game.observe(state, seat), size, context)


def spans_of(picture: Picture) -> Iterator[Span]:
    return itertools.chain.from_iterable(picture.lines)
