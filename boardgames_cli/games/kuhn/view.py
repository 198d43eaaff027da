"""How Kuhn poker is shown and told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from boardgames_cli.core.game import CHANCE, Game, Observation, Seat
from boardgames_cli.core.text import Glyphs, Picture, Span
from boardgames_cli.core.view import RenderContext, Size, View
from boardgames_cli.games.kuhn import drawing, words
from boardgames_cli.games.kuhn.betting import (
    ANTE,
    BET_SIZE,
    DECK,
    ENDS,
    NOT_DEALT,
    TURN,
    Action,
)
from boardgames_cli.games.kuhn.palette import PALETTE
from boardgames_cli.games.kuhn.rules import Kuhn, KuhnAction, KuhnState

Seen = Observation[KuhnState, KuhnAction]


class KuhnView(View[KuhnState, KuhnAction]):
    """The table from the viewer's side. The cards of steps are never read, only those seen."""

    palette: ClassVar[Mapping[str, Mapping[str, str]]] = PALETTE

    def picture(
        self,
        game: Game[KuhnState, KuhnAction],
        seen: Seen,
        size: Size,
        look: RenderContext[KuhnAction],
    ) -> Picture:
        """The table in the largest form that fits."""
        rules, state = _kuhn(game), seen.state
        near = seen.seat or 0
        is_over = state.actions in ENDS
        notice = words.verdict(state, look.name) if is_over else words.hand_number(rules, state)
        scene = drawing.Scene(
            far=_place(rules, seen, 1 - near, look),
            near=_place(rules, seen, near, look),
            pot=0 if is_over or state.cards == (NOT_DEALT, NOT_DEALT) else words.pot(state),
            added=BET_SIZE if seen.legal and look.highlight is Action.BET else 0,
            notice=notice,
            buttons=tuple(
                (words.label(state.actions, action), str(action), action == look.highlight)
                for action in seen.legal
                if isinstance(action, Action)
            ),
            glyphs=look.glyphs,
        )
        return drawing.draw(scene, size.width, size.height)

    def narrate(
        self,
        game: Game[KuhnState, KuhnAction],
        before: KuhnState,
        joint: Mapping[Seat, KuhnAction],
        after: KuhnState,
        look: RenderContext[KuhnAction],
    ) -> list[str]:
        """The deal as far as the reader may know it, the action, and how the hand ended."""
        rules = _kuhn(game)
        if CHANCE in joint:
            return _tell_deal(rules, after, look)
        ((seat, action),) = joint.items()
        assert isinstance(action, Action)
        told = [f"{look.name(seat)} {words.verb(before.actions, action)}."]
        if after.actions in ENDS:
            told.append(f"{words.outcome(after, look.name)}.")
            if rules.hands > 1:
                told.append(f"{_score(rules, after, look)}.")
        return told

    def legend(self, game: Game[KuhnState, KuhnAction], glyphs: Glyphs) -> Picture:
        """Cards and chips."""
        chip, back = ("==", "[?]") if glyphs is Glyphs.ASCII else ("▄▄▄", "░?░")
        lines: list[str | list[Span]] = [
            "J jack, Q queen, K king: the king beats the queen, the queen the jack",
            [Span(back, "back"), Span(" a card that you may not see")],
            [
                Span(f"{chip} 1  ", "chip.1"),
                Span(f"{chip} 5  ", "chip.5"),
                Span(f"{chip} 25  ", "chip.25"),
                Span(f"{chip} 100", "chip.100"),
            ],
            "> who is to act",
        ]
        return Picture.of(lines)

    def sidebar(
        self, game: Game[KuhnState, KuhnAction], seen: Seen, look: RenderContext[KuhnAction]
    ) -> Picture:
        """The hand, what each has won, the betting, and what the other may hold."""
        rules, state = _kuhn(game), seen.state
        lines: list[list[Span]] = [[Span(f"{words.hand_number(rules, state)}, ante {ANTE}")]]
        for seat in (0, 1):
            mark = ">" if seat in game.to_act(state) else " "
            won = int(game.returns(state)[seat])
            lines.append([Span(f"{mark} {look.name(seat)}", f"seat.{seat}"), Span(f"  {won:+d}")])
        if state.actions in TURN and NOT_DEALT not in state.cards:
            texts = words.told(state, look.name)
            texts.append(f"{look.name(words.actor(state, len(state.actions)))} ?")
            lines += [[Span(text)] for text in [*texts, *_odds(seen)]]
        return Picture.of(lines)

    def prompt(
        self, game: Game[KuhnState, KuhnAction], seen: Seen, look: RenderContext[KuhnAction]
    ) -> str:
        """The hand, the own card, the betting and the pot."""
        rules, state = _kuhn(game), seen.state
        if game.is_over(state):
            return self.result(game, state, look)
        number = words.hand_number(rules, state)
        if NOT_DEALT in state.cards or state.actions in ENDS:
            return f"{number}: the next card is dealt." if state.hand else "The cards are dealt."
        parts = [f"{number}."]
        if seen.seat is not None:
            parts.append(f"Your card: {words.letter(state.cards[seen.seat])}.")
        done = words.betting(state, look.name) or f"{look.name(state.first)} to act first"
        parts.append(f"{done}. Pot {words.pot(state)}.")
        return " ".join(parts)

    def describe(self, game: Game[KuhnState, KuhnAction], seen: Seen, action: KuhnAction) -> str:
        """Check, bet, call or fold, with what it costs."""
        if not isinstance(action, Action):
            return str(action)
        return words.label(seen.state.actions, action)

    def result(
        self, game: Game[KuhnState, KuhnAction], state: KuhnState, look: RenderContext[KuhnAction]
    ) -> str:
        """Who has won how many chips."""
        won = int(game.returns(state)[0])
        if not won:
            return "Nobody has won anything."
        chips = "chip" if abs(won) == 1 else "chips"
        return f"{look.name(0 if won > 0 else 1)} won {abs(won)} {chips}."


