"""PPO for Pommerman in NumPy alone, on 128 boards at once: flee, and stay inside.

Two agents duel on a board of 8 by 8 cells whose rings collapse from step 100 on. The policy sees
the cells round its agent, and where bombs will burn; a network with one hidden layer gives the
chances of the moves and the value of the position. Proximal policy optimization (J. Schulman et
al., 2017) with generalized advantage estimation (J. Schulman et al., 2016) learns from the result
of the game alone, which is 1, 0 or -1; the steps are Adam's (D. Kingma and J. Ba, 2015).

It learns to flee, and to stand inside when the outer rings fall, which the opponent does not
foresee. It does not learn to attack: soon it lays no more bombs. Needs the extras ``environments``
and ``fast``. The products of matrices are small: one thread is enough for them.

    OPENBLAS_NUM_THREADS=1 python examples/pommerman_ppo.py --steps 3000000 --opponents policy
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt

import boardgames_cli.environments

gymnasium.register_envs(boardgames_cli.environments)

Array: TypeAlias = npt.NDArray[Any]
Net: TypeAlias = list[Array]
"""Weights and biases of the hidden layer, then those of the outputs: six moves, and the value."""

OPTIONS: dict[str, Any] = {"mode": "duel", "collapse": True, "first_collapse": 100, "steps": 200}
MOVES = 6
"""They are all legal at any time, so no mask is needed."""
RIGID, WOOD, ITEMS, FLAMES, OPPONENT = 0, 1, slice(2, 5), slice(5, 8), 10
"""Layers of an observation's board."""
LIFE, STRENGTH = 0, 1
"""Layers of its bombs."""
EDGE = ((0, 0), (1, 1), (1, 1))
REACH = 3
"""How many cells the policy sees on each side."""
HIDDEN = 64
BOARDS, STEPS = 128, 64
"""A round has so many steps on so many boards."""
EPOCHS, PARTS = 4, 8
"""How often a round is used, each time in so many parts."""
RATE = 1e-3
"""The size of the first steps; it falls to 0."""
DISCOUNT, TRACE, CLIP, ENTROPY, VALUE = 0.99, 0.95, 0.2, 0.01, 0.5
"""The names in the papers: gamma, lambda, epsilon, and two weights in the loss."""
STEEPEST = 0.5
"""Longer gradients are shortened to this."""


class Batch(NamedTuple):
    """What was seen and done, one row for each move."""

    seen: Array
    moves: Array
    logs: Array
    """The logarithm of the chance that the move had."""
    gains: Array
    """How much better than expected it turned out."""
    goals: Array
    """What the value should have been."""


def make_envs(boards: int, opponents: str) -> Any:
    """Duels; a finished one is replaced at once."""
    return gymnasium.make_vec(
        "boardgames/Pommerman-v0", num_envs=boards, seat="random", opponents=opponents,
        autoreset_mode="SameStep", flatten=False, **OPTIONS,
    )  # fmt: skip


def heat(free: Array, bombs: Array) -> Array:
    """How soon each cell burns: 1 in the next step, 0.1 in the tenth, 0 if no bomb reaches it.

    Bombs that set off others are not considered.
    """
    free, found = np.pad(free, EDGE), np.pad(np.zeros(free.shape), EDGE)  # rays end at the edge
    board, row, column = np.nonzero(np.pad(bombs[:, LIFE], EDGE))
    life, strength = bombs[board, :, row - 1, column - 1].T[[LIFE, STRENGTH]]
    found[board, row, column] = 1.1 - life / 10
    for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        burns = np.full(len(board), True)
        for far in range(1, strength.max(initial=1)):
            burns &= far < strength
            cells = board[burns], row[burns] + far * down, column[burns] + far * right
            np.maximum.at(found, cells, (1.1 - life[burns] / 10) * free[cells])
            burns[burns] = free[cells]
    return found[:, 1:-1, 1:-1]


