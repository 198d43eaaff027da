"""Batches of Deep Sea Adventure without Python loops over boards: its compiled rules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boardgames_cli.algorithms.fast.boards import (
    Numbers,
    TurnBatch,
    copy_numbers,
    make_loop,
)
from boardgames_cli.algorithms.fast.jit import Compiler, Flags, Ints, Seeds, draw
from boardgames_cli.games.deepsea.actions import FACES, MOST_PLAYERS
from boardgames_cli.games.deepsea.chips import (
    BLANK,
    DOTS,
    EACH_VALUE,
    GONE,
    LEVELS,
    PLACES,
    TALLEST_STACK,
    VALUES,
    VALUES_A_LEVEL,
    WEIGHT,
    chip_of,
)
from boardgames_cli.games.deepsea.encode import LEVEL_COUNTS, MOST_HELD
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.games.deepsea.state import DeepSeaState, Ledger, Phase

_HERE: Final = Path(__file__)
_compiled = Compiler(
    _HERE, *[_HERE.with_name(f"{name}.py") for name in ("actions", "chips", "encode", "state")]
)

_PHASES: Final = tuple(Phase)
_START, _DIRECTION, _DICE, _CHIP, _REVEAL, _OVER = range(len(_PHASES))

# The parts of a state; by seat where there are six, a fixed number for each seat where there are
# multiples of it.
_PHASE, _CURRENT, _ROUND, _OXYGEN = range(4)
_PLACE: Final = 4
_DIVING: Final = _PLACE + MOST_PLAYERS
_LOAD: Final = _DIVING + MOST_PLAYERS
_HELD: Final = _LOAD + MOST_PLAYERS
_TRAIL: Final = _HELD + MOST_PLAYERS * MOST_HELD
_POINTS: Final = _TRAIL + PLACES
_REVEALED: Final = _POINTS + MOST_PLAYERS
_TURNED: Final = _REVEALED + VALUES
"""How many values each seat has turned over in this round; then the values."""
_MOST_TURNED: Final = MOST_HELD * TALLEST_STACK
_VALUE: Final = _TURNED + MOST_PLAYERS
_WON: Final = _VALUE + MOST_PLAYERS * _MOST_TURNED
"""The points of each seat in each finished round."""
_LENGTH: Final = _WON + MOST_PLAYERS * 9

_PLAYERS, _ROUNDS, _FULL, _CHOOSES, _STACKS = range(5)

_FIRST_LEVEL: Final = np.array([dots[0] if dots else 0 for dots in DOTS])
_REST: Final = np.array([chip_of(dots[1:]) if dots else 0 for dots in DOTS])
"""What is left of a chip or stack when its first chip is turned over."""
_HIGHER: Final = np.array([
    [0, *[chip_of((*dots, level)) if len(dots) < TALLEST_STACK else 0 for level in LEVELS]]
    for dots in DOTS
])  # fmt: skip
"""The stack when a chip of some level is laid on one."""
_WEIGHT: Final = np.array(WEIGHT)
_SIDES: Final = len(FACES)
_LEVEL_COUNT: Final = len(LEVELS)


@_compiled.inline
def _begin(s: Numbers, start: Numbers, seat: int, _: Ints, options: Numbers, rng: Seeds) -> None:
    copy_numbers(s, start)
    # Everybody has a turn while nobody carries anything, so each seat acts in each game.
    _go_on(s, seat, options, rng)


@_compiled.inline
def _play(s: Numbers, seat: int, id: int, _: Ints, options: Numbers, rng: Seeds) -> None:
    _act(s, id, options)
    _go_on(s, seat, options, rng)


@_compiled
def _go_on(s: Numbers, seat: int, options: Numbers, rng: Seeds) -> None:
    while s[_PHASE] != _OVER:
        phase = s[_PHASE]
        if phase == _DICE:
            thrown = draw(rng, _SIDES * _SIDES)
            _move(s, thrown // _SIDES + thrown % _SIDES + 2, options)
        elif phase == _START:
            _begin_turn(s, draw(rng, options[_PLAYERS]))
        elif phase == _REVEAL:
            _turn_over(s, options, rng)
        elif seat == s[_CURRENT]:
            return
        else:
            _act(s, _any_id(s, options, rng), options)


@_compiled.inline
def _any_id(s: Numbers, options: Numbers, rng: Seeds) -> int:
    legal = _legal(s, options)
    count = 0
    for id in range(len(_REST)):
        count += legal >> id & 1
    left = draw(rng, count)
    for id in range(len(_REST)):
        if legal >> id & 1:
            if left == 0:
                return id
            left -= 1
    return 0


@_compiled.inline
def _legal(s: Numbers, options: Numbers) -> int:
    place, held = s[_PLACE + s[_CURRENT]], _HELD + s[_CURRENT] * MOST_HELD
    if not options[_CHOOSES] or s[_PHASE] != _CHIP or s[_TRAIL + place - 1] != BLANK:
        return 0b11
    legal = 1
    for number in range(s[_LOAD + s[_CURRENT]]):
        legal |= 1 << s[held + number]
    return legal


@_compiled
def _act(s: Numbers, id: int, options: Numbers) -> None:
    seat = s[_CURRENT]
    if s[_PHASE] == _DIRECTION:
        s[_DIVING + seat] = id
        s[_PHASE] = _DICE
        return
    if id:
        place, held = _TRAIL + s[_PLACE + seat] - 1, _HELD + seat * MOST_HELD
        load = s[_LOAD + seat]
        if s[place] != BLANK:
            s[held + load] = s[place]
            s[place] = BLANK
            s[_LOAD + seat] += 1
        else:
            number = 0
            for other in range(load):
                if options[_CHOOSES]:
                    if s[held + other] == id:
                        number = other
                        break
                elif _WEIGHT[s[held + other]] < _WEIGHT[s[held + number]]:
                    number = other
            s[place] = s[held + number]
            _remove_held(s, seat, number)
    _next_turn(s, seat, options)


@_compiled.inline
def _remove_held(s: Numbers, seat: int, number: int) -> None:
    held = _HELD + seat * MOST_HELD
    s[_LOAD + seat] -= 1
    for other in range(number, s[_LOAD + seat]):
        s[held + other] = s[held + other + 1]


@_compiled
def _move(s: Numbers, thrown: int, options: Numbers) -> None:
    seat = s[_CURRENT]
    load, place = s[_LOAD + seat], s[_PLACE + seat]
    steps = thrown - load
    way = 1 if s[_DIVING + seat] else -1
    there = place + way
    while steps > 0 and 0 < there <= PLACES:
        if s[_TRAIL + there - 1] != GONE and not _is_taken(s, there, options):
            place = there
            steps -= 1
        there += way
    if steps > 0 and way < 0:
        place = 0
    s[_PLACE + seat] = place
    if not place and s[_DIVING + seat]:
        open_places = 0
        for there in range(PLACES):
            open_places += s[_TRAIL + there] != GONE
        s[_DIVING + seat] = min(open_places, 1)
    if place and (s[_TRAIL + place - 1] != BLANK or load):
        s[_PHASE] = _CHIP
    else:
        _next_turn(s, seat, options)


@_compiled.inline
def _is_taken(s: Numbers, place: int, options: Numbers) -> bool:
    found = False
    for seat in range(options[_PLAYERS]):
        found |= s[_PLACE + seat] == place
    return found


@_compiled.inline
def _begin_turn(s: Numbers, seat: int) -> None:
    s[_CURRENT] = seat
    s[_OXYGEN] = max(0, s[_OXYGEN] - s[_LOAD + seat])
    s[_PHASE] = _DIRECTION if s[_DIVING + seat] and s[_PLACE + seat] else _DICE


@_compiled.inline
def _is_home(s: Numbers, seat: int) -> bool:
    return not (s[_PLACE + seat] or s[_DIVING + seat])


@_compiled
def _next_turn(s: Numbers, seat: int, options: Numbers) -> None:
    players = options[_PLAYERS]
    if s[_OXYGEN]:
        for step in range(1, players + 1):
            other = (seat + step) % players
            if not _is_home(s, other):
                _begin_turn(s, other)
                return
    starter, deepest = seat, -1
    for other in range(players):
        if not _is_home(s, other) and s[_PLACE + other] > deepest:
            starter, deepest = other, s[_PLACE + other]
    s[_CURRENT] = starter
    s[_PHASE] = _REVEAL
    _go_on_counting(s, options)


@_compiled.inline
def _counting(s: Numbers, options: Numbers) -> int:
    for seat in range(options[_PLAYERS]):
        if s[_LOAD + seat] and _is_home(s, seat):
            return seat
    return -1


@_compiled
def _turn_over(s: Numbers, options: Numbers, rng: Seeds) -> None:
    seat = _counting(s, options)
    chip = s[_HELD + seat * MOST_HELD]
    value = (_FIRST_LEVEL[chip] - 1) * VALUES_A_LEVEL
    left = 0
    for other in range(VALUES_A_LEVEL):
        left += EACH_VALUE - s[_REVEALED + value + other]
    number = draw(rng, left)
    while number >= EACH_VALUE - s[_REVEALED + value]:
        number -= EACH_VALUE - s[_REVEALED + value]
        value += 1
    if _REST[chip]:
        s[_HELD + seat * MOST_HELD] = _REST[chip]
    else:
        _remove_held(s, seat, 0)
    s[_POINTS + seat] += value
    s[_REVEALED + value] += 1
    s[_VALUE + seat * _MOST_TURNED + s[_TURNED + seat]] = value
    s[_TURNED + seat] += 1
    _go_on_counting(s, options)


@_compiled
def _go_on_counting(s: Numbers, options: Numbers) -> None:
    if _counting(s, options) >= 0:
        return
    for seat in range(options[_PLAYERS]):
        won = 0
        for number in range(s[_TURNED + seat]):
            won += s[_VALUE + seat * _MOST_TURNED + number]
        s[_WON + s[_ROUND] * MOST_PLAYERS + seat] = won
    s[_ROUND] += 1
    if s[_ROUND] >= options[_ROUNDS]:
        s[_PHASE] = _OVER
        return
    if options[_STACKS]:
        _lay_stacks(s, options)
    else:
        for place in range(PLACES):
            if s[_TRAIL + place] == BLANK:
                s[_TRAIL + place] = GONE
    for seat in range(options[_PLAYERS]):
        s[_PLACE + seat] = s[_LOAD + seat] = s[_TURNED + seat] = 0
        s[_DIVING + seat] = 1
    s[_OXYGEN] = options[_FULL]
    _begin_turn(s, s[_CURRENT])


@_compiled.inline
def _lay_stacks(s: Numbers, options: Numbers) -> None:
    length = 0
    for place in range(PLACES):
        chip = s[_TRAIL + place]
        if chip != BLANK and chip != GONE:
            s[_TRAIL + length] = chip
            length += 1
    s[_TRAIL + length : _TRAIL + PLACES] = GONE
    stack = height = 0
    for place in range(PLACES, 0, -1):
        for seat in range(options[_PLAYERS]):
            if s[_PLACE + seat] != place:
                continue
            for number in range(s[_LOAD + seat]):
                chip = s[_HELD + seat * MOST_HELD + number]
                while chip:
                    stack = _HIGHER[stack, _FIRST_LEVEL[chip]]
                    s[_TRAIL + length] = stack
                    chip = _REST[chip]
                    height += 1
                    if height == TALLEST_STACK:
                        stack = height = 0
                        length += 1


@_compiled.inline
def _mask(s: Numbers, seat: int, options: Numbers, flags: Flags) -> None:
    if s[_CURRENT] != seat or (s[_PHASE] != _DIRECTION and s[_PHASE] != _CHIP):
        return
    legal = _legal(s, options)
    for id in range(len(flags)):
        flags[id] = legal >> id & 1


@_compiled
def _result(s: Numbers, seat: int, _: Numbers) -> tuple[float, bool]:
    return float(s[_POINTS + seat]), s[_PHASE] == _OVER


@_compiled.inline
def _observe(s: Numbers, viewer: int, options: Numbers, row: npt.NDArray[Any]) -> None:
    players = options[_PLAYERS]
    row[s[_PHASE]] = 1
    at = len(_PHASES)
    row[at + (s[_CURRENT] - viewer) % players] = 1
    at += players
    row[at], row[at + 1] = s[_ROUND], s[_OXYGEN]
    at += 2
    for step in range(players):
        seat = (viewer + step) % players
        row[at + step] = s[_PLACE + seat]
        row[at + players + step] = s[_DIVING + seat]
        row[at + 2 * players + step] = s[_LOAD + seat]
    at += 3 * players
    for step in range(players):
        seat = (viewer + step) % players
        for number in range(s[_LOAD + seat]):
            chip = s[_HELD + seat * MOST_HELD + number]
            _write_chip(chip, row, at + _LEVEL_COUNT * (step * MOST_HELD + number))
    at += _LEVEL_COUNT * MOST_HELD * players
    for place in range(PLACES):
        chip = s[_TRAIL + place]
        _write_chip(chip, row, at + _LEVEL_COUNT * place)
        row[at + _LEVEL_COUNT * PLACES + place] = chip == GONE
    _write_points(s, viewer, options, row, at + (_LEVEL_COUNT + 1) * PLACES)


@_compiled.inline
def _write_chip(chip: int, row: npt.NDArray[Any], at: int) -> None:
    for level in range(_LEVEL_COUNT):
        row[at + level] = LEVEL_COUNTS[chip, level]


@_compiled
def _write_points(
    s: Numbers, viewer: int, options: Numbers, row: npt.NDArray[Any], at: int
) -> None:
    players = options[_PLAYERS]
    slots = _MOST_TURNED if options[_STACKS] else MOST_HELD
    for value in range(VALUES):
        row[at + players + value] = s[_REVEALED + value]
    turned = at + players + VALUES
    won = turned + players * slots
    for step in range(players):
        seat = (viewer + step) % players
        row[at + step] = s[_POINTS + seat]
        for number in range(slots):
            is_turned = number < s[_TURNED + seat]
            value = s[_VALUE + seat * _MOST_TURNED + number] if is_turned else -1
            row[turned + step * slots + number] = value
        for finished in range(s[_ROUND]):
            row[won + finished * players + step] = s[_WON + finished * MOST_PLAYERS + seat]


class DeepSeaBatch(TurnBatch[DeepSea, DeepSeaState]):
    """Games of Deep Sea Adventure; see `TurnBatch`."""

    loop = staticmethod(
        make_loop(_compiled, begin=_begin, play=_play, mask=_mask, result=_result, observe=_observe)
    )

    def read_options(self) -> Numbers:
        game = self.game
        choices = (game.players, game.rounds, game.oxygen, game.drop == "choose", game.stacks)
        return np.array(choices, dtype=np.int64)

    def pack(self, state: DeepSeaState) -> Numbers:
        packed = np.zeros(_LENGTH, dtype=np.int64)
        ledger = state.ledger
        packed[:_PLACE] = _PHASES.index(state.phase), state.current, state.round, state.oxygen
        _write(packed, _PLACE, state.places)
        _write(packed, _DIVING, state.diving)
        _write(packed, _LOAD, [len(load) for load in state.held])
        _write(packed, _TRAIL, [*state.trail])
        _write(packed, _POINTS, ledger.points)
        _write(packed, _REVEALED, [*ledger.revealed])
        _write(packed, _TURNED, [len(values) for values in ledger.turned])
        for seat in range(self.game.seats):
            _write(packed, _HELD + seat * MOST_HELD, [*state.held[seat]])
            _write(packed, _VALUE + seat * _MOST_TURNED, [*ledger.turned[seat]])
        for finished, points in enumerate(ledger.by_round):
            _write(packed, _WON + finished * MOST_PLAYERS, points)
        return packed

    def unpack(self, numbers: Sequence[int]) -> DeepSeaState:
        seats = self.game.seats

        def by_seat(start: int) -> tuple[int, ...]:
            return tuple(numbers[start : start + seats])

        def listed(counts: int, start: int, most: int) -> tuple[bytes, ...]:
            return tuple(
                bytes(numbers[start + seat * most : start + seat * most + numbers[counts + seat]])
                for seat in range(seats)
            )

        phase, current, number, oxygen = numbers[:_PLACE]
        ledger = Ledger(
            by_seat(_POINTS),
            bytes(numbers[_REVEALED : _REVEALED + VALUES]),
            listed(_TURNED, _VALUE, _MOST_TURNED),
            tuple(by_seat(_WON + finished * MOST_PLAYERS) for finished in range(number)),
        )
        return DeepSeaState(
            _PHASES[phase], current, number, oxygen, by_seat(_PLACE),
            tuple(map(bool, by_seat(_DIVING))), listed(_LOAD, _HELD, MOST_HELD),
            bytes(numbers[_TRAIL : _TRAIL + PLACES]), ledger,
        )  # fmt: skip


def _write(packed: Numbers, start: int, values: Sequence[int]) -> None:
    packed[start : start + len(values)] = values
