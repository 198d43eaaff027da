"""Draws and describes Deep Sea Adventure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final

from boardgames_cli.core.game import Observation, Seat, Step
from boardgames_cli.core.presentation.view import Size, View
from boardgames_cli.core.text import Glyphs, Picture, Span
from boardgames_cli.games.deepsea.actions import (
    DIVE,
    DROP,
    FACES,
    LEAVE,
    RETURN,
    TAKE,
    THROWS,
    DeepSeaChoice,
    DeepSeaOutcome,
    Dice,
    Reveal,
)
from boardgames_cli.games.deepsea.chips import (
    LEVELS,
    WEIGHT,
    values_of,
)
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.games.deepsea.state import (
    COUNTED,
    DeepSeaState,
    Phase,
    Seen,
    way,
    with_item,
)
from boardgames_cli.games.deepsea.view import drawing, scoreboard, story
from boardgames_cli.games.deepsea.view.signs import SHAPES, chip_role
from boardgames_cli.games.deepsea.view.story import Context

_SINKING: Final = (1, 3, 5, 8, 12)
"""By how many lines the drowned have sunk in the frames at the end of a round."""


class DeepSeaView(View[DeepSea, DeepSeaState, DeepSeaChoice, DeepSeaOutcome]):
    """The trail, as a line of text or as a sea that gets darker with depth."""

    palette: ClassVar[Mapping[str, Mapping[str, str]]] = drawing.PALETTE

    def picture(self, seen: Seen, size: Size, context: Context) -> Picture:
        thrown = None if context.last is None else context.last.outcome
        throw = drawing.DiceThrow(thrown) if isinstance(thrown, Dice) else None
        return self._draw(seen, size, context, throw)

    def _draw(
        self,
        seen: Seen,
        size: Size,
        context: Context,
        throw: drawing.DiceThrow | None = None,
        sunk: int | None = None,
        chip: scoreboard.Turning | None = None,
    ) -> Picture:
        state, width, height = seen.state, size.width, size.height
        full, is_counted = self.game.oxygen, state.phase in COUNTED
        is_small = width < drawing.LEAST_WIDTH or height < drawing.LEAST_HEIGHT
        if context.glyphs is Glyphs.ASCII or is_small:
            if is_counted:
                return _end_picture(state, size, context, chip)
            return drawing.draw_line(state, full, width)
        panel: tuple[tuple[Span, ...], ...] = ()
        if is_counted:
            room = Size(width - 2, drawing.panel_rows(width, height))
            panel = _end_picture(state, room, context, chip).lines[: room.height]
        scene = drawing.TrailScene(
            state=state,
            full=full,
            clicks=_clicks(seen),
            targets=_targets(state, context.highlight),
            turn=None if is_counted or state.phase is Phase.START else state.current,
            throw=throw,
            drowned=_drowned(state) if is_counted or sunk is not None else frozenset(),
            sunk=sunk or 0,
            panel=panel,
            no_return=scoreboard.no_return(state, state.current),
            has_colours=context.has_colours,
        )
        return drawing.draw(scene, width, height)

    def narrate(
        self,
        before: DeepSeaState,
        step: Step[DeepSeaChoice, DeepSeaOutcome],
        after: DeepSeaState,
        context: Context,
    ) -> list[str]:
        return story.narrate(before, step, after, context)

    def legend(self, glyphs: Glyphs) -> Picture:
        is_ascii = glyphs is Glyphs.ASCII
        lines: list[list[Span]] = []
        for level in LEVELS:
            sign = str(level) if is_ascii else f"{SHAPES[level]}{level}"
            low, high = min(values_of(level)), max(values_of(level))
            meaning = f"  chip of level {level}: {low} to {high} points"
            lines.append([Span(f" {sign} ", chip_role(level)), Span(meaning)])
        if self.game.stacks:
            sign = "5-9 or +" if is_ascii else "≡7"
            lines.append([Span(f"{sign}  a stack, by the dots of its chips: taken as one chip")])
        blank, gone = ("0", "-") if is_ascii else ("○", "·")
        down, up = ("A", "a") if is_ascii else ("A>", "<a")
        lines += [
            [Span(f"{blank}  blank: the chip was taken; one can be put down here")],
            [Span(f"{gone}  removed: nobody counts it")],
            [Span(down, "seat.0"), Span("  diver on the way down, upper case")],
            [Span(up, "seat.0"), Span("  diver on the way home, lower case")],
            [Span("letters in the submarine: upper case yet to dive, lower case home again")],
            [Span("back 81 %: the chance to get home by turning back now if all keep their loads")],
            [
                Span("" if is_ascii else "┃  ", "no-return"),
                Span("no return: who dives on beyond it will drown more often than not"),
            ],
        ]
        return Picture.of(lines)

    def sidebar(self, seen: Seen, width: int, context: Context) -> Picture:
        return scoreboard.divers(seen.state, self.game.rounds, width, context)

    def pause_after(
        self,
        before: DeepSeaState,
        step: Step[DeepSeaChoice, DeepSeaOutcome],
        after: DeepSeaState,
        context: Context,
    ) -> str:
        return "next round" if after.round != before.round else ""

    def aim(self, seat: Seat | None) -> str:
        rounds = f"{self.game.rounds} rounds" if self.game.rounds > 1 else "the round"
        return f"Most points after {rounds}: bring chips home before the air is gone"

    def prompt(self, seen: Seen, context: Context) -> str:
        state = seen.state
        if state.phase is Phase.OVER:
            return self.result(state, context)
        if state.phase is Phase.START:
            return "Who begins is drawn by lot."
        if state.phase is Phase.REVEAL:
            assert state.counting is not None
            return f"Next: a chip that {context.name(state.counting)} brought home."
        who, load = context.name(state.current), len(state.held[state.current])
        chips, place = story.count(load, "chip"), state.places[state.current]
        if state.phase is Phase.DICE:
            return f"{who}, {chips}, oxygen {state.oxygen}: the dice are thrown."
        if state.phase is Phase.DIRECTION:
            return f"{who}, place {place}, {chips}, oxygen {state.oxygen}: turn back or dive on?"
        under = state.chip_under(state.current)
        if under:
            return f"{who}, place {place}, {chips}: take the {story.call_chip(under)}?"
        return f"{who}, place {place}, {chips}: put one down on this blank?"

    def describe(self, seen: Seen, action: DeepSeaChoice) -> str:
        state = seen.state
        if not isinstance(action, DeepSeaChoice) or seen.seat is None:
            return str(action)
        load = len(state.held[seen.seat])
        if action == DIVE:
            return f"dive on (up to {max(0, 2 * max(FACES) - load)} places deeper)"
        if action == RETURN:
            return f"return (turn back, {state.places[seen.seat]} places from home)"
        if action in (TAKE, LEAVE):
            chip = state.chip_under(seen.seat)
            cost = f", {load + 1} oxygen a turn" if action == TAKE else ""
            return f"{action} the {story.call_chip(chip)}{cost}" if chip else str(action)
        if action.id:
            lowest = min(state.held[seen.seat], key=WEIGHT.__getitem__, default=0)
            chip = action.chip or lowest
            name = story.call_chip(chip) if chip else "chip"
            return f"{'drop' if action == DROP else action} (put down a {name})"
        return f"keep {story.count(load, 'chip')}"

    def result(self, state: DeepSeaState, context: Context) -> str:
        return story.verdict(state, context.name)

    def frames(
        self,
        before: DeepSeaState,
        step: Step[DeepSeaChoice, DeepSeaOutcome],
        after: DeepSeaState,
        size: Size,
        context: Context,
    ) -> Iterator[Picture]:
        """Pictures between two states, in order: the rolling dice, then the diver's movement.

        At the end of a round divers sink, and every chip is turned over; the last one stays.
        """
        outcome, resting, still = step.outcome, before, dict[str, Any]()

        def draw(state: DeepSeaState, **shown: Any) -> Picture:
            return self._draw(Observation(None, 0, state, ()), size, context, **still | shown)

        if isinstance(outcome, Dice):
            seat = before.current
            if context.glyphs is not Glyphs.ASCII:
                for roll in range(drawing.ROLLS):
                    yield draw(before, throw=drawing.DiceThrow(outcome, roll))
            still["throw"] = drawing.DiceThrow(outcome)
            steps = outcome.steps(len(before.held[seat]))
            stops = way(
                before.trail, before.places, before.places[seat], steps, diving=before.diving[seat]
            )
            is_last_shown = after.round == before.round and after.phase not in COUNTED
            # Who comes home does so before a banner says it.
            for place in stops[:-1] if is_last_shown and stops[-1:] != [0] else stops:
                resting = before._replace(places=with_item(before.places, seat, place))
                yield draw(resting)
            if before.is_bare:
                resting = before._replace(diving=with_item(before.diving, seat, False))
        elif isinstance(outcome, Reveal):
            assert before.counting is not None
            turned = after if after.phase is Phase.REVEAL else _all_turned(before, outcome)
            missing = (outcome.value * 2 // 3, outcome.value // 3)
            yield draw(before, chip=scoreboard.Turning(before.counting))
            for points in missing:
                yield draw(turned, chip=scoreboard.Turning(before.counting, points))
            if after.phase is not Phase.REVEAL:
                yield draw(turned)
        is_ended = after.phase in COUNTED or after.round != before.round
        if is_ended and before.phase not in COUNTED and _drowned(resting):
            for sunk in _SINKING:
                yield draw(resting, sunk=sunk)


def _drowned(state: DeepSeaState) -> frozenset[Seat]:
    return frozenset(seat for seat in range(len(state.places)) if not state.is_home(seat))


def _end_picture(
    state: DeepSeaState, size: Size, context: Context, chip: scoreboard.Turning | None
) -> Picture:
    chips = scoreboard.counting(state, size.width, context, chip)
    if state.phase is Phase.REVEAL:
        return chips
    scores = scoreboard.scores(state, size.width, context)
    if size.height >= scores.height + 1 + chips.height:
        return Picture((*scores.lines, (Span(""),), *chips.lines))
    return scores


def _all_turned(before: DeepSeaState, reveal: Reveal) -> DeepSeaState:
    seat = before.counting
    assert seat is not None
    turned = before.ledger.with_chip(seat, reveal.value).turned
    held = tuple(b"" if before.is_home(other) else load for other, load in enumerate(before.held))
    # No chip is left to turn over, so it is shown like a finished game.
    return before._replace(held=held, ledger=before.ledger._replace(turned=turned))


def _clicks(seen: Seen) -> dict[int, str]:
    if seen.seat is None or not seen.legal:
        return {}
    if RETURN in seen.legal:
        return {0: str(RETURN)}
    place = seen.state.places[seen.seat]
    wanted = next((action for action in seen.legal if action in (TAKE, DROP)), None)
    return {} if wanted is None else {place: str(wanted)}


def _targets(state: DeepSeaState, action: DeepSeaChoice | None) -> frozenset[int]:
    if not isinstance(action, DeepSeaChoice) or state.phase not in (Phase.DIRECTION, Phase.CHIP):
        return frozenset()
    seat = state.current
    if action not in (DIVE, RETURN):
        return frozenset({state.places[seat]})
    steps = {throw.steps(len(state.held[seat])) for throw in THROWS}
    return frozenset(state.place_after(seat, step, diving=action == DIVE) for step in steps)
