"""The rules of Deep Sea Adventure: turns, dice, chips, ends of rounds.

RULES.md has the rules for people and the readings adopted.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from boardgames_cli.core.game import CHANCE, Game, GameInfo, Seat
from boardgames_cli.core.options import option
from boardgames_cli.games.deepsea import GAME, positions
from boardgames_cli.games.deepsea.actions import (
    DIRECTIONS,
    DIVE,
    DROP,
    DROP_CHIP,
    DROPPING,
    KEEP,
    LEAVE,
    LOWEST_ACTIONS,
    RETURN,
    REVEALS,
    STARTS,
    TAKE,
    TAKING,
    THROW_CHANCES,
    THROWS,
    DeepSeaChoice,
    DeepSeaOutcome,
    Dice,
    Start,
)
from boardgames_cli.games.deepsea.chips import (
    BLANK,
    DOTS,
    FRESH_TRAIL,
    GONE,
    LEVELS,
    MOST_POINTS,
    PLACES,
    VALUES,
    WEIGHT,
    chip_of,
    hidden_values,
    stacked,
)
from boardgames_cli.games.deepsea.state import (
    DeepSeaState,
    Ledger,
    Phase,
    with_item,
)

# Looking up an enumeration member takes longer than the comparison that follows.
_DIRECTION: Final = Phase.DIRECTION
_DICE: Final = Phase.DICE
_CHIP: Final = Phase.CHIP
_OVER: Final = Phase.OVER

_CHANCE_ACTS: Final = (CHANCE,)
_OTHER_ACTIONS: Final = tuple(action for action in LOWEST_ACTIONS if action != DROP)


@dataclass(frozen=True)
class DeepSea(Game[DeepSeaState, DeepSeaChoice, DeepSeaOutcome]):
    """The rules of Deep Sea Adventure."""

    info: ClassVar[GameInfo] = GAME.info

    players: int = option(4, "divers", choices=GAME.info.seats)
    rounds: int = option(3, "rounds to play", low=1, high=9)
    oxygen: int = option(25, "oxygen at the start of a round", low=1, high=99, is_rare=True)
    drop: str = option("lowest", "which chip is put down", choices=("lowest", "choose"))
    stacks: bool = option(False, "drowned chips come back as stacks, as in the published game")

    @property
    def seats(self) -> int:
        return self.players

    @property
    def utility(self) -> tuple[float, float]:
        return (0.0, float(MOST_POINTS))

    @property
    def actions(self) -> tuple[DeepSeaChoice, ...]:
        if self.drop == "lowest":
            return LOWEST_ACTIONS
        return (*_OTHER_ACTIONS, *DROP_CHIP[1 : self.action_count])

    @property
    def action_count(self) -> int:
        """Two ids, 1 for yes and 0 for no; if chips are chosen, one for each kind of chip."""
        if self.drop == "lowest":
            return 2
        return len(DOTS) if self.stacks else len(LEVELS) + 1

    def action_id(self, state: DeepSeaState, action: DeepSeaChoice) -> int:
        """1 for dive, take, drop and 0 for return, leave, keep; for a chosen chip, its number."""
        return action.id

    def initial_state(self) -> DeepSeaState:
        """All divers are in the submarine; chance draws the starter next."""
        empty = (b"",) * self.players
        ledger = Ledger((0,) * self.players, bytes(VALUES), empty, ())
        places, diving = (0,) * self.players, (True,) * self.players
        return DeepSeaState(
            Phase.START, 0, 0, self.oxygen, places, diving, empty, FRESH_TRAIL, ledger
        )

    def to_act(self, state: DeepSeaState) -> tuple[Seat, ...]:
        """The diver to move, or chance, which draws the starter, the dice, and chip values."""
        phase = state.phase
        if phase is _DICE:
            return _CHANCE_ACTS
        if phase is _DIRECTION or phase is _CHIP:
            return (state.current,)
        return () if phase is _OVER else _CHANCE_ACTS

    def legal_actions(self, state: DeepSeaState, seat: Seat) -> Sequence[DeepSeaChoice]:
        """The directions before the throw, and the options at the chip or blank after it."""
        if state.phase is _DIRECTION:
            return DIRECTIONS
        if state.trail[state.places[seat] - 1]:
            return TAKING
        if self.drop == "lowest":
            return DROPPING
        return (KEEP, *(DROP_CHIP[chip] for chip in sorted(set(state.held[seat]))))

    def apply(self, state: DeepSeaState, joint: Mapping[Seat, DeepSeaChoice]) -> DeepSeaState:
        choice = joint[state.current]
        if state.phase is not _DIRECTION:
            return self._handle_chip(state, choice)
        _, seat, number, oxygen, places, diving, held, trail, ledger = state
        if choice == RETURN:
            diving = with_item(diving, seat, False)
        return DeepSeaState(_DICE, seat, number, oxygen, places, diving, held, trail, ledger)

    def apply_chance(self, state: DeepSeaState, outcome: DeepSeaOutcome) -> DeepSeaState:
        if isinstance(outcome, Dice):
            return self._move(state, outcome.first + outcome.second)
        if isinstance(outcome, Start):
            return _begin_turn(state, outcome.seat)
        return self._turn_over(state, outcome.value)

    def _move(self, state: DeepSeaState, thrown: int) -> DeepSeaState:
        _, seat, number, oxygen, places, diving, held, trail, ledger = state
        load = held[seat]
        place = places[seat]
        steps = thrown - len(load)
        if steps > 0:
            place = state.place_after(seat, steps, diving=diving[seat])
            places = (*places[:seat], place, *places[seat + 1 :])
        if not place and diving[seat] and state.is_bare:
            # Nothing is left to dive for; without this the round would never end.
            diving = with_item(diving, seat, False)
        after = DeepSeaState(_CHIP, seat, number, oxygen, places, diving, held, trail, ledger)
        return after if place and (trail[place - 1] or load) else self._next_turn(after)

    def _handle_chip(self, state: DeepSeaState, choice: DeepSeaChoice) -> DeepSeaState:
        if not choice.id:
            return self._next_turn(state)
        phase, seat, number, oxygen, places, diving, held, trail, ledger = state
        place = places[seat] - 1
        load = held[seat]
        if choice == TAKE:
            load += trail[place : place + 1]
            chip = BLANK
        else:
            chip = choice.chip or min(load, key=WEIGHT.__getitem__)
            taken = load.index(chip)
            load = load[:taken] + load[taken + 1 :]
        held = with_item(held, seat, load)
        trail = b"%b%c%b" % (trail[:place], chip, trail[place + 1 :])
        return self._next_turn(
            DeepSeaState(phase, seat, number, oxygen, places, diving, held, trail, ledger)
        )

    def _next_turn(self, state: DeepSeaState) -> DeepSeaState:
        _, seat, number, oxygen, places, diving, held, trail, ledger = state
        seats = len(places)
        if oxygen:
            for following in range(seat + 1, seat + 1 + seats):
                other = following % seats
                if places[other] or diving[other]:
                    return _begin_turn(state, other)
        # The round ends when the last diver comes home, so that diver is the seat that moved.
        drowned = [other for other in range(seats) if not state.is_home(other)]
        starter = max(drowned, key=places.__getitem__, default=seat)
        return self._go_on_counting(
            DeepSeaState(Phase.REVEAL, starter, number, oxygen, places, diving, held, trail, ledger)
        )

    def _turn_over(self, state: DeepSeaState, value: int) -> DeepSeaState:
        seat = state.counting
        assert seat is not None
        load = state.held[seat]
        rest = chip_of(DOTS[load[0]][1:])
        load = (bytes([rest]) if rest else b"") + load[1:]
        held, ledger = with_item(state.held, seat, load), state.ledger.with_chip(seat, value)
        return self._go_on_counting(state._replace(held=held, ledger=ledger))

    def _go_on_counting(self, state: DeepSeaState) -> DeepSeaState:
        if any(load and state.is_home(seat) for seat, load in enumerate(state.held)):
            return state
        points, revealed, turned, by_round = state.ledger
        by_round = (*by_round, tuple(map(sum, turned)))
        number = state.round + 1
        if number >= self.rounds:
            ledger = Ledger(points, revealed, turned, by_round)
            return state._replace(phase=_OVER, round=number, ledger=ledger)
        fresh = self.initial_state()
        after = fresh._replace(
            round=number,
            trail=_next_trail(state, with_stacks=self.stacks),
            ledger=Ledger(points, revealed, fresh.held, by_round),
        )
        return _begin_turn(after, state.current)

    def returns(self, state: DeepSeaState) -> tuple[float, ...]:
        return tuple(map(float, state.ledger.points))

    def chance_outcomes(self, state: DeepSeaState) -> Sequence[tuple[DeepSeaOutcome, float]]:
        if state.phase is _DICE:
            return THROW_CHANCES
        if state.phase is Phase.START:
            return [(start, 1 / self.players) for start in STARTS[: self.players]]
        return [(REVEALS[value], chance) for value, chance in possible_values(state)]

    def sample_chance(self, state: DeepSeaState, rng: random.Random) -> DeepSeaOutcome:
        if state.phase is _DICE:
            return THROWS[int(rng.random() * 9)]
        return super().sample_chance(state, rng)

    def explain_illegal(self, state: DeepSeaState, seat: Seat, action: DeepSeaChoice) -> str:
        if state.phase is Phase.DIRECTION:
            return "first you dive on or turn back, then the dice are thrown"
        if state.phase is not Phase.CHIP:
            return "divers decide at their own turn only"
        if action in (DIVE, RETURN):
            if not state.diving[seat]:
                return "you have turned back, and there is no way down again in this round"
            return "the direction is chosen before the dice, and you have moved already"
        place = state.places[seat]
        if state.chip_under(seat) != BLANK:
            return f"a chip lies on place {place}: chips are put down on blanks only"
        if action in (TAKE, LEAVE):
            return f"place {place} is blank: there is nothing to take"
        return f"you carry no such chip ({action})"

    def near_misses(self, state: DeepSeaState, seat: Seat) -> Sequence[DeepSeaChoice]:
        if state.phase is not Phase.CHIP:
            return []
        if state.chip_under(seat) == BLANK:
            return [TAKE]
        held = state.held[seat]
        return [
            action for action in self.actions if action.chip in held or (action == DROP and held)
        ]

    def to_json(self, state: DeepSeaState) -> dict[str, Any]:
        return positions.write(state)

    def from_json(self, data: Mapping[str, Any]) -> DeepSeaState:
        """The state of a position; without a phase, ``current`` is about to begin its turn."""
        start = self.initial_state()
        state, is_between_turns = positions.read(data, start, self.rounds, stacks=self.stacks)
        if not is_between_turns:
            return state
        # A position does not say who moved last; the previous seat is assumed.
        return self._next_turn(state._replace(current=(state.current - 1) % self.players))


def _begin_turn(state: DeepSeaState, seat: Seat) -> DeepSeaState:
    _, _, number, oxygen, places, diving, held, trail, ledger = state
    load = len(held[seat])
    oxygen = oxygen - load if oxygen > load else 0
    phase = _DIRECTION if diving[seat] and places[seat] else _DICE
    return DeepSeaState(phase, seat, number, oxygen, places, diving, held, trail, ledger)


def possible_values(state: DeepSeaState) -> Iterator[tuple[int, float]]:
    """The possible values of the next chip, with their probabilities.

    It is one of the chips of its level that have not been turned over, including lost ones, since
    nobody knows which of them were lost.
    """
    seat = state.counting
    assert seat is not None
    level = DOTS[state.held[seat][0]][0]
    left = hidden_values(level, state.ledger.revealed)
    hidden = sum(left.values())
    for value, count in left.items():
        if count:
            yield value, count / hidden


def _next_trail(state: DeepSeaState, *, with_stacks: bool) -> bytes:
    if not with_stacks:
        return state.trail.replace(bytes([BLANK]), bytes([GONE]))
    furthest_first = sorted(range(len(state.places)), key=lambda seat: -state.places[seat])
    drowned = b"".join(state.held[seat] for seat in furthest_first)
    lying = bytes(chip for chip in state.trail if chip not in (BLANK, GONE))
    return (lying + stacked(drowned)).ljust(PLACES, bytes([GONE]))
