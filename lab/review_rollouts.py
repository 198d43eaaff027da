"""How well reviews judge Senet where no exact value is known: against games played on by thousands.

Takes decisions of games between agents, and plays on from the best move and from one other, with
the evaluation's best moves on both sides, down to the endings in the rounded table. What the throws
gave and took, by the evaluation, is subtracted from each result; that leaves its mean as it was,
since a throw is worth nothing on average, and takes nearly all of its spread. Needs the extra
`fast`::

    python lab/review_rollouts.py --set rules=skyruk --set pieces=7
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
from collections.abc import Iterator
from typing import Any, NamedTuple

from arguments import Parser, run_main, setting
from review_calibration import read_game

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.core.analyst import CHANCE_TO_WIN, AnyAnalyst, Mark
from boardgames_cli.core.game import CHANCE
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.match import play as play_game
from boardgames_cli.games.senet.ending_tables import Endings
from boardgames_cli.games.senet.fast.search import SenetRollouts
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.registry import make_agent

BIGGEST = 3
"""The number of dancers a side up to which the tables judge."""


class Compared(NamedTuple):
    """A move as a review judges it, and as the games that were played on say."""

    value_gap: float
    """Review less games: the return."""
    value_error: float
    loss: float
    """As the review names it."""
    played_loss: float
    loss_error: float
    """The standard error of `played_loss`."""
    mark: Mark
    stated_error: float
    """The standard error of `loss`, as the review names it."""


def decisions(game: Senet, count: int, seed: int) -> Iterator[Any]:
    """Positions after a throw in which there is a choice, one of a game, from hard play."""
    rng = random.Random(f"rollouts/{seed}")
    number = 0
    while count:
        match: AnyMatch = Match(game, seed=seed + number)
        number += 1
        play_game(match, [make_agent("greedy:temperature=0.05", game) for _ in range(2)])
        state = match.state_at(rng.randrange(match.ply))
        if game.is_over(state) or game.to_act(state) == (CHANCE,):
            continue
        if len(game.legal_actions(state, state.player)) > 1:
            count -= 1
            yield state


def compare(
    game: Senet, analyst: AnyAnalyst, state: Any, rollouts: SenetRollouts, plays: int, seed: int
) -> Compared | None:
    """Judge one decision both ways: the best move of the review and another one."""
    seat = state.player
    judgement = analyst.judge(game.observe(state, seat))
    if max(state.cones.bit_count(), state.spools.bit_count()) <= BIGGEST:
        return None
    other = random.Random(f"other/{seed}").choice(judgement.choices[1:])
    means, errors = [], []
    for number, choice in enumerate((judgement.best, other)):
        after = game.apply(state, {seat: choice.action})
        if game.is_over(after):
            return None
        mover = after.player
        results = rollouts.results(
            after.side(mover), after.side(1 - mover), plays, 2 * seed + number
        )
        means.append(float(results.mean()) * (1 if mover == seat else -1))
        errors.append(float(results.std(ddof=1)) / math.sqrt(plays))
    return Compared(
        judgement.best.returns[seat] - means[0],
        errors[0],
        other.loss,
        means[0] - means[1],
        math.hypot(*errors),
        CHANCE_TO_WIN.mark(other.loss, other.loss_error),
        other.loss_error,
    )


def report(found: list[Compared]) -> None:
    """Print how far off values and losses are, without what the games' own error explains."""
    value = _beyond([one.value_gap for one in found], [one.value_error for one in found])
    gaps = [one.loss - one.played_loss for one in found]
    loss = _beyond(gaps, [one.loss_error for one in found])
    noise = statistics.mean(one.loss_error for one in found)
    print(f"decisions: {len(found)}; standard error of a loss by the games played on: {noise:.4f}")
    print(f"error of a value: {value:.4f}; of a loss: {loss:.4f} (returns, -1 to 1)")
    largest = max(abs(gap) for gap in gaps)
    print(f"largest gap of a loss: {largest:.4f}")
    too_small = sum(
        abs(gap) > 2 * math.hypot(one.loss_error, one.stated_error)
        for gap, one in zip(gaps, found, strict=True)
    )
    print(f"off by more than two stated errors: {too_small}")
    worse = [one for one in found if one.played_loss > -2 * one.loss_error]
    print(f"best move not clearly worse than the other: {len(worse) / len(found):.0%}")
    ours = [one for one in found if one.mark is not Mark.GOOD]
    exact = [CHANCE_TO_WIN.mark(one.played_loss) for one in found]
    both = sum(
        one.mark is not Mark.GOOD and mark is not Mark.GOOD
        for one, mark in zip(found, exact, strict=True)
    )
    theirs = sum(mark is not Mark.GOOD for mark in exact)
    print(f"mistakes by both: {both}, by the review alone: {len(ours) - both}, "
          f"by the games alone: {theirs - both}")  # fmt: skip


def _beyond(gaps: list[float], errors: list[float]) -> float:
    """The root mean square of gaps, less the variance that sampling brings."""
    square = statistics.mean(gap**2 for gap in gaps) - statistics.mean(one**2 for one in errors)
    return math.sqrt(max(0.0, square))


def read_arguments() -> argparse.Namespace:
    """What is measured."""
    parser = Parser(__doc__)
    parser.add_argument("--set", type=setting, action="append", default=[], help="OPTION=VALUE")
    parser.add_count("--positions", 300, "decisions to judge")
    parser.add_count("--plays", 400, "games played on from each move")
    parser.add_seed()
    return parser.parse_args()


def main() -> None:
    """Measure and print."""
    arguments = read_arguments()
    game: Any = read_game("senet", arguments.set)
    rollouts = SenetRollouts(Endings.load(game.rules))
    analyst = analyst_for(game).thorough()
    states = decisions(game, arguments.positions, arguments.seed)
    judged = (
        compare(game, analyst, state, rollouts, arguments.plays, number)
        for number, state in enumerate(states, 1)
    )
    found = [one for one in judged if one is not None]
    print(f"{game!r}: {analyst.method}")
    report(found)


if __name__ == "__main__":
    run_main(main)
