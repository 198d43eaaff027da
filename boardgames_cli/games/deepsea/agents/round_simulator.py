"""Plays the rest of a round fast: a second copy of the rules, for searches alone.

It changes lists in place, draws sums of dice instead of pairs, and leaves out what no search asks
for. tests/games/deepsea/agents/test_round_simulator.py plays it against the rules, turn by turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from boardgames_cli.core.game import Seat
from boardgames_cli.games.deepsea.actions import FACES
from boardgames_cli.games.deepsea.agents.policies import Policy
from boardgames_cli.games.deepsea.chips import BLANK, WEIGHT
from boardgames_cli.games.deepsea.state import DeepSeaState, Phase
from boardgames_cli.games.deepsea.trail import ascend, descend

THROWN: Final = tuple(first + second for first in FACES for second in FACES)
"""The nine equally likely sums of two dice."""

_MOST_TURNS: Final = 400
"""A round in which nobody carries anything need not end; a thought about it must."""


class RoundSimulator:
    """A position in the middle of a round that can be changed; see `policies.RoundState`.

    Args:
        state: Where to begin; its phase is direction, dice or chip.
    """

    __slots__ = ("current", "diving", "held", "oxygen", "phase", "places", "trail")

    def __init__(self, state: DeepSeaState) -> None:
        self.phase = state.phase
        self.current = state.current
        self.oxygen = state.oxygen
        self.places = list(state.places)
        self.diving = list(state.diving)
        self.held = list(state.held)
        self.trail = bytearray(state.trail)

    def finish_round(self, policies: Sequence[Policy], throw: Callable[[], int]) -> None:
        """Play until the oxygen is used up or everybody is home.

        Args:
            policies: How each seat decides.
            throw: Gives the sum of two dice.
        """
        phase = self.phase
        for _ in range(_MOST_TURNS):
            seat = self.current
            if phase is Phase.DIRECTION and policies[seat].returns(self, seat):
                self.diving[seat] = False
            if phase is not Phase.CHIP:
                self._move(seat, throw())
            if self.places[seat]:
                self._handle_chip(seat, policies[seat])
            if not self._pass_on():
                return
            is_out = self.diving[self.current] and self.places[self.current]
            phase = Phase.DIRECTION if is_out else Phase.DICE

    def _move(self, seat: Seat, thrown: int) -> None:
        steps = thrown - len(self.held[seat])
        if steps > 0:
            move = descend if self.diving[seat] else ascend
            self.places[seat] = move(self.trail, self.places, self.places[seat], steps)

    def _handle_chip(self, seat: Seat, policy: Policy) -> None:
        place = self.places[seat] - 1
        chip = self.trail[place]
        load = self.held[seat]
        if chip:
            if policy.takes(self, seat):
                self.held[seat] = load + bytes((chip,))
                self.trail[place] = BLANK
        elif load and policy.drops(self, seat):
            lowest = min(load, key=WEIGHT.__getitem__)
            taken = load.index(lowest)
            self.held[seat] = load[:taken] + load[taken + 1 :]
            self.trail[place] = lowest

    def _pass_on(self) -> bool:
        """Let the next diver who is not home begin its turn; False if the round is over."""
        if not self.oxygen:
            return False
        places, diving = self.places, self.diving
        seats = len(places)
        seat = self.current
        for _ in range(seats):
            seat = seat + 1 if seat + 1 < seats else 0
            if places[seat] or diving[seat]:
                self.current = seat
                load = len(self.held[seat])
                self.oxygen = self.oxygen - load if self.oxygen > load else 0
                return True
        return False

    def is_home(self, seat: Seat) -> bool:
        """Whether a diver is back in the submarine."""
        return not (self.places[seat] or self.diving[seat])
