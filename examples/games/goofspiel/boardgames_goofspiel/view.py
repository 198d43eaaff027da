"""How Goofspiel is shown and told."""

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

from boardgames_goofspiel.rules import Bid, Goofspiel, Prize, State

Seen: TypeAlias = Observation[State, Bid]
Context: TypeAlias = RenderContext[Bid, Prize]

NAME: Final = 12
"""Columns of a name; the cards to its right have three columns each."""


class GoofspielView(View[Goofspiel, State, Bid, Prize]):
    """The prize, the hands, and the rounds so far."""

    palette: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "dark": {
            "prize": "bold #14213d on #f0d890",
            "hand": "#e8ecf2 on #27304a",
            "chosen": "bold #14213d on #e8ecf2",
            "won": "bold underline",
            "card": "#e8ecf2 on #27304a",
            "card.title": "bold #f0d890",
            "card.number": "#e8ecf2",
        },
        "light": {
            "prize": "bold #14213d on #f3dc90",
            "hand": "#1d2740 on #dde4f0",
            "chosen": "bold #ffffff on #1d2740",
            "won": "bold underline",
            "card": "#1d2740 on #dde4f0",
            "card.title": "bold #5a4400",
            "card.number": "#1d2740",
        },
    }

    def aim(self, seat: Seat | None) -> str:
        """How to win."""
        return "Win the most points: the highest card takes the prize, a tie nobody"

    def picture(self, seen: Seen, size: Size, context: Context) -> Picture:
        """The hands above, the rounds below."""
        game, state = self.game, seen.state
        canvas = Canvas(NAME + 3 * game.cards + 1, 2 * game.seats + 6)
        canvas.put(0, 0, f"Prize {len(state.prizes)} of {game.cards}")
        if state.prize is not None:
            canvas.put(NAME + 3, 0, f"  {state.prize}  ", "prize")
        for seat in range(game.seats):
            self._draw_hand(canvas, 2 + seat, seen, seat, context)
        top = 3 + game.seats
        canvas.put(0, top, "Prizes")
        for number, prize in enumerate(state.prizes):
            canvas.put(NAME + 3 * number, top, f"{prize:>2}")
        for seat in range(game.seats):
            y = top + 1 + seat
            canvas.put(0, y, context.short_name(seat, NAME - 1), f"seat.{seat}")
            for number, bids in enumerate(state.bids):
                is_won = game.winner(state, number) == seat
                text = f"{bids[seat]:>2}{'*' if is_won else ''}"
                canvas.put(NAME + 3 * number, y, text, "won" if is_won else "")
        return canvas.picture()

    def _draw_hand(self, canvas: Canvas, y: int, seen: Seen, seat: Seat, context: Context) -> None:
        canvas.put(0, y, context.short_name(seat, NAME - 1), f"seat.{seat}")
        hand = self.game.hand(seen.state, seat)
        for number in range(self.game.cards):
            card = number + 1
            x = NAME + 3 * number
            bid = Bid(card)
            is_own = seat == seen.seat and bid in seen.legal
            if is_own and bid == context.highlight:
                canvas.put(x - 1, y, f"[{card}]".rjust(4), "chosen", str(bid))
            elif card in hand:
                canvas.put(x, y, f"{card:>2}", "hand", str(bid) if is_own else "")
            else:
                canvas.put(x, y, " .")

    def sidebar(self, seen: Seen, width: int, context: Context) -> Picture:
        """The points, and who has chosen."""
        lines = []
        for seat, points in enumerate(self.game.points(seen.state)):
            mark = "*" if seat in context.committed else " "
            name = context.short_name(seat, width - 14)
            lines.append((Span(f"{mark} {name}", f"seat.{seat}"), Span(f" {points} points")))
        return Picture(tuple(lines))

    def prompt(self, seen: Seen, context: Context) -> str:
        """The prize, and who is asked for a bid."""
        if seen.state.prize is None:
            return super().prompt(seen, context)
        who = "Everybody bids" if seen.seat is None else f"{context.name(seen.seat)}: bid"
        return f"{who} for the prize of {seen.state.prize}."

    def narrate(
        self, before: State, step: Step[Bid, Prize], after: State, context: Context
    ) -> list[str]:
        """The prize, the bids, and who took it."""
        if step.outcome is not None:
            return [f"The prize was {step.outcome.card}."]
        bids = after.bids[-1]
        told = ", ".join(f"{context.name(seat)} {card}" for seat, card in enumerate(bids))
        winner = self.game.winner(after, len(after.bids) - 1)
        taken = "Nobody" if winner is None else context.name(winner)
        return [f"Bids: {told}. {taken} took the {after.prizes[-1]}."]

    def legend(self, glyphs: Glyphs) -> Picture:
        """The signs of the rounds and hands."""
        return Picture.of(["7* the bid that took the prize", ". a card that is gone"])
