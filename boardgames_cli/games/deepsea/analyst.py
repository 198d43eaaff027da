"""Evaluates positions of Deep Sea Adventure by playouts with common random numbers.

Every diver follows a plan like its agent's, mostly the one tuned for the number of seats; later
rounds count with what these plans bring home in them. A value is the mean of `PLAYS` playouts of
the round; choices are compared playout by playout. What may be marked is played on once more with
other dice, and against divers of many kinds. Reasons refer to the position and the oxygen.
"""

from __future__ import annotations

import functools
import math
import random
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import add, mul
from typing import ClassVar, Final, NamedTuple, TypeAlias

from boardgames_cli.algorithms.analysts.open_analyst import OpenAnalyst, finished_with_winners, mean
from boardgames_cli.core.agent import split_agent
from boardgames_cli.core.analyst import Choice, Judgement, Method, Reason, Scale, Value, ranked
from boardgames_cli.core.game import Observation, Seat
from boardgames_cli.core.text import counted, percent
from boardgames_cli.games.deepsea import GAME
from boardgames_cli.games.deepsea.actions import (
    DIVE,
    FACES,
    KEEP,
    LEAVE,
    RETURN,
    TAKE,
    DeepSeaChoice,
    DeepSeaOutcome,
    Dice,
)
from boardgames_cli.games.deepsea.agents.monte_carlo import OpponentModel, Samples
from boardgames_cli.games.deepsea.agents.odds import SUMS, WORTH, chip_worths, way_home
from boardgames_cli.games.deepsea.agents.plans import Plan, decide, plan_like, tuned_plan
from boardgames_cli.games.deepsea.agents.playout import STREAM, Continuation
from boardgames_cli.games.deepsea.chips import BLANK, GONE
from boardgames_cli.games.deepsea.heuristic import chances_of, evaluate
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.games.deepsea.state import IN_TURN, DeepSeaState, Phase, Seen
from boardgames_cli.registry import resolve_level

_MEAN_THROW: Final = sum(total * chance for total, chance in enumerate(SUMS))
_MISTAKES: Final = {
    DIVE: "dived on too long",
    RETURN: "turned back too early",
    TAKE: "took a chip too many",
    LEAVE: "left a chip",
    KEEP: "kept too heavy a load",
}


def _situation(state: DeepSeaState, seat: Seat) -> str:
    way, load = way_home(state.trail, state.places[seat]), len(state.held[seat])
    parts = [f"{counted(way, 'step')} from home"]
    if load:
        pace = max(0.0, _MEAN_THROW - load)
        speed = counted(round(pace), "step")
        parts.append(f"carrying {counted(load, 'chip')} at about {speed} a turn")
    lap = f"a lap of all divers uses {state.lap}" if state.lap else "nobody uses oxygen yet"
    parts.append(f"oxygen {state.oxygen} and {lap}")
    chip = state.chip_under(seat)
    if chip:
        parts.append(f"the chip here is worth about {WORTH[chip]:.0f}")
    return ", ".join(parts)


PLAYS: Final = 300
"""The number of playouts per position."""
DRAWS: Final = 4
"""How often what a playout doesn't show is drawn, to count who has the most points."""

STEP_ERROR: Final = 0.25
"""The standard error of a change from one position to the next, in points: both use the same dice,
so it is smaller than the error of either value. Measured over games of divers
who went by the odds."""

FRESH_PLAYS: Final = 600
"""The number of playouts of a choice that may be marked."""
SURE_PLAYS: Final = 1200
"""The number of rounds of each choice that confirm the answer of a puzzle."""
_SURE: Final = 4.0
"""The standard errors by which the answer of a puzzle leads."""
MODEL_ERROR: Final = 0.4
"""The standard error of a loss by how divers go on, in points; see docs/review.md."""
_LATER: Final = 100_000
"""The number of the first playout of rounds to come; those of this round are others."""
_HOME_SPREAD: Final = 1.1
"""The standard deviation of the points of each chip brought home but not yet turned over."""
_UNSEEN: Final = 0.6
"""The variance a point that playouts don't show of a diver who hesitates, as `greedy` does
(``lab/deepsea_chances.py``)."""

_ROUGH_SPREAD: Final = 10.0
_ROUGH_SHARE: Final = 6.0
"""The variance of a diver's points in a round without playouts: so much, and so much more for each
point that it hopes for. Chosen so that luck explains most of who wins."""

_METHOD: Final = Method(
    False,
    f"{PLAYS} rounds played on from each position by tuned plans, with equal dice for all choices",
    PLAYS,
)

Sample: TypeAlias = tuple[float | None, ...]
"""Of one playout by seat the points brought home; None for those who did not come home."""


class RoundPoints(NamedTuple):
    """The points that a diver makes in some rounds."""

    mean: float
    variance: float


