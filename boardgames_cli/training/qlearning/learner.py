"""Q-learning for small two-player games, from the results of games alone.

After every game the value of each of its moves is updated:

    Q(s, a) <- Q(s, a) + rate * (reward + discount * V(s') - Q(s, a))

(C. Watkins, "Learning from Delayed Rewards", 1989). If the other side moves in s', V(s') is the
negative of its best value there, by the table's own values (M. Littman, "Markov games as a
framework for multi-agent reinforcement learning", 1994); so both sides' moves are learned from, and
the values converge to those of best play, whatever was played. The moves of a game are updated from
last to first, which propagates a result through the whole game at once (L. Lin, "Self-improving
reactive agents", 1992).

Rewards come only at the end of a game. A game truncated for its length teaches no result: its age
is not part of the position, so the result would be noise (F. Pardo et al., "Time limits in
reinforcement learning", 2018).

The positions and moves are enumerated once, through the rules, before the first game; a game is
then a walk over lists of numbers, which makes it fast in plain Python.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any, Final, Generic, TypeAlias

from boardgames_cli.algorithms.position_graph import explore
from boardgames_cli.algorithms.q_table import QTable, Row, TableError, check_table
from boardgames_cli.algorithms.retrograde import solve_graph
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import A, Game, S
from boardgames_cli.core.options import build, option_values
from boardgames_cli.training.qlearning.settings import QSettings

BLOCK: Final = 250
"""Games that share one random stream; training can stop and resume between blocks."""

Choices: TypeAlias = list[tuple[int, ...]]
"""For every position the moves from which a player draws."""


class QLearning(Generic[S, A]):
    """A table being trained.

    Args:
        game: A small game of two seats.
        settings: How to train.
        table: A table to resume, trained with the same settings except for the number of episodes.

    Raises:
        NotSmallError: The game is not supported.
        TableError: The table is for another game.
    """

    def __init__(
        self, game: Game[S, A, Any], settings: QSettings, table: QTable | None = None
    ) -> None:
        self.game = game
        self.settings = settings
        self.graph = explore(game, shared=settings.share)
        self.episodes = 0
        self.plies = 0
        """The number of moves played by this object."""
        edges = self.graph.edges
        self._targets = [[edge.target for edge in row] for row in edges]
        self._rewards = [[edge.reward for edge in row] for row in edges]
        self._factors = [
            [-settings.discount if edge.swaps else settings.discount for edge in row]
            for row in edges
        ]
        self._swaps = [[edge.swaps for edge in row] for row in edges]
        self.values = [[settings.optimism] * len(row) for row in edges]
        """For every position the value of each move to the side that makes it."""
        self.visits = [[0] * len(row) for row in edges]
        if table is not None:
            self._take_over(table)
        self.best = [row.index(max(row)) for row in self.values]
        """For every position the move with the highest value."""
        self._top = [max(row) for row in self.values]
        self._choices: dict[str, Choices] = {}

    @property
    def is_done(self) -> bool:
        """Whether all games have been played."""
        return self.episodes >= self.settings.episodes

    def run(self) -> Iterator[int]:
        """Train to the end; yield the number of games after each block."""
        while not self.is_done:
            self.block()
            yield self.episodes

    def table(self, curve: tuple[Mapping[str, Any], ...] = ()) -> QTable:
        """What was learned so far."""
        graph = self.graph
        rows: dict[str, Row] = {
            key: {
                edge.key: (value, visits)
                for edge, value, visits in zip(edges, values, counts, strict=True)
            }
            for key, edges, values, counts in zip(
                graph.keys, graph.edges, self.values, self.visits, strict=True
            )
        }
        info = self.game.info
        return QTable(
            game=info.id,
            rules_version=info.rules_version,
            rows=rows,
            episodes=self.episodes,
            shared=self.settings.share,
            settings=option_values(self.settings),
            command=self.settings.command(info.id),
            curve=curve,
        )

    def _take_over(self, table: QTable) -> None:
        check_table(table, self.game)
        self.episodes = table.episodes
        for number, (key, edges) in enumerate(zip(self.graph.keys, self.graph.edges, strict=True)):
            row = table.rows.get(key, {})
            if row.keys() != {edge.key for edge in edges}:
                raise TableError(
                    f"the Q-table does not fit the game: position {key} has other moves.",
                    "Start over with another --out FILE.",
                )
            self.values[number] = [row[edge.key][0] for edge in edges]
            self.visits[number] = [row[edge.key][1] for edge in edges]

    def block(self) -> None:
        """Play the games up to the next multiple of `BLOCK`, learning from each."""
        settings = self.settings
        first = self.episodes
        end = min(first - first % BLOCK + BLOCK, settings.episodes)
        rng = random.Random(f"{settings.seed}/{first}")
        for episode in range(first, end):
            name = settings.opponent_at(episode)
            if name == "mixed":
                name = ("self", "random", "perfect")[int(rng.random() * 3)]
            self._episode(rng, settings.epsilon_at(episode), self._opponent(name), episode % 2)
        self.episodes = end

    def _opponent(self, name: str) -> Choices | None:
        """The moves from which an opponent draws; None plays like the learner."""
        if name == "self":
            return None
        if name not in self._choices:
            if name == "random":
                self._choices[name] = [tuple(range(len(row))) for row in self.values]
            else:
                self._choices[name] = _perfect_choices(self)
        return self._choices[name]

    def _episode(
        self, rng: random.Random, epsilon: float, opponent: Choices | None, second: int
    ) -> None:
        """Play one game and learn from it.

        Args:
            rng: The generator.
            epsilon: The share of the learner's moves that are random.
            opponent: The moves from which the other side draws; None plays like the learner.
            second: 1 if the learner moves second, 0 if first.
        """
        draw = rng.random
        values, best, targets, swaps = self.values, self.best, self._targets, self._swaps
        path: list[tuple[int, int]] = []
        mover, waiting = (opponent, None) if second else (None, opponent)
        node = 0
        for _ in range(self.settings.longest):
            if mover is not None:
                choices = mover[node]
                move = choices[int(draw() * len(choices))]
            elif draw() < epsilon:
                move = int(draw() * len(values[node]))
            else:
                move = best[node]
            path.append((node, move))
            if swaps[node][move]:
                mover, waiting = waiting, mover
            node = targets[node][move]
            if node < 0:
                break
        self.plies += len(path)
        self._learn(path)

    def _learn(self, path: list[tuple[int, int]]) -> None:
        """Update the value of every move of a game, the last one first."""
        rate, decay = self.settings.rate, self.settings.rate_decay
        values, best, top = self.values, self.best, self._top
        for node, move in reversed(path):
            goal = self._rewards[node][move]
            target = self._targets[node][move]
            if target >= 0:
                goal += self._factors[node][move] * top[target]
            counts = self.visits[node]
            counts[move] += 1
            row = values[node]
            old = row[move]
            new = row[move] = old + rate / (1.0 + decay * (counts[move] - 1)) * (goal - old)
            if new > top[node]:
                top[node], best[node] = new, move
            elif move == best[node] and new < old:
                top[node] = max(row)
                best[node] = row.index(top[node])


def _perfect_choices(learner: QLearning[Any, Any]) -> Choices:
    """The moves of a perfect opponent. Only its moves are used, not its values."""
    solution = solve_graph(learner.graph)
    choices: Choices = []
    for number in range(len(learner.graph)):
        worth = [solution.edge_verdict(edge).value for edge in learner.graph.edges[number]]
        choices.append(tuple(move for move, value in enumerate(worth) if value == max(worth)))
    return choices


def resume(game: Game[S, A, Any], table: QTable, episodes: int | None = None) -> QLearning[S, A]:
    """Resume the training of a table with its settings.

    Args:
        game: The game.
        table: The unfinished table.
        episodes: A new total number of games; None keeps the old one, and training then ends
            exactly as if it had not been interrupted.

    Raises:
        TableError: The table lacks its settings, or is for another game.
    """
    values = dict(table.settings)
    if episodes is not None:
        values["episodes"] = episodes
    try:
        settings = build(QSettings, values, "training")
    except GameError as error:
        raise TableError(
            f"the Q-table was not trained by this program: {error.message}",
            "Start over with another --out FILE.",
        ) from error
    return QLearning(game, settings, table)
