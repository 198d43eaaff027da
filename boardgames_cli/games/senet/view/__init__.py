"""The view of Senet: pictures, animations and sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Final, TypeAlias

from boardgames_cli.core.game import Observation, Seat, Step
from boardgames_cli.core.presentation.view import RenderContext, Size, View
from boardgames_cli.core.text import Glyphs, Picture, Span
from boardgames_cli.games.senet import sticks
from boardgames_cli.games.senet.actions import PASS, THROWS_AGAIN, SenetMove, Throw
from boardgames_cli.games.senet.board import (
    CONES,
    DANCER_NAMES,
    HAPPINESS,
    OFF,
    RE_HORAKHTY,
    REBIRTH,
    SPOOLS,
    WATER,
    bit,
    runs,
)
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import Seen, SenetState
from boardgames_cli.games.senet.view import drawing

_DANCER: Final = ("cone", "spool")
Context: TypeAlias = RenderContext[SenetMove, Throw]


Sides: TypeAlias = tuple[int, int]


def journey(
    sides: Sides, player: Seat, move: SenetMove
) -> Iterator[tuple[Sides, Mapping[int, str | int]]]:
    """The frames of a move: the other dancers, and what the animation shows on houses."""
    if move == PASS:
        return
    captured = sides[1 - player] & bit(move.end)
    others = [side & ~bit(move.start) for side in sides]
    sinks = move.end == WATER or (move.start == HAPPINESS and move.end <= REBIRTH)
    last = WATER if sinks else min(move.end, RE_HORAKHTY)
    if move.start != WATER:
        step = 1 if last > move.start else -1
        for house in range(move.start + step, last, step):
            yield _pair(others), {house: player}
    if captured:
        for blow in ("clash", "blow", "clash"):
            yield _pair(others), {move.end: blow}
        others[1 - player] &= ~bit(move.end)
        others[player] |= bit(move.end)
        middle = (move.start + move.end) // 2
        if middle != move.start:
            yield _pair(others), {middle: 1 - player}
    for splash in ("drop", "splash", "rings") if sinks or move.start == WATER else ():
        yield _pair(others), {WATER: splash}
    if move.end == OFF:
        for spark in ("spark", "sparks", "fading"):
            yield _pair(others), {last: spark}
    elif move.end <= REBIRTH and (sinks or move.start == WATER):
        yield _pair(others), {move.end: "spark"}


def _pair(sides: Sequence[int]) -> Sides:
    return sides[CONES], sides[SPOOLS]


class SenetView(View[Senet, SenetState, SenetMove, Throw]):
    """The S-shaped board, with the dancers' shapes and the sticks."""

    palette: ClassVar[Mapping[str, Mapping[str, str]]] = drawing.PALETTE

    def picture(self, seen: Seen, size: Size, context: Context) -> Picture:
        scene = self._scene(seen, context)
        return drawing.draw(scene, size.width, size.height)

    def frames(
        self,
        before: SenetState,
        step: Step[SenetMove, Throw],
        after: SenetState,
        size: Size,
        context: Context,
    ) -> Iterator[Picture]:
        """The sticks of a throw, tumbling; a dancer on its way, and what happens at its end."""
        if not drawing.can_throw(size.width, size.height, context.glyphs):
            return
        scene = self._scene(Observation(None, 0, before, ()), context)
        hand = self._hand(after, context)
        for move in step.joint.values():
            for sides, marks in journey((before.cones, before.spools), before.player, move):
                gone = replace(scene, sides=sides, marks=marks, links={})
                yield drawing.draw(gone, size.width, size.height)
        if step.is_chance and hand is not None:
            for tumble in range(sticks.TUMBLES):
                thrown = replace(scene, hand=replace(hand, tumble=tumble))
                yield drawing.draw(thrown, size.width, size.height)

    def _scene(self, seen: Seen, context: Context) -> drawing.SenetScene:
        state = seen.state
        sides = (state.cones, state.spools)
        legal = [move for move in seen.legal if move != PASS]
        chosen = context.highlight
        moved = context.last_move or context.last
        last = next(iter(moved.joint.values()), None) if moved else None
        return drawing.SenetScene(
            sides=sides,
            moves={move.start: move for move in legal},
            chosen=chosen if chosen != PASS else None,
            last=last if last != PASS else None,
            links=drawing.links(sides, self.game.rule_set.blockade),
            glyphs=context.glyphs,
            hand=self._hand(state, context),
            off=(self._off(state, CONES), self._off(state, SPOOLS)),
            has_colours=context.has_colours,
        )

    def _off(self, state: SenetState, seat: Seat) -> int:
        return self.game.pieces - state.side(seat).bit_count()

    def _hand(self, state: SenetState, context: Context) -> sticks.Hand | None:
        if self.game.is_over(state):
            return None
        return sticks.Hand(context.name(state.player), state.player, state.steps)

    def narrate(
        self, before: SenetState, step: Step[SenetMove, Throw], after: SenetState, context: Context
    ) -> list[str]:
        name = context.name(before.player)
        if step.outcome is not None:
            return [f"{name} threw {step.outcome.steps}."]
        action = step.joint[before.player]
        if action == PASS:
            return [f"{name} could not move: pass."]
        sentences = [f"{name} {action}{_consequence(before, action)}."]
        if self.game.is_over(after):
            sentences.append(
                f"{name} bore off the last of the {DANCER_NAMES[before.player]} and won."
            )
        elif after.player == before.player and action.end == HAPPINESS:
            sentences.append(f"{name} reached the House of Happiness: another throw.")
        return sentences

    def legend(self, glyphs: Glyphs) -> Picture:
        is_ascii = glyphs is Glyphs.ASCII
        cone, spool = ("C", "S") if is_ascii else ("▲", "●")
        flat, round_ = ("[ ]", "[#]") if is_ascii else ("▯", "▮")
        signs = drawing.SIGNS[glyphs]
        pair, wall = ("-", "=") if is_ascii else ("─", "═")
        return Picture.of(
            [
                (Span(cone, "seat.0"), Span(" cone    "), Span(spool, "seat.1"), Span(" spool")),
                f"{signs[REBIRTH]} 15 Rebirth: who falls into the Water returns here; safe",
                f"{signs[HAPPINESS]} 26 Happiness: every dancer must stop here; safe",
                f"{signs[WATER]} 27 Water: back to Rebirth",
                f"{signs[28]} 28, {signs[29]} 29, {signs[30]} 30: the throw that bears off; safe",
                f"{pair} dancers that protect each other   {wall} a blockade",
                f"{flat} stick with its flat side up, one step   {round_} round side up",
            ]
        )

    def sidebar(self, seen: Seen, width: int, context: Context) -> Picture:
        state = seen.state
        lines: list[list[Span]] = []
        for seat in (0, 1):
            mark = ">" if seat == state.player and not self.game.is_over(state) else " "
            letter = drawing.dancer_sign(seat, context.glyphs)
            home = f"  off {self._off(state, seat)}/{self.game.pieces}"
            name = context.short_name(seat, width - len(f"{mark} {letter} ") - len(home))
            lines.append([Span(f"{mark} {letter} {name}", f"seat.{seat}"), Span(home)])
        lines.append(_stick_line(state, context))
        lines.append([Span(_throw_meaning(state))])
        lines += [[Span(text)] for text in _groups(self.game, state, context.glyphs)]
        return Picture.of(lines)

    def aim(self, seat: Seat | None) -> str:
        whose = "dancers" if seat is None else f"of your {DANCER_NAMES[seat]}"
        return f"Bring all {self.game.pieces} {whose} off the board, along the path from 1 to 30"

    def prompt(self, seen: Seen, context: Context) -> str:
        state = seen.state
        if self.game.is_over(state):
            return self.result(state, context)
        name = context.name(state.player)
        if state.steps is None:
            return f"{name} to throw the sticks."
        again = "and will throw again" if state.steps in THROWS_AGAIN else "then the turn passes"
        return f"{name} threw {state.steps} ({again})."

    def describe(self, seen: Seen, action: SenetMove) -> str:
        if action == PASS:
            return "pass (no dancer can move)"
        return f"{action}{_consequence(seen.state, action)}"