@dataclass(frozen=True)
class DeepSeaAnalyst(OpenAnalyst[DeepSea, DeepSeaState, DeepSeaChoice, DeepSeaOutcome]):
    """Runs playouts from every position, and compares choices with the same dice."""

    version: ClassVar[int] = 9
    is_quick: ClassVar[bool] = False
    scale: ClassVar = Scale("points", 20.0)
    """A good round is 100 %."""

    @property
    def method(self) -> Method:
        return replace(_METHOD, knows_players=set(self.plans) != {tuned_plan(self.game.seats)})

    @property
    def step_error(self) -> float:
        return STEP_ERROR

    def value(self, state: DeepSeaState) -> Value:
        """The points so far plus the expected points of this round and of later ones."""
        if self.game.is_over(state):
            return finished_with_winners(self, state)
        if state.phase is Phase.START:
            return mean(self, [(chance, value) for _, chance, value in super().outcomes(state)])
        if state.phase is Phase.REVEAL:
            return self._tallied(state)
        return self._played(state)

    def rough_value(self, state: DeepSeaState) -> Value:
        """The value by the heuristic of this round, without playouts."""
        if self.game.is_over(state):
            return finished_with_winners(self, state)
        means, spreads = [], []
        for seat, points in enumerate(state.points):
            hoped = evaluate(self.game, state, seat) - points
            means.append(points + hoped + self.later(state, seat).mean)
            is_at_sea = state.phase in IN_TURN and not state.is_home(seat)
            spreads.append(_ROUGH_SPREAD + _ROUGH_SHARE * hoped if is_at_sea else 0.0)
        return Value(
            tuple(means), STEP_ERROR, chances=chances_of(means, self._deviations(state, spreads))
        )

    @functools.cached_property
    def plans(self) -> tuple[Plan, ...]:
        """By seat the plan of its diver: like its agent's, or like that of all agents at the table.

        That an agent plays at random says nothing of people.
        """
        seats = self.game.seats
        known = [plan_of(spec, seats) if spec else None for spec in self.table]
        told = {plan for plan in known if plan is not None and not plan.slip}
        other = told.pop() if len(told) == 1 else tuned_plan(seats)
        known += [None] * (seats - len(known))
        return tuple(plan or other for plan in known)

    def confirm(
        self,
        seen: Seen,
        earlier: Sequence[Seen],
        judged: Judgement[DeepSeaChoice],
        actions: Sequence[DeepSeaChoice],
    ) -> Judgement[DeepSeaChoice]:
        """The same with fresh dice: the largest of many losses is one by luck, too."""
        del earlier
        seat, state = judged.seat, seen.state
        best = self.game.apply(state, {seat: judged.best.action})
        choices = []
        for choice in judged.choices:
            after = self.game.apply(state, {seat: choice.action})
            if choice.action in actions and after.phase in IN_TURN and best.phase in IN_TURN:
                gaps = _gaps(self._fresh(best), self._fresh(after), seat)
                own = judged.best.returns[seat] - math.fsum(gaps) / len(gaps)
                returns = tuple(
                    own if one == seat else value for one, value in enumerate(choice.returns)
                )
                error = math.hypot(_error_of(gaps), MODEL_ERROR)
                choice = replace(choice, returns=returns, loss_error=error)
            choices.append(choice)
        found = ranked(seat, choices, judged.method)
        return replace(found, expected=judged.expected, error=judged.error)

    def _fresh(self, state: DeepSeaState) -> Sequence[Sample]:
        return _play_on(state, self.plans, range(PLAYS, PLAYS + FRESH_PLAYS))

    def is_sole_answer(self, seen: Seen, judged: Judgement[DeepSeaChoice]) -> bool:
        """Whether the answer is the best against divers of many kinds, in points and in wins.

        They are those that `hard` thinks of, and the seat goes on in every way that it tries.
        """
        samples = Samples(self.game, seen, OpponentModel(self.game.seats))
        rng = random.Random(f"puzzle/{seen.seat}")
        for _ in range(SURE_PLAYS):
            samples.add(rng)
        best, *others = samples.best()
        return best.action == judged.best.action and all(
            best.mean > other.mean and _leads(best.worths, other.worths) for other in others
        )

    def outcomes(self, state: DeepSeaState) -> Sequence[tuple[DeepSeaOutcome, float, Value]]:
        return () if state.phase is Phase.DICE else super().outcomes(state)

    def judge_state(self, state: DeepSeaState) -> Judgement[DeepSeaChoice]:
        """The value of each choice; losses are compared playout by playout."""
        seat = state.current
        actions = self.game.legal_actions(state, seat)
        after = [self.game.apply(state, {seat: action}) for action in actions]
        values = [self.value(one) for one in after]
        best = max(range(len(actions)), key=lambda at: values[at].returns[seat])
        choices = [
            Choice(
                action,
                value.returns,
                value.error,
                loss_error=self._difference_error(seat, after[best], one, values[best], value),
                words=self._words(seat, state, one),
            )
            for action, one, value in zip(actions, after, values, strict=True)
        ]
        judgement = ranked(seat, choices, _METHOD)
        plan = self.plans[seat]
        usual = decide(plan, Observation(seat, 0, state, tuple(actions)))
        expected = judgement.of(usual)
        # Who departs from one of two choices as often as not takes each of them half the time.
        slips = 2.0 * (plan.hesitation if usual == RETURN else plan.slip)
        returns = tuple(
            (1.0 - slips) * by_plan + slips * statistics.fmean(by_choice)
            for by_plan, *by_choice in zip(
                expected.returns, *(value.returns for value in values), strict=True
            )
        )
        return Judgement(seat, judgement.choices, returns, _METHOD, expected.error)

    def chance_seat(self, state: DeepSeaState, outcome: DeepSeaOutcome) -> Seat | None:
        return state.current if isinstance(outcome, Dice) else None

    def chance_label(self, outcome: DeepSeaOutcome) -> str:
        if isinstance(outcome, Dice):
            return f"threw {outcome.first} and {outcome.second}"
        return super().chance_label(outcome)

    def moment(self, seen: Seen) -> str:
        return f"round {seen.state.round + 1}, step {seen.ply + 1}"

    def reason(self, seen: Seen, played: DeepSeaChoice, better: DeepSeaChoice) -> Reason:
        state, seat = seen.state, seen.own_seat
        facts = [_situation(state, seat)]
        before, after = (
            self.chance_home(seat, self.game.apply(state, {seat: action}))
            for action in (played, better)
        )
        if before is not None and after is not None:
            facts.append(
                f"back in {percent(after)} of plays after {better}, "
                f"in {percent(before)} of plays after {played}"
            )
        kind = _MISTAKES.get(played) or f"put down {'the wrong chip' if better.id else 'a chip'}"
        return Reason(kind, "; ".join(facts))

    def chance_home(self, seat: Seat, state: DeepSeaState) -> float | None:
        """The fraction of playouts in which a diver comes home; None once the round is over."""
        if state.phase not in IN_TURN:
            return None
        return sum(sample[seat] is not None for sample in self._samples(state)) / PLAYS

    def _words(self, seat: Seat, before: DeepSeaState, after: DeepSeaState) -> str:
        home = self.chance_home(seat, after) if after.round == before.round else None
        return "" if home is None else f"back {percent(home)}"

    def made(self, state: DeepSeaState) -> list[tuple[float, ...]]:
        samples = self._samples(state)
        return [tuple(one or 0.0 for one in made) for made in zip(*samples, strict=True)]

    def _played(self, state: DeepSeaState) -> Value:
        means, ahead, unseen, variances = [], [], [], []
        for seat, made in enumerate(self.made(state)):
            hope = math.fsum(made) / PLAYS
            variances.append(math.fsum((one - hope) ** 2 for one in made) / (PLAYS - 1))
            ahead.append(state.points[seat] + self.later(state, seat).mean)
            means.append(ahead[seat] + hope)
            if state.is_home(seat):
                unseen.append(_HOME_SPREAD**2 * len(state.held[seat]))
            else:
                unseen.append(_UNSEEN * hope if self.plans[seat].hesitation else 0.0)
        error = math.sqrt(max(variances) / PLAYS)
        return Value(tuple(means), error, chances=self._counted(state, ahead, unseen))

    def _counted(
        self, state: DeepSeaState, ahead: Sequence[float], unseen: Sequence[float]
    ) -> tuple[float, ...]:
        """The probabilities of having the most points at the end, by counting playouts.

        Divers at sea drown together or not at all, so that their points are no independent normal
        variables. What a playout doesn't show, ``unseen`` in variance, is drawn `DRAWS` times.
        """
        wins = [1 / len(ahead)] * len(ahead)  # a draw more, so that nothing is certain
        deviations = self._deviations(state, unseen)
        for number, brought in enumerate(zip(*self.made(state), strict=True)):
            points = list(map(add, ahead, brought))
            for draw in _deviates(number, len(points)):
                ends = list(map(add, points, map(mul, deviations, draw)))
                wins[ends.index(max(ends))] += 1
        total = PLAYS * DRAWS + 1
        return tuple(won / total for won in wins)

    def _tallied(self, state: DeepSeaState) -> Value:
        worth = chip_worths(state.ledger.revealed)
        means = [
            points
            + self.later(state, seat).mean
            + (sum(worth[chip] for chip in held) if state.is_home(seat) else 0.0)
            for seat, (points, held) in enumerate(zip(state.points, state.held, strict=True))
        ]
        spreads = [_HOME_SPREAD**2 * len(held) for held in state.held]
        is_last = state.round + 1 >= self.game.rounds
        return Value(
            tuple(means),
            0.0 if is_last else STEP_ERROR,
            chances=chances_of(means, self._deviations(state, spreads)),
        )

    def _deviations(self, state: DeepSeaState, spreads: Sequence[float]) -> list[float]:
        return [
            math.sqrt(spread + _HOME_SPREAD**2 / 4 + self.later(state, seat).variance)
            for seat, spread in enumerate(spreads)
        ]

    def later(self, state: DeepSeaState, seat: Seat) -> RoundPoints:
        """The points of a seat in all rounds to come, taken to be independent."""
        coming = _rounds(self.game, self.plans)[self.plans[seat]][state.round + 1 :]
        return RoundPoints(
            math.fsum(one.mean for one in coming), math.fsum(one.variance for one in coming)
        )

    def _samples(self, state: DeepSeaState) -> Sequence[Sample]:
        return self.recall("plays", state, lambda: _play_on(state, self.plans), 512)

    def _difference_error(
        self, seat: Seat, one: DeepSeaState, other: DeepSeaState, best: Value, value: Value
    ) -> float:
        if one is other:
            return 0.0
        if one.phase not in IN_TURN or other.phase not in IN_TURN or one.round != other.round:
            return math.hypot(best.error, value.error)
        gaps = _gaps(self._samples(one), self._samples(other), seat)
        return math.hypot(_error_of(gaps), MODEL_ERROR)


