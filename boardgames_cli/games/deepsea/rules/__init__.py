"""The rules of Deep Sea Adventure: turns, dice, chips, ends of rounds.

RULES.md has the rules for people and the readings adopted. `rounds` scores a round and sets up the
next one.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from boardgames_cli.core.game import CHANCE, Game, GameInfo, Seat
from boardgames_cli.core.options import option
from boardgames_cli.games.deepsea import GAME
from boardgames_cli.games.deepsea.actions import (
    DIRECTIONS,
    DIVE,
    DROP,
    DROP_CHIP,
    DROPPING,
    KEEP,
    LEAVE,
    LOWEST_ACTIONS,
    MOST_PLAYERS,
    RETURN,
    REVEALS,
    SINGLES,
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
from boardgames_cli.games.deepsea.chips import BLANK, DOTS, FRESH_TRAIL, MOST_POINTS, VALUES, WEIGHT
from boardgames_cli.games.deepsea.rules import positions, rounds
from boardgames_cli.games.deepsea.state import DeepSeaState, Ledger, Phase, ascend, descend

# Looking up an enumeration member takes longer than the comparison that follows.
_DIRECTION: Final = Phase.DIRECTION
_DICE: Final = Phase.DICE
_CHIP: Final = Phase.CHIP
_OVER: Final = Phase.OVER

_CHANCE_ACTS: Final = (CHANCE,)
_SEAT_ACTS: Final = tuple((seat,) for seat in range(MOST_PLAYERS))
_OTHER_ACTIONS: Final = tuple(action for action in LOWEST_ACTIONS if action != DROP)


@dataclass(frozen=True)
class DeepSea(Game[DeepSeaState, DeepSeaChoice, DeepSeaOutcome]):
    """The rules of Deep Sea Adventure."""

    info: ClassVar[GameInfo] = GAME.info

    players: int = option(4, "divers", choices=GAME.info.seats)
    rounds: int = option(3, "rounds to play", low=1, high=9)
    oxygen: int = option(25, "oxygen at the start of a round", low=1, high=99)
    drop: str = option("lowest", "which chip is put down", choices=("lowest", "choose"))
    stacks: bool = option(False, "drowned chips come back as stacks, as in the published game")

    @property
    def seats(self) -> int:
        """The number of divers."""
        return self.players

    @property
    def utility(self) -> tuple[float, float]:
        """From nothing to all chips."""
        return (0.0, float(MOST_POINTS))

    @property
    def actions(self) -> tuple[DeepSeaChoice, ...]:
        """Both directions, both answers at a chip, and every chip that can be put down."""
        if self.drop == "lowest":
            return LOWEST_ACTIONS
        most = len(DOTS) if self.stacks else SINGLES + 1
        return (*_OTHER_ACTIONS, *DROP_CHIP[1:most])

    @property
    def action_count(self) -> int:
        """Two ids, 1 for yes and 0 for no; if chips are chosen, one for each kind of chip."""
        if self.drop == "lowest":
            return 2
        return len(DOTS) if self.stacks else SINGLES + 1

    def action_id(self, state: DeepSeaState, action: DeepSeaChoice) -> int:
        """1 for dive, take, drop and 0 for return, leave, keep; for a chosen chip, its number."""
        return action.id

    def action_of(self, state: DeepSeaState, id: int) -> DeepSeaChoice:
        """The legal action with that id.

        Raises:
            UnknownActionError: No legal action of the state has that id.
        """
        is_turn = state.phase in (Phase.DIRECTION, Phase.CHIP)
        legal = self.legal_actions(state, state.current) if is_turn else ()
        return self.legal_with_id(state, legal, id)

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
            return _SEAT_ACTS[state.current]
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
        """The state after a decision of a diver."""
        choice = joint[state.current]
        if state.phase is _DIRECTION:
            return _turn(state, turns_back=choice == RETURN)
        return self._handle_chip(state, choice)

    def apply_chance(self, state: DeepSeaState, outcome: DeepSeaOutcome) -> DeepSeaState:
        """The state after the dice, a chip turned over, or the draw of who begins."""
        if isinstance(outcome, Dice):
            return self._move(state, outcome.first + outcome.second)
        if isinstance(outcome, Start):
            _, _, number, oxygen, places, diving, held, trail, ledger = state
            return rounds.begin_turn(
                outcome.seat, number, oxygen, places, diving, held, trail, ledger
            )
        return rounds.turn_over(self, state, outcome.value)

    def _move(self, state: DeepSeaState, thrown: int) -> DeepSeaState:
        """Move by the dice minus the load; then a choice at the chip, or the end of the turn."""
        _, seat, number, oxygen, places, diving, held, trail, ledger = state
        load = held[seat]
        place = places[seat]
        steps = thrown - len(load)
        if steps > 0:
            move = descend if diving[seat] else ascend
            place = move(trail, places, place, steps)
            places = (*places[:seat], place, *places[seat + 1 :])
        if place and (trail[place - 1] or load):
            return DeepSeaState(_CHIP, seat, number, oxygen, places, diving, held, trail, ledger)
        return rounds.next_turn(self, seat, number, oxygen, places, diving, held, trail, ledger)

    def _handle_chip(self, state: DeepSeaState, choice: DeepSeaChoice) -> DeepSeaState:
        _, seat, number, oxygen, places, diving, held, trail, ledger = state
        if choice.id:
            place = places[seat] - 1
            load = held[seat]
            if choice is TAKE or choice == TAKE:
                load += trail[place : place + 1]
                chip = BLANK
            else:
                chip = choice.chip or min(load, key=WEIGHT.__getitem__)
                taken = load.index(chip)
                load = load[:taken] + load[taken + 1 :]
            held = (*held[:seat], load, *held[seat + 1 :])
            trail = b"%b%c%b" % (trail[:place], chip, trail[place + 1 :])
        return rounds.next_turn(self, seat, number, oxygen, places, diving, held, trail, ledger)

    def returns(self, state: DeepSeaState) -> tuple[float, ...]:
        """The points of every diver, without chips that have not been turned over."""
        return tuple(map(float, state.ledger.points))

    def chance_outcomes(self, state: DeepSeaState) -> Sequence[tuple[DeepSeaOutcome, float]]:
        """The starters, the nine throws of two dice, or the possible values of a chip."""
        if state.phase is _DICE:
            return THROW_CHANCES
        if state.phase is Phase.START:
            return [(start, 1 / self.players) for start in STARTS[: self.players]]
        return [(REVEALS[value], chance) for value, chance in rounds.possible_values(state)]

    def sample_chance(self, state: DeepSeaState, rng: random.Random) -> DeepSeaOutcome:
        """A chance outcome, drawn with its probability."""
        if state.phase is _DICE:
            return THROWS[int(rng.random() * 9)]
        return super().sample_chance(state, rng)

    def explain_illegal(self, state: DeepSeaState, seat: Seat, action: DeepSeaChoice) -> str:
        """The rule that forbids a decision."""
        return explain_illegal(state, seat, action)

    def near_misses(self, state: DeepSeaState, seat: Seat) -> Sequence[DeepSeaChoice]:
        """Dropping a chip on another, taking where there is none, turning back twice."""
        return near_misses(state, seat, self.actions)

    def to_json(self, state: DeepSeaState) -> dict[str, Any]:
        """The position; see docs/file-formats.md for the keys."""
        return positions.write(state)

    def from_json(self, data: Mapping[str, Any]) -> DeepSeaState:
        """The state of a position; without a phase, ``current`` is about to begin its turn.

        Raises:
            PositionError: The position is impossible; the message names the field.
        """
        limits = positions.PositionLimits(self.players, self.rounds, self.oxygen, self.stacks)
        state, is_between_turns = positions.read(data, limits)
        if not is_between_turns:
            return state
        _, seat, number, oxygen, places, diving, held, trail, ledger = state
        # A position does not say who moved last; the previous seat is assumed.
        before = (seat - 1) % self.players
        return rounds.next_turn(self, before, number, oxygen, places, diving, held, trail, ledger)


def _turn(state: DeepSeaState, *, turns_back: bool) -> DeepSeaState:
    """Dive on or turn back; in both cases the dice come next."""
    _, seat, number, oxygen, places, diving, held, trail, ledger = state
    if turns_back:
        diving = (*diving[:seat], False, *diving[seat + 1 :])
    return DeepSeaState(_DICE, seat, number, oxygen, places, diving, held, trail, ledger)


# -- illegal decisions --------------------------------------------------------------------


def explain_illegal(state: DeepSeaState, seat: Seat, action: DeepSeaChoice) -> str:
    """The rule that forbids a decision, to complete the sentence "illegal: ..."."""
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


def near_misses(
    state: DeepSeaState, seat: Seat, actions: Sequence[DeepSeaChoice]
) -> list[DeepSeaChoice]:
    """Illegal decisions that a diver is likely to try."""
    if state.phase is not Phase.CHIP:
        return []
    wishes: list[DeepSeaChoice] = []
    if state.chip_under(seat) == BLANK:
        wishes.append(TAKE)
    elif state.held[seat]:
        wishes += [action for action in actions if _puts_down(state, seat, action)]
    return wishes


def _puts_down(state: DeepSeaState, seat: Seat, action: DeepSeaChoice) -> bool:
    chip = getattr(action, "chip", 0)
    return str(action) == "drop" or (action != KEEP and bool(chip) and chip in state.held[seat])
