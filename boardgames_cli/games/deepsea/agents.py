"""The classic agents of the game: one rule of thumb each, as in the environment they come from.

The fourth of them, Randy, is the general agent ``random``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.game import AnyGame, Game, Observation, Seat
from boardgames_cli.core.options import check_options, option
from boardgames_cli.games.deepsea.actions import DIVE, LEAVE, RETURN, TAKE, Choice
from boardgames_cli.games.deepsea.chips import PLACES, WEIGHT
from boardgames_cli.games.deepsea.habits import DiverHabit, GrabberHabit, GreedyHabit, Habit, Sea
from boardgames_cli.games.deepsea.state import DeepSeaState, Phase


def decide(habit: Habit, seen: Observation[DeepSeaState, Choice], sea: Sea | None = None) -> Choice:
    """What a habit does where its seat is to act; of the chips it carries the lowest goes."""
    state, seat = seen.state, seen.seat
    assert seat is not None, "a spectator has no actions"
    sea = sea or state
    if state.phase is Phase.DIRECTION:
        return RETURN if habit.returns(sea, seat) else DIVE
    if state.chip_under(seat):
        return TAKE if habit.takes(sea, seat) else LEAVE
    drops = [action for action in seen.legal if str(action).startswith("drop")]
    if not habit.drops(sea, seat):
        return next(action for action in seen.legal if action not in drops)
    return min(drops, key=lambda action: WEIGHT[getattr(action, "chip", 0)])


class HabitAgent(Agent[DeepSeaState, Choice]):
    """An agent that has a habit and nothing else."""

    def supports(self, game: AnyGame) -> str | None:
        """Deep Sea Adventure only."""
        return None if game.info.id == "deepsea" else "it can only dive"

    def habit(self) -> Habit:
        """How it decides."""
        raise NotImplementedError

    def reset(self, game: Game[DeepSeaState, Choice, Any], seat: Seat) -> None:
        """Nothing to remember."""

    def act(self, seen: Observation[DeepSeaState, Choice], thinking: Thinking) -> Choice:
        """What the habit says, at once."""
        return decide(self.habit(), seen)


@dataclass
class Grabber(HabitAgent):
    """Takes the first chips it comes to, then returns."""

    n: int = option(1, "chips to take", low=1, high=PLACES)

    def __post_init__(self) -> None:
        check_options(self)

    def habit(self) -> Habit:
        """See `GrabberHabit`."""
        return GrabberHabit(self.n)


@dataclass
class Diver(HabitAgent):
    """Dives to a depth, taking chips on the way while it has room."""

    depth: int = option(8, "place from which to return", low=1, high=PLACES)
    n: int = option(2, "chips to take on the way", low=0, high=PLACES)

    def __post_init__(self) -> None:
        check_options(self)

    def habit(self) -> Habit:
        """See `DiverHabit`."""
        return DiverHabit(self.depth, self.n)


class GreedyClassic(HabitAgent):
    """Returns with the first 4-dot chip."""

    def habit(self) -> Habit:
        """See `GreedyHabit`."""
        return GreedyHabit()
