"""Are the chances that reviews name true? And how far off are their estimates?

Plays games of agents, reviews them, and compares: of all positions in which a seat was given 60 to
70 %, it should have won 60 to 70 %; where no chances to win are known, returns are compared. Where
returns are points, what the start promised is compared with what came, too.
Between different agents, each has a table of its own: chances assume equal strength. Prints the
table of docs/review.md, how far the parts of a review were from adding up, and the figures that the
analyst states. Ctrl+C prints what there is so far.

    python lab/review_calibration.py senet --games 2000 --each 10
    python lab/review_calibration.py kuhn --games 2000 --agents perfect --set hands=5
    python lab/review_calibration.py senet --set rules=skyruk --agents greedy,expectimax
"""

from __future__ import annotations

import argparse
import functools
import math
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arguments import Parser, run_main, setting

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.core.analyst import AnyAnalyst
from boardgames_cli.core.game import AnyGame, EliminatesSeats
from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.evaluation.review_result import Review
from boardgames_cli.evaluation.reviewer import ReviewedGame, review_of
from boardgames_cli.registry import find_game, make, make_agent

BINS = 10
ROUNDING = 1e-9
"""What exact parts may be off by."""


@dataclass
class Bin:
    """Positions in which somebody was given about the same chance, or expected about as much."""

    count: int = 0
    predicted: float = 0.0
    won: float = 0.0
    by_game: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    """Results less predictions, by game: positions of one game are no independent samples."""

    def add(self, game: int, predicted: float, won: float) -> None:
        """Count one position."""
        self.count += 1
        self.predicted += predicted
        self.won += won
        self.by_game[game].append(won - predicted)

    def error(self) -> float:
        """The standard error of the mean result less the mean prediction."""
        sums = [sum(part) for part in self.by_game.values()]
        mean = sum(sums) / len(sums)
        spread = sum((one - mean) ** 2 for one in sums) / max(1, len(sums) - 1)
        return math.sqrt(spread * len(sums)) / self.count


def read_arguments() -> argparse.Namespace:
    """What is measured."""
    parser = Parser(__doc__)
    parser.add_argument("game", help="the game to measure")
    parser.add_count("--games", 200, "games to play")
    parser.add_argument("--agents", default="", help="taken in turn (default the hard level)")
    parser.add_argument("--set", type=setting, action="append", default=[], help="OPTION=VALUE")
    parser.add_count("--each", 1, "judge one position in so many")
    parser.add_count("--review", 20, "review the first so many games as a whole")
    parser.add_seed()
    return parser.parse_args()


def read_game(id: str, settings: Sequence[tuple[str, str]]) -> AnyGame:
    """A game with its options."""
    options: dict[str, Any] = {
        name: int(text) if text.isdigit() else text for name, text in settings
    }
    return make(id, **options)


def matches(game: AnyGame, agents: Sequence[str], count: int, first: int) -> Iterator[AnyMatch]:
    """Games between agents, each at another seat the next time."""
    for number in range(count):
        seated = [agents[(number + seat) % len(agents)] for seat in range(game.seats)]
        match: AnyMatch = Match(game, seed=first + number)
        play(match, [make_agent(agent, game) for agent in seated])
        yield match


@dataclass
class Reliability:
    """Predictions and results of many positions, in bins of equal width.

    Args:
        low: The least that can be predicted.
        high: The most.
        unit: What is counted; empty for chances.
    """

    low: float
    high: float
    unit: str = ""
    bins: list[Bin] = field(default_factory=lambda: [Bin() for _ in range(BINS)])

    def add(self, game: int, predicted: float, came: float) -> None:
        """Count what a seat was given in a position of a game."""
        place = int((predicted - self.low) / (self.high - self.low) * BINS)
        self.bins[min(BINS - 1, max(0, place))].add(game, predicted, came)

    def report(self) -> None:
        """Print the table."""
        came = "came" if self.unit else "won"
        print(f"| predicted | positions | mean prediction | {came} | difference |")
        print("| --- | --- | --- | --- | --- |")
        for number, one in enumerate(self.bins):
            if one.count:
                predicted, came_of = one.predicted / one.count, one.won / one.count
                print(
                    f"| {self._name(number)} | {one.count:,} | {self._say(predicted)} "
                    f"| {self._say(came_of)} "
                    f"| {self._say(came_of - predicted, '+')} +- {self._say(one.error())} |"
                )

    def _name(self, number: int) -> str:
        if not self.unit:
            return f"{number * 100 // BINS}-{(number + 1) * 100 // BINS} %"
        width = (self.high - self.low) / BINS
        start = self.low + number * width
        return f"{start:g} to {start + width:g} {self.unit}"

    def _say(self, value: float, sign: str = "") -> str:
        return f"{value:{sign}.2f}" if self.unit else f"{value:{sign}.1%}"


