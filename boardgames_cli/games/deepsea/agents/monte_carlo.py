"""Monte Carlo search: the rest of the round is played many times for each choice."""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, ClassVar, Final

from boardgames_cli.core.agent import SingleGameAgent, Thinking
from boardgames_cli.core.game import Game, Seat
from boardgames_cli.core.options import option
from boardgames_cli.core.text import percent
from boardgames_cli.games.deepsea.actions import THROWS, DeepSeaChoice
from boardgames_cli.games.deepsea.agents.plans import (
    Plan,
    Question,
    Sea,
    decide,
    question_of,
    tuned_plan,
)
from boardgames_cli.games.deepsea.agents.playout import STREAM, Continuation
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.games.deepsea.state import IN_TURN, DeepSeaState, Phase, Seen

PER_POINT: Final = 0.05
"""What a point is worth beside the win, as a share of it.

With less, points are lost and no wins are gained: what can't be foreseen of the rounds to come, and
of the others, makes points the better guide there.
"""

_VALUES_SPREAD: Final = 1.2
"""How much is open in points when only the values of the chips are unknown."""
_ROUND_SPREAD: Final = 5.0
"""How much a round to come leaves open."""


def spread(rounds_to_come: int) -> float:
    """How much is still open, in points, when so many rounds will follow."""
    return _ROUND_SPREAD * math.sqrt(rounds_to_come) if rounds_to_come else _VALUES_SPREAD


def win_share(sea: Sea, seat: int, totals: Sequence[float], spread: float) -> float:
    """The share of the win that a seat can hope for at the end of a round.

    By the logistic model of choice; `totals` are the points before the round.
    """
    own = totals[seat] + (sea.brought(seat) or 0.0)
    rivals = 1.0
    for other, total in enumerate(totals):
        if other != seat:
            lead = total - own + (sea.brought(other) or 0.0)
            rivals += math.exp(min(lead / spread, 50.0))
    return 1.0 / rivals


_SURPRISE: Final = 0.05
"""The least chance of a decision that a plan does not foresee: nobody is pure."""


def _likely() -> Iterator[tuple[float, Plan]]:
    yield 3.0, Plan(slip=0.5)
    for chips, worth, up in product((1, 2, 3), (0.0, 4.0, 8.0), (0, 2)):
        yield 1.0, Plan(chips_down=chips, chips_return=chips, worth_down=worth, chips_up=up)
    yield 2.0, Plan(chips_down=9, chips_return=1, worth_down=12.0, chips_up=9, worth_up=12.0)
    for depth, chips in product((5, 7, 8, 9, 10, 12, 14, 16, 18, 20, 24), (0, 1, 2)):
        yield 0.7, Plan(chips_down=chips, depth=depth, chips_up=chips)
    for mark, chips in product((8, 12, 16, 20), (1, 2, 3)):
        yield 0.7, Plan(chips_down=chips, worth_down=4.0, low_oxygen=mark, chips_up=2)
    for risk, chips in product((0.7, 1.0, 1.3), (2, 4)):
        yield 0.7, Plan(chips_down=chips, worth_down=4.0, risk_return=risk, risk_take=risk,
                        chips_up=2, slip=0.1)  # fmt: skip
    for fear, least, ahead in product((0.3, 0.7, 1.1), (0.0, 3.0), (1, 3)):
        yield 3.0, Plan(weighs=True, sinking=fear, rising=fear, growth=fear, ahead=ahead, slip=0.08,
                        take_down=(least, least / 2, 0.0, 0.0))  # fmt: skip


_LIKELY: Final = tuple(_likely())
RIVALS: Final = tuple(plan for _, plan in _LIKELY)
"""All plans that are thought of."""
PRIOR: Final[Sequence[float]] = [
    weight / sum(weight for weight, _ in _LIKELY) for weight, _ in _LIKELY
]


class OpponentModel:
    """For every seat how likely each plan is."""

    def __init__(self, seats: int) -> None:
        self.weights = [list(PRIOR) for _ in range(seats)]
        """By seat how likely each plan is; they add up to 1."""

    def learn(self, sea: Sea, seat: int, question: Question, answer: bool) -> None:
        """Take in by Bayes' rule whether a seat answered a question of this position with yes."""
        found = []
        for plan, weight in zip(RIVALS, self.weights[seat], strict=True):
            slip = max(plan.slip, _SURPRISE)
            is_expected = question(plan, sea, seat) == answer
            found.append(weight * (1.0 - slip if is_expected else slip))
        total = 0.0
        for weight in found:
            total += weight  # one by one: the rounding of `sum` differs between versions
        self.weights[seat] = [weight / total for weight in found]

    def sample(self, rng: random.Random) -> list[Plan]:
        """By seat one of `RIVALS`, drawn for it."""
        return [rng.choices(RIVALS, weights)[0] for weights in self.weights]


