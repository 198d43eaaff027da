"""What it costs that an agent runs in a process of its own.

    python lab/agent_processes.py --decisions 500

For each game: the start of the process, and one decision of the agent `random` here, there (as an
agent of another package runs) and through the pipe (as a program in Python, `cmd:`, which plays at
random too), all on the same position.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from arguments import Parser, run_main

from boardgames_cli.agents.remote.program import ExternalAgent, PluginAgent
from boardgames_cli.core.agent import Agent, Budget, Thinking
from boardgames_cli.core.game import CHANCE
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.registry import game_ids, make, make_agent

PROGRAM = Path(__file__).parents[1] / "examples" / "agents" / "python_agent.py"
LIMIT = Budget(seconds=2.0)


def decision_times(agent: Agent[Any, Any], match: AnyMatch, decisions: int) -> list[float]:
    """Microseconds of single decisions, all in the same position."""
    (seat, *_) = match.waiting_for
    agent.reset(match.game, seat)
    seen, rng = match.observe(seat), random.Random(1)
    times = []
    for number in range(decisions):
        new = seen._replace(ply=seen.ply + number)  # what was sent already is not sent again
        start = time.perf_counter()
        agent.act(new, Thinking(rng, LIMIT))
        times.append((time.perf_counter() - start) * 1e6)
    return sorted(times)


def main() -> None:
    """Print the table."""
    parser = Parser(__doc__)
    parser.add_count("--decisions", 500, "decisions of each agent in each game")
    decisions = parser.parse_args().decisions
    names = ("start ms", "here us", "there us", "99 % us", "pipe us", "99 % us")
    print(f"{'game':12}" + "".join(f"{name:>10}" for name in names))
    for id in game_ids():
        game = make(id)
        match: AnyMatch = Match(game, seed=1)
        while match.waiting_for == (CHANCE,):
            match.resolve_chance()
        agent = PluginAgent("random", game)
        try:
            start = time.perf_counter()
            agent.prepare(60.0)
            started = (time.perf_counter() - start) * 1000
            there = decision_times(agent, match, decisions)
        finally:
            agent.close()
        program = ExternalAgent(f"{sys.executable} -I -S {PROGRAM}")
        try:
            pipe = decision_times(program, match, decisions)
        finally:
            program.close()
        here = decision_times(make_agent("random", game), match, decisions)
        print(
            f"{id:12}{started:10.0f}{statistics.median(here):10.1f}"
            f"{statistics.median(there):10.1f}{there[len(there) * 99 // 100]:10.1f}"
            f"{statistics.median(pipe):10.1f}{pipe[len(pipe) * 99 // 100]:10.1f}"
        )


if __name__ == "__main__":
    run_main(main)
