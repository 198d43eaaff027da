"""Transitions between turns and rounds: oxygen, scoring, and the next trail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Protocol

from boardgames_cli.core.game import Seat
from boardgames_cli.games.deepsea.actions import MOST_PLAYERS
from boardgames_cli.games.deepsea.chips import (
    BLANK,
    DOTS,
    EACH_VALUE,
    GONE,
    PLACES,
    chip_of,
    stacked,
    values_of,
)
from boardgames_cli.games.deepsea.state import DeepSeaState, Ledger, Phase

_DIRECTION: Final = Phase.DIRECTION
_DICE: Final = Phase.DICE

_FOLLOWING: Final = tuple(
    tuple(
        tuple((seat + step) % players for step in range(1, players + 1)) for seat in range(players)
    )
    if players
    else ()
    for players in range(MOST_PLAYERS + 1)
)
"""``_FOLLOWING[players][seat]``: the seats in turn order, the seat itself last."""


class Options(Protocol):
    """The options on which the end of a round depends."""

    @property
    def rounds(self) -> int:
        """The number of rounds."""

    @property
    def oxygen(self) -> int:
        """The oxygen at the start of a round."""

    @property
    def stacks(self) -> bool:
        """Whether lost chips come back as stacks."""


def begin_turn(
    seat: Seat,
    number: int,
    oxygen: int,
    places: tuple[int, ...],
    diving: tuple[bool, ...],
    held: tuple[bytes, ...],
    trail: bytes,
    ledger: Ledger,
) -> DeepSeaState:
    """Start the turn of a diver who is not home: it pays for its load and may have to decide."""
    load = len(held[seat])
    oxygen = oxygen - load if oxygen > load else 0
    phase = _DIRECTION if diving[seat] and places[seat] else _DICE
    return DeepSeaState(phase, seat, number, oxygen, places, diving, held, trail, ledger)


def next_turn(
    options: Options,
    seat: Seat,
    number: int,
    oxygen: int,
    places: tuple[int, ...],
    diving: tuple[bool, ...],
    held: tuple[bytes, ...],
    trail: bytes,
    ledger: Ledger,
) -> DeepSeaState:
    """End a seat's turn: the next diver who is not home starts one, or the round ends."""
    if oxygen:
        for other in _FOLLOWING[len(places)][seat]:
            if places[other] or diving[other]:
                return begin_turn(other, number, oxygen, places, diving, held, trail, ledger)
    # The round ends when the last diver comes home, so that diver is the seat that moved.
    drowned = [other for other in range(len(places)) if places[other] or diving[other]]
    starter = max(drowned, key=places.__getitem__, default=seat)
    state = DeepSeaState(Phase.REVEAL, starter, number, oxygen, places, diving, held, trail, ledger)
    return _go_on_counting(options, state)


def turn_over(options: Options, state: DeepSeaState, value: int) -> DeepSeaState:
    """Turn over the next chip that was brought home: it scores and leaves the game."""
    seat = state.counting
    assert seat is not None
    points, revealed, turned, by_round = state.ledger
    ledger = Ledger(
        (*points[:seat], points[seat] + value, *points[seat + 1 :]),
        revealed[:value] + bytes([revealed[value] + 1]) + revealed[value + 1 :],
        (*turned[:seat], turned[seat] + bytes([value]), *turned[seat + 1 :]),
        by_round,
    )
    load = state.held[seat]
    rest = chip_of(DOTS[load[0]][1:])
    load = (bytes([rest]) if rest else b"") + load[1:]
    held = (*state.held[:seat], load, *state.held[seat + 1 :])
    _, starter, number, oxygen, places, diving, _, trail, _ = state
    counted = DeepSeaState(
        Phase.REVEAL, starter, number, oxygen, places, diving, held, trail, ledger
    )
    return _go_on_counting(options, counted)


def possible_values(state: DeepSeaState) -> Iterator[tuple[int, float]]:
    """The possible values of the next chip, with their probabilities.

    It is one of the chips of its level that have not been turned over, including lost ones, since
    nobody knows which of them were lost.
    """
    seat = state.counting
    assert seat is not None
    values = values_of(DOTS[state.held[seat][0]][0])
    left = {value: EACH_VALUE - state.ledger.revealed[value] for value in values}
    hidden = sum(left.values())
    for value, count in left.items():
        if count:
            yield value, count / hidden


def _go_on_counting(options: Options, state: DeepSeaState) -> DeepSeaState:
    """Go to the next chip to turn over; if there is none, to the next round or the end."""
    if any(load and state.is_home(seat) for seat, load in enumerate(state.held)):
        return state
    _, starter, number, oxygen, places, diving, held, trail, ledger = state
    won = tuple(map(sum, ledger.turned))
    ledger = Ledger(ledger.points, ledger.revealed, ledger.turned, (*ledger.by_round, won))
    if number + 1 >= options.rounds:
        return DeepSeaState(
            Phase.OVER, starter, number + 1, oxygen, places, diving, held, trail, ledger
        )
    players = len(places)
    empty = (b"",) * players
    return begin_turn(
        starter,
        number + 1,
        options.oxygen,
        (0,) * players,
        (True,) * players,
        empty,
        _next_trail(state, with_stacks=options.stacks),
        Ledger(ledger.points, ledger.revealed, empty, ledger.by_round),
    )


def _next_trail(state: DeepSeaState, *, with_stacks: bool) -> bytes:
    """Remove the blanks; with stacks, close up the trail and add the lost chips at its end."""
    if not with_stacks:
        return state.trail.replace(bytes([BLANK]), bytes([GONE]))
    furthest_first = sorted(range(len(state.places)), key=lambda seat: -state.places[seat])
    drowned = b"".join(state.held[seat] for seat in furthest_first)
    lying = bytes(chip for chip in state.trail if chip not in (BLANK, GONE))
    return (lying + stacked(drowned)).ljust(PLACES, bytes([GONE]))
