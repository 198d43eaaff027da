"""A league of mixed four-player tables of Deep Sea Adventure.

Every line-up of four different agents plays equally often, at shuffled seats::

    python benchmarks/deepsea_league.py --games 1400                  # with medium and hard
    python benchmarks/deepsea_league.py --games 14000 --with ""       # the classic agents alone
    python benchmarks/deepsea_league.py --games 2000 --with hard --only hard --jobs 2

With ``--only`` just the line-ups with that agent are played.
"""

from __future__ import annotations

import itertools
import math
import random
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial

from arguments import Parser, run_main

from boardgames_cli import registry
from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.match import Match
from boardgames_cli.core.play import seat_stream
from boardgames_cli.tournament.statistics import DEVIATIONS

CLASSIC = {
    "Grabber(1)": "grabber:n=1",
    "Grabber(2)": "grabber:n=2",
    "Diver(8,2)": "diver:depth=8,n=2",
    "Diver(16,1)": "diver:depth=16,n=1",
    "Greedy": "greedy-classic",
    "Randy": "random",
}
PLAYERS = 4


@dataclass
class Row:
    """What one agent did."""

    points: list[int] = field(default_factory=list)
    wins: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)


def play(agents: dict[str, str], only: str, seed: int, number: int) -> list[tuple[str, Row]]:
    """Play game number ``number``; it depends on nothing but the arguments."""
    tables = [
        table for table in itertools.combinations(agents, PLAYERS) if not only or only in table
    ]
    line_up = list(tables[number % len(tables)])
    random.Random(f"{seed}/{number}").shuffle(line_up)
    game = registry.make("deepsea", players=PLAYERS)
    seated = [registry.make_agent(agents[name], game) for name in line_up]
    rows = [(name, Row()) for name in line_up]
    match = Match(game, seed=seed * 1_000_003 + number)
    for seat, agent in enumerate(seated):
        agent.reset(game, seat)
        agent.watch(match.observe(seat))
    while waiting := match.waiting_for:
        seat = waiting[0]
        if seat < 0:
            match.resolve_chance()
        else:
            thinking = Thinking(match.rng(seat_stream(seat)))
            started = time.process_time()
            action = seated[seat].act(match.observe(seat), thinking)
            rows[seat][1].times.append(time.process_time() - started)
            match.submit(seat, action)
        for watcher, agent in enumerate(seated):
            agent.watch(match.observe(watcher))
    best = max(match.returns)
    winners = match.returns.count(best)
    for (_, row), points in zip(rows, match.returns, strict=True):
        row.points.append(int(points))
        row.wins.append((points == best) / winners)
    return rows


def half_width(values: list[float] | list[int]) -> float:
    """Half of the 95 % interval of a mean."""
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
    return DEVIATIONS * math.sqrt(variance / len(values))


def show(table: dict[str, Row]) -> None:
    """Print the table, best first."""
    print(
        f"{'agent':<14}{'points':>16}{'wins':>18}{'games':>8}   CPU ms a decision (mean, slowest)"
    )
    for name, row in sorted(
        table.items(), key=lambda item: -sum(item[1].points) / len(item[1].points)
    ):
        games = len(row.points)
        mean, share = sum(row.points) / games, sum(row.wins) / games
        took = 1000 * sum(row.times) / len(row.times)
        print(
            f"{name:<14}{mean:>9.2f} ±{half_width(row.points):>5.2f}"
            f"{share:>11.1%} ±{half_width(row.wins):>5.1%}{games:>8}"
            f"   {took:.2f}, {1000 * max(row.times):.0f}"
        )


def main() -> None:
    """Read the arguments, play, print."""
    parser = Parser(__doc__)
    parser.add_count("--games", 1400, "games to play")
    parser.add_seed()
    parser.add_argument(
        "--with", dest="extra", default="medium hard", help="agents besides the six"
    )
    parser.add_argument("--only", default="", help="an agent that sits at every table")
    parser.add_count("--jobs", 1, "processes")
    given = parser.parse_args()
    agents = CLASSIC | {name: name for name in given.extra.split()}
    if given.only and given.only not in agents:
        parser.error(f"{given.only} plays in no line-up: name it with --with as well")
    job = partial(play, agents, given.only, given.seed)
    table: dict[str, Row] = {}
    with ProcessPoolExecutor(given.jobs) as pool:
        results = (
            map(job, range(given.games))
            if given.jobs == 1
            else pool.map(job, range(given.games), chunksize=10)
        )
        for rows in results:
            for name, row in rows:
                total = table.setdefault(name, Row())
                total.points += row.points
                total.wins += row.wins
                total.times += row.times
    show(table)


if __name__ == "__main__":
    run_main(main)
