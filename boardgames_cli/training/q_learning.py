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

import functools
import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, TypeAlias

from boardgames_cli.algorithms.action_value_table import (
    QTable,
    Row,
    check_table,
)
from boardgames_cli.algorithms.learned_file import LearnedFileError
from boardgames_cli.algorithms.position_graph import PositionGraph, SmallGame, explore
from boardgames_cli.algorithms.retrograde import solve
from boardgames_cli.core.errors import GameError, OptionError
from boardgames_cli.core.game import A, Game, S
from boardgames_cli.core.options import build, check_options, option, option_values
from boardgames_cli.core.text import percent
from boardgames_cli.training.curve import Curve, Point
from boardgames_cli.training.training_run import TrainingRun, training_command, without

LONGEST: Final = 200
"""Plies after which a game is truncated without a reward."""
_ONCE_SETTINGS: Final = {"rate_decay": 0.0, "optimism": 0.0, "longest": LONGEST, "share": True}
"""What files of earlier versions record, and the only values that can be resumed."""
OPPONENTS: Final = ("self", "random", "perfect", "mixed")


@dataclass(frozen=True)
class QSettings:
    """The settings of Q-learning; equal settings give exactly equal results."""

    episodes: int = option(50_000, "games to learn from", low=1)
    opponent: str = option(
        "self", "the opponent: self, random, perfect, mixed, or several separated by commas, "
        "one after the other for equal shares of the games",
    )  # fmt: skip
    seed: int = option(1, "seed of all random numbers", low=0)
    rate: float = option(
        0.5, "learning rate: how far a value moves toward a new estimate", low=1e-6, high=1.0
    )
    discount: float = option(
        0.95, "discount per ply, so that quick wins beat slow ones", low=0.0, high=1.0
    )
    epsilon: float = option(
        1.0, "share of moves tried at random in the first game", low=0.0, high=1.0
    )
    epsilon_end: float = option(
        0.1, "share of moves tried at random in the last game", low=0.0, high=1.0
    )

    def __post_init__(self) -> None:
        check_options(self)
        for name in self.opponents:
            if name not in OPPONENTS:
                raise OptionError(
                    f'opponent can\'t be "{self.opponent}".',
                    f"Allowed: {', '.join(OPPONENTS)}, or several separated by commas.",
                )

    @property
    def opponents(self) -> tuple[str, ...]:
        return tuple(name.strip() for name in self.opponent.split(","))

    def opponent_at(self, episode: int) -> str:
        """The opponent of a game, by its number from 0."""
        count = len(self.opponents)
        return self.opponents[min(episode * count // self.episodes, count - 1)]

    def epsilon_at(self, episode: int) -> float:
        """The share of random moves in a game; it decreases linearly."""
        # Plain arithmetic only: powers may round differently on other machines.
        return self.epsilon + (self.epsilon_end - self.epsilon) * (episode / self.episodes)


BLOCK: Final = 250
"""Games that share one random stream; training can stop and resume between blocks."""

Choices: TypeAlias = list[tuple[int, ...]]
"""For every position the moves from which a player draws."""


class QLearning(TrainingRun, Generic[S, A]):
    """A training run of a Q-table.

    Args:
        game: A small game of two seats.
        settings: How to train.
        path: The file of the table; None keeps it in memory only.
        table: A table to resume, trained with the same settings except for the number of episodes.

    Raises:
        NotSmallError: The game is not supported.
        LearnedFileError: The table is for another game.
    """

    unit: ClassVar[str] = "games"
    counter: ClassVar[str] = "episodes"

    def __init__(
        self,
        game: Game[S, A, Any],
        settings: QSettings,
        path: Path | None = None,
        table: QTable | None = None,
    ) -> None:
        done, curve = (table.episodes, table.curve) if table else (0, ())
        super().__init__(game, settings, path, done, read_curve(curve))
        self.graph = explore(game, shared=True)
        self.episodes = done
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
        self.values = [[0.0] * len(row) for row in edges]
        """For every position the value of each move to the side that makes it."""
        self.visits = [[0] * len(row) for row in edges]
        if table is not None:
            self._take_over(table)
        self.best = [row.index(max(row)) for row in self.values]
        """For every position the move with the highest value."""
        self._top = [max(row) for row in self.values]
        self._choices: dict[str, Choices] = {}

    @property
    def done(self) -> int:
        return self.episodes

    @property
    def curve(self) -> Curve:
        heading = f"{'exact value kept':<37}  against random"
        return Curve(self.unit, heading, self.points)

    def text(self) -> str:
        return self.table().text()

    def facts(self) -> list[str]:
        return [f"{name}: {text}" for name, text in self.table().facts()]

    def details(self) -> dict[str, Any]:
        return {"shape": list(self.table().shape), **super().details()}

    def measure(self) -> Point | None:
        return self._evaluator.measure() if is_due(self.done, self.total) else None

    @functools.cached_property
    def _evaluator(self) -> Evaluator:
        return Evaluator(self)

    def table(self) -> QTable:
        """What was learned so far, with the learning curve."""
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
            shared=True,
            settings=option_values(self.settings),
            command=training_command(self.game, self.settings),
            curve=tuple(self.curve_data),
        )

    def _take_over(self, table: QTable) -> None:
        check_table(table, self.game)
        for number, (key, edges) in enumerate(zip(self.graph.keys, self.graph.edges, strict=True)):
            row = table.rows.get(key, {})
            if row.keys() != {edge.key for edge in edges}:
                raise LearnedFileError(
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
        draw = rng.random
        values, best, targets, swaps = self.values, self.best, self._targets, self._swaps
        path: list[tuple[int, int]] = []
        mover, waiting = (opponent, None) if second else (None, opponent)
        node = 0
        for _ in range(LONGEST):
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
        rate = self.settings.rate
        values, best, top = self.values, self.best, self._top
        for node, move in reversed(path):
            goal = self._rewards[node][move]
            target = self._targets[node][move]
            if target >= 0:
                goal += self._factors[node][move] * top[target]
            self.visits[node][move] += 1
            row = values[node]
            old = row[move]
            new = row[move] = old + rate * (goal - old)
            if new > top[node]:
                top[node], best[node] = new, move
            elif move == best[node] and new < old:
                top[node] = max(row)
                best[node] = row.index(top[node])


def _perfect_choices(learner: QLearning[Any, Any]) -> Choices:
    solution = solve(learner.graph)
    choices: Choices = []
    for number in range(len(learner.graph)):
        worth = [solution.edge_verdict(edge).value for edge in learner.graph.edges[number]]
        choices.append(tuple(move for move, value in enumerate(worth) if value == max(worth)))
    return choices


def resume(
    game: Game[S, A, Any], table: QTable, episodes: int | None = None, path: Path | None = None
) -> QLearning[S, A]:
    """Resume the training of a table with its settings.

    Args:
        game: The game.
        table: The unfinished table.
        episodes: A new total number of games; None keeps the old one, and training then ends
            exactly as if it had not been interrupted.
        path: As for `QLearning`.

    Raises:
        LearnedFileError: The table lacks its settings, or is for another game.
    """
    values = without(table.settings, _ONCE_SETTINGS)
    if episodes is not None:
        values["episodes"] = episodes
    try:
        settings = build(QSettings, values, "training")
    except GameError as error:
        raise LearnedFileError(
            f"the Q-table was not trained by this version: {error.message}",
            "Start over with another --out FILE.",
        ) from error
    return QLearning(game, settings, path, table)


GAMES: Final = 200
"""Games against random moves in one evaluation, half from each side."""

_MARKS: Final = 20
"""The number of evaluations, evenly spread; there are more among the first games."""


def table_point(episodes: int, kept: int, positions: int, score: float) -> Point:
    """The quality of a table after some training games.

    Args:
        episodes: How many.
        kept: The number of positions in which its preferred move keeps the exact value.
        positions: The number of positions, counting mirror images separately.
        score: Its share of the points against random moves, half a point for a draw.
    """
    share, points = kept / positions if positions else 0.0, percent(score, 1)
    return Point(
        episodes,
        f"{episodes:,} games: keeps the exact value in {kept} of {positions} positions, "
        f"scores {points} against random",
        f"{kept:>5} of {positions:<4}  {points:>7}",
        f"exact value kept {kept}/{positions}",
        share,
        {"episodes": episodes, "kept": kept, "positions": positions, "score": score},
    )


def is_due(done: int, total: int) -> bool:
    """Whether to evaluate after a block: often at first, then at regular intervals."""
    blocks = done // BLOCK
    step = max(1, total // BLOCK // _MARKS)
    return done >= total or blocks % step == 0 or (blocks < step and blocks & (blocks - 1) == 0)


class Evaluator:
    """Evaluates a learner."""

    def __init__(self, learner: QLearning[Any, Any]) -> None:
        self._learner = learner
        solution = solve(learner.graph)
        self._good = [
            [
                solution.edge_verdict(edge).outcome == solution.verdicts[number].outcome
                for edge in edges
            ]
            for number, edges in enumerate(learner.graph.edges)
        ]
        self._weights = [_mirror_images(learner.graph, state) for state in learner.graph.states]

    def measure(self) -> Point:
        best = self._learner.best
        kept = sum(
            weight
            for weight, good, move in zip(self._weights, self._good, best, strict=True)
            if good[move]
        )
        return table_point(self._learner.episodes, kept, sum(self._weights), self._score())

    def _score(self) -> float:
        # Part of the seed of the bundled table's curve; it must not change.
        rng = random.Random(f"examination/{self._learner.episodes}")
        return sum(self._play(rng, game % 2) for game in range(GAMES)) / GAMES

    def _play(self, rng: random.Random, side: int) -> float:
        edges, best = self._learner.graph.edges, self._learner.best
        node, mover = 0, 0
        for _ in range(LONGEST):
            is_own = mover == side
            move = best[node] if is_own else int(rng.random() * len(edges[node]))
            edge = edges[node][move]
            if edge.target < 0:
                gain = edge.reward if is_own else -edge.reward
                return 0.5 + 0.5 * ((gain > 0) - (gain < 0))
            node, mover = edge.target, mover ^ edge.swaps
        return 0.5


def _mirror_images(graph: PositionGraph[Any, Any], state: Any) -> int:
    game = graph.game
    if not graph.shared or not isinstance(game, SmallGame):
        return 1
    return len({game.position_key(image) for image in game.symmetries(state)})


def read_curve(curve: tuple[Mapping[str, Any], ...]) -> list[Point]:
    """The valid points of a file's curve."""
    points = []
    for point in curve:
        match point:
            case {
                "episodes": int(episodes),
                "kept": int(kept),
                "positions": int(positions),
                "score": int() | float() as score,
            }:
                points.append(table_point(episodes, kept, positions, float(score)))
    return points
