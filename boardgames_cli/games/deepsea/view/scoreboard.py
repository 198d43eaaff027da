"""Draws the divers next to the board, the chips turned over after a round, and the final scores.

The chances to get home assume that all loads stay as they are: if others take more chips they fall,
if they come home they rise.
"""

from __future__ import annotations

import functools
from typing import Final, NamedTuple

from boardgames_cli.core.game import Seat
from boardgames_cli.core.text import Glyphs, Picture, Span, columns, cut, justified, percent
from boardgames_cli.games.deepsea.agents.odds import MOST_TURNS, chance_home, way_home
from boardgames_cli.games.deepsea.chips import DOTS, GONE, LEVELS, values_of
from boardgames_cli.games.deepsea.state import COUNTED, IN_TURN, DeepSeaState, Phase
from boardgames_cli.games.deepsea.view.signs import chip_role, chip_sign, letter
from boardgames_cli.games.deepsea.view.story import Context, count, verdict

_HEADS: Final = "chips pts  back"
_FACTS: Final = len(_HEADS)
"""The width of the columns after a name next to the board."""
_WAY: Final = len(" down ")
"""The width of the direction column, which is shown if it fits beside a full name."""
_ROOM_FOR_WAYS: Final = 34
_GOOD: Final = 0.7
_EVEN: Final = 0.4
_RETURNS: Final = 0.5
_BOARD_NAME = 14
"""The maximum length of a name in a table as wide as the board."""


def divers(state: DeepSeaState, rounds: int, width: int, context: Context) -> Picture:
    """Every diver's direction, load, points and chance of getting home."""
    seats = range(len(state.places))
    has_ways = width >= _ROOM_FOR_WAYS
    facts = _FACTS + (_WAY if has_ways else 0)
    room = min(max(columns(context.name(seat)) for seat in seats), width - len(">A ") - facts)
    way = f" {'goes':4} " if has_ways else ""
    lines: list[list[Span]] = [[Span(f"{'':3}{'':{room}}{way}{_HEADS}", "muted")]]
    for seat in seats:
        is_turn = seat == state.current and state.phase in IN_TURN
        sign = letter(seat, diving=state.diving[seat])
        head = f"{'>' if is_turn else ' '}{sign} {justified(context.short_name(seat, room), room)}"
        load = len(state.held[seat])
        way = f" {_way(state, seat):4} " if has_ways else ""
        odds, role = _odds(state, seat)
        lines.append(
            [
                Span(head, f"seat.{seat}"),
                Span(f"{way}{load or '-':>5} {state.points[seat]:>3}"),
                Span(f" {odds:>5}", role),
            ]
        )
    lines += _values(context.glyphs)
    lines.append([Span(_round(state, rounds), "muted")])
    if state.phase in IN_TURN:
        lines.append([Span(f"a full lap costs {state.lap} oxygen", "muted")])
    limit = no_return(state, state.current)
    if limit is not None:
        place = f"no return beyond place {limit}" if limit else "no return from any place"
        is_beyond = state.places[state.current] > limit
        lines.append([Span(place, "odds.bad" if is_beyond else "muted")])
    return Picture.of(lines)


def _values(glyphs: Glyphs) -> list[list[Span]]:
    pieces = []
    for level in LEVELS:
        worth = f"{min(values_of(level))}-{max(values_of(level))} pts"
        pieces.append([Span(f" {chip_sign(level, glyphs)} ", chip_role(level)), Span(f"{worth:9}")])
    return [[*pieces[at], *pieces[at + 1]] for at in range(0, len(pieces), 2)]


def _odds(state: DeepSeaState, seat: Seat) -> tuple[str, str]:
    share = chance(state, seat)
    if share is None:
        is_over = state.phase in COUNTED
        if is_over and not state.is_home(seat):
            return "lost", "odds.bad"
        return ("home" if state.is_home(seat) else "-"), ""
    role = "odds.good" if share >= _GOOD else "odds.even" if share >= _EVEN else "odds.bad"
    if 0 < share < 0.005:
        return "<1 %", role
    return percent(min(share, 0.99) if share < 1 else 1), role


def _round(state: DeepSeaState, rounds: int) -> str:
    if state.phase is Phase.OVER:
        return f"all {count(rounds, 'round')} played"
    return f"round {state.round + 1} of {rounds}"


def _way(state: DeepSeaState, seat: Seat) -> str:
    if state.phase in COUNTED:
        return "home" if state.is_home(seat) else "lost"
    if not state.places[seat]:
        return "sub" if state.diving[seat] else "home"
    return "down" if state.diving[seat] else "up"


class Turning(NamedTuple):
    """A chip while it is turned over."""

    seat: Seat
    missing: int | None = None
    """The points that are still to be added to the sum; None: the chip stands on its edge."""