def _leads(one: Sequence[float], other: Sequence[float]) -> bool:
    gaps = [first - second for first, second in zip(one, other, strict=True)]
    return math.fsum(gaps) / len(gaps) > _SURE * _error_of(gaps)


def plan_of(spec: str, seats: int) -> Plan | None:
    """The plan of a diver by its specification; None for people and unknown agents."""
    name, options = split_agent(resolve_level(spec, GAME))
    name = GAME.present_agent_name(name)
    if name == "risk":
        return tuned_plan(seats).reckless(float(options.get("care", options.get("", "1"))))
    return plan_like(name, seats)


@functools.cache
def _rounds(game: DeepSea, plans: tuple[Plan, ...]) -> Mapping[Plan, Sequence[RoundPoints]]:
    fresh = game.initial_state()
    made = {plan: [list[float]() for _ in range(game.rounds)] for plan in plans}
    chips = {plan: [0] * game.rounds for plan in plans}
    for number in range(PLAYS):
        state = fresh._replace(phase=Phase.DICE, current=number % len(plans))
        for round in range(game.rounds):
            luck = _luck(_LATER + number * game.rounds + round, len(plans))
            sea = Continuation(state).finish(plans, *luck)
            for seat, plan in enumerate(plans):
                brought = sea.brought(seat)
                made[plan][round].append(brought or 0.0)
                chips[plan][round] += 0 if brought is None else sea.loads[seat]
            trail = bytes(sea.trail).replace(bytes([BLANK]), bytes([GONE]))
            state = state._replace(trail=trail)
    return {
        plan: [
            RoundPoints(
                statistics.fmean(one),
                statistics.variance(one) + _HOME_SPREAD**2 * brought / len(one),
            )
            for one, brought in zip(rounds, chips[plan], strict=True)
        ]
        for plan, rounds in made.items()
    }


