"""The view of Kuhn poker: pictures, sentences and colours.

Sentences are made from states redacted for the viewer, so they can't reveal hidden information.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import ClassVar, Final, TypeAlias

from boardgames_cli.core.game import Observation, Seat, Step
from boardgames_cli.core.options import RANDOM
from boardgames_cli.core.presentation.view import Moment, RenderContext, Size, View
from boardgames_cli.core.text import Glyphs, Picture, Span, counted, justified
from boardgames_cli.games.kuhn.actions import (
    ANTE,
    BET_SIZE,
    DECK,
    ENDS,
    HIDDEN,
    JACK,
    LETTERS,
    NOT_DEALT,
    NOT_DRAWN,
    TURN,
    Action,
    Card,
    Deal,
    Line,
    paid_in,
    word,
)
from boardgames_cli.games.kuhn.rules import Kuhn, hand_result, is_showdown
from boardgames_cli.games.kuhn.state import KuhnState, Seen
from boardgames_cli.games.kuhn.view import drawing

Names = Callable[[Seat], str]

BUY_IN = 2
"""The chips of each player at the start of a hand, the maximum loss."""

# In the past tense, which is the same for "You" and for a name.
_VERBS = {"check": "checked", "bet": f"bet {BET_SIZE}", "call": "called", "fold": "folded"}
LONGEST_VERB: Final = max(map(len, _VERBS.values()))
_LONGEST_ROW: Final = 36
"""Columns of a row of the table of bets."""


def verb(line: Line, action: Action) -> str:
    """An action in words, such as ``bet 1``; its meaning depends on the line before it."""
    return _VERBS[word(line, action)]


def label(line: Line, action: Action) -> str:
    """The label of a choice with its cost."""
    name = word(line, action)
    if name == "bet":
        return f"bet {BET_SIZE}"
    return f"call (pay {BET_SIZE})" if name == "call" else name


def actor(state: KuhnState, number: int) -> Seat:
    """The seat of the action with that index."""
    return (number % 2) ^ state.first


def saying(state: KuhnState, seat: Seat) -> str:
    """The last action of a seat in this hand; may be empty."""
    for number in reversed(range(len(state.actions))):
        if actor(state, number) == seat:
            return verb(state.actions[:number], state.actions[number])
    return ""


def actions_taken(state: KuhnState, name: Names) -> list[str]:
    """The actions of the hand so far, in order."""
    return [
        f"{name(actor(state, number))} {verb(state.actions[:number], action)}"
        for number, action in enumerate(state.actions)
    ]


def verdict(state: KuhnState, name: Names) -> str:
    """Who won a finished hand, and how much."""
    return f"{name(_winner(state))} won {counted(ENDS[state.actions].stake, 'chip')}"


def _winner(state: KuhnState) -> Seat:
    return 0 if hand_result(state) > 0 else 1


def outcome(state: KuhnState, name: Names) -> str:
    """How a finished hand ended."""
    won = verdict(state, name)
    if not is_showdown(state):
        return f"{won}: {name(1 - _winner(state))} folded, no card was shown"
    shown = f"{name(state.first)} showed {letter(state.cards[state.first])}"
    other = 1 - state.first
    return f"{shown}, {name(other)} showed {letter(state.cards[other])}: {won}"


def letter(card: Card) -> str:
    """A card as one letter; a question mark if hidden or not dealt."""
    return LETTERS[card] if card in DECK else "?"


def pot(state: KuhnState) -> int:
    """Chips in the middle."""
    return sum(paid_in(state.actions, player) for player in (0, 1))


def stack(game: Kuhn, state: KuhnState, seat: Seat) -> int:
    """The chips of a seat without the pot, which the winner has after a hand."""
    net = int(game.returns(state)[seat])
    in_pot = 0 if state.actions in ENDS else paid_in(state.actions, seat ^ state.first)
    return BUY_IN * game.hands + net - in_pot


def hand_number(game: Kuhn, state: KuhnState) -> str:
    """The number of the hand, such as ``Hand 7 of 20``."""
    return f"Hand {state.hand + 1} of {game.hands}" if game.hands > 1 else "One hand"


Context: TypeAlias = RenderContext[Action, Deal]

_SLIDE: Final = (0.0, 0.35, 0.7)
"""The shares of the way from a stack to the pot at which chips are shown."""
_TURN: Final = (0.6, 0.2)
"""The shares of a card's width that are seen before and after it stands on its edge."""