def counting(
    state: DeepSeaState, width: int, context: Context, chip: Turning | None = None
) -> Picture:
    """The end of a round: chips brought home, face up or still face down, and lost chips."""
    names = _names(state, context)
    lines: list[list[Span]] = [[Span(_title(state), "title")], [Span("")]]
    turning = state.counting if chip is None else chip.seat
    for seat in range(len(state.places)):
        mark = ">" if seat == turning else " "
        head = Span(f"{mark} {names[seat]} ", f"seat.{seat}")
        if not state.is_home(seat):
            lost = count(len(state.held[seat]), "chip")
            lines.append([head, Span(f"drowned, {lost} lost", "drowned")])
            continue
        own = chip if chip is not None and chip.seat == seat else None
        is_on_edge = own is not None and own.missing is None
        cards = _cards(
            state, seat, context.glyphs, width - columns(names[seat]) - 10, is_on_edge=is_on_edge
        )
        missing = own.missing or 0 if own is not None else 0
        points = Span(f"= {sum(state.ledger.turned[seat]) - missing}")
        lines.append([head, *cards, points])
    return Picture.of(lines)


def _title(state: DeepSeaState) -> str:
    number = state.round if state.phase is Phase.OVER else state.round + 1
    if all(map(state.is_home, range(len(state.places)))):
        return f"Round {number} is over: all divers are home."
    return f"Round {number} is over: the oxygen is used up."


def _cards(
    state: DeepSeaState, seat: Seat, glyphs: Glyphs, room: int, *, is_on_edge: bool
) -> list[Span]:
    spans: list[Span] = []
    cards = [(f"[{value:>2}]", "card.open") for value in state.ledger.turned[seat]]
    for chip in state.held[seat]:
        cards += [(f"[{chip_sign(dot, glyphs)}]", chip_role(dot)) for dot in DOTS[chip]]
    if is_on_edge:
        cards[len(state.ledger.turned[seat])] = (" [] ", "card.open")
    for index, (text, role) in enumerate(cards):
        if room < len(text) + 5:
            spans.append(Span(f"+{len(cards) - index} "))
            break
        room -= len(text) + 1
        spans += [Span(text, role), Span(" ")]
    return spans or [Span("no chips ")]


def scores(state: DeepSeaState, width: int, context: Context) -> Picture:
    """The end of the game: points by round and total, best first, and the winner's margin."""
    names = _names(state, context)
    room = width - columns(names[0])
    by_round = state.ledger.by_round
    best = max(state.points)
    shown = by_round[-max(0, (room - 16) // 4) :] if by_round else ()
    first = len(by_round) - len(shown) + 1
    heads = "".join(f"{f'r{number}':>4}" for number in range(first, first + len(shown)))
    lines: list[list[Span]] = [
        [Span(cut(verdict(state, context.name), max(width, 1)), "winner")],
        [Span("")],
        [Span(f"{'':{width - room + 4}}{heads} total", "muted")],
    ]
    bar = "#" if context.glyphs is Glyphs.ASCII else "█"
    longest = max(0, min(room - 12 - 4 * len(shown), 30))
    ranking = sorted(range(len(state.points)), key=lambda seat: -state.points[seat])
    for seat in ranking:
        total = state.points[seat]
        mark = "*" if total == best else " "
        won = "".join(f"{points[seat]:>4}" for points in shown)
        length = total * longest // max(best, 1)
        lines.append(
            [
                Span(f"{mark} {letter(seat, diving=True)} {names[seat]}", f"seat.{seat}"),
                Span(f"{won} {total:>5} "),
                Span(bar * length, f"seat.{seat}"),
            ]
        )
    return Picture.of(lines)


def _names(state: DeepSeaState, context: Context) -> list[str]:
    names = [cut(context.name(seat), _BOARD_NAME) for seat in range(len(state.places))]
    return [justified(name, max(map(columns, names))) for name in names]


def chance(state: DeepSeaState, seat: Seat) -> float | None:
    """The chance to get home by turning back at once; None in the submarine and between rounds."""
    if not state.places[seat] or state.phase not in IN_TURN:
        return None
    load, way = len(state.held[seat]), way_home(state.trail, state.places[seat])
    return chance_home(way, load, turns_to_come(state, seat))


def no_return(state: DeepSeaState, seat: Seat) -> int | None:
    """The deepest place from which a diver who dives on still gets home with probability over 1/2.

    The model: it dives once more with its present load and then turns back.

    Returns:
        A place; 0 if there is none. None if no place is too deep, for divers that are not diving on
        the trail, and between rounds.
    """
    if not state.diving[seat] or not state.places[seat] or state.phase not in IN_TURN:
        return None
    load, turns = len(state.held[seat]), turns_to_come(state, seat) - 1
    open_places = [place for place, chip in enumerate(state.trail, start=1) if chip != GONE]
    safe = [
        place
        for place in open_places
        if chance_home(way_home(state.trail, place), load, turns) >= _RETURNS
    ]
    return None if len(safe) == len(open_places) else max(safe, default=0)


@functools.lru_cache(maxsize=256)  # a picture asks again for every diver
def turns_to_come(state: DeepSeaState, seat: Seat) -> int:
    """The number of turns a diver has left before the tank is empty; at most `MOST_TURNS`."""
    oxygen, turns = state.oxygen, 0
    loads = [0 if state.is_home(other) else len(held) for other, held in enumerate(state.held)]
    mover = state.current
    has_moved = state.phase is Phase.CHIP
    if mover == seat and not has_moved:
        turns = 1  # this turn is paid for
    while oxygen and turns < MOST_TURNS:
        if not any(loads):
            return MOST_TURNS
        mover = (mover + 1) % len(loads)
        if not state.is_home(mover):
            oxygen = max(0, oxygen - loads[mover])
            turns += mover == seat
    return turns