def features(seen: dict[str, Array]) -> Array:
    """The cells around the own agent, what it has, where the opponent is, and the time.

    Args:
        seen: The fields of an observation; the first axis is the board.

    Returns:
        An array of shape [boards, features].
    """
    board, bombs, agents = seen["board"], seen["bombs"], seen["agents"]
    free = (board[:, RIGID] | board[:, WOOD]) == 0
    flames = np.tensordot([0, 1, 2], board[:, FLAMES], (0, 1))  # the last one dies in time
    layers = (
        board[:, RIGID] == 0, board[:, WOOD], board[:, ITEMS].any(1), board[:, OPPONENT],
        bombs[:, LIFE] > 0, flames, heat(free, bombs),
    )  # fmt: skip
    beyond = ((0, 0), (0, 0), (REACH, REACH), (REACH, REACH))  # zeros, as for rigid walls
    width, boards = 2 * REACH + 1, np.arange(len(board))
    views = np.lib.stride_tricks.sliding_window_view(
        np.pad(np.stack(layers, 1).astype(np.float32), beyond), (width, width), (2, 3)
    )
    place, foe = agents[:, 0, :2], agents[:, 1, :2]
    near = views[boards, :, place[:, 0], place[:, 1]].reshape(len(board), -1)
    others = (
        agents[:, 0, 3] > 0, agents[:, 0, 4] / 4, agents[:, 0, 5],  # ammo, strength, kick
        (foe - place) / 4, np.sign(foe - place), seen["step"] / OPTIONS["steps"],
    )  # fmt: skip
    return np.column_stack((near, *others)).astype(np.float32)


def first_net(inputs: int, rng: np.random.Generator) -> Net:
    """A network that gives all moves the same chance: it chooses at random."""
    return [
        (rng.standard_normal((inputs, HIDDEN)) / np.sqrt(inputs)).astype(np.float32),
        np.zeros(HIDDEN, np.float32),
        np.zeros((HIDDEN, MOVES + 1), np.float32),
        np.zeros(MOVES + 1, np.float32),
    ]


def judge(net: Net, seen: Array) -> tuple[Array, Array, Array]:
    """The hidden layer, the logarithms of the moves' chances, and the values."""
    hidden = np.maximum(seen @ net[0] + net[1], 0)
    out = hidden @ net[2] + net[3]
    worth = out[:, :MOVES] - out[:, :MOVES].max(1, keepdims=True)
    logs = worth - np.log(np.exp(worth).sum(1, keepdims=True))
    return hidden, logs, out[:, MOVES]


def loss(net: Net, batch: Batch) -> tuple[float, list[Array]]:
    """The loss of PPO: clipped gains, the errors of the values, and a bonus for open choices.

    Returns:
        The loss, and its gradient for each array of the network.
    """
    rows = np.arange(len(batch.moves))
    hidden, logs, values = judge(net, batch.seen)
    chances, errors = np.exp(logs), values - batch.goals
    entropy = -(chances * logs).sum(1)
    ratio = np.exp(logs[rows, batch.moves] - batch.logs)
    plain = ratio * batch.gains
    clipped = np.clip(ratio, 1 - CLIP, 1 + CLIP) * batch.gains
    total = -np.minimum(plain, clipped) - ENTROPY * entropy + VALUE * errors**2
    pull = np.where(plain <= clipped, plain, 0)  # a clipped gain has no slope
    out = np.empty((len(rows), MOVES + 1), logs.dtype)
    out[:, :MOVES] = chances * (pull[:, None] + ENTROPY * (logs + entropy[:, None]))
    out[rows, batch.moves] -= pull
    out[:, MOVES] = 2 * VALUE * errors
    out /= len(rows)
    inner = (out @ net[2].T) * (hidden > 0)
    slopes = [batch.seen.T @ inner, inner.sum(0), hidden.T @ out, out.sum(0)]
    return float(total.mean()), slopes


class Adam:
    """Steps of a size that depends on the mean slope and the mean square of it."""

    def __init__(self, net: Net) -> None:
        self.count = 0
        self.means = [np.zeros_like(array) for array in net]
        self.squares = [np.zeros_like(array) for array in net]

    def step(self, net: Net, slopes: list[Array], rate: float) -> Net:
        """A step against the slopes."""
        self.count += 1
        length = np.sqrt(sum(float((slope**2).sum()) for slope in slopes))
        after = []
        for array, slope, mean, square in zip(net, slopes, self.means, self.squares, strict=True):
            short = slope * min(1.0, STEEPEST / (length + 1e-9))
            mean += 0.1 * (short - mean)
            square += 0.001 * (short**2 - square)
            size = mean / (1 - 0.9**self.count)
            after.append(array - rate * size / (np.sqrt(square / (1 - 0.999**self.count)) + 1e-8))
        return after


