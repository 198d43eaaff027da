"""How Kuhn poker is shown and described."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import ClassVar, TypeAlias

from boardgames_cli.core.game import Observation, Seat, Step
from boardgames_cli.core.text import Glyphs, Picture, Span
from boardgames_cli.core.view import RenderContext, Size, View
from boardgames_cli.games.kuhn import drawing, story
from boardgames_cli.games.kuhn.actions import (
    ANTE,
    BET_SIZE,
    DECK,
    ENDS,
    NOT_DEALT,
    TURN,
    Action,
    Deal,
)
from boardgames_cli.games.kuhn.chips import chip_sign
from boardgames_cli.games.kuhn.palette import PALETTE
from boardgames_cli.games.kuhn.rules import Kuhn
from boardgames_cli.games.kuhn.state import KuhnState

Seen: TypeAlias = Observation[KuhnState, Action]
Context: TypeAlias = RenderContext[Action, Deal]


class KuhnView(View[Kuhn, KuhnState, Action, Deal]):
    """The table from the viewer's side. The cards of steps are never read, only those seen."""

    palette: ClassVar[Mapping[str, Mapping[str, str]]] = PALETTE

    def picture(
        self,
        seen: Seen,
        size: Size,
        context: Context,
    ) -> Picture:
        """The table in the largest form that fits."""
        rules, state = self.game, seen.state
        near = seen.seat or 0
        is_over = state.actions in ENDS
        notice = story.verdict(state, context.name) if is_over else story.hand_number(rules, state)
        scene = drawing.Scene(
            far=_place(rules, seen, 1 - near, context),
            near=_place(rules, seen, near, context),
            pot=0 if is_over or state.cards == (NOT_DEALT, NOT_DEALT) else story.pot(state),
            added=BET_SIZE if seen.legal and context.highlight is Action.BET else 0,
            notice=notice,
            buttons=tuple(
                (story.label(state.actions, action), str(action), action == context.highlight)
                for action in seen.legal
            ),
            glyphs=context.glyphs,
            has_colours=context.has_colours,
        )
        return drawing.draw(scene, size.width, size.height)

    def narrate(
        self,
        before: KuhnState,
        step: Step[Action, Deal],
        after: KuhnState,
        context: Context,
    ) -> list[str]:
        """The deal as far as the reader may know it, the action, and how the hand ended."""
        rules = self.game
        if step.is_chance:
            return _tell_deal(rules, after, context)
        ((seat, action),) = step.joint.items()
        sentences = [f"{context.name(seat)} {story.verb(before.actions, action)}."]
        if after.actions in ENDS:
            sentences.append(f"{story.outcome(after, context.name)}.")
            if rules.hands > 1:
                sentences.append(f"{_score(rules, after, context)}.")
        return sentences

    def legend(self, glyphs: Glyphs) -> Picture:
        """Cards and chips."""
        back = "[?]" if glyphs is Glyphs.ASCII else "░?░"
        chips = {value: chip_sign(value, glyphs) for value in (1, 5, 25, 100)}
        lines: list[str | list[Span]] = [
            "J jack, Q queen, K king: the king beats the queen, the queen the jack",
            [Span(back, "back"), Span(" a card that you may not see")],
            [
                Span(f"{chips[1]} 1  ", "chip.1"),
                Span(f"{chips[5]} 5  ", "chip.5"),
                Span(f"{chips[25]} 25  ", "chip.25"),
                Span(f"{chips[100]} 100", "chip.100"),
            ],
            "> who is to act",
        ]
        return Picture.of(lines)

    def sidebar(self, seen: Seen, width: int, context: Context) -> Picture:
        """The hand, what each has won, the betting, and what the other may hold."""
        rules, state = self.game, seen.state
        lines: list[list[Span]] = [[Span(f"{story.hand_number(rules, state)}, ante {ANTE}")]]
        for seat in (0, 1):
            mark = ">" if seat in self.game.to_act(state) else " "
            won = f"  {int(self.game.returns(state)[seat]):+d}"
            name = context.short_name(seat, width - 2 - len(won))
            lines.append([Span(f"{mark} {name}", f"seat.{seat}"), Span(won)])
        if state.actions in TURN and NOT_DEALT not in state.cards:
            short = partial(context.short_name, width=width - 1 - story.LONGEST_VERB)
            texts = story.actions_taken(state, short)
            texts.append(f"{short(story.actor(state, len(state.actions)))} ?")
            lines += [[Span(text)] for text in [*texts, *_odds(seen)]]
        return Picture.of(lines)

    def pause_after(
        self, before: KuhnState, step: Step[Action, Deal], after: KuhnState, context: Context
    ) -> str:
        """At the end of every hand: who won it, and with what, is what one plays for."""
        return "next hand" if after.actions in ENDS else ""

    def prompt(self, seen: Seen, context: Context) -> str:
        """The hand, the own card, the betting and the pot."""
        rules, state = self.game, seen.state
        if self.game.is_over(state):
            return self.result(state, context)
        number = story.hand_number(rules, state)
        if NOT_DEALT in state.cards or state.actions in ENDS:
            return f"{number}: the next card is dealt." if state.hand else "The cards are dealt."
        parts = [f"{number}."]
        if seen.seat is not None:
            parts.append(f"Your card: {story.letter(state.cards[seen.seat])}.")
        done = story.betting(state, context.name) or f"{context.name(state.first)} to act first"
        parts.append(f"{done}. Pot {story.pot(state)}.")
        return " ".join(parts)

    def describe(self, seen: Seen, action: Action) -> str:
        """Check, bet, call or fold, with what it costs."""
        return story.label(seen.state.actions, action)

    def result(
        self,
        state: KuhnState,
        context: Context,
    ) -> str:
        """Who has won how many chips."""
        won = int(self.game.returns(state)[0])
        if not won:
            return "Nobody has won anything."
        chips = "chip" if abs(won) == 1 else "chips"
        return f"{context.name(0 if won > 0 else 1)} won {abs(won)} {chips}."


def _place(rules: Kuhn, seen: Seen, seat: Seat, context: Context) -> drawing.Place:
    state = seen.state
    is_dealt = state.cards != (NOT_DEALT, NOT_DEALT)
    return drawing.Place(
        seat=seat,
        name=context.name(seat),
        card=state.cards[seat],
        chips=story.stack(rules, state, seat) if is_dealt else story.BUY_IN * rules.hands,
        says=story.saying(state, seat),
        is_to_act=seat in rules.to_act(state),
        is_last=context.last is not None and seat in context.last.joint,
    )


def _tell_deal(rules: Kuhn, after: KuhnState, context: Context) -> list[str]:
    """What is said about a card: that it was dealt, and to its owner which it is."""
    if NOT_DEALT in after.cards:
        number = f"{story.hand_number(rules, after)}. " if rules.hands > 1 else ""
        return [f"{number}{context.name(after.first)} to act first."]
    return [
        f"{context.name(seat)} got the {drawing.RANKS[card].lower()}."
        for seat, card in enumerate(after.cards)
        if card in DECK
    ]


def _score(rules: Kuhn, state: KuhnState, context: Context) -> str:
    stacks = (f"{context.name(seat)} {story.stack(rules, state, seat)}" for seat in (0, 1))
    return f"Chips: {', '.join(stacks)}"


def _odds(seen: Seen) -> list[str]:
    if seen.seat is None:
        return []
    own = seen.state.cards[seen.seat]
    others = " or ".join(story.letter(card) for card in DECK if card != own)
    return [f"other card: {others}"]
