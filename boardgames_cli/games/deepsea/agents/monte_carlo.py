"""Monte Carlo search: the rest of the round is played many times for each choice."""

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
from boardgames_cli.games.deepsea.agents.planner import PlannerPolicy
from boardgames_cli.games.deepsea.agents.policies import (
    DiverPolicy,
    GrabberPolicy,
    GreedyPolicy,
    Policy,
    RandomPolicy,
    RoundState,
    decide,
)
from boardgames_cli.games.deepsea.agents.round_simulator import THROWN, RoundSimulator
from boardgames_cli.games.deepsea.chips import (
    DOTS,
    EACH_VALUE,
    LEVELS,
    mean_value,
    values_of,
)
from boardgames_cli.games.deepsea.state import DeepSeaState, Ledger, Phase

_SLIP: Final = 0.06
"""The probability that a diver of a known kind decides otherwise: nobody is pure."""


class _Coin(Policy):
    """Stands for a diver whose decisions follow no rule; it is never asked."""


KINDS: Final[Sequence[tuple[Policy, float]]] = (
    (PlannerPolicy(), 3.0),
    (GrabberPolicy(1), 1.0),
    (GrabberPolicy(2), 1.0),
    (GrabberPolicy(3), 0.5),
    (DiverPolicy(8, 2), 1.0),
    (DiverPolicy(12, 1), 0.5),
    (DiverPolicy(16, 1), 1.0),
    (GreedyPolicy(), 1.0),
    (_Coin(), 1.0),
)
"""The kinds of divers that are thought of, with their weights before anything was seen."""


class OpponentModel:
    """For every seat how likely each of `KINDS` is, by Bayes' rule.

    Args:
        seats: Number of seats at the table.
    """

    def __init__(self, seats: int) -> None:
        self.weights = [[weight for _, weight in KINDS] for _ in range(seats)]

    def learn(self, before: DeepSeaState, after: DeepSeaState) -> None:
        """Take in what a diver decided between two neighbouring states."""
        seat = before.current
        if before.phase is Phase.DIRECTION:
            self._weigh(seat, before, "returns", not after.diving[seat])
        elif before.phase is Phase.CHIP and after.round == before.round:
            # A new round empties all hands, so what was done last in the old one stays unknown.
            has_acted = after.held[seat] != before.held[seat]
            question = "takes" if before.chip_under(seat) else "drops"
            self._weigh(seat, before, question, has_acted)

    def _weigh(self, seat: Seat, sea: RoundState, question: str, answer: bool) -> None:
        weights = self.weights[seat]
        for kind, (policy, _) in enumerate(KINDS):
            if isinstance(policy, _Coin):
                weights[kind] *= 0.5
            else:
                expected = getattr(policy, question)(sea, seat)
                weights[kind] *= 1 - _SLIP if expected == answer else _SLIP
        total = sum(weights)
        self.weights[seat] = [weight / total for weight in weights]

    def sample(self, rng: random.Random) -> list[Policy]:
        """A policy for every seat, drawn by the likelihood of its kind."""
        drawn = [rng.choices(KINDS, weights)[0][0] for weights in self.weights]
        return [RandomPolicy(rng) if isinstance(policy, _Coin) else policy for policy in drawn]


_BATCH: Final = 20
"""Rounds played between two looks at the clock."""
_CLEAR: Final = 3.5
"""Standard errors by which a choice must lead to be taken without further samples."""
_LEAST: Final = 80
"""Samples before any lead counts."""