def _kuhn(game: Game[KuhnState, KuhnAction]) -> Kuhn:
    assert isinstance(game, Kuhn)
    return game


def _place(rules: Kuhn, seen: Seen, seat: Seat, look: RenderContext[KuhnAction]) -> drawing.Place:
    state = seen.state
    is_dealt = state.cards != (NOT_DEALT, NOT_DEALT)
    return drawing.Place(
        seat=seat,
        name=look.name(seat),
        card=state.cards[seat],
        chips=words.stack(rules, state, seat) if is_dealt else words.BUY_IN * rules.hands,
        says=words.saying(state, seat),
        is_to_act=seat in rules.to_act(state),
        is_last=seat in look.last,
    )


def _tell_deal(rules: Kuhn, after: KuhnState, look: RenderContext[KuhnAction]) -> list[str]:
    """What is told about a card: that it was dealt, and to its owner which it is."""
    if NOT_DEALT in after.cards:
        number = f"{words.hand_number(rules, after)}. " if rules.hands > 1 else ""
        return [f"{number}{look.name(after.first)} to act first."]
    return [
        f"{look.name(seat)} got the {drawing.RANKS[card].lower()}."
        for seat, card in enumerate(after.cards)
        if card in DECK
    ]


def _score(rules: Kuhn, state: KuhnState, look: RenderContext[KuhnAction]) -> str:
    stacks = (f"{look.name(seat)} {words.stack(rules, state, seat)}" for seat in (0, 1))
    return f"Chips: {', '.join(stacks)}"


def _odds(seen: Seen) -> list[str]:
    if seen.seat is None:
        return []
    own = seen.state.cards[seen.seat]
    others = " or ".join(words.letter(card) for card in DECK if card != own)
    return [f"other card: {others}"]