def _is_turned(before: KuhnState, after: KuhnState, seat: Seat) -> bool:
    is_new = before.cards[seat] not in DECK or before.actions in ENDS
    return is_new and after.cards[seat] in DECK


def _turning(
    old: drawing.CardScene, new: drawing.CardScene, seats: Collection[Seat]
) -> Iterator[drawing.CardScene]:
    def turned(scene: drawing.CardScene, share: float, *, is_up: bool) -> drawing.CardScene:
        sides = (
            replace(side, shown=share, card=side.card if is_up else HIDDEN)
            if side.seat in seats
            else side
            for side in (scene.far, scene.near)
        )
        far, near = sides
        return replace(scene, far=far, near=near)

    for share in (1.0, *_TURN):
        yield turned(old, share, is_up=False)
    for share in (*_TURN[::-1], 1.0):
        yield turned(new, share, is_up=True)


class KuhnView(View[Kuhn, KuhnState, Action, Deal]):
    """Draws the table from the viewer's side, using only cards in redacted states."""

    palette: ClassVar[Mapping[str, Mapping[str, str]]] = drawing.PALETTE

    def picture(self, seen: Seen, size: Size, context: Context) -> Picture:
        return drawing.draw(self._scene(seen, context), size.width, size.height)

    def frames(
        self,
        before: KuhnState,
        step: Step[Action, Deal],
        after: KuhnState,
        size: Size,
        context: Context,
    ) -> Iterator[Picture]:
        """Chips slide into the pot, cards are turned over, and the pot goes to the winner."""
        old, new = (
            self._scene(Observation(context.viewer, 0, state, ()), context)
            for state in (before, after)
        )
        is_end, stakes = after.actions in ENDS, [pot(before), pot(after)]
        made: list[drawing.CardScene] = []
        for seat in step.joint if stakes[1] > stakes[0] else ():
            made += [replace(old, sliding=(seat, share, BET_SIZE)) for share in _SLIDE]
        turned = {seat for seat in (0, 1) if _is_turned(before, after, seat)}
        # The result is not to be read from faces, stacks or words before the pot has gone.
        far, near = (
            replace(was if is_end else now, card=now.card, says=now.says, is_to_act=False)
            for was, now in ((old.far, new.far), (old.near, new.near))
        )
        held = replace(old if is_end else new, far=far, near=near, pot=stakes[1], notice="")
        if turned:
            made += list(_turning(old if is_end else held, held, turned))
        if is_end:
            winner = _winner(after)
            coins = min(stakes[1], 4)
            gone = replace(held, pot=0)
            made += [replace(gone, sliding=(winner, share, coins)) for share in _SLIDE[::-1]]
            made.append(new)
        for scene in made:
            yield drawing.draw(scene, size.width, size.height)

    def _scene(self, seen: Seen, context: Context) -> drawing.CardScene:
        rules, state = self.game, seen.state
        near = seen.seat or 0
        is_over = state.actions in ENDS
        notice = verdict(state, context.name) if is_over else hand_number(rules, state)
        return drawing.CardScene(
            far=_place(rules, seen, 1 - near, context),
            near=_place(rules, seen, near, context),
            pot=0 if is_over or state.cards == (NOT_DEALT, NOT_DEALT) else pot(state),
            added=BET_SIZE if seen.legal and context.highlight is Action.BET else 0,
            notice=notice,
            standing=_standing(rules, state, context),
            buttons=tuple(
                (label(state.actions, action), str(action), action == context.highlight)
                for action in seen.legal
            ),
            glyphs=context.glyphs,
            has_colours=context.has_colours,
        )

    def narrate(
        self, before: KuhnState, step: Step[Action, Deal], after: KuhnState, context: Context
    ) -> list[str]:
        rules = self.game
        if step.is_chance:
            return _tell_deal(rules, before, after, context)
        ((seat, action),) = step.joint.items()
        did = f"{context.name(seat)} {verb(before.actions, action)}."
        is_bet = word(before.actions, action) == "bet"
        sentences = [Moment(did, kind="bet", seat=seat) if is_bet else did]
        if after.actions in ENDS:
            sentences += _ending(after, context)
            if rules.hands > 1:
                sentences.append(f"{_score(rules, after, context)}.")
        return sentences

    def legend(self, glyphs: Glyphs) -> Picture:
        back = "[?]" if glyphs is Glyphs.ASCII else "░?░"
        chips = {value: drawing.chip_sign(value, glyphs) for value in (1, 5, 25, 100)}
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
        rules, state = self.game, seen.state
        lines: list[list[Span]] = [[Span(f"{hand_number(rules, state)}, ante {ANTE}")]]
        for seat in (0, 1):
            mark = ">" if seat in self.game.to_act(state) else " "
            won = f"  {int(self.game.returns(state)[seat]):+d}"
            name = context.short_name(seat, width - 2 - len(won))
            lines.append([Span(f"{mark} {name}", f"seat.{seat}"), Span(won)])
        if state.actions in TURN and NOT_DEALT not in state.cards:
            short = partial(context.short_name, width=width - 1 - LONGEST_VERB)
            texts = actions_taken(state, short)
            texts.append(f"{short(actor(state, len(state.actions)))} to act")
            lines += [[Span(text)] for text in [*texts, *_odds(seen)]]
        lines += [[Span(text, role)] for text, role in _bluffs(context, width)]
        return Picture.of(lines)

    def pause_after(
        self, before: KuhnState, step: Step[Action, Deal], after: KuhnState, context: Context
    ) -> str:
        return "next hand" if after.actions in ENDS else ""

    def aim(self, seat: Seat | None) -> str:
        if self.game.hands == 1:
            return "Win the pot: with the higher card, or a bet that the other does not call"
        return f"Win the most chips in {self.game.hands} hands: by higher cards or uncalled bets"

    def prompt(self, seen: Seen, context: Context) -> str:
        rules, state = self.game, seen.state
        if self.game.is_over(state):
            return self.result(state, context)
        number = hand_number(rules, state)
        if state.first == NOT_DRAWN:
            return f"{number}: who acts first is drawn."
        if NOT_DEALT in state.cards or state.actions in ENDS:
            if state.hand or state.actions in ENDS:
                return f"{number}: the next card is dealt."
            drawn = f"{context.name(state.first)} to act first. " if rules.first == RANDOM else ""
            return f"{drawn}The cards are dealt."
        parts = [f"{number}."]
        if seen.seat is not None:
            parts.append(f"Your card: {letter(state.cards[seen.seat])}.")
        done = (
            ", ".join(actions_taken(state, context.name))
            or f"{context.name(state.first)} to act first"
        )
        parts.append(f"{done}. Pot {counted(pot(state), 'chip')}.")
        return " ".join(parts)

    def describe(self, seen: Seen, action: Action) -> str:
        return label(seen.state.actions, action)

    def result(self, state: KuhnState, context: Context) -> str:
        won = int(self.game.returns(state)[0])
        if not won:
            return "Nobody has won anything."
        return f"{context.name(0 if won > 0 else 1)} won {counted(abs(won), 'chip')}."


