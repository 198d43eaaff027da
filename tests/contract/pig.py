"""Pig: roll until you hold, or until a 1 takes the points of the turn. Who has enough wins.

A game of chance that nothing in the program knows, with the exact value of every position: what is
said of it by the general agents, analysts and environments can be compared with the truth.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from boardgames_cli.codec.fields import Whole
from boardgames_cli.core.errors import PositionError
from boardgames_cli.core.game import CHANCE, Game, GameInfo, Observation, Seat, Step, Traits
from boardgames_cli.core.options import option
from boardgames_cli.core.presentation.view import Size, View
from boardgames_cli.core.spec import GameSpec
from boardgames_cli.core.text import Glyphs, Picture, Span

MOST = 20
Points = Annotated[int, Whole(0, MOST - 1)]


@dataclass(frozen=True, slots=True)
class PigState:
    scores: tuple[Points, Points] = (0, 0)
    """Points that are safe, by seat."""
    turn: Annotated[int, Whole(0, MOST + 5)] = 0
    """Points that a 1 takes away."""
    player: Annotated[Seat, Whole(0, 1)] = 0
    is_rolling: bool = False


class Choice(StrEnum):
    ROLL = "roll"
    HOLD = "hold"


@dataclass(frozen=True, slots=True)
class Die:
    pips: int

    def __str__(self) -> str:
        return f"die {self.pips}"


FACES = tuple((Die(pips), 1 / 6) for pips in range(1, 7))


@dataclass(frozen=True)
class Pig(Game[PigState, Choice, Die]):
    """The rulebook. Points that are enough win at once: nobody holds them."""

    info: ClassVar[GameInfo] = GameInfo("pig", "Pig", (2,), Traits.CHANCE | Traits.ZERO_SUM, 1)

    target: int = option(10, "points that win", low=2, high=MOST)

    @property
    def utility(self) -> tuple[float, float]:
        return (-1.0, 1.0)

    @property
    def actions(self) -> tuple[Choice, ...]:
        return tuple(Choice)

    def initial_state(self) -> PigState:
        return PigState()

    def has_won(self, state: PigState) -> bool:
        """Whether the player whose turn it is has enough."""
        return state.scores[state.player] + state.turn >= self.target

    def to_act(self, state: PigState) -> tuple[Seat, ...]:
        if self.has_won(state):
            return ()
        return (CHANCE,) if state.is_rolling else (state.player,)

    def legal_actions(self, state: PigState, seat: Seat) -> Sequence[Choice]:
        return self.actions if state.turn else (Choice.ROLL,)

    def explain_illegal(self, state: PigState, seat: Seat, action: Choice) -> str:
        return "nothing has been rolled" if seat == state.player else "it is not your turn"

    def apply(self, state: PigState, joint: Mapping[Seat, Choice]) -> PigState:
        player = state.player
        if joint[player] is Choice.ROLL:
            return PigState(state.scores, state.turn, player, True)
        safe = list(state.scores)
        safe[player] += state.turn
        return PigState((safe[0], safe[1]), 0, 1 - player)

    def chance_outcomes(self, state: PigState) -> Sequence[tuple[Die, float]]:
        return FACES

    def apply_chance(self, state: PigState, outcome: Die) -> PigState:
        if outcome.pips == 1:
            return PigState(state.scores, 0, 1 - state.player)
        return PigState(state.scores, state.turn + outcome.pips, state.player)

    def returns(self, state: PigState) -> tuple[float, ...]:
        if not self.has_won(state):
            return (0.0, 0.0)
        return (1.0, -1.0) if state.player == 0 else (-1.0, 1.0)

    def check(self, state: PigState) -> None:
        if max(state.scores) >= self.target:
            raise PositionError(f"scores has {max(state.scores)}, which wins at once.")
        if state.is_rolling and self.has_won(state):
            raise PositionError("is_rolling is true, but the game is over.")


class PigView(View[Pig, PigState, Choice, Die]):
    """Three lines."""

    def picture(self, seen: Observation[PigState, Choice], size: Size, context: Any) -> Picture:
        state = seen.state
        lines = [
            [Span(f"{context.short_name(seat, 12)}: {score}", f"seat.{seat}")]
            for seat, score in enumerate(state.scores)
        ]
        mark = "*" if state.is_rolling else ""
        return Picture.of([*lines, f"seat {state.player}, the turn: {state.turn}{mark}"])

    def narrate(
        self, before: PigState, step: Step[Choice, Die], after: PigState, context: Any
    ) -> list[str]:
        name = context.name(before.player)
        if step.outcome is not None:
            return [f"{name} rolled {step.outcome.pips}."]
        return [f"{name} held {before.turn}."] if after.player != before.player else []

    def legend(self, glyphs: Glyphs) -> Picture:
        return Picture.of(["* the die is rolling"])


@functools.cache
def chances(target: int) -> Mapping[tuple[int, int, int], float]:
    """For own points, the other's and the turn's, how likely the player wins who is to choose.

    By value iteration, as Neller and Presser solve the game of 100 points ("Optimal play of the
    dice game Pig", 2004).
    """
    table = {
        (own, other, turn): 0.5
        for own in range(target)
        for other in range(target)
        for turn in range(target - own)
    }
    change = 1.0
    while change > 1e-13:
        change = 0.0
        for (own, other, turn), old in table.items():
            new = max(choice_chances(table, target, own, other, turn).values())
            table[own, other, turn] = new
            change = max(change, abs(new - old))
    return table


def choice_chances(
    table: Mapping[tuple[int, int, int], float], target: int, own: int, other: int, turn: int
) -> dict[Choice, float]:
    """How likely each choice wins."""
    rolled = (1 - table[other, own, 0]) + sum(
        1.0 if own + turn + pips >= target else table[own, other, turn + pips]
        for pips in range(2, 7)
    )
    found = {Choice.ROLL: rolled / 6}
    if turn:
        found[Choice.HOLD] = 1 - table[other, own + turn, 0]
    return found


def judged(game: Pig, state: PigState) -> dict[Choice, float]:
    """The exact chance of the player to choose to win by each choice."""
    own, other = state.scores[state.player], state.scores[1 - state.player]
    return choice_chances(chances(game.target), game.target, own, other, state.turn)


def exact_value(game: Pig, state: PigState, seat: Seat) -> float:
    """A heuristic that is never wrong: the expected return."""
    if game.has_won(state):
        return game.returns(state)[seat]
    options = judged(game, state)
    won = options[Choice.ROLL] if state.is_rolling else max(options.values())
    return (2 * won - 1) if seat == state.player else (1 - 2 * won)


PIG = GameSpec(
    info=Pig.info,
    rules="tests.contract.pig:Pig",
    view="tests.contract.pig:PigView",
    levels={"easy": "random", "medium": "greedy:temperature=0.3", "hard": "expectimax:depth=1"},
    heuristic="tests.contract.pig:exact_value",
)