_BOLD: Final = 3.0
"""Points by which the bold plan undervalues safety, and the cautious one chips."""
_BATCH: Final = 12
"""Rounds played between two looks at the clock."""
_CLEAR: Final = 2.5
"""Standard errors by which a choice must lead to be taken without further samples."""
_LEAST: Final = 24
"""Samples before any lead counts."""
_THROWN: Final = tuple(throw.steps(0) for throw in THROWS)
"""The nine equally likely sums of two dice."""
_AT_HOME: Final = [0] * STREAM
_STEADY: Final = [0.5] * STREAM


@functools.cache
def own_plans(seats: int, *, is_last: bool) -> tuple[Plan, ...]:
    """The plans that are tried for playing on after a choice.

    In the last round points are not the measure, so a bold and a cautious plan are added.
    """
    tuned = tuned_plan(seats)
    return (tuned, tuned.cautious(-_BOLD), tuned.cautious(_BOLD)) if is_last else (tuned,)


def _mean(numbers: Sequence[float]) -> float:
    return math.fsum(numbers) / len(numbers) if numbers else 0.0


@dataclass(slots=True)
class Estimate:
    """The estimated result of one choice."""

    action: DeepSeaChoice
    shares: list[float] = field(default_factory=list)
    """In each sample the share of the win; see `win_share`."""
    brought: list[float | None] = field(default_factory=list)
    """In each the points brought home this round; None where the diver did not come home."""
    worths: list[float] = field(default_factory=list)
    """What each was worth: a share of the win, and a little for the points."""

    @property
    def samples(self) -> int:
        return len(self.worths)

    @property
    def chance_home(self) -> float:
        """The share of samples in which the diver came home."""
        return _mean([points is not None for points in self.brought])

    @property
    def mean(self) -> float:
        return _mean([points or 0.0 for points in self.brought])

    @property
    def value(self) -> float:
        return _mean(self.worths)

    @property
    def share(self) -> float:
        return _mean(self.shares)

    def add(self, share: float, brought: float | None) -> None:
        """Count a sample: the share of the win, and what was brought home; None: nothing was."""
        self.shares.append(share)
        self.brought.append(brought)
        self.worths.append(share + PER_POINT * (brought or 0.0))

    def __str__(self) -> str:
        return (
            f"home {percent(self.chance_home)}, {self.mean:.1f} points, win {percent(self.share)}"
        )


class Samples:
    """Rounds played out for every choice of a seat, with the same luck for all of them.

    In the last round every choice is followed up in several ways (`own_plans`), of which the one
    counts that promises most: who is behind must be able to think of going on boldly.
    """

    def __init__(self, game: DeepSea, seen: Seen, opponents: OpponentModel) -> None:
        state = seen.state
        self._seat: Seat = seen.own_seat
        self._opponents = opponents
        to_come = game.rounds - 1 - state.round
        own = own_plans(game.seats, is_last=not to_come)
        self.plans_a_choice = len(own)
        self._spread = spread(to_come)
        self._is_out = [not state.is_home(seat) for seat in range(game.seats)]
        self._totals = [*map(float, state.points)]
        self._lines: list[tuple[Estimate, Plan, Continuation | None]] = []
        """For every choice and plan: what came of it, the plan, and from where it is played on."""
        for action in seen.legal:
            after = game.apply(state, {self._seat: action})
            is_on = after.round == state.round and after.phase in IN_TURN
            # With the round over the seat has moved already and is not home: it is drowned.
            start = Continuation(after) if is_on else None
            self._lines += [(Estimate(action), plan, start) for plan in own]

    def add(self, rng: random.Random) -> None:
        """Play one more round to its end for every choice."""
        seat = self._seat
        plans = self._opponents.sample(rng)
        # Equal dice and equal slips for all choices: their difference is what matters.
        dice, slips = self._luck(rng.random)
        for estimate, plan, start in self._lines:
            if start is None:
                estimate.add(0.0, None)
                continue
            plans[seat] = plan
            sea = start.finish(plans, dice, slips)
            estimate.add(win_share(sea, seat, self._totals, self._spread), sea.brought(seat))

    def _luck(self, draw: Callable[[], float]) -> tuple[list[int], list[float]]:
        dice: list[int] = []
        slips: list[float] = []
        for is_out in self._is_out:
            dice += [_THROWN[int(draw() * 9)] for _ in range(STREAM)] if is_out else _AT_HOME
            slips += [draw() for _ in range(STREAM)] if is_out else _STEADY
        return dice, slips

    def best(self) -> list[Estimate]:
        """For every choice what its best plan leads to, best first."""
        ordered = sorted((line[0] for line in self._lines), key=lambda found: -found.value)
        by_action: dict[DeepSeaChoice, Estimate] = {}
        for found in ordered:
            by_action.setdefault(found.action, found)
        return list(by_action.values())

    def is_clear(self) -> bool:
        """Whether the lead of the best choice is more than luck."""
        best, *others = self.best()
        count = best.samples
        if not others or count < _LEAST:
            return not others
        gap = best.value - others[0].value
        pairs = zip(best.worths, others[0].worths, strict=True)
        squares = math.fsum([(mine - other) ** 2 for mine, other in pairs])
        error = math.sqrt(max(squares / count - gap**2, 0.0) / count)
        return not squares or gap > _CLEAR * error

    def has_difference(self) -> bool:
        first = self._lines[0][0]
        return any(line[0].worths != first.worths for line in self._lines)


