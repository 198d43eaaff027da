"""Laws of agents: legal, deterministic, interruptible, and based on observations only."""

from __future__ import annotations

import itertools
import math
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from boardgames_cli.core.agent import GRACE_SECONDS, Agent, Budget, EvaluatesActions, Thinking
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import CHANCE, AnyGame, Observation, Seat
from boardgames_cli.core.match import AnyMatch, Match, announce_end, seat_stream
from boardgames_cli.testing.findings import BrokenLaw, demand
from boardgames_cli.testing.scene import one_step, pickled_copy

_COMPARED: Final = 30
"""Decisions to compare at least."""
_MORE_SEEDS: Final = 30
_A_WHILE: Final = 8
_MOST_GROWTH: Final = 64 << 20
"""The allowed growth in memory from the first game to the last, in bytes."""


@dataclass(frozen=True, slots=True)
class Trial:
    """An agent and a game to check it with."""

    make: Callable[[], Agent[Any, Any]]
    """Returns the agent; always the same one, or a new one each time."""
    game: AnyGame
    seeds: Sequence[int]
    """One game of each is played at every seat."""
    plies: int
    budget: Budget
    patience: float
    """The time in seconds that a cancelled agent may take to answer."""
    memory: Callable[[], int] = lambda: 0
    """Its memory use in bytes, 0 if unknown."""
    played: dict[tuple[int, Seat], tuple[list[Answered], list[Answered]]] = field(
        default_factory=dict
    )
    """What it decided in two games of a seed at a seat, one right after the other."""
    used: list[int] = field(default_factory=list)
    """The memory after each game, where it is known."""

    @property
    def games(self) -> Iterator[tuple[int, Seat]]:
        """The seed and the agent's seat of each game."""
        return itertools.product(self.seeds, range(self.game.seats))

    @property
    def times(self) -> list[float]:
        """The seconds of all decisions so far."""
        return [at.seconds for games in self.played.values() for at in itertools.chain(*games)]

    def seat_agent(self, match: AnyMatch, seat: Seat) -> Agent[Any, Any]:
        """The agent, reset for a match, when it has seen what happened so far."""
        agent = self.make()
        agent.reset(self.game, seat)
        for ply in range(match.ply + 1):
            agent.watch(match.observe(seat, ply))
        return agent


@dataclass(frozen=True, slots=True)
class Answered:
    """What an agent answered to what it saw, and how it changed what is not its own."""

    seen: Observation[Any, Any]
    answer: Any
    harm: str
    seconds: float


def says_what_it_can_play(trial: Trial) -> None:
    """The answer of supports is None for a game it can play, otherwise the reason."""
    agent = trial.make()
    reasons = agent.supports(trial.game), agent.supports(trial.game)
    demand(
        reasons[0] == reasons[1]
        and (reasons[0] is None or (isinstance(reasons[0], str) and bool(reasons[0]))),
        f"supports gave {reasons[0]!r} and {reasons[1]!r}",
        "Give None, or the reason as a text, and always the same.",
    )


def answers_legally(trial: Trial) -> None:
    """At every seat each answer is one of seen.legal."""
    for seed, seat in trial.games:
        for at in _twice(trial, seed, seat)[0]:
            demand(
                at.answer in at.seen.legal,
                f"at ply {at.seen.ply} of seed {seed} seat {seat} answered {at.answer}; "
                f"legal: {[str(action) for action in at.seen.legal[:12]]}",
                "Choose from seen.legal.",
            )


def answers_the_same_again(trial: Trial) -> None:
    """After a reset, the same observations and the same generator give the same answers.

    Draw from thinking.rng only, and forget everything in reset.
    """
    # In a short game a toss of a coin may repeat by chance.
    compared, last = 0, max(trial.seeds)
    more = itertools.product(range(last + 1, last + _MORE_SEEDS), range(trial.game.seats))
    for seed, seat in itertools.chain(trial.games, more):
        if seed > last and compared >= _COMPARED:
            return
        first, second = (
            [(at.seen.ply, at.answer) for at in decisions]
            for decisions in _twice(trial, seed, seat)
        )
        compared += len(first)
        different = next(
            (pair for pair in zip(first, second, strict=False) if pair[0] != pair[1]), None
        )
        demand(
            different is None,
            f"with seed {seed} seat {seat} answered (ply, action) {different}",
        )


def leaves_the_world_alone(trial: Trial) -> None:
    """Thinking changes neither the observation nor the global random generator.

    Draw from thinking.rng only.
    """
    for seed, seat in trial.games:
        for at in itertools.chain(*_twice(trial, seed, seat)):
            demand(not at.harm, f"{at.harm} at ply {at.seen.ply}")


def stops_when_cancelled(trial: Trial) -> None:
    """A cancelled agent, or one without time or nodes, still answers legally and promptly.

    Ask thinking.should_stop(nodes) in every loop, and keep the best action found so far; begin with
    any legal one.
    """
    limits = (
        ("cancelled", Budget(), True),
        ("given 0 seconds", Budget(seconds=0.0), False),
        ("given 0 nodes", Budget(nodes=0), False),
    )
    for name, budget, is_cancelled in limits:
        agent, seen = _first_decision(trial)
        thinking = Thinking(random.Random(trial.seeds[0]), budget, partial(bool, is_cancelled))
        answer = _in_time(partial(agent.act, seen, thinking), trial.patience, name)
        demand(answer in seen.legal, f"when {name} it answered {answer}")