def _place(rules: Kuhn, seen: Seen, seat: Seat, context: Context) -> drawing.SeatArea:
    state = seen.state
    is_dealt = state.cards != (NOT_DEALT, NOT_DEALT)
    return drawing.SeatArea(
        seat=seat,
        name=context.name(seat),
        card=state.cards[seat],
        chips=stack(rules, state, seat) if is_dealt else BUY_IN * rules.hands,
        says=saying(state, seat),
        is_to_act=seat in rules.to_act(state),
        is_last=context.last is not None and seat in context.last.joint,
        face=_face(state, seat) if seat != (seen.seat or 0) else "",
    )


def _face(state: KuhnState, seat: Seat) -> str:
    if state.actions in ENDS:
        if _bluffer(state) == seat:
            return "(O_O)"
        return "(^_^)" if seat == _winner(state) else "(T_T)"
    return {f"bet {BET_SIZE}": "(>_>)", "checked": "(-_-)"}.get(saying(state, seat), "(o_o)")


def _bettor(state: KuhnState) -> Seat | None:
    line = state.actions
    is_called = is_showdown(state) and line[-1] is Action.BET
    return actor(state, len(line) - 2) if is_called else None


def _bluffer(state: KuhnState) -> Seat | None:
    bettor = _bettor(state)
    return bettor if bettor is not None and state.cards[bettor] == JACK else None


