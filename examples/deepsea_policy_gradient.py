"""A policy gradient for Deep Sea Adventure in NumPy alone: when to take a chip, when to turn back.

The policy is a softmax over the legal choices; each choice has a weight for every feature of the
situation, such as the oxygen that will be left if all swim home now. REINFORCE with a baseline
(R. J. Williams, "Simple statistical gradient-following algorithms for connectionist reinforcement
learning", 1992) learns the weights from the points of whole games; the steps are Adam's (D. Kingma
and J. Ba, 2015).

    python examples/deepsea_policy_gradient.py --games 4000 --opponents greedy
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

import boardgames_cli as bg

Array: TypeAlias = npt.NDArray[np.float64]

FEATURES = (
    "always", "depth", "own chips", "others' chips", "oxygen", "oxygen at home",
    "level of this chip", "others still out",
)  # fmt: skip
CHOICES = ("dive", "return", "take", "leave", "drop", "keep")
BATCH = 20
"""Games between two updates."""
RATE = 0.15
"""The size of the first steps; later ones are smaller."""
DEEPEST, FULL = 32, 25
MEAN_THROW = 4


def make_env(opponents: str) -> Any:
    """Four divers, one of whom learns."""
    return bg.gymnasium_env("deepsea", players=4, seat="random", opponents=opponents, flatten=False)


def features(seen: dict[str, Any]) -> Array:
    """What is to be said about a situation; the own seat comes first in every field.

    Args:
        seen: The fields of an observation.
    """
    place, load = seen["place"].astype(float), seen["load"].astype(float)
    depth, oxygen = place[0], float(seen["oxygen"])
    # A throw of two dice moves four places on average, one less for every chip held.
    turns = depth / max(1.0, MEAN_THROW - load[0])
    out = place[1:] > 0
    chip = seen["trail"][int(depth) - 1] if depth else np.zeros(4)
    return np.array(
        [
            1.0,
            depth / DEEPEST,
            load[0] / 4,
            (load[1:] * out).sum() / 6,
            oxygen / FULL,
            (oxygen - turns * (load[0] + (load[1:] * out).sum())) / FULL,
            (chip * np.arange(1, 5)).sum() / 4,
            out.mean(),
        ]
    )


def policy(weights: Array, found: Array, legal: tuple[str, ...]) -> Array:
    """With which chance each legal choice is taken."""
    worth = np.array([weights[CHOICES.index(choice)] @ found for choice in legal])
    odds = np.exp(worth - worth.max())
    chances: Array = odds / odds.sum()
    return chances


def play(
    env: Any, weights: Array, rng: np.random.Generator | None, seed: int
) -> tuple[float, Array]:
    """Play a game: by the policy's chances, or without a generator its best choices.

    Returns:
        The points, and the gradient of the logarithm of the chance of all choices.
    """
    seen, info = env.reset(seed=seed)
    slope, points, is_over = np.zeros_like(weights), 0.0, False
    while not is_over:
        ids = np.flatnonzero(info["action_mask"])  # the notations stand in the order of the ids
        chosen = 0
        if len(ids) > 1:
            found = features(seen)
            chances = policy(weights, found, info["legal"])
            best = int(chances.round(9).argmax())
            chosen = best if rng is None else int(rng.choice(len(ids), p=chances))
            for choice, chance in zip(info["legal"], chances, strict=True):
                slope[CHOICES.index(choice)] -= chance * found
            slope[CHOICES.index(info["legal"][chosen])] += found
        seen, reward, is_over, _, info = env.step(ids[chosen])
        points += reward
    return points, slope


def learn(games: int, opponents: str, seed: int = 0) -> Iterator[tuple[int, Array]]:
    """Learn; yields the weights after every update, with the games so far."""
    env, rng = make_env(opponents), np.random.default_rng(seed)
    weights, mean, square = (np.zeros((len(CHOICES), len(FEATURES))) for _ in range(3))
    for update in range(1, games // BATCH + 1):
        first = (seed << 32) + update * BATCH
        played = [play(env, weights, rng, first + number) for number in range(BATCH)]
        points = np.array([one for one, _ in played])
        slopes = np.stack([slope for _, slope in played])
        gain = (points - points.mean()) / (points.std() + 1e-9)
        slope = np.tensordot(gain, slopes, 1) / BATCH
        mean += 0.1 * (slope - mean)
        square += 0.01 * (slope**2 - square)
        size = mean / (1 - 0.9**update) / np.sqrt(square / (1 - 0.99**update) + 1e-8)
        weights = weights + RATE / (1 + update / 20) ** 0.5 * size
        yield update * BATCH, weights


def mean_points(weights: Array, games: int, opponents: str, seed: int = 1) -> tuple[float, float]:
    """The mean points of the policy's best choices in new games, and their standard error."""
    env, first = make_env(opponents), seed << 48
    points = np.array([play(env, weights, None, first + number)[0] for number in range(games)])
    return float(points.mean()), float(points.std() / np.sqrt(games))


def main() -> None:
    """Learn, and print the points now and then, and the weights at the end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=4000, help="games to learn from")
    parser.add_argument("--tests", type=int, default=500, help="games of each test")
    parser.add_argument("--opponents", default="random", help="who has the other seats")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    report, weights = BATCH, np.zeros((len(CHOICES), len(FEATURES)))
    for games, weights in learn(given.games, given.opponents, given.seed):
        if games >= report:
            points, error = mean_points(weights, given.tests, given.opponents)
            print(f"{games:6,} games: {points:.1f} points a game (standard error {error:.1f})")
            report *= 4
    for name, row in zip(CHOICES, weights, strict=True):
        said = "  ".join(
            f"{weight:+.1f} {feature}" for weight, feature in zip(row, FEATURES, strict=True)
        )
        print(f"{name:6}{said}")


if __name__ == "__main__":
    main()
