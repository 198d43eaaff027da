"""Measures the speed of rules, matches and agents."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from boardgames_cli.agents.random import RandomAgent
from boardgames_cli.agents.remote.seating import prepare, seat_agent
from boardgames_cli.core.game import CHANCE, AnyGame
from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.tournament.players import seat

_MOST_PLIES: Final = 300
"""Games between agents are truncated, because the first part of a game is sufficient."""


@dataclass(frozen=True, slots=True)
class Speed:
    """The amount of work in some seconds of processor time or, for agents, of real time."""

    seconds: float
    games: int
    decisions: int = 0
    """The number of decisions; 0 if not counted."""

    @property
    def games_a_second(self) -> float:
        """Games per second."""
        return self.games / self.seconds

    @property
    def decisions_a_second(self) -> float | None:
        """Decisions per second, if counted."""
        return self.decisions / self.seconds if self.decisions else None


def repeat(
    play_one: Callable[[int], object],
    seconds: float,
    clock: Callable[[], float] = time.process_time,
) -> Speed:
    """Play games, by their numbers from 0, until some seconds have passed; at least one."""
    started, played, taken = clock(), 0, 0.0
    while taken <= seconds:
        play_one(played)
        played += 1
        taken = clock() - started
    return Speed(taken, played)


def rules_speed(game: AnyGame, seconds: float) -> Speed:
    """Random games by the tightest loop that plays the rules."""
    rng = random.Random(1)

    def play_one(_: int) -> None:
        state = game.initial_state()
        while seats := game.to_act(state):
            if seats[0] == CHANCE:
                state = game.apply_chance(state, game.sample_chance(state, rng))
            else:
                joint = {seat: rng.choice(game.legal_actions(state, seat)) for seat in seats}
                state = game.apply(state, joint)
        game.returns(state)

    return repeat(play_one, seconds)


def match_speed(game: AnyGame, seconds: float) -> Speed:
    """The same through `Match` and `play`: checked and reproducible."""
    agents: list[RandomAgent[Any, Any]] = [RandomAgent() for _ in range(game.seats)]
    return repeat(lambda number: play(Match(game, seed=number), agents), seconds)


def agent_speed(agent: str, game: AnyGame, seconds: float) -> Speed:
    """The speed of an agent's decisions in self-play, without the time of the rules.

    The seconds include those of the rules.

    Raises:
        GameError: It can't play.
    """
    contenders = [seat(seat_agent(agent, game, 0), agent) for _ in range(game.seats)]
    decisions, thought = 0, 0.0

    def play_one(number: int) -> None:
        nonlocal decisions, thought
        for contender in contenders:
            contender.begin()
        match: AnyMatch = Match(game, seed=number, max_plies=_MOST_PLIES)
        play(match, contenders)
        decisions += sum(contender.decisions for contender in contenders)
        thought += sum(contender.seconds for contender in contenders)

    try:
        prepare([contender.agent for contender in contenders])
        played = repeat(play_one, seconds, time.perf_counter)
    finally:
        for contender in contenders:
            contender.close()
    return Speed(max(thought, 1e-9), played.games, decisions)