def reliability_of(analyst: AnyAnalyst) -> Reliability:
    """An empty table: of chances to win if the analyst names them, else of returns."""
    if analyst.value(analyst.game.initial_state()).chances:
        return Reliability(0.0, 1.0)
    low, high = analyst.game.utility
    return Reliability(low, high, analyst.scale.name)


def count_position(
    tables: Sequence[Reliability], analyst: AnyAnalyst, match: AnyMatch, number: int, each: int
) -> None:
    """Compare what was predicted at some positions of a game with how it ended.

    Args:
        tables: By seat the table of its agent.
        analyst: Who predicts.
        match: The game.
        number: Its number.
        each: One position in so many is compared.
    """
    returns, game = match.returns, match.game
    best, before = max(returns), match.state_at(match.ply - 1)
    winners = [seat for seat, value in enumerate(returns) if value == best]
    # Who was out before a tie has no part in it.
    if isinstance(game, EliminatesSeats):
        winners = [seat for seat in winners if not game.is_settled(before, seat)]
    plies = range(number % each, match.ply, each)
    for ply in plies:
        value = analyst.value(match.state_at(ply))
        if tables[0].unit:
            for table, predicted, came in zip(tables, value.returns, returns, strict=True):
                table.add(number, predicted, came)
            continue
        for seat, chance in enumerate(value.chances):
            # Nobody's win is shared like a tie, also where it is a loss for all.
            tables[seat].add(number, chance, 1 / len(winners) if seat in winners else 0.0)


def report_promises(promises: Mapping[str, Bin]) -> None:
    """Print what the start promised each agent and what it brought, with its standard error."""
    for agent, one in promises.items():
        told, came = one.predicted / one.count, one.won / one.count
        print(f"the start promised {agent} {told:.1f}; {came:.1f} came +- {one.error():.1f}")


def report_sums(reviews: Sequence[Review]) -> None:
    """Print how far the parts of reviews are from adding up, by the step."""
    squares = beyond = 0.0
    for review in reviews:
        one = review.summary(0)
        squares += one.rest**2 / review.total_steps
        beyond += abs(one.rest) > 3 * one.error + ROUNDING
    count = len(reviews)
    print(f"correction a step, as a random walk: {math.sqrt(squares / count):.4f} (n={count})")
    print(f"games in which the corrections exceed 3 stated errors: {beyond:.0f} of {count}")


def main() -> None:
    """Measure and print."""
    arguments = read_arguments()
    game = read_game(arguments.game, arguments.set)
    agents = (arguments.agents or find_game(game.info.id).levels["hard"]).split(",")
    # One for each order of the agents: it remembers what the start promises.
    analyst_of = functools.cache(lambda table: analyst_for(game, table).thorough())
    analyst = analyst_of(())
    tables = {agent: reliability_of(analyst) for agent in agents}
    promises: dict[str, Bin] = defaultdict(Bin)
    reviews: list[Review] = []
    started = time.monotonic()
    names = [f"seat {seat}" for seat in range(game.seats)]
    played = 0
    try:
        for number, match in enumerate(matches(game, agents, arguments.games, arguments.seed)):
            seated = [agents[(number + seat) % len(agents)] for seat in range(game.seats)]
            by_seat = [tables[agent] for agent in seated]
            analyst = analyst_of(tuple(seated))
            if not analyst.scale.is_chance:
                told = analyst.value(match.state_at(0)).returns
                for agent, promised, came in zip(seated, told, match.returns, strict=True):
                    promises[agent].add(number, promised, came)
            count_position(by_seat, analyst, match, number, arguments.each)
            if number < arguments.review:
                reviews.append(review_of(ReviewedGame(match, names), analyst))
            played += 1
    except KeyboardInterrupt:
        print("Stopped.")
    print(f"{game!r}: {played} games of {', '.join(agents)}; {analyst.method}")
    for agent, table in tables.items():
        print(f"\n{agent}:\n" if len(tables) > 1 else "")
        table.report()
    report_promises(promises)
    if reviews:
        report_sums(reviews)
    print(f"{time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    run_main(main)
