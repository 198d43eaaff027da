"""How fast a game, a match, and agents are on this machine."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from boardgames_cli.agents.processes import prepare, seat_agent
from boardgames_cli.agents.random import RandomAgent
from boardgames_cli.core.game import CHANCE, AnyGame
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.play import play
from boardgames_cli.tournament.contender import seat

_MOST_PLIES: Final = 300
"""Games between agents are cut short: the beginning and the middle of a game tell enough."""


@dataclass(frozen=True, slots=True)
class Speed:
    """What was done in some seconds of processor or, for agents, of real time."""

    seconds: float
    games: int
    decisions: int = 0
    """How many actions an agent was asked for; 0 if nobody counted."""

    @property
    def games_a_second(self) -> float:
        """Games a second."""
        return self.games / self.seconds

    @property
    def decisions_a_second(self) -> float | None:
        """Decisions a second, if they were counted."""
        return self.decisions / self.seconds if self.decisions else None


def repeat(
    play_one: Callable[[int], object],
    seconds: float,
    clock: Callable[[], float] = time.process_time,
) -> Speed:
    """Play game after game until so many seconds have passed.

    Args:
        play_one: Plays the game of a number, which is counted from 0.
        seconds: How long; at least one game is played.
        clock: What measures the time.
    """
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
    """The same through `Match` and `play`: checked, and repeatable from a seed."""
    agents: list[RandomAgent[Any, Any]] = [RandomAgent() for _ in range(game.seats)]
    return repeat(lambda number: play(Match(game, seed=number), agents), seconds)


def agent_speed(agent: str, game: AnyGame, seconds: float) -> Speed:
    """Decisions of an agent that plays on all seats; what the rules take is left out.

    Args:
        agent: Its specification.
        game: What it plays.
        seconds: How long, for all of the game.

    Raises:
        GameError: It can't play.
    """
    contenders = [seat(seat_agent(agent, game, 0), agent) for _ in range(game.seats)]
    decisions, thought = 0, 0.0

    def play_one(number: int) -> None:
        nonlocal decisions, thought
        for contender in contenders:
            contender.begin(number)
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