def _error_of(numbers: Sequence[float]) -> float:
    return statistics.stdev(numbers) / math.sqrt(len(numbers))


def _play_on(
    state: DeepSeaState, plans: Sequence[Plan], numbers: range = range(PLAYS)
) -> Sequence[Sample]:
    start = Continuation(state)
    ends = (start.finish(plans, *_luck(number, len(plans))) for number in numbers)
    return [tuple(map(sea.brought, range(len(plans)))) for sea in ends]


def _gaps(one: Sequence[Sample], other: Sequence[Sample], seat: Seat) -> list[float]:
    pairs = zip(one, other, strict=True)
    return [(first[seat] or 0.0) - (second[seat] or 0.0) for first, second in pairs]


@functools.cache
def _luck(number: int, seats: int) -> tuple[tuple[int, ...], tuple[float, ...]]:
    rng = random.Random(f"review/{number}")
    dice = tuple(rng.choice(FACES) + rng.choice(FACES) for _ in range(STREAM * seats))
    return dice, tuple(rng.random() for _ in dice)


@functools.cache
def _deviates(number: int, seats: int) -> tuple[tuple[float, ...], ...]:
    rng = random.Random(f"chances/{number}")
    return tuple(tuple(rng.gauss(0, 1) for _ in range(seats)) for _ in range(DRAWS))