def _ending(state: KuhnState, context: Context) -> Iterator[str]:
    said, bettor, bluffer = f"{outcome(state, context.name)}.", _bettor(state), _bluffer(state)
    yield said if bettor is None else Moment(said, kind="called", seat=bettor, by=1 - bettor)
    winner = _winner(state)
    if bluffer is not None:
        text = f"{context.name(winner)} caught a bluff."
        yield Moment(
            text, kind="bluff", banner="bluff called", seat=winner, by=bluffer, shakes=True
        )
    elif not is_showdown(state) and state.cards[winner] == JACK:
        text = f"{context.name(winner)} bluffed with the jack."
        yield Moment(text, kind="stolen", banner="bluff worked", seat=winner)


def _bluffs(context: Context, width: int) -> list[tuple[str, str]]:
    moments = context.moments
    counts = Counter((one.kind, one.by if one.kind == "bluff" else one.seat) for one in moments)
    lines, width = [], min(width, _LONGEST_ROW)
    for seat in (0, 1):
        if counts["bet", seat]:
            name = justified(context.short_name(seat, width - 20), width - 20)
            bets, called, bluffs = (counts[kind, seat] for kind in ("bet", "called", "bluff"))
            lines.append((f"  {name}{bets:>4}{called:>7}{bluffs:>7}", f"seat.{seat}"))
    return [(f"{'bets called bluffs':>{width}}", "muted"), *lines] if lines else []


def _standing(rules: Kuhn, state: KuhnState, context: Context) -> str:
    ahead = int(rules.returns(state)[0])
    if ahead and rules.hands > 1:
        name = context.short_name(int(ahead < 0), 12)
        return f"{name} lead{'s' * (name != 'You')} by {abs(ahead)}"
    return "level" if state.hand else ""


def _tell_deal(rules: Kuhn, before: KuhnState, after: KuhnState, context: Context) -> list[str]:
    if NOT_DEALT in after.cards:
        if rules.first == RANDOM and not after.hand and before.first != NOT_DRAWN:
            return []  # it was told when it was drawn
        number = f"{hand_number(rules, after)}. " if rules.hands > 1 else ""
        return [f"{number}{context.name(after.first)} to act first."]
    return [
        f"{context.name(seat)} got the {drawing.RANKS[card].lower()}."
        for seat, card in enumerate(after.cards)
        if card in DECK
    ]


def _score(rules: Kuhn, state: KuhnState, context: Context) -> str:
    stacks = (f"{context.name(seat)} {stack(rules, state, seat)}" for seat in (0, 1))
    return f"Chips: {', '.join(stacks)}"


def _odds(seen: Seen) -> list[str]:
    if seen.seat is None:
        return []
    own = seen.state.cards[seen.seat]
    others = " or ".join(letter(card) for card in DECK if card != own)
    return [f"other card: {others}"]
