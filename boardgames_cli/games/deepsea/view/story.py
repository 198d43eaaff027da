"""Describes steps in sentences: the throw, the oxygen, homecomings and drownings.

All verbs are in the past tense, which fits any name, including "You".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from boardgames_cli.core.game import Seat, Step
from boardgames_cli.core.presentation.view import Moment, RenderContext
from boardgames_cli.core.text import counted
from boardgames_cli.games.deepsea.actions import (
    RETURN,
    TAKE,
    DeepSeaChoice,
    DeepSeaOutcome,
    Dice,
    Reveal,
    Start,
)
from boardgames_cli.games.deepsea.chips import DOTS, GONE, PLACES, WEIGHT
from boardgames_cli.games.deepsea.state import COUNTED, DeepSeaState, Phase

Context: TypeAlias = RenderContext[DeepSeaChoice, DeepSeaOutcome]
Naming = Callable[[Seat], str]
_TURN_ENDS = (Phase.DICE, Phase.CHIP)


def narrate(
    before: DeepSeaState,
    step: Step[DeepSeaChoice, DeepSeaOutcome],
    after: DeepSeaState,
    context: Context,
) -> list[str]:
    """One sentence for each event in a step; only who is told about itself gets a banner."""
    name = context.name
    lines: list[str] = []
    if isinstance(step.outcome, Start):
        lines.append(f"First to dive: {name(step.outcome.seat)}.")
    elif isinstance(step.outcome, Dice):
        lines.append(_narrate_move(before, step.outcome, context))
    elif isinstance(step.outcome, Reveal):
        lines.append(_narrate_reveal(before, step.outcome, name))
    elif before.current in step.joint:
        lines.append(_narrate_choice(before, step.joint[before.current], name(before.current)))
    is_ended = after.phase in COUNTED or after.round != before.round
    if is_ended and before.phase in _TURN_ENDS:
        lines += _narrate_end(before, step, context)
    if after.round != before.round:
        lines += _narrate_new_round(before, after, context)
    if after.phase in (Phase.DIRECTION, Phase.DICE) and before.phase is not Phase.DIRECTION:
        lines += _narrate_payment(before, after, name)
    return lines


def count(number: int, thing: str) -> str:
    """A number with its noun: ``1 chip``, ``2 chips``, ``no chips``."""
    return counted(number, thing) if number else f"no {thing}s"


def call_chip(chip: int) -> str:
    """A chip or stack in words."""
    dots = DOTS[chip]
    if len(dots) == 1:
        return f"level-{dots[0]} chip"
    return f"stack of levels {' '.join(map(str, dots))}"


def arithmetic(dice: Dice, load: int) -> str:
    """The number of steps from dice and load, such as ``Dice 2 and 3, minus 2 chips: 3 steps``."""
    minus = f", minus {count(load, 'chip')}" if load else ""
    return f"Dice {dice.first} and {dice.second}{minus}: {count(dice.steps(load), 'step')}"


def landing(state: DeepSeaState, dice: Dice) -> int:
    """The place the acting diver reaches with a throw; 0 is the submarine."""
    seat = state.current
    steps = dice.steps(len(state.held[seat]))
    return state.place_after(seat, steps, diving=state.diving[seat])


def _narrate_move(before: DeepSeaState, dice: Dice, context: Context) -> str:
    seat = before.current
    who = context.name(seat)
    load = len(before.held[seat])
    start, place = before.places[seat], landing(before, dice)
    sum_text = arithmetic(dice, load)
    if not place and not before.diving[seat]:
        said = f"{sum_text}. {who} came home with {count(load, 'chip')}."
        banner = "home" if load and context.is_own(seat) else ""
        return Moment(said, kind="home", banner=banner, seat=seat, number=load)
    if place == start:
        where = f"on place {place}" if place else "in the submarine"
        return f"{sum_text}. {who} stayed {where}."
    last = max(there for there in range(1, PLACES + 1) if before.trail[there - 1] != GONE)
    end = ", the end of the trail" if place == last else ""
    verb = "dived" if before.diving[seat] else "rose"
    return f"{sum_text}. {who} {verb} to place {place}{end}."


def _narrate_choice(before: DeepSeaState, choice: DeepSeaChoice, who: str) -> str:
    seat = before.current
    place, load = before.places[seat], before.held[seat]
    if before.phase is Phase.DIRECTION:
        if choice == RETURN:
            return f"{who} turned back on place {place} with {count(len(load), 'chip')}."
        return f"{who} dived on from place {place}."
    under = before.chip_under(seat)
    if under:
        if choice == TAKE:
            return f"{who} took the {call_chip(under)}: {len(load) + 1} held now."
        return f"{who} left the {call_chip(under)}."
    if not choice.id:
        return f"{who} kept {count(len(load), 'chip')}."
    chip = choice.chip or min(load, key=WEIGHT.__getitem__)
    return f"{who} put down a {call_chip(chip)} on place {place}: {len(load) - 1} held now."


def _narrate_reveal(before: DeepSeaState, reveal: Reveal, name: Naming) -> str:
    seat = before.counting
    assert seat is not None
    level = DOTS[before.held[seat][0]][0]
    total = before.points[seat] + reveal.value
    return (
        f"{name(seat)} turned over a level-{level} chip: {count(reveal.value, 'point')}, "
        f"{total} in all."
    )


def _narrate_end(
    before: DeepSeaState, step: Step[DeepSeaChoice, DeepSeaOutcome], context: Context
) -> Iterator[str]:
    mover = before.current
    drowned = {seat for seat in range(len(before.places)) if not before.is_home(seat)}
    gained = 0
    choice = step.joint.get(mover)
    if isinstance(step.outcome, Dice):
        if before.is_bare or not (landing(before, step.outcome) or before.diving[mover]):
            drowned.discard(mover)
    elif choice is not None and choice.id:
        gained = 1 if choice == TAKE else -1
    number = before.round + 1
    if drowned:
        yield f"The oxygen is used up: round {number} ends."
    else:
        yield f"All divers are home: round {number} ends."
    for seat in sorted(drowned):
        lost = len(before.held[seat]) + (gained if seat == mover else 0)
        said = f"{context.name(seat)} drowned and lost {count(lost, 'chip')}."
        banner = "drowned" if context.is_own(seat) else ""
        yield Moment(said, kind="drowned", banner=banner, seat=seat, number=lost, shakes=True)


def _narrate_new_round(
    before: DeepSeaState, after: DeepSeaState, context: Context
) -> Iterator[str]:
    name = context.name
    won = after.ledger.by_round[-1]
    said = f"Points of round {before.round + 1}: {_list(won, name)}."
    own = [seat for seat in range(len(won)) if context.is_own(seat)]
    if len(own) == 1 and won[own[0]]:
        (seat,) = own
        yield Moment(said, kind="points", banner="{} points", seat=seat, number=won[seat])
    else:
        yield said
    if after.phase is Phase.OVER:
        # The winner is not named here: every front end asks for the result separately.
        yield f"Points in all: {_list(after.points, name)}."
        return
    yield f"Round {after.round + 1} begins with {name(after.current)} and a full tank."


def _list(points: Sequence[int], name: Naming) -> str:
    return ", ".join(f"{name(seat)} {total}" for seat, total in enumerate(points))


def _narrate_payment(before: DeepSeaState, after: DeepSeaState, name: Naming) -> Iterator[str]:
    seat = after.current
    load = len(after.held[seat])
    if load:
        fall = f"oxygen {before.oxygen} > {after.oxygen}"
        yield f"{name(seat)} breathed for {count(load, 'chip')}: {fall}."
        if not after.oxygen:
            yield "The tank is empty: after this turn the round ends."


def verdict(state: DeepSeaState, name: Naming) -> str:
    """The winner, with points and margin."""
    points = state.points
    best = max(points)
    winners = [seat for seat, total in enumerate(points) if total == best]
    others = sorted((total for total in points if total != best), reverse=True)
    if len(winners) > 1:
        names = " and ".join(name(seat) for seat in winners)
        return f"{names} share the victory with {count(best, 'point')} each."
    runner_up = points.index(others[0])
    ahead = best - others[0]
    return (
        f"{name(winners[0])} won with {count(best, 'point')}, {ahead} ahead of {name(runner_up)}."
    )
