"""How strong one agent is against another, over many seeded games.

Agent A sits in every seat equally often, B in all others::

    python benchmarks/agent_strength.py senet expectimax:depth=2 random --set rules=skyruk
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

from arguments import Parser, chosen_settings, count, run_main

from boardgames_cli import registry
from boardgames_cli.core.agent import Agent, Budget, Thinking
from boardgames_cli.core.game import AnyGame, Observation, Seat
from boardgames_cli.core.match import Match
from boardgames_cli.core.play import play

CONFIDENCE = 1.959964
"""Standard deviations on each side of a 95 % interval."""


@dataclass(frozen=True)
class Pairing:
    """What is played: all that a worker process needs."""

    game: str
    options: dict[str, str]
    agent: str
    opponent: str
    seed: int
    max_plies: int
    budget: Budget


@dataclass(frozen=True)
class Outcome:
    """One game from agent A's side."""

    score: float
    """1 won, 0.5 shared or unfinished, 0 lost."""
    value: float
    """A's return."""
    decisions: int
    seconds: float
    slowest: float


class Timed(Agent[Any, Any]):
    """An agent with a stop-watch, which runs only when there is something to choose."""

    def __init__(self, agent: Agent[Any, Any]) -> None:
        self.agent = agent
        self.times: list[float] = []

    def reset(self, game: AnyGame, seat: Seat) -> None:
        """Passed on."""
        self.agent.reset(game, seat)

    def watch(self, seen: Observation[Any, Any]) -> None:
        """Passed on."""
        self.agent.watch(seen)

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        """Passed on and timed."""
        started = time.perf_counter()
        action = self.agent.act(seen, thinking)
        if len(seen.legal) > 1:
            self.times.append(time.perf_counter() - started)
        return action


def play_one(pairing: Pairing, number: int) -> Outcome:
    """Play game number ``number`` of a pairing; it depends on nothing but the arguments."""
    game = registry.make(pairing.game, **pairing.options)
    seat = number % game.seats
    timed = Timed(registry.make_agent(pairing.agent, game))
    agents = [
        timed if other == seat else registry.make_agent(pairing.opponent, game)
        for other in range(game.seats)
    ]
    match = Match(game, seed=pairing.seed + number // game.seats, max_plies=pairing.max_plies)
    returns = play(match, agents, pairing.budget)
    best_other = max(value for other, value in enumerate(returns) if other != seat)
    difference = returns[seat] - best_other
    score = 0.5 if match.truncated or not difference else float(difference > 0)
    return Outcome(
        score, returns[seat], len(timed.times), sum(timed.times), max(timed.times, default=0.0)
    )


def wilson(share: float, trials: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson, 1927); with shared games a little too wide."""
    if not trials:
        return (0.0, 1.0)
    squared = CONFIDENCE**2
    centre = (share + squared / (2 * trials)) / (1 + squared / trials)
    spread = math.sqrt(share * (1 - share) / trials + squared / (4 * trials**2))
    half = CONFIDENCE * spread / (1 + squared / trials)
    return (max(0.0, centre - half), min(1.0, centre + half))


def play_all(pairing: Pairing, games: int, jobs: int) -> Iterator[Outcome]:
    """All games of a pairing, in order."""
    if jobs == 1:
        yield from (play_one(pairing, number) for number in range(games))
        return
    with ProcessPoolExecutor(jobs) as redact_for_all:
        yield from redact_for_all.map(play_one, [pairing] * games, range(games), chunksize=16)


def summary(pairing: Pairing, outcomes: list[Outcome]) -> str:
    """One line for people."""
    games = len(outcomes)
    share = sum(outcome.score for outcome in outcomes) / games
    low, high = wilson(share, games)
    shared = sum(outcome.score == 0.5 for outcome in outcomes)
    decisions = max(1, sum(outcome.decisions for outcome in outcomes))
    mean = sum(outcome.seconds for outcome in outcomes) / decisions
    slowest = max(outcome.slowest for outcome in outcomes)
    value = sum(outcome.value for outcome in outcomes) / games
    options = ",".join(f"{key}={text}" for key, text in pairing.options.items())
    return (
        f"{pairing.game} {options}  {pairing.agent} against {pairing.opponent}: "
        f"{share:.1%} ({low:.1%} to {high:.1%}) of {games:,} games, {shared} shared, "
        f"mean return {value:+.3f}; "
        f"{1000 * mean:.2f} ms a decision, slowest {1000 * slowest:.0f} ms"
    )


def main() -> None:
    """Read the arguments, play, print."""
    parser = Parser(__doc__)
    parser.add_argument("game", help="the id of a game, such as senet")
    parser.add_argument("agent", help="agent A, such as expectimax:depth=2")
    parser.add_argument("opponent", help="agent B, in all other seats")
    parser.add_count("--games", 2000, "games to play")
    parser.add_seed()
    parser.add_settings()
    parser.add_seconds("--seconds", None, "time limit of every decision")
    parser.add_argument("--nodes", type=count, help="node limit of every decision")
    parser.add_count("--max-plies", 5000, "longer games are shared")
    parser.add_count("--jobs", 1, "processes")
    given = parser.parse_args()
    pairing = Pairing(
        given.game,
        chosen_settings(given.set),
        given.agent,
        given.opponent,
        given.seed,
        given.max_plies,
        Budget(given.seconds, given.nodes),
    )
    print(summary(pairing, list(play_all(pairing, given.games, given.jobs))))


if __name__ == "__main__":
    run_main(main)
