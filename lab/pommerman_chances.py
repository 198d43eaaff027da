"""The map from playouts to chances in Pommerman's reviews, measured anew.

Plays games of `simple` in the modes in turn, and plays on from one position in so many, as a review
does, and from those besides of which few playouts are tied, for they are rare. Prints the
`Calibration` of `games.pommerman.analyst` that explains best how the games ended: the chance that
nobody wins by logistic regression, the others by trying all.
review_calibration.py tests them on other games (its seeds begin with 1).

    python lab/pommerman_chances.py --games 1000 --modes ffa,duel,team
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from arguments import Parser, run_main

from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.games.pommerman.analyst import (
    GAMES,
    MEASURED,
    Calibration,
    Playouts,
    PommermanAnalyst,
)
from boardgames_cli.registry import make, make_agent

Floats = npt.NDArray[np.float64]

DOUBTS = tuple(itertools.product((0.02, 0.05, 0.1, 0.2), (0.0, 0.2, 0.3, 0.4, 0.5)))
TEAMMATES = (1.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0, 15.0)
BETWEEN, GLANCE, UNDECIDED = 3, 10, 0.65
"""Steps between positions that are glanced at by so many playouts, and the most ties of these."""
STEPS = 30
"""Of Newton's method."""


class Case(NamedTuple):
    """A position, and how its game ended."""

    found: Playouts
    winner: int | None
    """The side that won; None if nobody did."""


def cases(modes: Sequence[str], games: int, each: int, seed: int) -> Iterator[Case]:
    """One position in so many of games in these modes in turn, and those that look decided."""
    for number in range(seed, seed + games):
        game: Any = make("pommerman", mode=modes[number % len(modes)])
        match: AnyMatch = Match(game, seed=number)
        play(match, [make_agent("simple", game) for _ in range(game.seats)])
        won = [side for side, seats in enumerate(game.teams) if match.returns[seats[0]] == 1]
        analyst_of_game = PommermanAnalyst(game)
        for ply in range(1 + number % BETWEEN, match.ply, BETWEEN):  # the first step is the layout
            states = [match.state_at(ply)]
            is_due = (ply // BETWEEN + number) % max(1, each // BETWEEN) == 0
            if is_due or analyst_of_game.playouts(states, GLANCE).tied <= UNDECIDED:
                found = analyst_of_game.playouts(states, GAMES)
                yield Case(found, won[0] if won else None)


def tie_weights(found: list[Case]) -> Floats:
    """The weights of the chance that nobody wins, by logistic regression."""
    inputs = np.array([case.found.tie_inputs for case in found], dtype=np.float64)
    came = np.array([case.winner is None for case in found], dtype=np.float64)
    weights = np.zeros(inputs.shape[1])
    for _ in range(STEPS):
        expected = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (came - expected) - 1e-3 * weights
        curve = (inputs.T * (expected * (1 - expected))) @ inputs + 1e-3 * np.eye(len(weights))
        weights += np.linalg.solve(curve, slope)
    return weights


def log_loss(found: list[Case], by: Calibration) -> float:
    """The mean of minus the logarithm of the chance of what came."""
    came = [-1 if case.winner is None else case.winner for case in found]
    told = [case.found.calibrated(by)[side] for case, side in zip(found, came, strict=True)]
    return -math.fsum(map(math.log, told)) / len(told)


def main() -> None:
    """Measure, and print the constants."""
    parser = Parser(__doc__)
    parser.add_count("--games", 1000, "games to play")
    parser.add_argument("--modes", default="ffa,duel,team", help="the modes, in turn")
    parser.add_count("--each", 40, "judge one position in so many")
    parser.add_seed(100_001)
    given = parser.parse_args()
    found = list(cases(given.modes.split(","), given.games, given.each, given.seed))
    ties = np.mean([case.winner is None for case in found])
    told = np.mean([case.found.tied for case in found])
    print(
        f"{len(found)} positions; nobody won {ties:.0%} of their games, and {told:.0%} of playouts"
    )
    weights = tuple(tie_weights(found))
    tried = (Calibration(weights, *one) for one in itertools.product(DOUBTS, TEAMMATES))
    after, best = min((log_loss(found, one), one) for one in tried)
    before = log_loss(found, MEASURED)
    print(f"tie_weights = ({', '.join(f'{one:.2f}' for one in best.tie_weights)})")
    print(
        f"doubt, teammate = {best.doubt}, {best.teammate}; "
        f"loss {after:.4f}, with the present {before:.4f}"
    )


if __name__ == "__main__":
    run_main(main)
