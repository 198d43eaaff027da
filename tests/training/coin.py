"""A toy in which a *player* makes the secret: hide a coin in a hand, the other guesses which.

Written with docs/adding-a-game.md alone, to see whether that is enough.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from boardgames_cli.codec.fields import Hidden
from boardgames_cli.core.errors import PositionError
from boardgames_cli.core.game import Game, GameInfo, NoChance, Observation, Seat, Step, Traits
from boardgames_cli.core.options import option

HANDS = ("left", "right")


@dataclass(frozen=True, slots=True)
class CoinState:
    """Where the coin is ("?" if one may not know it), and what was guessed."""

    hidden: Annotated[str, Hidden("?")] = ""
    guess: str = ""


@dataclass(frozen=True)
class Coin(Game[CoinState, str, NoChance]):
    """A right guess wins 1 in the left hand and the prize in the right; a wrong one loses 1."""

    info: ClassVar[GameInfo] = GameInfo("coin", "Coin", (2,), Traits.HIDDEN | Traits.ZERO_SUM, 1)

    prize: int = option(
        1, "what the guesser gets for a coin found in the right hand", low=1, high=9
    )

    @property
    def utility(self) -> tuple[float, float]:
        return (-9.0, 9.0)

    @property
    def actions(self) -> tuple[str, ...]:
        return HANDS

    def initial_state(self) -> CoinState:
        return CoinState()

    def to_act(self, state: CoinState) -> tuple[Seat, ...]:
        if not state.hidden:
            return (0,)
        return () if state.guess else (1,)

    def legal_actions(self, state: CoinState, seat: Seat) -> Sequence[str]:
        return HANDS

    def apply(self, state: CoinState, joint: Mapping[Seat, str]) -> CoinState:
        return CoinState(state.hidden, joint[1]) if state.hidden else CoinState(joint[0])

    def returns(self, state: CoinState) -> tuple[float, ...]:
        if not state.guess:
            return (0.0, 0.0)
        if state.guess != state.hidden:
            return (1.0, -1.0)
        prize = float(self.prize if state.hidden == "right" else 1)
        return (-prize, prize)

    def redact(self, state: CoinState, seat: Seat | None) -> CoinState:
        if seat == 0 or not state.hidden or state.guess:
            return state
        return CoinState("?")

    def redact_step(
        self, before: CoinState, step: Step[str, NoChance], seat: Seat | None
    ) -> Step[str, NoChance]:
        return step if before.hidden or seat == 0 else Step()

    def determinize(self, seen: Observation[CoinState, str], rng: random.Random) -> CoinState:
        return CoinState(rng.choice(HANDS)) if seen.state.hidden == "?" else seen.state

    def check(self, state: CoinState) -> None:
        if state.hidden not in ("", "?", *HANDS):
            raise PositionError(f"hidden is {state.hidden!r}.")
        if state.guess not in ("", *HANDS) or (state.guess and not state.hidden):
            raise PositionError(f"guess is {state.guess!r}.")
