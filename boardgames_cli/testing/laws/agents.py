"""Laws of agents: legal, deterministic, interruptible, and based on observations only."""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
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
        for seen, answer in _decisions(trial, seat):
            demand(
                answer in seen.legal,
                f"at ply {seen.ply} seat {seat} answered {answer}; "
                f"legal: {[str(action) for action in seen.legal[:12]]}",
                "Choose from seen.legal.",
            )


def answers_the_same_again(trial: Trial) -> None:
    """After a reset, the same observations and the same generator give the same answers."""
    for seat in range(trial.game.seats):
        first, second = (
            [(seen.ply, answer) for seen, answer in _decisions(trial, seat)] for _ in range(2)
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
        state = random.getstate()
        for seen, _ in _decisions(trial, seat, check=_unchanged):
            demand(
                random.getstate() == state,
                f"the global generator was used at ply {seen.ply}",
                "Draw from thinking.rng only.",
            )


def _unchanged(seen: Observation[Any, Any], act: Callable[[], Any]) -> Any:
    before = pickled_copy(seen)
    answer = act()
    demand(seen == before, f"the observation of ply {seen.ply} was changed", "Never change it.")
    return answer


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


def _decisions(
    trial: Trial,
    seat: Seat,
    check: Callable[[Observation[Any, Any], Callable[[], Any]], Any] | None = None,
) -> Iterator[tuple[Observation[Any, Any], Any]]:
    """Let the agent play one seat against random agents; yield its observations and answers."""
    match: AnyMatch = Match(trial.game, seed=trial.seed, max_plies=trial.plies)
    agent = trial.make()
    agent.reset(trial.game, seat)
    agent.watch(match.observe(seat))
    while match.waiting_for:
        if seat in match.waiting_for:
            # A copy: an agent must not rely on the identity of the match's own objects.
            seen = pickled_copy(match.observe(seat))
            thinking = Thinking(match.rng(seat_stream(seat)), trial.budget)
            act = partial(agent.act, seen, thinking)
            answer = act() if check is None else check(seen, act)
            yield seen, answer
            match.submit(seat, answer)
        if match.waiting_for:
            one_step(match)
        agent.watch(match.observe(seat))