@dataclass(slots=True)
class Estimate:
    """The estimated result of one choice."""

    action: Choice
    samples: int = 0
    home: int = 0
    """Samples in which the diver came home."""
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
        opponents: How the others are expected to dive.
        policy: How the seat itself goes on.
    """

    def __init__(
        self,
        game: Game[DeepSeaState, Choice, Any],
        seen: Observation[DeepSeaState, Choice],
        opponents: OpponentModel,
        policy: Policy,
    ) -> None:
        assert seen.seat is not None, "a spectator has no actions"
        self.estimates = tuple(Estimate(action) for action in seen.legal)
        self._seat: Seat = seen.seat
        self._opponents = opponents
        self._policy = policy
        self._after = [game.apply(seen.state, {self._seat: action}) for action in seen.legal]
        self._worth = chip_worths(seen.state.ledger)
        self._round = seen.state.round
        self._squares = [0.0] * len(seen.legal)

    def add(self, rng: random.Random) -> None:
        """Play one more round to its end for every choice."""
        policies = self._opponents.sample(rng)
        policies[self._seat] = self._policy
        luck = rng.random()
        first = self.estimates[0]
        base = 0.0
        for number, (estimate, after) in enumerate(zip(self.estimates, self._after, strict=True)):
            # Equal dice for all choices: their difference is what matters.
            is_home, points = self._play(after, policies, random.Random(luck))
            estimate.samples += 1
            estimate.home += is_home
            estimate.points += points
            if estimate is first:
                base = points
            self._squares[number] += (points - base) ** 2

    def _play(
        self, after: DeepSeaState, policies: Sequence[Policy], rng: random.Random
    ) -> tuple[bool, float]:
        seat = self._seat
        if after.round != self._round or after.phase in (Phase.REVEAL, Phase.OVER):
            # The seat has moved already and is not home: with the round over, it is drowned.
            return False, 0.0
        simulator = RoundSimulator(after)
        draw = rng.random
        simulator.finish_round(policies, lambda: THROWN[int(draw() * 9)])
        if not simulator.is_home(seat):
            return False, 0.0
        return True, sum(self._worth[chip] for chip in simulator.held[seat])

    def leader(self) -> tuple[Estimate, bool]:
        """The best choice so far, and whether its lead is clear."""
        best = max(self.estimates, key=lambda estimate: estimate.mean)
        count = best.samples
        if count < _LEAST or len(self.estimates) != 2:
            return best, False
        gap = abs(self.estimates[1].mean - self.estimates[0].mean)
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
class MonteCarlo(Agent[DeepSeaState, Choice]):
    """Plays the round to its end many times for every choice, and takes the best.

    In these rounds it goes on as `planner` does, and the others as it has seen them decide.
    """

    samples: int = option(140, "rounds played for each choice", low=1, high=100_000)

    _game: Game[DeepSeaState, Choice, Any] = field(init=False, repr=False, compare=False)
    _opponents: OpponentModel = field(init=False, repr=False, compare=False)
    _last: DeepSeaState | None = field(init=False, repr=False, compare=False, default=None)

    def __post_init__(self) -> None:
        check_options(self)

    def supports(self, game: AnyGame) -> str | None:
        """Deep Sea Adventure only."""
        return None if game.info.id == "deepsea" else "it can only dive"

    def reset(self, game: Game[DeepSeaState, Choice, Any], seat: Seat) -> None:
        """Forget what the others did in the last game."""
        self._game = game
        self._opponents = OpponentModel(game.seats)
        self._last = None

    def watch(self, seen: Observation[DeepSeaState, Choice]) -> None:
        """Learn from what the others decide."""
        before, self._last = self._last, seen.state
        if before is not None and before != seen.state:
            self._opponents.learn(before, seen.state)

    def act(self, seen: Observation[DeepSeaState, Choice], thinking: Thinking) -> Choice:
        """The choice with the highest expected points."""
        samples = self._sample(seen, thinking, until_clear=True)
        if not samples.estimates[0].samples:
            return decide(PlannerPolicy(), seen)
        return samples.leader()[0].action

    def evaluate_actions(
        self, seen: Observation[DeepSeaState, Choice], thinking: Thinking
    ) -> dict[Choice, float]:
        """The seat's points after this round, for each choice; later rounds are not looked at.

        A choice that was never tried, for want of time, has the points so far.
        """
        assert seen.seat is not None, "a spectator has no actions"
        so_far = seen.state.points[seen.seat]
        found = self._sample(seen, thinking, until_clear=False).estimates
        return {estimate.action: so_far + estimate.mean for estimate in found}

    def explain_actions(
        self, seen: Observation[DeepSeaState, Choice], thinking: Thinking
    ) -> dict[Choice, str]:
        """What each choice leads to, in words, such as ``home 81%, 15.2 points, n=140``."""
        return {found.action: str(found) for found in self.estimates(seen, thinking)}

    def estimates(
        self, seen: Observation[DeepSeaState, Choice], thinking: Thinking
    ) -> tuple[Estimate, ...]:
        """What each choice leads to, best first."""
        found = self._sample(seen, thinking, until_clear=False).estimates
        return tuple(sorted(found, key=lambda estimate: -estimate.mean))

    def _sample(
        self,
        seen: Observation[DeepSeaState, Choice],
        thinking: Thinking,
        *,
        until_clear: bool,
    ) -> Samples:
        samples = Samples(self._game, seen, self._opponents, PlannerPolicy())
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


def analysis(
    game: Game[DeepSeaState, Choice, Any],
    seen: Observation[DeepSeaState, Choice],
    thinking: Thinking,
) -> tuple[Estimate, ...]:
    """The chance to get home and the expected points of each choice, best first.

    Every estimate says on how many samples it rests; ``str(estimate)`` is one line for people.
    """
    assert seen.seat is not None, "a spectator has no choices"
    agent = MonteCarlo()
    agent.reset(game, seen.seat)
    return agent.estimates(seen, thinking)
