"""Laws of agents: legal, deterministic, interruptible, and based on observations only."""

from __future__ import annotations

import itertools
import math
import random
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from boardgames_cli.core.agent import Agent, Budget, EvaluatesActions, Thinking
from boardgames_cli.core.game import CHANCE, AnyGame, Observation, Seat
from boardgames_cli.core.match import AnyMatch, Match, seat_stream
from boardgames_cli.testing.findings import BrokenLaw, demand
from boardgames_cli.testing.scene import one_step, pickled_copy


@dataclass(frozen=True, slots=True)
class Trial:
    """An agent and a game to check it with."""

    make: Callable[[], Agent[Any, Any]]
    """Returns the agent; always the same one, or a new one each time."""
    game: AnyGame
    seed: int
    plies: int
    """The number of plies to play."""
    budget: Budget
    patience: float
    """The time in seconds that a cancelled agent may take to answer."""
    played: dict[Seat, tuple[list[Answered], list[Answered]]] = field(default_factory=dict)
    """What it decided at each seat in two games of the same seed, one right after the other."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What an agent answered to what it saw, and how it changed what is not its own."""

    seen: Observation[Any, Any]
    answer: Any
    harm: str


def says_what_it_can_play(trial: Trial) -> None:
    """The answer of supports is None for a game it can play, otherwise the reason."""
    agent = trial.make()
    reasons = agent.supports(trial.game), agent.supports(trial.game)
    demand(
        reasons[0] is None or (isinstance(reasons[0], str) and bool(reasons[0])),
        f"supports gave {reasons[0]!r}",
        "Give None, or the reason as a text.",
    )
    demand(reasons[0] == reasons[1], f"supports gave {reasons}", "Give the same answer always.")


def answers_legally(trial: Trial) -> None:
    """At every seat each answer is one of seen.legal."""
    for seat in range(trial.game.seats):
        for at in _twice(trial, seat)[0]:
            demand(
                at.answer in at.seen.legal,
                f"at ply {at.seen.ply} seat {seat} answered {at.answer}; "
                f"legal: {[str(action) for action in at.seen.legal[:12]]}",
                "Choose from seen.legal.",
            )


def answers_the_same_again(trial: Trial) -> None:
    """After a reset, the same observations and the same generator give the same answers."""
    for seat in range(trial.game.seats):
        first, second = (
            [(at.seen.ply, at.answer) for at in decisions] for decisions in _twice(trial, seat)
        )
        different = next(
            (pair for pair in zip(first, second, strict=False) if pair[0] != pair[1]), None
        )
        demand(
            different is None,
            f"seat {seat} answered (ply, action) {different}",
            "Draw from thinking.rng only, and forget everything in reset.",
        )


def leaves_the_world_alone(trial: Trial) -> None:
    """Thinking changes neither the observation nor the global random generator."""
    for seat in range(trial.game.seats):
        for at in itertools.chain(*_twice(trial, seat)):
            todo = "Never change an observation, and draw from thinking.rng only."
            demand(not at.harm, f"{at.harm} at ply {at.seen.ply}", todo)


def stops_when_cancelled(trial: Trial) -> None:
    """A cancelled agent, or one without time or nodes, still answers legally and promptly."""
    limits = (
        ("cancelled", Budget(), True),
        ("given 0 seconds", Budget(seconds=0.0), False),
        ("given 0 nodes", Budget(nodes=0), False),
    )
    for name, budget, is_cancelled in limits:
        agent = trial.make()
        seen = _first_decision(trial, agent)
        thinking = Thinking(random.Random(trial.seed), budget, partial(bool, is_cancelled))
        answer = _in_time(partial(agent.act, seen, thinking), trial.patience, name)
        demand(
            answer in seen.legal,
            f"when {name} it answered {answer}",
            "Keep the best action found so far; begin with any legal one.",
        )


def _first_decision(trial: Trial, agent: Agent[Any, Any]) -> Observation[Any, Any]:
    match: AnyMatch = Match(trial.game, seed=trial.seed)
    seats = match.waiting_for
    while seats == (CHANCE,):
        one_step(match)
        seats = match.waiting_for
    demand(bool(seats), "nobody ever acts in this game", "Try another seed.")
    agent.reset(trial.game, seats[0])
    for ply in range(match.ply + 1):
        agent.watch(match.observe(seats[0], ply))
    return match.observe(seats[0])


def _in_time(act: Callable[[], Any], patience: float, name: str) -> Any:
    results: list[Any] = []

    def run() -> None:
        try:
            results.append((act(), None))
        except Exception as error:
            results.append((None, error))

    # A daemon, so that a hanging agent can't keep the tests from ending.
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(patience)
    if not results:
        raise BrokenLaw(
            f"when {name} it did not answer within {patience:g} s",
            "Ask thinking.should_stop(nodes) in every loop.",
        )
    answer, error = results[0]
    if error is not None:
        raise error
    return answer


def values_every_action(trial: Trial) -> None:
    """evaluate_actions, where there is one, gives a finite number for each legal action."""
    agent = trial.make()
    if not isinstance(agent, EvaluatesActions):
        return
    seen = _first_decision(trial, agent)
    values = agent.evaluate_actions(seen, Thinking(random.Random(trial.seed), trial.budget))
    demand(
        set(values) == set(seen.legal) and all(math.isfinite(value) for value in values.values()),
        f"the values are {dict(values)!r} for {seen.legal}",
        "Value all of seen.legal and nothing else.",
    )


def _twice(trial: Trial, seat: Seat) -> tuple[list[Answered], list[Answered]]:
    """What the agent decides at one seat against random agents; played for all laws once."""
    if seat not in trial.played:
        trial.played[seat] = list(_play(trial, seat)), list(_play(trial, seat))
    return trial.played[seat]


def _play(trial: Trial, seat: Seat) -> Iterator[Answered]:
    match: AnyMatch = Match(trial.game, seed=trial.seed, max_plies=trial.plies)
    state, agent = random.getstate(), trial.make()
    agent.reset(trial.game, seat)
    agent.watch(match.observe(seat))
    while match.waiting_for:
        if seat in match.waiting_for:
            # Copies: an agent must not rely on the identity of the match's own objects.
            before, seen = (pickled_copy(match.observe(seat)) for _ in range(2))
            answer = agent.act(seen, Thinking(match.rng(seat_stream(seat)), trial.budget))
            harm = "" if random.getstate() == state else "the global generator was used"
            yield Answered(before, answer, harm if seen == before else "the observation changed")
            if answer not in before.legal:
                return
            match.submit(seat, answer)
        if match.waiting_for:
            one_step(match)
        agent.watch(match.observe(seat))
