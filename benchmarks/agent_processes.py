"""What it costs that an agent of another package runs in a process of its own.

    python benchmarks/agent_processes.py --decisions 500

For each game: the start of the process, and one decision of the agent `random` there and here,
both on the same position. Games take turns with themselves only: all numbers are of one process.
"""

from __future__ import annotations

import random
import statistics
import time
from typing import Any

from arguments import Parser, run_main

from boardgames_cli.agents.process_agent import ProcessAgent
from boardgames_cli.core.agent import Agent, Budget, Thinking
from boardgames_cli.core.game import CHANCE
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.registry import game_ids, make, make_agent

LIMIT = Budget(seconds=2.0)


def decision_times(agent: Agent[Any, Any], match: AnyMatch, decisions: int) -> list[float]:
    """Microseconds of single decisions, all in the same position."""
    (seat, *_) = match.waiting_for
    agent.reset(match.game, seat)
    seen, rng = match.observe(seat), random.Random(1)
    times = []
    for _ in range(decisions):
        start = time.perf_counter()
        agent.act(seen, Thinking(rng, LIMIT))
        times.append((time.perf_counter() - start) * 1e6)
    return sorted(times)


def main() -> None:
    """Print the table."""
    parser = Parser(__doc__)
    parser.add_count("--decisions", 500, "decisions of each agent in each game")
    decisions = parser.parse_args().decisions
    print(f"{'game':12}{'start ms':>10}{'here us':>10}{'there us':>10}{'99 % us':>10}")
    for id in game_ids():
        game = make(id)
        match: AnyMatch = Match(game, seed=1)
        while match.waiting_for == (CHANCE,):
            match.resolve_chance()
        agent = ProcessAgent("random", game)
        try:
            start = time.perf_counter()
            agent.prepare(60.0)
            started = (time.perf_counter() - start) * 1000
            there = decision_times(agent, match, decisions)
        finally:
            agent.close()
        here = decision_times(make_agent("random", game), match, decisions)
        print(
            f"{id:12}{started:10.0f}{statistics.median(here):10.1f}"
            f"{statistics.median(there):10.1f}{there[len(there) * 99 // 100]:10.1f}"
        )


if __name__ == "__main__":
    run_main(main)
