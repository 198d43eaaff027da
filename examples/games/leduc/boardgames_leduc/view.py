"""How Leduc poker is shown and told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, TypeAlias

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

from boardgames_leduc.rules import LETTERS, Action, Deal, Leduc, Line, State, faces_raise

Seen: TypeAlias = Observation[State, Action]
Context: TypeAlias = RenderContext[Action, Deal]


class LeducView(View[Leduc, State, Action, Deal]):
    """The card of seat 2 above, the public card, and the card of seat 1 below."""

    palette: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "dark": {
            "paper": "bold #14213d on #f1ead6",
            "felt": "#c9d6c4 on #12351f",
            "card": "#c9d6c4 on #12351f",
            "card.title": "bold #f1ead6",
            "card.number": "#c9d6c4",
        },
        "light": {
            "paper": "bold #14213d on #fffaf0",
            "felt": "#1d3b27 on #d5e6d8",
            "card": "#1d3b27 on #d5e6d8",
            "card.title": "bold #14402a",
            "card.number": "#1d3b27",
        },
    }

    def aim(self, seat: Seat | None) -> str:
        """How to win."""
        return "Win chips: with a pair or the higher card, or because the other folds"

    def picture(self, seen: Seen, size: Size, context: Context) -> Picture:
        """The cards with the chips in the pot, and the betting of both rounds."""
        state = seen.state
        tall = 3 if size.height >= 13 else 1
        canvas = Canvas(max(44, min(size.width, 72)), 3 * tall + 4, "felt")
        shown = state
        if context.highlight in seen.legal and context.highlight is not None:
            shown = self.game.apply(state, {self.game.to_act(state)[0]: context.highlight})
        for player, chips in enumerate(shown.paid()):
            seat = state.seat(player)
            y = 0 if seat else 2 * (tall + 1)
            card = state.cards[player] if player < len(state.cards) else None
            name = context.short_name(seat, 20)
            self._draw_card(canvas, y, tall, card)
            canvas.put(9, y + tall // 2, f"{name}: {chips} in the pot", f"seat.{seat}")
        y = tall + 1
        self._draw_card(canvas, y, tall, state.public)
        canvas.put(9, y + tall // 2, f"public card   pot {sum(shown.paid())}")
        for number, line in enumerate((state.first, state.second)):
            y = 3 * tall + 2 + number
            canvas.put(1, y, f"Round {number + 1}: {', '.join(words(line)) or '-'}")
        return canvas.picture()

    def _draw_card(self, canvas: Canvas, y: int, tall: int, card: int | None) -> None:
        if card is None:
            canvas.put(1, y + tall // 2, "[   ]")
            return
        canvas.fill(1, y, 5, tall, "paper")
        canvas.put(1, y + tall // 2, f"[ {LETTERS[card]} ]")

    def sidebar(self, seen: Seen, width: int, context: Context) -> Picture:
        """The hand, and the chips of both seats."""
        lines = [(Span(f"Hand {seen.state.hand + 1} of {self.game.hands}"),)]
        for seat, won in enumerate(self.game.returns(seen.state)):
            mark = ">" if seat in self.game.to_act(seen.state) else " "
            name = context.short_name(seat, width - 10)
            lines.append((Span(f"{mark} {name} {won + 0.0:+.0f}", f"seat.{seat}"),))
        return Picture(tuple(lines))

    def prompt(self, seen: Seen, context: Context) -> str:
        """Who acts, with which card, and what a call costs."""
        seats = self.game.to_act(seen.state)
        if not seats or seats[0] < 0:
            return super().prompt(seen, context)
        card = seen.state.cards[len(seen.state.line) % 2]
        chips = seen.state.paid()
        held = f" Card: {LETTERS[card]}." if card else ""
        return f"{context.name(seats[0])} to act.{held} To call: {max(chips) - min(chips)}."

    def narrate(
        self, before: State, step: Step[Action, Deal], after: State, context: Context
    ) -> list[str]:
        """Cards, actions, and who won the hand."""
        if step.is_chance:
            card = "a card" if step.outcome is None else f"a {step.outcome[-1]}"
            if after.public is not None:
                return [f"The public card was {card}."]
            return [f"{context.name(after.seat(len(after.cards) - 1))} got {card}."]
        seat, action = next(iter(step.joint.items()))
        lines = [f"{context.name(seat)} {_past(before.line, action)}."]
        if after.is_over:
            if after.is_showdown:
                shown = (
                    f"{context.name(after.seat(player))} {LETTERS[card]}"
                    for player, card in enumerate(after.cards)
                )
                lines.append(f"The cards: {', '.join(shown)}.")
            won = after.result()
            winner = context.name(0 if won > 0 else 1)
            lines.append(f"{winner} won {abs(won)}." if won else "The pot was shared.")
        return lines

    def pause_after(
        self, before: State, step: Step[Action, Deal], after: State, context: Context
    ) -> str:
        """A look at the cards before the next hand."""
        return "next hand" if after.is_over else ""

    def describe(self, seen: Seen, action: Action) -> str:
        """The usual word for the action, and what it costs."""
        after = self.game.apply(seen.state, {self.game.to_act(seen.state)[0]: action})
        player = len(seen.state.line) % 2
        price = after.paid()[player] - seen.state.paid()[player]
        return f"{word(seen.state.line, action)}{f' (pay {price})' if price else ''}"

    def legend(self, glyphs: Glyphs) -> Picture:
        """The cards."""
        return Picture.of(["J, Q, K: jack, queen, king, two of each", "? a hidden card"])


def word(line: Line, action: Action) -> str:
    """The usual word: to call where there is nothing to call is to check."""
    return "check" if action is Action.CALL and not faces_raise(line) else str(action)


def words(line: Line) -> list[str]:
    """The usual words of a round."""
    return [word(line[:number], action) for number, action in enumerate(line)]


def _past(line: Line, action: Action) -> str:
    name = word(line, action)
    return f"{name}d" if name.endswith("e") else f"{name}ed"
