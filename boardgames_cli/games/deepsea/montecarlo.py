"""The strongest agent: it plays the rest of the round in thought, many times for each choice."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.game import AnyGame, Game, Observation, Seat
from boardgames_cli.core.options import check_options, option
from boardgames_cli.games.deepsea.actions import Choice
from boardgames_cli.games.deepsea.agents import decide
from boardgames_cli.games.deepsea.beliefs import Beliefs
from boardgames_cli.games.deepsea.chips import (
    DOTS,
    EACH_VALUE,
    LEVELS,
    mean_value,
    values_of,
)
from boardgames_cli.games.deepsea.habits import Habit
from boardgames_cli.games.deepsea.kernel import THROWN, FastSea
from boardgames_cli.games.deepsea.seafarer import SeafarerHabit
from boardgames_cli.games.deepsea.state import DeepSeaState, Ledger, Phase

_BATCH: Final = 20
"""Rounds played between two looks at the clock."""
_CLEAR: Final = 3.5
"""A choice that leads by so many standard errors is taken without further thought."""
_LEAST: Final = 80
"""Before so many samples no lead counts."""


@dataclass(slots=True)
class Prospect:
    """What is to be expected of one choice."""

    action: Choice
    samples: int = 0
    home: int = 0
    """In so many samples the diver came home."""
    points: float = 0.0
    """The sum of the points brought home this round, over all samples."""

    @property
    def chance_home(self) -> float:
        """The share of samples in which the diver came home."""
        return self.home / self.samples if self.samples else 0.0

    @property
    def mean(self) -> float:
        """The points to be expected from this round."""
        return self.points / self.samples if self.samples else 0.0

    def __str__(self) -> str:
        return f"home {self.chance_home:.0%}, {self.mean:.1f} points, n={self.samples}"


class Samples:
    """Rounds played out for every choice of a seat, with the same luck for all of them.

    Args:
        game: The rulebook.
        seen: What the seat sees; it is to act.
        beliefs: How the others are thought to dive.
        habit: How the seat itself goes on.
    """

    def __init__(
        self,
        game: Game[DeepSeaState, Choice, Any],
        seen: Observation[DeepSeaState, Choice],
        beliefs: Beliefs,
        habit: Habit,
    ) -> None:
        assert seen.seat is not None, "a spectator has no actions"
        self.prospects = tuple(Prospect(action) for action in seen.legal)
        self._seat: Seat = seen.seat
        self._beliefs = beliefs
        self._habit = habit
        self._after = [game.apply(seen.state, {self._seat: action}) for action in seen.legal]
        self._worth = chip_worths(seen.state.ledger)
        self._round = seen.state.round
        self._squares = [0.0] * len(seen.legal)

    def add(self, rng: random.Random) -> None:
        """Play one more round to its end for every choice."""
        habits = self._beliefs.imagine(rng)
        habits[self._seat] = self._habit
        luck = rng.random()
        first = self.prospects[0]
        base = 0.0
        for number, (prospect, after) in enumerate(zip(self.prospects, self._after, strict=True)):
            # Equal dice for all choices: their difference is what matters.
            is_home, points = self._play(after, habits, random.Random(luck))
            prospect.samples += 1
            prospect.home += is_home
            prospect.points += points
            if prospect is first:
                base = points
            self._squares[number] += (points - base) ** 2

    def _play(
        self, after: DeepSeaState, habits: Sequence[Habit], rng: random.Random
    ) -> tuple[bool, float]:
        seat = self._seat
        if after.round != self._round or after.phase in (Phase.REVEAL, Phase.OVER):
            # The seat has moved already and is not home: with the round over, it is drowned.
            return False, 0.0
        sea = FastSea(after)
        draw = rng.random
        sea.finish_round(habits, lambda: THROWN[int(draw() * 9)])
        if not sea.is_home(seat):
            return False, 0.0
        return True, sum(self._worth[chip] for chip in sea.held[seat])

    def leader(self) -> tuple[Prospect, bool]:
        """The best choice so far, and whether its lead is clear."""
        best = max(self.prospects, key=lambda prospect: prospect.mean)
        count = best.samples
        if count < _LEAST or len(self.prospects) != 2:
            return best, False
        gap = abs(self.prospects[1].mean - self.prospects[0].mean)
        spread = math.sqrt(max(self._squares[1] / count - gap**2, 0.0) / count)
        return best, gap > _CLEAR * spread and gap > 0


def chip_worths(ledger: Ledger) -> tuple[float, ...]:
    """The mean value of every chip and stack, given what has been turned over."""
    means = {}
    for level in LEVELS:
        left = {value: EACH_VALUE - ledger.revealed[value] for value in values_of(level)}
        hidden = sum(left.values())
        means[level] = (
            sum(value * count for value, count in left.items()) / hidden
            if hidden
            else mean_value(level)
        )
    return tuple(sum(means[dot] for dot in dots) for dots in DOTS)


@dataclass
class Lookout(Agent[DeepSeaState, Choice]):
    """Plays the round to its end in thought, for every choice, and takes the best.

    In its thoughts it goes on as `seafarer` does, and the others as it has seen them decide.
    """

    samples: int = option(140, "rounds played in thought for each choice", low=1, high=100_000)

    _game: Game[DeepSeaState, Choice, Any] = field(init=False, repr=False, compare=False)
    _beliefs: Beliefs = field(init=False, repr=False, compare=False)
    _last: DeepSeaState | None = field(init=False, repr=False, compare=False, default=None)

    def __post_init__(self) -> None:
        check_options(self)

    def supports(self, game: AnyGame) -> str | None:
        """Deep Sea Adventure only."""
        return None if game.info.id == "deepsea" else "it can only dive"

    def reset(self, game: Game[DeepSeaState, Choice, Any], seat: Seat) -> None:
        """Think of everybody as of a stranger again."""
        self._game = game
        self._beliefs = Beliefs(game.seats)
        self._last = None

    def watch(self, seen: Observation[DeepSeaState, Choice]) -> None:
        """Learn from what the others decide."""
        before, self._last = self._last, seen.state
        if before is not None and before != seen.state:
            self._beliefs.learn(before, seen.state)

    def act(self, seen: Observation[DeepSeaState, Choice], thinking: Thinking) -> Choice:
        """The choice with the highest expected points."""
        samples = self._sample(seen, thinking, until_clear=True)
        if not samples.prospects[0].samples:
            return decide(SeafarerHabit(), seen)
        return samples.leader()[0].action

    def evaluate_actions(
        self, seen: Observation[DeepSeaState, Choice], thinking: Thinking
    ) -> dict[Choice, float]:
        """The seat's points after this round, for each choice; later rounds are not looked at.

        A choice that was never tried, for want of time, has the points so far.
        """
        assert seen.seat is not None, "a spectator has no actions"
        so_far = seen.state.points[seen.seat]
        found = self._sample(seen, thinking, until_clear=False).prospects
        return {prospect.action: so_far + prospect.mean for prospect in found}

    def explain_actions(
        self, seen: Observation[DeepSeaState, Choice], thinking: Thinking
    ) -> dict[Choice, str]:
        """What each choice leads to, in words, such as ``home 81%, 15.2 points, n=140``."""
        return {found.action: str(found) for found in self.prospects(seen, thinking)}

    def prospects(
        self, seen: Observation[DeepSeaState, Choice], thinking: Thinking
    ) -> tuple[Prospect, ...]:
        """What each choice leads to, best first."""
        found = self._sample(seen, thinking, until_clear=False).prospects
        return tuple(sorted(found, key=lambda prospect: -prospect.mean))

    def _sample(
        self,
        seen: Observation[DeepSeaState, Choice],
        thinking: Thinking,
        *,
        until_clear: bool,
    ) -> Samples:
        samples = Samples(self._game, seen, self._beliefs, SeafarerHabit())
        done = 0
        while done < self.samples:
            if thinking.should_stop(done * len(seen.legal)):
                break
            for _ in range(min(_BATCH, self.samples - done)):
                samples.add(thinking.rng)
            done += _BATCH
            if until_clear and samples.leader()[1]:
                break
        return samples
