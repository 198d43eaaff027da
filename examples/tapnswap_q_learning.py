"""Tabular Q-learning on TapnSwap through PettingZoo, until it plays every position right.

Both agents learn into one table: what is good for one is bad for the other, so the best reply
counts with the opposite sign (M. L. Littman, "Markov games as a framework for multi-agent
reinforcement learning", 1994, for games in turn). Mirror images are one position. Each agent takes
the action that was tried least in its position, which is all the exploration that a game without
chance needs. Wins that come soon are worth more than late ones, so that no game goes in circles.

    python examples/tapnswap_q_learning.py --steps 32000
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

import boardgames_cli as bg
from boardgames_cli.agents.perfect import solution_of
from boardgames_cli.algorithms.position_graph import explore, position_key

Values: TypeAlias = npt.NDArray[np.float64]
Position: TypeAlias = tuple[int, ...]
"""The fingers of the own hands and of the other's, the larger ones first."""

DISCOUNT = 0.95
_IDS = np.arange(10)


def fold(hands: npt.NDArray[np.int8]) -> tuple[Position, npt.NDArray[np.int64]]:
    """A position without its mirror images.

    Args:
        hands: The fingers as observed, own hands first: shape [2, 2].

    Returns:
        The position, and for each id of an action there the id of the same action here.
    """
    own, other = (int(left < right) for left, right in hands)
    taps = 2 * (_IDS // 2 ^ own) + (_IDS % 2 ^ other)
    swaps = 4 + 3 * ((_IDS - 4) // 3 ^ own) + (_IDS - 4) % 3
    return tuple(np.sort(hands)[:, ::-1].ravel().tolist()), np.where(_IDS < 4, taps, swaps)


class Table:
    """For every position what each action is worth, and how often it was tried."""

    def __init__(self) -> None:
        self.values: dict[Position, Values] = {}
        self.tries: dict[Position, Values] = {}

    def meet(self, position: Position, mask: npt.NDArray[np.int8]) -> None:
        """Make room for a position with its legal actions."""
        if position not in self.values:
            self.values[position] = np.where(mask, 0.0, -np.inf)
            self.tries[position] = np.where(mask, 0.0, np.inf)


def learn(steps: int, seed: int = 0) -> Iterator[tuple[int, Table]]:
    """Play and learn; yields the table after 1,000, 2,000, 4,000... steps and at the end."""
    env = bg.aec_env("tapnswap", encoding="hands", flatten=False, max_cycles=50)
    rng = np.random.default_rng(seed)
    table, step, report = Table(), 0, 1000
    while step < steps:
        env.reset()
        last: tuple[Position, int] | None = None
        for agent in env.agent_iter():
            seen, _, is_over, is_cut, _ = env.last()
            if is_over or is_cut or seen is None:
                break
            position, ids = fold(seen["observation"])
            table.meet(position, seen["action_mask"][ids])
            if last is not None:
                table.values[last[0]][last[1]] = -DISCOUNT * table.values[position].max()
            tries = table.tries[position]
            action = int(rng.choice(np.flatnonzero(tries == tries.min())))
            tries[action] += 1
            env.step(ids[action])
            if env.terminations[agent]:
                table.values[position][action] = env.rewards[agent]
            last = position, action
            step += 1
            if step == report:
                yield step, table
                report *= 2
    yield step, table


def right_moves(table: Table) -> tuple[int, int]:
    """In how many of all positions that can be reached the best move of the table is right.

    A move is right if it keeps the exact value, which retrograde analysis knows.
    """
    game: Any = bg.make("tapnswap")
    encoder, solution = bg.make_encoder(game, "hands"), solution_of(game)
    reachable = explore(game).numbers
    right = []
    for state in game.every_position():
        if position_key(game, state) not in reachable:
            continue
        position, ids = fold(encoder.encode(game.observe(state, 0))["hands"])
        verdicts = solution.judge(state)
        best = max(verdict.outcome for verdict in verdicts.values())
        values = table.values.get(position)
        right.append(
            values is not None
            and verdicts[game.action_of(state, int(ids[values.argmax()]))].outcome == best
        )
    return sum(right), len(right)


def main() -> None:
    """Learn, and print how many positions are played right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=32_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    for step, table in learn(given.steps, given.seed):
        right, positions = right_moves(table)
        print(f"{step:8,} steps: the right move in {right} of {positions} positions")


if __name__ == "__main__":
    main()
