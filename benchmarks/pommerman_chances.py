"""The map from playouts to chances in Pommerman's reviews, measured anew.

Plays free-for-alls and duels of `simple`, and plays on from one position in so many, as a review
does. Prints the constants of `games.pommerman.analyst.Playouts.calibrated` that explain how the
games ended: the chance that nobody wins by logistic regression, and the doubt by the least squared
error of the chances. review_calibration.py tests them on other games (its seeds begin with 1).

    python benchmarks/pommerman_chances.py --games 1000
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from arguments import Parser, run_main

from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.games.pommerman import analyst
from boardgames_cli.games.pommerman.analyst import Playouts, PommermanAnalyst
from boardgames_cli.registry import make, make_agent

Floats = npt.NDArray[np.float64]

DOUBTS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
STEPS = 30
"""Of Newton's method."""


class Case(NamedTuple):
    """A position, and how its game ended."""

    found: Playouts
    winner: int | None
    """The side that won; None if nobody did."""


def cases(games: int, each: int, seed: int) -> Iterator[Case]:
    """One position in so many of free-for-alls and duels in turn."""
    for number in range(seed, seed + games):
        game: Any = make("pommerman", mode=("ffa", "duel")[number % 2])
        match: AnyMatch = Match(game, seed=number)
        play(match, [make_agent("simple", game) for _ in range(game.seats)])
        won = [side for side, seats in enumerate(game.teams) if match.returns[seats[0]] == 1]
        for ply in range(1 + number % each, match.ply, each):  # the first step is the layout
            found = PommermanAnalyst(game).playouts([match.state_at(ply)], analyst.GAMES)
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


def squared_error(found: list[Case], weights: Floats, doubt: float) -> float:
    """The mean squared error of the chances of the sides, a tie split among them."""
    analyst._TIE_WEIGHTS, analyst._DOUBT = tuple(weights), doubt  # type: ignore[misc]
    errors = []
    for case in found:
        *won, tied = case.found.calibrated()
        shared = 1 / len(won) if case.winner is None else 0.0
        for side, share in enumerate(won):
            came = float(side == case.winner) + shared
            errors.append((share + tied / len(won) - came) ** 2)
    return float(np.mean(errors))


def main() -> None:
    """Measure, and print the constants."""
    parser = Parser(__doc__)
    parser.add_count("--games", 1000, "games to play")
    parser.add_count("--each", 40, "judge one position in so many")
    parser.add_seed(100_001)
    given = parser.parse_args()
    found = list(cases(given.games, given.each, given.seed))
    weights = tie_weights(found)
    doubt = min(DOUBTS, key=lambda one: squared_error(found, weights, one))
    ties = np.mean([case.winner is None for case in found])
    told = np.mean([case.found.tied for case in found])
    print(
        f"{len(found)} positions; nobody won {ties:.0%} of their games, and {told:.0%} of playouts"
    )
    print(f"_TIE_WEIGHTS = ({', '.join(f'{one:.2f}' for one in weights)})")
    print(f"_DOUBT = {doubt}; squared error {squared_error(found, weights, doubt):.4f}")


if __name__ == "__main__":
    run_main(main)
