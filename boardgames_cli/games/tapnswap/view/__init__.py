"""The view of TapnSwap: pictures, animations and sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import ClassVar, TypeAlias

from boardgames_cli.core.game import NoChance, Seat, Step
from boardgames_cli.core.presentation.view import RenderContext, Size, View
from boardgames_cli.core.text import Glyphs, Picture, Span
from boardgames_cli.games.tapnswap.actions import (
    DEAD,
    HAND_NAMES,
    LETTERS,
    MOST,
    Hands,
    Swap,
    Tap,
    TapnSwapAction,
    tapped,
)
from boardgames_cli.games.tapnswap.rules import TapnSwap
from boardgames_cli.games.tapnswap.state import Seen, TapnSwapState
from boardgames_cli.games.tapnswap.view import drawing
from boardgames_cli.games.tapnswap.view.drawing import HandsSide

Sides: TypeAlias = tuple[HandsSide, HandsSide]
"""Both sides by seat; the view sets their titles."""


def moments(before: TapnSwapState, action: TapnSwapAction) -> Iterator[Sides]:
    """The intermediate hands of a move's animation, without the first and last position."""
    return _swap(before, action) if isinstance(action, Swap) else _tap(before, action)


def _tap(before: TapnSwapState, tap: Tap) -> Iterator[Sides]:
    player, opponent = before.player, 1 - before.player
    striking, struck = before.hands[player][tap.own], before.hands[opponent][tap.opponent]
    resting = _still(player, before.hands[player])
    own = replace(resting, path=(tap.own, tap.opponent))
    other = _still(opponent, before.hands[opponent])
    yield _by_seat(replace(resting, struck=frozenset({tap.own})), other)
    for reach in (0.5, 1.0):
        yield _by_seat(replace(own, reach=reach), other)
    total = striking + struck
    raised = replace(
        _still(opponent, _with(before.hands[opponent], tap.opponent, min(total, MOST))),
        struck=frozenset({tap.opponent}),
        counts={tap.opponent: total},
    )
    for reach in (1.0, 0.5):
        yield _by_seat(replace(own, reach=reach), raised)
    yield _by_seat(resting, raised)
    if total > MOST:
        for jolt in (1, -1, 1, 0):
            hit = raised.struck if jolt > 0 else frozenset[int]()
            broken = replace(raised, struck=hit, broken=raised.struck, jolt=jolt)
            yield _by_seat(resting, broken)


def _swap(before: TapnSwapState, swap: Swap) -> Iterator[Sides]:
    player, opponent = before.player, 1 - before.player
    left, right = before.hands[player]
    step = 1 if swap.left > left else -1
    other = _still(opponent, before.hands[opponent])
    both = frozenset({0, 1})
    for moved in range(0, swap.left - left, step):
        hands = (left + moved, right - moved)
        next = (left + moved + step, right - moved - step)
        yield _by_seat(replace(_still(player, hands), after=next), other)
        yield _by_seat(replace(_still(player, next), struck=both), other)


def _still(seat: int, hands: Hands) -> HandsSide:
    return HandsSide(seat, "", hands, hands, frozenset())


def _with(hands: Hands, hand: int, fingers: int) -> Hands:
    return (fingers, hands[1]) if hand == 0 else (hands[0], fingers)


def _by_seat(one: HandsSide, other: HandsSide) -> Sides:
    return (one, other) if one.seat == 0 else (other, one)


Context: TypeAlias = RenderContext[TapnSwapAction, NoChance]


