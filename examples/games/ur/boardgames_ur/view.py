"""How the Royal Game of Ur is shown and told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final, TypeAlias

from boardgames_cli import (
    Canvas,
    Glyphs,
    Observation,
    Picture,
    RenderContext,
    Seat,
    Size,
    Span,
    Step,
    View,
)

from boardgames_ur.rules import HOME, ROSETTES, SHARED, START, Move, State, Throw, Ur

Seen: TypeAlias = Observation[State, Move]
Context: TypeAlias = RenderContext[Move, Throw]

WIDE: Final = 7
"""Columns of a square; it has three rows."""


class UrView(View[Ur, State, Move, Throw]):
    """The board of twenty squares: seat 1 below, seat 2 above, the shared row between them."""

    palette: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "dark": {
            "square": "#c8b48a on #2b2118",
            "rosette": "#f0d890 on #10334f",
            "marked": "bold underline",
            "card": "#c8b48a on #2b2118",
            "card.title": "bold #f0d890",
            "card.number": "#c8b48a",
        },
        "light": {
            "square": "#5a4630 on #efe3cb",
            "rosette": "#1d4468 on #cfe0f0",
            "marked": "bold underline",
            "card": "#5a4630 on #efe3cb",
            "card.title": "bold #6a4a10",
            "card.number": "#5a4630",
        },
    }

    def aim(self, seat: Seat | None) -> str:
        """How to win."""
        return "Bring all your pieces along the board and off it first"

    def picture(self, seen: Seen, size: Size, context: Context) -> Picture:
        """The board, with waiting pieces and those at home at its edges."""
        canvas = Canvas(8 * WIDE, 12)
        for seat in (1, 0):
            for square in range(1, HOME):
                if seat == 0 or square not in SHARED:
                    self._draw_square(canvas, seen, seat, square, context)
            self._draw_pools(canvas, seen, seat, context)
        return canvas.picture()

    def _draw_square(
        self, canvas: Canvas, seen: Seen, seat: Seat, square: int, context: Context
    ) -> None:
        x, y = _place(seat, square)
        owners = [each for each in (0, 1) if square in seen.state.pieces[each]]
        owner = next((each for each in owners if each == seat or square in SHARED), None)
        is_players = owner is not None and owner == seen.state.player
        action = _move_from(seen, square) if is_players else ""
        is_rosette = square in ROSETTES
        ground = "rosette" if is_rosette else "square"
        canvas.fill(x, y, WIDE - 1, 3, ground, action)
        canvas.put(x, y, f"{square}{' *' if is_rosette else ''}")
        if owner is not None:
            canvas.put(x + 2, y + 1, _sign(owner, context.glyphs), f"seat.{owner}")
        is_row = seat == seen.state.player or square in SHARED
        if (
            context.highlight
            and is_row
            and square in (context.highlight.start, context.highlight.end)
        ):
            sign = "from" if square == context.highlight.start else "to"
            canvas.put(x, y + 2, sign, "marked")

    def _draw_pools(self, canvas: Canvas, seen: Seen, seat: Seat, context: Context) -> None:
        pieces, y = seen.state.pieces[seat], 11 if seat == 0 else 0
        sign, is_players = _sign(seat, context.glyphs), seat == seen.state.player
        waiting, home = pieces.count(START), pieces.count(HOME)
        action = _move_from(seen, START) if is_players else ""
        lit = context.highlight if is_players else None
        role = "marked" if lit and lit.start == START else ""
        canvas.put(0, y, f"start {sign * waiting or '-'}", f"{role} seat.{seat}".strip(), action)
        role = "marked" if lit and lit.end == HOME else ""
        canvas.put(4 * WIDE, y, f"home {sign * home or '-'}", f"{role} seat.{seat}".strip())

    def sidebar(self, seen: Seen, width: int, context: Context) -> Picture:
        """How far each seat is."""
        lines = []
        for seat in (0, 1):
            pieces = seen.state.pieces[seat]
            mark = ">" if seat == seen.state.player and seen.state.winner is None else " "
            facts = f" {pieces.count(HOME)} home"
            name = context.short_name(seat, width - len(facts) - 2)
            lines.append((Span(f"{mark} {name}", f"seat.{seat}"), Span(facts)))
        return Picture(tuple(lines))

    def prompt(self, seen: Seen, context: Context) -> str:
        """Whose throw it is, and how far it goes."""
        if seen.state.winner is not None:
            return super().prompt(seen, context)
        name = context.name(seen.state.player)
        if seen.state.pips is None:
            return f"The dice for {name}."
        return f"{name} to act. Thrown: {seen.state.pips}."

    def narrate(
        self, before: State, step: Step[Move, Throw], after: State, context: Context
    ) -> list[str]:
        """Throws, moves, and what they led to."""
        player = before.player
        name, other = context.name(player), context.name(1 - player)
        if step.outcome is not None:
            is_lost = after.pips is None
            return [f"{name} threw {step.outcome.pips}{' and could not move' if is_lost else ''}."]
        move = step.joint[player]
        lines = [f"{name} moved {move}{' (home)' if move.end == HOME else ''}."]
        if before.pieces[1 - player].count(START) < after.pieces[1 - player].count(START):
            lines.append(f"{name} sent back a piece of {other}.")
        if move.end in ROSETTES:
            lines.append(f"The rosette gave {name} another throw.")
        return lines

    def describe(self, seen: Seen, action: Move) -> str:
        """The move, and what it does."""
        notes = []
        if action.start == START:
            notes.append("enters")
        if action.end == HOME:
            notes.append("home")
        if action.end in SHARED and action.end in seen.state.pieces[1 - seen.state.player]:
            notes.append("sends a piece back")
        if action.end in ROSETTES:
            notes.append("rosette: throws again")
        return f"{action} ({', '.join(notes)})" if notes else str(action)

    def legend(self, glyphs: Glyphs) -> Picture:
        """The signs of pieces and rosettes."""
        signs = "   ".join(f"{_sign(seat, glyphs)} seat {seat + 1}" for seat in (0, 1))
        return Picture.of([signs, "* rosette: throw again; on 8 nobody is sent back"])


def _place(seat: Seat, square: int) -> tuple[int, int]:
    """The column and row of a square's upper left corner."""
    if square in SHARED:
        return WIDE * (square - SHARED.start), 4
    column = 4 - square if square < SHARED.start else 20 - square
    return WIDE * column, 7 if seat == 0 else 1


def _move_from(seen: Seen, start: int) -> str:
    return next((str(move) for move in seen.legal if move.start == start), "")


def _sign(seat: Seat, glyphs: Glyphs) -> str:
    return ("ox" if glyphs is Glyphs.ASCII else "●■")[seat]
