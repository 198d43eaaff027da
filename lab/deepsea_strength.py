"""How strong agents of Deep Sea Adventure are at mixed tables of 2 to 6 seats.

    python lab/deepsea_strength.py --seats 5 6 --deals 100 --field one-ply classics
    python lab/deepsea_strength.py medium --seats 4 --deals 50 --field held-out

At every table sit the agent and others of the field (or, once in a while, the field alone, where
it is large enough). Every deal is played from all seats. For each diver there are its mean points,
its share of the wins, and the agent's lead in both, with 95 % intervals by a bootstrap over deals.
The divers of the field are those of `deepsea/entrants.py`; an agent may also be a specification.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from arguments import Parser, run_main
from deepsea.entrants import CLASSICS, FAMILY, HELD_OUT, ONE_PLY, Field

from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.game import Seat
from boardgames_cli.core.match import Match, play
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.registry import make_agent

FIELDS = {"one-ply": ONE_PLY, "classics": CLASSICS, "family": FAMILY, "held-out": HELD_OUT}
RESAMPLED = 1000


class Timed(Agent[Any, Any]):
    """An agent whose decisions are timed."""

    def __init__(self, agent: Agent[Any, Any], seconds: list[float]) -> None:
        self._agent, self._seconds = agent, seconds

    def reset(self, game: Any, seat: Seat) -> None:
        """Begin a game."""
        self._agent.reset(game, seat)

    def watch(self, seen: Any) -> None:
        """See a step."""
        self._agent.watch(seen)

    def act(self, seen: Any, thinking: Thinking) -> Any:
        """What the agent decides."""
        started = time.thread_time()
        action = self._agent.act(seen, thinking)
        self._seconds.append(time.thread_time() - started)
        return action


@dataclass
class Deals:
    """By deal an entrant's games, points, and shares of wins."""

    sums: dict[int, list[float]] = field(default_factory=dict)

    def add(self, deal: int, points: float, share: float) -> None:
        """Count a game."""
        row = self.sums.setdefault(deal, [0.0, 0.0, 0.0])
        row[0] += 1
        row[1] += points
        row[2] += share

    def means(self, times: Sequence[int]) -> tuple[float, float]:
        """Mean points and share of wins, each deal counted so many times."""
        games = points = shares = 0.0
        for deal, row in self.sums.items():
            games += times[deal] * row[0]
            points += times[deal] * row[1]
            shares += times[deal] * row[2]
        return (points / games, shares / games) if games else (0.0, 0.0)


def line_up(rng: random.Random, names: Sequence[str], seats: int, deal: int) -> list[str]:
    """Who sits at the table of a deal: the first name at two of three tables, if it may miss."""
    first, *others = names
    rng.shuffle(others)
    if deal % 3 == 2 and len(others) >= seats:
        return others[:seats]
    # A field that is too small sits down more than once.
    return [first, *(others * seats)[: seats - 1]]


def measure(agent: str, seats: int, entrants: Field, deals: int, seed: int) -> None:
    """Play and print the table of one number of seats."""
    game = DeepSea(players=seats)
    names = [agent, *entrants]
    results = {name: Deals() for name in names}
    seconds: list[float] = []
    for deal in range(deals):
        rng = random.Random(f"{seed}/{seats}/{deal}")
        table = line_up(rng, names, seats, deal)
        rng.shuffle(table)
        match_seed = rng.getrandbits(48)
        for turn in range(seats):
            seated = table[turn:] + table[:turn]
            agents = [
                entrants[name] if name in entrants else Timed(make_agent(name, game), seconds)
                for name in seated
            ]
            returns = play(Match(game, seed=match_seed), agents)
            best = max(returns)
            for name, points in zip(seated, returns, strict=True):
                share = 1 / returns.count(best) if points == best else 0.0
                results[name].add(deal, points, share)
    print_table(agent, seats, results, deals, seconds, seed)


def print_table(
    agent: str, seats: int, results: dict[str, Deals], deals: int, seconds: list[float], seed: int
) -> None:
    """Print what each entrant won, and the lead of the first over it."""
    rng = random.Random(seed)
    once = [1] * deals
    weights = []
    for _ in range(RESAMPLED):
        times = [0] * deals
        for deal in rng.choices(range(deals), k=deals):
            times[deal] += 1
        weights.append(times)
    own = results[agent]
    ours = [own.means(times) for times in weights]
    milli = sorted(1000 * second for second in seconds)
    print(
        f"{seats} seats, {deals * seats} games; {agent}: median {statistics.median(milli):.1f} ms "
        f"a decision, 99 % {milli[int(0.99 * len(milli))]:.0f} ms, most {milli[-1]:.0f} ms"
    )
    for name, deal_sums in results.items():
        points, share = deal_sums.means(once)
        line = f"  {name:16} {points:5.1f} points {100 * share:5.1f} % wins"
        if name != agent:
            theirs = [deal_sums.means(times) for times in weights]
            line += "   lead"
            for part, unit in ((0, 1), (1, 100)):
                leads = sorted(
                    unit * (mine[part] - other[part])
                    for mine, other in zip(ours, theirs, strict=True)
                )
                lead = unit * (own.means(once)[part] - deal_sums.means(once)[part])
                low, high = leads[int(0.025 * RESAMPLED)], leads[int(0.975 * RESAMPLED)]
                line += f" {lead:+5.1f} ({low:+.1f} to {high:+.1f})" + (
                    " points," if not part else " %"
                )
        print(line, flush=True)


def main() -> None:
    """Read the arguments, play, print."""
    parser = Parser(__doc__)
    parser.add_argument(
        "--seats", type=int, nargs="+", choices=range(2, 7), default=[2, 3, 4, 5, 6],
        help="numbers of seats (default: all)",
    )  # fmt: skip
    parser.add_argument(
        "--field", nargs="+", choices=list(FIELDS), default=["one-ply", "classics"],
        help="who else plays (default: one-ply classics)",
    )  # fmt: skip
    parser.add_argument("agent", nargs="?", default="hard", help="who is measured (default hard)")
    parser.add_count("--deals", 50, "deals for each number of seats")
    parser.add_seed()
    given = parser.parse_args()
    entrants = {name: one for kind in given.field for name, one in FIELDS[kind].items()}
    for seats in given.seats:
        measure(given.agent, seats, entrants, given.deals, given.seed)


if __name__ == "__main__":
    run_main(main)