class TapnSwapView(View[TapnSwap, TapnSwapState, TapnSwapAction, NoChance]):
    """Two pairs of hands that face each other; the viewer sits below."""

    palette: ClassVar[Mapping[str, Mapping[str, str]]] = drawing.PALETTE

    def picture(self, seen: Seen, size: Size, context: Context) -> Picture:
        viewer = seen.seat or 0
        top, bottom = (_side(self.game, seen, context, seat) for seat in (1 - viewer, viewer))
        scene = drawing.HandsScene(top, bottom, context.glyphs, _caption(context))
        return drawing.draw(scene, size.width, size.height)

    def frames(
        self,
        before: TapnSwapState,
        step: Step[TapnSwapAction, NoChance],
        after: TapnSwapState,
        size: Size,
        context: Context,
    ) -> Iterator[Picture]:
        """Of a tap or a swap, finger by finger; none if hands are drawn as strokes."""
        if drawing.figures_for(context.glyphs, size.width, size.height) is None:
            return
        for sides in moments(before, step.joint[before.player]):
            made = [
                replace(side, title=_title(self.game, before, context, side.seat)) for side in sides
            ]
            viewer = context.viewer or 0
            scene = drawing.HandsScene(
                made[1 - viewer], made[viewer], context.glyphs, _caption(context)
            )
            yield drawing.draw(scene, size.width, size.height)

    def narrate(
        self,
        before: TapnSwapState,
        step: Step[TapnSwapAction, NoChance],
        after: TapnSwapState,
        context: Context,
    ) -> list[str]:
        player = before.player
        name, opponent_name = context.name(player), context.name(1 - player)
        action = step.joint[player]
        if isinstance(action, Swap):
            own = before.hands[player]
            sentences = [f"{name} swapped {own[0]}-{own[1]} to {action.left}-{action.right}."]
        else:
            own_fingers, opponent_fingers = _fingers(before, action)
            total = tapped(opponent_fingers, own_fingers)
            owner = "your" if opponent_name == "You" else f"{opponent_name}'s"
            hand = f"{owner} {HAND_NAMES[action.opponent]} hand"
            fate = f"has {total}" if total else "is dead"
            hands = f"{LETTERS[action.own]}>{LETTERS[action.opponent]}"
            sentences = [
                f"{name} tapped {hands}: {own_fingers} + {opponent_fingers}, {hand} {fate}."
            ]
        if after.hands[1 - player] == DEAD:
            whose = (
                "Both your hands" if opponent_name == "You" else f"Both hands of {opponent_name}"
            )
            sentences.append(f"{whose} are dead: {name} won.")
        elif self.game.is_over(after):
            sentences.append(f"{after.ply} moves have been made: the game is a draw.")
        return sentences

    def legend(self, glyphs: Glyphs) -> Picture:
        added, removed = ("+", "x :") if glyphs is Glyphs.ASCII else ("+ ▒", "x ░")
        return Picture.of(
            [
                "L, R   left and right hand, as you see them",
                "|      a raised finger; more than 4 on a hand kill it",
                "L 3!   a hand that a tap can kill now",
                (Span(f"{added:6}", "added"), Span(" a finger that the chosen move adds")),
                (
                    Span(f"{removed:6}", "removed"),
                    Span(" a finger that the chosen move takes away"),
                ),
                (Span("dead", "dead"), Span("   a hand without fingers; a swap can revive it")),
            ]
        )

    def sidebar(self, seen: Seen, width: int, context: Context) -> Picture:
        state = seen.state
        to_act = self.game.to_act(state)
        lines: list[list[Span]] = []
        for seat in (0, 1):
            mark = ">" if seat in to_act else " "
            name = context.short_name(seat, width - 2)
            lines.append([Span(f"{mark} {name}", f"seat.{seat}")])
            lines.append([Span(f"    {_words(state.hands[seat])}")])
        if to_act:
            player = state.player
            mortal = sorted(_mortal(state.hands[player], state.hands[1 - player]))
            kills = ", ".join(LETTERS[hand] for hand in mortal)
            lines.append([Span(f"can be killed now: {kills or 'nothing'}")])
            lines.append([Span(f"{self.game.max_plies - state.ply} moves until a draw")])
        return Picture.of(lines)

    def aim(self, seat: Seat | None) -> str:
        return f"Both of their hands over {MOST} and you win"

    def prompt(self, seen: Seen, context: Context) -> str:
        state = seen.state
        if self.game.is_over(state):
            return self.result(state, context)
        own, opponent = state.player, 1 - state.player
        return (
            f"{context.name(own)} to move: {_words(state.hands[own])}. "
            f"{context.name(opponent)}: {_words(state.hands[opponent])}."
        )

    def describe(self, seen: Seen, action: TapnSwapAction) -> str:
        state = seen.state
        if isinstance(action, Tap):
            own_fingers, opponent_fingers = _fingers(state, action)
            total = tapped(opponent_fingers, own_fingers)
            return f"{action} makes {total}" if total else f"{action} kills {opponent_fingers}"
        own = state.hands[state.player]
        for hand, (before, after) in enumerate(zip(own, (action.left, action.right), strict=True)):
            if not before:
                return f"{action} revives {LETTERS[hand]}"
            if not after:
                return f"{action} empties {LETTERS[hand]}"
        return str(action)


def _fingers(state: TapnSwapState, tap: Tap) -> tuple[int, int]:
    return state.hands[state.player][tap.own], state.hands[1 - state.player][tap.opponent]


def _words(hands: Hands) -> str:
    left, right = (str(fingers or "dead") for fingers in hands)
    return f"L {left}, R {right}"


def _mortal(own: Hands, opponent: Hands) -> frozenset[int]:
    strongest = max(own)
    return frozenset(
        hand for hand in (0, 1) if opponent[hand] and not tapped(opponent[hand], strongest)
    )


def _title(game: TapnSwap, state: TapnSwapState, context: Context, seat: Seat) -> str:
    role = ", to move" if seat in game.to_act(state) else ""
    return f"{context.name(seat)} (seat {seat + 1}{role})"


def _caption(context: Context) -> str:
    if context.last is None:
        return ""
    ((seat, action),) = context.last.joint.items()
    return f"{context.name(seat)}: {action}"


def _side(game: TapnSwap, seen: Seen, context: Context, seat: Seat) -> drawing.HandsSide:
    state = seen.state
    chosen = context.highlight if context.highlight in seen.legal else None
    # The highlighted move shows which hands it leaves in danger.
    then = state if chosen is None else game.apply(state, {state.player: chosen})
    is_in_danger = seat != then.player and not game.is_over(then)
    hands, after = state.hands[seat], then.hands[seat]
    return drawing.HandsSide(
        seat=seat,
        title=_title(game, state, context, seat),
        hands=hands,
        after=after,
        touched=_touched(context.last.joint if context.last else {}, seat),
        mortal=_mortal(then.hands[1 - seat], after) if is_in_danger else frozenset(),
        clicks={
            hand: str(action)
            for hand in (0, 1)
            if (action := _click(seen, chosen, seat, hand)) is not None
        },
    )


def _touched(last: Mapping[Seat, TapnSwapAction], seat: Seat) -> frozenset[int]:
    for mover, action in last.items():
        if isinstance(action, Tap) and mover != seat:
            return frozenset((action.opponent,))
        if isinstance(action, Swap) and mover == seat:
            return frozenset((0, 1))
    return frozenset()


def _click(seen: Seen, chosen: TapnSwapAction | None, seat: Seat, hand: int) -> Tap | None:
    is_own = seat == seen.seat
    taps = [action for action in seen.legal if isinstance(action, Tap)]
    fitting = [tap for tap in taps if (tap.own if is_own else tap.opponent) == hand]
    if isinstance(chosen, Tap):
        other = [
            tap
            for tap in fitting
            if (tap.opponent == chosen.opponent if is_own else tap.own == chosen.own)
        ]
        fitting = other or fitting
    return fitting[0] if len(fitting) == 1 else None
