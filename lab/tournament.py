"""What a tournament costs beside the games themselves, and what a second process gains.

    python lab/tournament.py
    python lab/tournament.py --games kuhn senet --rounds 7 --seconds 4
    python lab/tournament.py --memory 1000000

Random agents play. The loop: `play()` on the same seeds, and nothing else. One job: the whole
tournament in this process, with its folder and its table of totals. Two jobs: the same in two
processes, which have started before the clock does. Each figure is the median of all rounds, the
contestants in turn; the first ratio is in processor time, the second in real time, for which the
machine must have two cores to spare. With ``--memory`` so many games of TapnSwap are played and
the memory of the process is told on the way: it must not grow.
"""

from __future__ import annotations

import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from arguments import Parser, run_main
from speed import match_speed

from boardgames_cli.agents.random import RandomAgent
from boardgames_cli.agents.remote.process_pool import Pool, ProcessPool
from boardgames_cli.core.background import Progress
from boardgames_cli.core.match import Match, play
from boardgames_cli.registry import make
from boardgames_cli.tournament.folder import RunFolder
from boardgames_cli.tournament.players import name_entrants
from boardgames_cli.tournament.pools import Dispatcher, InProcessPool
from boardgames_cli.tournament.run import Tournament
from boardgames_cli.tournament.schedule import Schedule
from boardgames_cli.tournament.tournament_config import TournamentConfig

LOOP_GOAL, JOBS_GOAL = 1.1, 1.8


def config_of(id: str, games: int) -> TournamentConfig:
    """A tournament of two random agents."""
    return TournamentConfig(id, name_entrants(["random", "random"]), games=games)


def loop(config: TournamentConfig) -> None:
    """The same games by `play()` alone."""
    game = make(config.game)
    schedule = Schedule(config, [game])
    agents: list[RandomAgent[Any, Any]] = [RandomAgent() for _ in range(game.seats)]
    for deal in schedule.deals():
        for _ in deal.pairing.seatings:
            play(Match(game, seed=deal.seed), agents)


def tournament(
    config: TournamentConfig, pool: Pool, report: Callable[[Progress], None] = lambda _: None
) -> None:
    """The whole tournament, with its folder."""
    with tempfile.TemporaryDirectory() as parent:
        folder = RunFolder.create(Path(parent) / "run", config)
        try:
            Tournament(config).run(folder, Dispatcher(pool, config), report)
        finally:
            folder.close()


def taken(clock: Callable[[], float], run: Callable[[], None]) -> float:
    """Seconds that something takes by a clock."""
    started = clock()
    run()
    return clock() - started


def report(id: str, seconds: float, rounds: int, two: Pool) -> None:
    """Measure one game and print its line."""
    games = max(2, round(seconds * match_speed(make(id), 0.3).games_a_second))
    config, here = config_of(id, games), InProcessPool()
    processor: dict[str, list[float]] = {"loop": [], "one": []}
    real: dict[str, list[float]] = {"one": [], "two": []}
    tournament(config_of(id, 50), two)  # both processes have what they need
    for _ in range(rounds):
        processor["loop"].append(taken(time.process_time, lambda: loop(config)))
        started = time.perf_counter()
        processor["one"].append(taken(time.process_time, lambda: tournament(config, here)))
        real["one"].append(time.perf_counter() - started)
        real["two"].append(taken(time.perf_counter, lambda: tournament(config, two)))
    median = statistics.median
    cost = median(processor["one"]) / median(processor["loop"])
    gain = median(real["one"]) / median(real["two"])
    print(
        f"{id:<10} {games:>8,} {games / median(processor['loop']):>12,.0f} "
        f"{cost:>10.2f} (goal {LOOP_GOAL}) {gain:>10.2f} (goal {JOBS_GOAL})",
        flush=True,
    )


def memory(games: int) -> None:
    """Play many games and tell how much memory the process has taken on the way."""
    told = 0

    def look(progress: Progress) -> None:
        nonlocal told
        tenth = 10 * progress.done // games
        if tenth > told:
            told = tenth
            unit = 1 if sys.platform == "darwin" else 1024
            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
            print(f"{progress.done:>10,} games: at most {most:.1f} MB so far", flush=True)

    tournament(config_of("tapnswap", games), InProcessPool(), look)


def main() -> None:
    """Print the table."""
    parser = Parser(__doc__)
    parser.add_games()
    parser.add_count("--rounds", 5, "rounds, of which the median counts")
    parser.add_seconds("--seconds", 3.0, "the time of one contestant in a round")
    parser.add_argument("--memory", type=int, metavar="GAMES", help="play so many, tell the memory")
    arguments = parser.parse_args()
    if arguments.memory:
        memory(arguments.memory)
        return
    pool = ProcessPool(2)
    try:
        head = f"{'game':<10} {'games':>8} {'games/s':>12}"
        print(f"{head} {'one job / loop':>21} {'one job / two':>21}")
        for id in arguments.games:
            report(id, arguments.seconds, arguments.rounds, pool)
    finally:
        pool.shutdown()


if __name__ == "__main__":
    run_main(main)
