"""Batches of any game of few positions: one table of them, made from its readable rules.

A position is a state without its counters, such as the hands played or the chips won: fields that
the rulebook names in its class variable ``counters``. They only count: steps add to them, returns
and observations are linear in them, and the first one, the clock, may end the game at a number. The
table is compared with the rules at other counts, and a game in which they do more is refused.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import struct
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from operator import attrgetter
from typing import Any, Final, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from boardgames_cli.algorithms.fast.boards import (
    RANDOM,
    Numbers,
    TurnBatch,
    copy_numbers,
    make_loop,
)
from boardgames_cli.algorithms.fast.jit import Compiler, Flags, Floats, Ints, Seeds, draw
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import CHANCE, AnyGame, Observation, Traits
from boardgames_cli.core.randomness import CounterRandom
from boardgames_cli.registry import make_agent, make_encoder, spec_of

MOST_POSITIONS: Final = 20_000
_MOST: Final = 100
"""The largest number of equally likely outcomes of chance."""
_ROUNDING: Final = 1e-9
_LONGEST: Final = 1 << 20
"""No end is looked for beyond this clock in games that may last for ever."""
_NEVER: Final = 1 << 60
_CERTAIN: Final = 1 << 24
_CLOCK: Final = 1
"""The index of the first counter in the numbers of a state, after that of its position."""


class PositionTable(NamedTuple):
    """A game by the numbers of its positions.

    A slot is a legal action, in the order of the rules, or an equally likely outcome of chance.
    """

    turns: Numbers
    """int64[positions]: who acts."""
    limits: Numbers
    """int64[positions]: the clock at which the game is over."""
    slots: Numbers
    """int64[positions]: how many there are."""
    slot_of: Numbers
    """int64[positions, ids]; -1 if it is not legal."""
    steps: Numbers
    """int64[positions, slots, numbers]: the next position, and what is added to the counters."""
    chances: Numbers
    """int64[movers, positions, slots]: how likely a mover takes a slot or a later one."""
    looks: Floats
    """float64[seats, positions, 1 + width]: return and observation with counters of 0."""
    more: Floats
    """float64[seats, counters, 1 + width]: what each count adds to them."""


_compiled = Compiler()


@_compiled.inline
def _begin(
    s: Numbers, start: Numbers, seat: int, movers: Ints, table: PositionTable, rng: Seeds
) -> None:
    copy_numbers(s, start)
    _go_on(s, seat, movers, table, rng)


@_compiled.inline
def _play(s: Numbers, seat: int, id: int, movers: Ints, table: PositionTable, rng: Seeds) -> None:
    _step(s, table.steps[s[0], table.slot_of[s[0], id]])
    _go_on(s, seat, movers, table, rng)


@_compiled.inline
def _step(s: Numbers, step: Numbers) -> None:
    s[0] = step[0]
    for counter in range(_CLOCK, len(s)):
        s[counter] += step[counter]


@_compiled.inline
def _go_on(s: Numbers, seat: int, movers: Ints, table: PositionTable, rng: Seeds) -> None:
    while s[_CLOCK] < table.limits[s[0]]:
        turn, slots = table.turns[s[0]], table.slots[s[0]]
        if turn == seat:
            return
        if turn == CHANCE or movers[turn] == RANDOM:
            slot = draw(rng, slots)
        else:
            chances = table.chances[movers[turn] - RANDOM - 1, s[0]]
            luck, slot = draw(rng, _CERTAIN), slots - 1
            while slot and luck >= chances[slot]:
                slot -= 1
        _step(s, table.steps[s[0], slot])


@_compiled.inline
def _mask(s: Numbers, seat: int, table: PositionTable, flags: Flags) -> None:
    is_turn = (table.turns[s[0]] == seat) & (s[_CLOCK] < table.limits[s[0]])
    slot_of = table.slot_of[s[0]]
    for id in range(len(flags)):
        flags[id] = (slot_of[id] >= 0) & is_turn


@_compiled.inline
def _result(s: Numbers, seat: int, table: PositionTable) -> tuple[float, bool]:
    paid = table.looks[seat, s[0], 0]
    for counter in range(_CLOCK, len(s)):
        paid += table.more[seat, counter - _CLOCK, 0] * s[counter]
    return paid, s[_CLOCK] >= table.limits[s[0]]


@_compiled.inline
def _observe(s: Numbers, seat: int, table: PositionTable, row: npt.NDArray[Any]) -> None:
    look = table.looks[seat, s[0]]
    for index in range(len(row)):
        row[index] = look[1 + index]
    for counter in range(_CLOCK, len(s)):
        more, count = table.more[seat, counter - _CLOCK], s[counter]
        for index in range(len(row)):
            row[index] += more[1 + index] * count


class _Positions:
    def __init__(self, game: AnyGame) -> None:
        self.game, self._encoder = game, make_encoder(game)
        self.movers = spec_of(game).parts.get("movers", "").split()
        if game.traits & (Traits.SIMULTANEOUS | Traits.SAMPLED_CHANCE) or not game.action_count:
            self._refuse("it needs turns, action ids, and chances that can be listed")
        if any(not field.dtype.startswith("int") for field in self._encoder.fields):
            self._refuse("its observations are not whole numbers")
        self._counters: tuple[str, ...] = getattr(game, "counters", ())
        start = game.initial_state()
        # Those that equality leaves out, too: they tell positions apart where they are no counters.
        named = dataclasses.fields(start) if dataclasses.is_dataclass(start) else ()
        names = (*getattr(start, "_fields", ()), *[field.name for field in named if field.init])
        if not set(self._counters) <= set(names):
            self._refuse(f"its states lack one of the counters {', '.join(self._counters)}")
        kept = [name for name in names if name not in self._counters]
        self._key: Callable[[Any], Any] = attrgetter(*kept) if kept else lambda state: state
        self._numbers: dict[Any, int] = {}
        self.states: list[Any] = []
        """One of each position, with counters of 0."""
        self._find(start)
        self._steps: list[list[tuple[int, ...]]] = []
        """The slots of each position: the id, and the place it leads to from counters of 0."""
        for state in self.states:  # the list grows
            self._steps.append(self._next(state, self._find))
        acting = map(game.to_act, self.states)
        self._turns = [seats[0] if seats > (CHANCE,) else CHANCE for seats in acting]
        self._limits = [self._limit(state) for state in self.states]
        self._looks = np.array([self._look(state) for state in self.states])
        try:
            self._more = self._count()
        except (LookupError, TypeError, ValueError):
            self._refuse(f"{' or '.join(self._counters)} does more than count")

    def _refuse(self, reason: str) -> NoReturn:
        raise GameError(
            f"{self.game.info.name} can't be played from a table of positions: {reason}.",
            "Games that can are described in docs/environments.md.",
        )

    def place(self, state: Any) -> tuple[int, ...]:
        """The number of a state's position, and its counters.

        Raises:
            KeyError: It can't be reached.
        """
        counters = [getattr(state, name) for name in self._counters] or [0]
        return (self._numbers[self._key(state)], *counters)

    def at(self, state: Any, counters: Sequence[int]) -> Any:
        changed = dict(zip(self._counters, counters, strict=False))
        replace: Callable[..., Any] = getattr(type(state), "_replace", dataclasses.replace)
        return replace(state, **changed) if changed else state

    def _find(self, state: Any) -> tuple[int, ...]:
        key = self._key(state)
        if key not in self._numbers:
            if len(self.states) == MOST_POSITIONS:
                self._refuse(f"it has more than {MOST_POSITIONS:,}, whatever its counters say")
            self._numbers[key] = len(self.states)
            self.states.append(self.at(state, [0] * len(self._counters)))
        return self.place(state)

    def _next(self, state: Any, place: Callable[[Any], tuple[int, ...]]) -> list[tuple[int, ...]]:
        game, acting = self.game, self.game.to_act(state)
        if acting == (CHANCE,):
            after = [game.apply_chance(state, outcome) for outcome in self._outcomes(state)]
            return [(CHANCE, *place(one)) for one in after]
        return [
            (game.action_id(state, action), *place(game.apply(state, {seat: action})))
            for seat in acting
            for action in game.legal_actions(state, seat)
        ]

    def _outcomes(self, state: Any) -> list[Any]:
        listed = dict(self.game.chance_outcomes(state))
        lots = {one: Fraction(chance).limit_denominator(_MOST) for one, chance in listed.items()}
        count = min(_MOST, math.lcm(*[share.denominator for share in lots.values()]))
        words = [struct.pack("<Q", (2 * lot + 1 << 63) // count) for lot in range(count)]
        rngs = [CounterRandom(bytes(32) + word * 4) for word in words]
        drawn = [self.game.sample_chance(state, rng) for rng in rngs]
        is_even = all(abs(lots[one] - chance) < _ROUNDING for one, chance in listed.items())
        if not is_even or Counter(drawn) != Counter({one: lots[one] * count for one in lots}):
            self._refuse(f"chance is not drawn by one number from up to {_MOST} lots")
        return drawn

    def _limit(self, state: Any) -> int:
        most = (self.game.longest or _LONGEST) if self._counters else 0
        found = bisect_left(
            range(most + 1), True, key=lambda clock: self.game.is_over(self.at(state, [clock]))
        )
        return -_NEVER if not found else _NEVER if found > most else found

    def _look(self, state: Any) -> Floats:
        looks = []
        for seat, paid in enumerate(self.game.returns(state)):
            arrays = self._encoder.encode(self.game.observe(state, seat))
            parts = [arrays[field.name].ravel() for field in self._encoder.fields]
            looks.append(np.concatenate([[paid], *parts]))
        return np.array(looks, dtype=np.float64)

    def _count(self) -> Floats:
        ones = np.eye(max(1, len(self._counters)), dtype=int).tolist()
        looks = [self._look(self.at(self.states[0], one)) for one in ones]
        more: Floats = np.array(looks) - self._looks[0]
        clocks = [limit for limit in self._limits if abs(limit) < _NEVER]
        least = np.min([[2] * len(ones), *[step[2:] for steps in self._steps for step in steps]], 0)
        others = [2 if count >= 0 else count for count in least.tolist()]
        for number, limit in enumerate(self._limits if self._counters else ()):
            # Where the clock ends nothing, the latest.
            ends = (limit - 1, limit) if limit in clocks else (max(clocks, default=others[0]),)
            for clock in ends:
                counters = (clock, *others[1:])
                state = self.at(self.states[number], counters)
                steps = [
                    (id, after, *np.add(gains, counters).tolist())
                    for id, after, *gains in self._steps[number] if clock < limit
                ]  # fmt: skip
                look = self._looks[number] + np.tensordot(counters, more, 1)
                if self._next(state, self.place) != steps or (self._look(state) != look).any():
                    raise ValueError(counters)
        return more

    @functools.cached_property
    def table(self) -> PositionTable:
        movers, count = self.movers, len(self.states)
        most = max(map(len, self._steps))
        table = PositionTable(
            turns=np.array(self._turns),
            limits=np.array(self._limits),
            slots=np.array([len(steps) for steps in self._steps]),
            slot_of=np.full((count, self.game.action_count), -1),
            steps=np.zeros((count, most, 1 + len(self._more)), dtype=np.int64),
            chances=np.zeros((len(movers), count, most), dtype=np.int64),
            looks=np.ascontiguousarray(self._looks.swapaxes(0, 1)),
            more=np.ascontiguousarray(self._more.swapaxes(0, 1)),
        )
        for number, steps in enumerate(self._steps):
            for slot, (id, *place) in enumerate(steps):
                table.steps[number, slot] = place
                if id != CHANCE:
                    table.slot_of[number, id] = slot
        for mover, name in enumerate(movers):
            agents: list[Any] = [make_agent(name, self.game) for _ in range(self.game.seats)]
            for seat, agent in enumerate(agents):
                agent.reset(self.game, seat)
            for number, seen in self._decisions():
                chances = np.zeros(most)
                for action, chance in agents[seen.own_seat].policy(seen).items():
                    chances[table.slot_of[number, self._id(number, action)]] = chance
                table.chances[mover, number] = np.rint(_CERTAIN * chances[::-1].cumsum()[::-1])
        return table

    def _id(self, number: int, action: Any) -> int:
        return self.game.action_id(self.states[number], action)

    def _decisions(self) -> Iterator[tuple[int, Observation[Any, Any]]]:
        for number, seat in enumerate(self._turns):
            if seat >= 0:
                yield number, self.game.observe(self.states[number], seat)


_positions_of = functools.lru_cache(maxsize=8)(_Positions)


class TableBatch(TurnBatch[AnyGame, Any]):
    """Boards of a game of few positions; see `TurnBatch`.

    Raises:
        GameError: The game can't be played from a table.
    """

    loop = staticmethod(
        make_loop(_compiled, begin=_begin, play=_play, mask=_mask, result=_result, observe=_observe)
    )

    def read_options(self) -> PositionTable:
        self._positions = _positions_of(self.game)
        return self._positions.table

    @property
    def movers(self) -> Mapping[str, int]:  # type: ignore[override]  # each game has its own
        names = ("random", *self._positions.movers)
        return {name: RANDOM + n for n, name in enumerate(names)}

    def pack(self, state: Any) -> Numbers:
        """The number of its position, and its counters.

        Raises:
            KeyError: The position can't be reached.
        """
        return np.array(self._positions.place(state), dtype=np.int64)

    def unpack(self, numbers: Sequence[int]) -> Any:
        return self._positions.at(self._positions.states[numbers[0]], numbers[1:])
