"""How Connect Four is shown and described."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, TypeAlias

from boardgames_cli import (
    Canvas,
    Glyphs,
    NoChance,
    Observation,
    Picture,
    RenderContext,
    Seat,
    Size,
    Step,
    View,
)

from boardgames_connect4.rules import HEIGHT, Drop, Rules, State, winning_lines

Seen: TypeAlias = Observation[State, Drop]
Context: TypeAlias = RenderContext[Drop, NoChance]


class GameView(View[Rules, State, Drop, NoChance]):
    """The upright board, the letters of the columns above it."""

    palette: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "dark": {"slot": "#8a94a6 on #10233f", "letter": "bold #e8c15a", "row": "underline"},
        "light": {"slot": "#4a5568 on #dbe7f7", "letter": "bold #7a5200", "row": "underline"},
    }

    def aim(self, seat: Seat | None) -> str:
        """How to win."""
        return "Drop discs: four of yours in a row, across, up or diagonal, and you win"

    def picture(self, seen: Seen, size: Size, context: Context) -> Picture:
        """The board; where there is more room, the cells are larger."""
        state = seen.state
        across = size.width // self.game.width
        tall = max(1, min(3, (size.height - 1) // HEIGHT, (across - 1) // 2))
        wide = 2 * tall + 1
        canvas = Canvas(wide * self.game.width, tall * HEIGHT + 1)
        won = {cell for line in winning_lines(state) for cell in line}
        for column, discs in enumerate(state.columns):
            drop = Drop(column)
            canvas.fill(column * wide, 0, wide, 1, "", _click(seen, drop))
            canvas.put(column * wide + tall, 0, str(drop), "letter")
            for row in range(HEIGHT):
                x, y = column * wide, 1 + (HEIGHT - 1 - row) * tall
                canvas.fill(x, y, wide, tall, "slot", _click(seen, drop))
                sign, role = _sign(state.disc(column, row), context.glyphs), "slot"
                if row < len(discs):
                    role = f"slot seat.{discs[row]}"
                elif drop == context.highlight and row == len(discs):
                    sign = "v"
                if (column, row) in won:
                    sign, role = f"[{sign}]", f"{role} row"
                canvas.put(x + tall - len(sign) // 2, y + tall // 2, sign, role)
        return canvas.picture()

    def narrate(
        self,
        before: State,
        step: Step[Drop, NoChance],
        after: State,
        context: Context,
    ) -> list[str]:
        """The move, and the end."""
        name = context.name(before.player)
        lines = [f"{name} dropped a disc into column {step.joint[before.player]}."]
        if winning_lines(after):
            lines.append(f"{name} had four in a row and won.")
        elif self.game.is_over(after):
            lines.append("The board was full: a draw.")
        return lines

    def describe(self, seen: Seen, action: Drop) -> str:
        """The column, and whether the disc wins."""
        after = self.game.apply(seen.state, {seen.state.player: action})
        return f"{action} wins" if winning_lines(after) else str(action)

    def legend(self, glyphs: Glyphs) -> Picture:
        """The signs of discs and cells."""
        first, second, empty = (_sign(seat, glyphs) for seat in (0, 1, None))
        return Picture.of(
            [
                f"{first} seat 1   {second} seat 2   {empty} an empty cell",
                f"v where the chosen disc would lie   [{first}] one of four in a row",
            ]
        )


def _click(seen: Seen, drop: Drop) -> str:
    return str(drop) if drop in seen.legal else ""


def _sign(seat: int | None, glyphs: Glyphs) -> str:
    if seat is None:
        return "."
    return ("XO" if glyphs is Glyphs.ASCII else "●○")[seat]