def draw(logs: Array, rng: np.random.Generator) -> Array:
    """A move for each row, by the logarithms of the chances."""
    moves: Array = (logs + rng.gumbel(size=logs.shape)).argmax(1)
    return moves


def play_round(envs: Any, net: Net, seen: Array, rng: np.random.Generator) -> tuple[Batch, Array]:
    """Play the steps of a round; returns the moves, and what is seen after them."""
    rounds: list[tuple[Array, ...]] = []
    for _ in range(STEPS):
        _, logs, values = judge(net, seen)
        moves = draw(logs, rng)
        fields, rewards, over, _, _ = envs.step(moves)
        rounds.append((seen, moves, logs[np.arange(len(moves)), moves], values, rewards, over))
        seen = features(fields)
    views, moves, logs, values, rewards, over = (
        np.stack(column) for column in zip(*rounds, strict=True)
    )
    gains = advantages(rewards, over, np.vstack((values, judge(net, seen)[2])))
    columns = (views, moves, logs, gains, gains + values)
    return Batch(*(column.reshape(-1, *column.shape[2:]) for column in columns)), seen


def advantages(rewards: Array, over: Array, values: Array) -> Array:
    """Generalized advantage estimates.

    Args:
        rewards: float[steps, boards].
        over: bool[steps, boards]: where the game ended with the step.
        values: float[steps + 1, boards].
    """
    gains, gain = np.empty_like(values[1:]), np.zeros_like(values[0])
    for step in reversed(range(len(rewards))):
        goes_on = DISCOUNT * ~over[step]
        surprise = rewards[step] + goes_on * values[step + 1] - values[step]
        gains[step] = gain = (surprise + TRACE * goes_on * gain).astype(gains.dtype)
    return gains


def learn(steps: int, opponents: str, seed: int = 0) -> Iterator[tuple[int, Net]]:
    """Learn; yields the steps so far and the network, at the start and after every round."""
    envs, rng = make_envs(BOARDS, opponents), np.random.default_rng(seed)
    seen = features(envs.reset(seed=seed << 16)[0])
    net = first_net(seen.shape[1], rng)
    adam, count = Adam(net), BOARDS * STEPS
    yield 0, net
    for done in range(0, steps - count + 1, count):
        batch, seen = play_round(envs, net, seen, rng)
        for _ in range(EPOCHS):
            for rows in np.array_split(rng.permutation(count), PARTS):
                part = Batch(*(column[rows] for column in batch))
                gains = (part.gains - part.gains.mean()) / (part.gains.std() + 1e-8)
                _, slopes = loss(net, part._replace(gains=gains))
                net = adam.step(net, slopes, RATE * (1 - done / steps))
        yield done + count, net


def results(net: Net, games: int, opponents: str, seed: int = 1) -> Array:
    """The returns of new games with a network's moves, drawn by their chances."""
    envs, rng = make_envs(games, opponents), np.random.default_rng(seed)
    fields, _ = envs.reset(seed=seed << 24)
    returns, running = np.zeros(games), np.full(games, True)
    while running.any():  # only the first game of each board counts
        moves = draw(judge(net, features(fields))[1], rng)
        fields, rewards, over, _, _ = envs.step(moves)
        returns += rewards * running
        running &= ~over
    return returns


def tell(returns: Array) -> str:
    """The shares of games won, tied and lost, with the standard error of the first."""
    won, tied, lost = ((np.sign(returns) == sign).mean() for sign in (1, 0, -1))
    error = np.sqrt(won * (1 - won) / len(returns))
    return f"wins {won:.1%} (standard error {error:.1%}), ties {tied:.1%}, loses {lost:.1%}"


def main() -> None:
    """Learn, and print now and then how new games end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=3_000_000, help="moves to learn from")
    parser.add_argument("--tests", type=int, default=1000, help="games of each test")
    parser.add_argument("--opponents", default="policy", help="policy or random")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    report = 0
    for step, net in learn(given.steps, given.opponents, given.seed):
        if step >= report or step + BOARDS * STEPS > given.steps:
            print(f"{step:9,} steps: {tell(results(net, given.tests, given.opponents))}")
            report = max(BOARDS * STEPS, 2 * step)
        if step == 0:
            idle = [np.zeros_like(array) for array in net]
            idle[3][0] = 99
            print(f"standing still:  {tell(results(idle, given.tests, given.opponents))}")


if __name__ == "__main__":
    main()