def _consequence(state: SenetState, move: SenetMove) -> str:
    opponent = 1 - state.player
    if move.end == OFF:
        return " bears off"
    if state.side(opponent) & bit(move.end):
        return f" swaps with the {_DANCER[opponent]}"
    if move.end == WATER:
        return " falls into the Water"
    if move.start == HAPPINESS and move.end <= REBIRTH:
        return " falls into the Water and is reborn"
    if move.start == WATER:
        return " is reborn"
    if move.end < move.start:
        return " goes back"
    return ""


def _stick_line(state: SenetState, context: Context) -> list[Span]:
    if state.steps is None:
        return [Span("sticks in the hand")]
    spans = [Span("sticks ")]
    for text, role in sticks.signs(state.steps, context.glyphs):
        spans += [Span(text, role), Span("" if context.glyphs is Glyphs.ASCII else " ")]
    return [*spans, Span(f" = {state.steps}")]


def _throw_meaning(state: SenetState) -> str:
    if not (state.cones and state.spools):
        return "the race is over"
    if state.steps is None:
        return "1, 4, 5 throw again"
    return "then another throw" if state.steps in THROWS_AGAIN else "then the turn passes"


def _groups(game: Senet, state: SenetState, glyphs: Glyphs) -> list[str]:
    texts = []
    for seat in (0, 1):
        for first, last in runs(state.side(seat)):
            length = last - first + 1
            if length == 1:
                continue
            sign = drawing.dancer_sign(seat, glyphs)
            kind = "blockade" if length >= game.rule_set.blockade else "protected"
            texts.append(f"{kind} {sign} {first}-{last}")
    return texts