@dataclass
class MonteCarlo(SingleGameAgent[DeepSea, DeepSeaState, DeepSeaChoice]):
    """Plays the round to its end many times for every choice, and takes the best.

    In these rounds it goes on by a plan that was tuned for the number of seats, and the others as
    it has seen them decide. What counts is the share of the win: in the last round who is ahead
    makes sure, and who is behind takes risks.
    """

    rulebook: ClassVar = DeepSea

    samples: int = option(240, "rounds played for each choice at most", low=1, high=100_000)

    _opponents: OpponentModel = field(init=False, repr=False, compare=False)
    _last: DeepSeaState | None = field(init=False, repr=False, compare=False, default=None)

    def reset(self, game: Game[DeepSeaState, DeepSeaChoice, Any], seat: Seat) -> None:
        super().reset(game, seat)
        tuned_plan(game.seats)
        self._opponents = OpponentModel(game.seats)
        self._last = None

    def watch(self, seen: Seen) -> None:
        before, self._last = self._last, seen.state
        if before is None or before == seen.state or before.current == seen.seat:
            return
        watch_step(self._opponents, before, seen.state)

    def act(self, seen: Seen, thinking: Thinking) -> DeepSeaChoice:
        samples = self._sample(seen, thinking, until_clear=True)
        return (
            samples.best()[0].action
            if samples.has_difference()
            else decide(tuned_plan(self._game.seats), seen)
        )

    def evaluate_actions(self, seen: Seen, thinking: Thinking) -> dict[DeepSeaChoice, float]:
        """The seat's points after this round, for each choice; later rounds are not looked at.

        These are points; what `act` goes by is the win, which may be another matter. A choice that
        was never tried, for want of time, has the points so far.
        """
        so_far = seen.state.points[seen.own_seat]
        return {found.action: so_far + found.mean for found in self.estimates(seen, thinking)}

    def explain_actions(self, seen: Seen, thinking: Thinking) -> dict[DeepSeaChoice, str]:
        return {found.action: str(found) for found in self.estimates(seen, thinking)}

    def estimates(self, seen: Seen, thinking: Thinking) -> tuple[Estimate, ...]:
        """What each choice leads to, best first."""
        return tuple(self._sample(seen, thinking, until_clear=False).best())

    def _sample(self, seen: Seen, thinking: Thinking, *, until_clear: bool) -> Samples:
        samples = Samples(self._game, seen, self._opponents)
        most = max(1, self.samples // samples.plans_a_choice)
        done = 0
        while done < most:
            if thinking.should_stop(done * len(seen.legal)):
                break
            for _ in range(min(_BATCH, most - done)):
                samples.add(thinking.rng)
            done += _BATCH
            if until_clear and samples.is_clear():
                break
        return samples


def watch_step(opponents: OpponentModel, before: DeepSeaState, after: DeepSeaState) -> None:
    """Let a model learn what a diver decided between two neighbouring states."""
    seat = before.current
    # A new round empties all hands, so what was done last in the old one stays unknown.
    if before.phase is Phase.CHIP and after.round == before.round:
        answer = after.held[seat] != before.held[seat]
    elif before.phase is Phase.DIRECTION:
        answer = not after.diving[seat]
    else:
        return
    opponents.learn(Sea.of(before), seat, question_of(before), answer)
