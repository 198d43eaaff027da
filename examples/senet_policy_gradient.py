"""A policy gradient for Senet in NumPy alone, which soon beats agents that play at random.

A move is judged by a handful of features, such as whether it beats an opponent; the policy is a
softmax over what the legal moves are worth. REINFORCE with a baseline (R. J. Williams, "Simple
statistical gradient-following algorithms for connectionist reinforcement learning", 1992) learns
the weights from won and lost games alone; the steps are Adam's (D. Kingma and J. Ba, 2015).

    python examples/senet_policy_gradient.py --games 4000
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
    "bears off", "beats", "goes back", "progress", "from the rear",
    "leaves a neighbour", "joins a neighbour", "ends safe", "ends in the water",
    "opponents behind the end", "opponents behind the start",
)  # fmt: skip
BATCH = 20
"""Games between two updates."""
RATE = 0.3
"""The size of the first steps; later ones are smaller."""
HAPPINESS, WATER, OFF = 26, 27, 31
REACH = 5
"""The longest throw."""


def make_env() -> Any:
    """Skyruk's rules, in which skill counts for more, against an agent that plays at random."""
    return bg.gymnasium_env(
        "senet", rules="skyruk", seat="random", opponents="random", flatten=False
    )


def features(seen: dict[str, Any], info: dict[str, Any]) -> Array:
    """What is to be said about each legal move.

    Args:
        seen: The fields of an observation.
        info: What came with it: the own seat, and the notations of the legal moves.

    Returns:
        An array of shape [legal moves, features].
    """
    houses = [[house + 1 for house in np.flatnonzero(side)] for side in seen["board"]]
    own, opponents = set(houses[info["seat"]]), houses[1 - info["seat"]]
    found = np.zeros((len(info["legal"]), len(FEATURES)))
    for row, notation in zip(found, info["legal"], strict=True):
        start, _, last = notation.partition(">")
        if not start.isdigit():  # the pass
            continue
        house, end = int(start), int(last) if last.isdigit() else OFF
        others = own - {house}
        row[:] = (
            end == OFF,
            end in opponents,
            end < house,
            (end - house) / REACH,
            1 - house / 30,
            bool(others & {house - 1, house + 1}),
            bool(others & {end - 1, end + 1}),
            end >= HAPPINESS,
            end == WATER,
            sum(end - REACH <= opponent < end for opponent in opponents) * (end < HAPPINESS),
            sum(house - REACH <= opponent < house for opponent in opponents) * (house < HAPPINESS),
        )
    return found


def policy(weights: Array, moves: Array) -> Array:
    """With which chance each move is taken."""
    worth = moves @ weights
    odds = np.exp(worth - worth.max())
    chances: Array = odds / odds.sum()
    return chances


def play(
    env: Any, weights: Array, rng: np.random.Generator | None, seed: int
) -> tuple[float, Array]:
    """Play a game: by the policy's chances, or without a generator its best moves.

    Returns:
        The return, and the gradient of the logarithm of the chance of all moves.
    """
    seen, info = env.reset(seed=seed)
    slope, reward, is_over = np.zeros_like(weights), 0.0, False
    while not is_over:
        ids = np.flatnonzero(info["action_mask"])  # the notations stand in the order of the ids
        chosen = 0
        if len(ids) > 1:
            moves = features(seen, info)
            chances = policy(weights, moves)
            best = int(chances.round(9).argmax())  # equal moves stay equal on every machine
            chosen = best if rng is None else int(rng.choice(len(moves), p=chances))
            slope += moves[chosen] - chances @ moves
        seen, reward, is_over, _, info = env.step(ids[chosen])
    return reward, slope


def learn(games: int, seed: int = 0) -> Iterator[tuple[int, Array]]:
    """Learn; yields the weights after every update, with the games so far."""
    env, rng = make_env(), np.random.default_rng(seed)
    weights, mean, square = (np.zeros(len(FEATURES)) for _ in range(3))
    for update in range(1, games // BATCH + 1):
        first = (seed << 32) + update * BATCH
        played = [play(env, weights, rng, first + number) for number in range(BATCH)]
        returns = np.array([reward for reward, _ in played])
        slopes = np.stack([slope for _, slope in played])
        slope = (returns - returns.mean()) @ slopes / BATCH
        mean += 0.1 * (slope - mean)
        square += 0.01 * (slope**2 - square)
        size = mean / (1 - 0.9**update) / np.sqrt(square / (1 - 0.99**update) + 1e-8)
        weights = weights + RATE / (1 + update / 10) ** 0.5 * size
        yield update * BATCH, weights


def share_of_wins(weights: Array, games: int, seed: int = 1) -> float:
    """How many of some new games the policy's best moves win, as a share."""
    env, first = make_env(), seed << 48
    returns = [play(env, weights, None, first + number)[0] for number in range(games)]
    return float(np.mean(np.array(returns) > 0))


def main() -> None:
    """Learn, and print the share of games won now and then, and the weights at the end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=4000, help="games to learn from")
    parser.add_argument("--tests", type=int, default=1000, help="games of each test")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    report, weights = 250, np.zeros(len(FEATURES))
    for games, weights in learn(given.games, given.seed):
        if games >= report:
            print(f"{games:6,} games: wins {share_of_wins(weights, given.tests):.1%}")
            report *= 2
    for name, weight in zip(FEATURES, weights, strict=True):
        print(f"{weight:+6.2f}  {name}")


if __name__ == "__main__":
    main()