def _first_decision(trial: Trial) -> tuple[Agent[Any, Any], Observation[Any, Any]]:
    match: AnyMatch = Match(trial.game, seed=trial.seeds[0])
    while match.waiting_for == (CHANCE,):
        one_step(match)
    demand(bool(match.waiting_for), "nobody ever acts in this game", "Try another seed.")
    seat = match.waiting_for[0]
    return trial.seat_agent(match, seat), match.observe(seat)


def _in_time(act: Callable[[], Any], patience: float, name: str) -> Any:
    answered: Future[Any] = Future()

    def run() -> None:
        try:
            answered.set_result(act())
        except Exception as error:
            answered.set_exception(error)

    # A daemon, so that a hanging agent can't keep the tests from ending.
    threading.Thread(target=run, daemon=True).start()
    demand(
        bool(wait([answered], patience).done),
        f"when {name} it did not answer within {patience:g} s",
    )
    return answered.result()


def values_every_action(trial: Trial) -> None:
    """evaluate_actions, where there is one, gives a finite number for each legal action."""
    agent, seen = _first_decision(trial)
    if not isinstance(agent, EvaluatesActions):
        return
    values = agent.evaluate_actions(seen, Thinking(random.Random(trial.seeds[0]), trial.budget))
    demand(
        set(values) == set(seen.legal) and all(math.isfinite(value) for value in values.values()),
        f"the values are {dict(values)!r} for {seen.legal}",
    )


def answers_in_time(trial: Trial) -> None:
    """No decision takes longer than its limit."""
    limit, times = trial.budget.seconds, trial.times
    late = [seconds for seconds in times if limit is not None and seconds > limit]
    demand(
        not late,
        f"{len(late)} of {len(times)} answers came late, one after {max(late, default=0):.2f} s",
        "Ask thinking.should_stop(nodes) in every loop, or watch the clock.",
    )


def goes_on_wherever_the_match_does(trial: Trial) -> None:
    """It plays on after an undo, from a position, and in a new game after one that was left."""
    seed, game = trial.seeds[0], trial.game
    match: AnyMatch = Match(game, seed=seed)
    taken = [*_play(trial, match, 0, _A_WHILE)]
    for _ in range(match.ply // 2):
        match.undo()
    middle = Match(game, seed=seed, start=match.state)
    for name, one, seat in (
        ("after an undo", match, 0),
        ("from a position", middle, 0),
        ("in a game after one that was left", Match(game, seed=seed), game.seats - 1),
    ):
        try:
            taken = [*_play(trial, one, seat, one.ply + _A_WHILE)]
        except GameError as error:
            raise BrokenLaw(f"{name}: {error}", error.todo) from error
        illegal = [str(at.answer) for at in taken if at.answer not in at.seen.legal]
        demand(not illegal, f"{name} it answered {illegal}", "Forget everything in reset.")


def keeps_its_memory(trial: Trial) -> None:
    """The memory that it uses does not grow from game to game."""
    first, last = (trial.used[at] if trial.used else 0 for at in (0, -1))
    demand(
        last - first <= _MOST_GROWTH,
        f"it grows: {last / 1e6:.0f} MB after the last game, {first / 1e6:.0f} MB after one",
        "Forget earlier games when a new one begins.",
    )


def _twice(trial: Trial, seed: int, seat: Seat) -> tuple[list[Answered], list[Answered]]:
    if (seed, seat) not in trial.played:
        first, second = (
            list(_play(trial, Match(trial.game, seed=seed, max_plies=trial.plies), seat))
            for _ in range(2)
        )
        trial.played[seed, seat] = first, second
        trial.used.extend(filter(None, [trial.memory()]))
    return trial.played[seed, seat]


def _play(
    trial: Trial, match: AnyMatch, seat: Seat, until: int | None = None
) -> Iterator[Answered]:
    state, agent = random.getstate(), trial.seat_agent(match, seat)
    while match.waiting_for and (until is None or match.ply < until):
        if seat in match.waiting_for:
            # Copies: an agent must not rely on the identity of the match's own objects.
            before, seen = (pickled_copy(match.observe(seat)) for _ in range(2))
            thinking = Thinking(match.rng(seat_stream(seat)), trial.budget)
            answer = agent.act(seen, thinking)
            seconds, limit = thinking.elapsed, trial.budget.seconds
            harm = "" if random.getstate() == state else "the global generator was used"
            harm = harm if seen == before else "the observation changed"
            yield Answered(before, answer, harm, seconds)
            is_late = limit is not None and seconds > limit + GRACE_SECONDS
            if answer not in before.legal or is_late:
                return
            match.submit(seat, answer)
        if match.waiting_for:
            one_step(match)
        agent.watch(match.observe(seat))
    if match.is_over:
        announce_end(match, [agent])
