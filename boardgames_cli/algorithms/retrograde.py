"""Exact values by retrograde analysis: backwards from the ends of the game.

Every position of a small two-player game without chance is won, lost or drawn. Positions are
decided in the order of their distance from the end: a position is won once one of its moves leads
to a position lost for the other side, and lost once all of its moves lead to won ones. Positions
that remain undecided can be played for ever, and are drawn. Source: K. Thompson, "Retrograde
Analysis of Certain Endgames", ICCA Journal 9(3), 1986.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Generic

from boardgames_cli.algorithms.position_graph import (
    Edge,
    Key,
    PositionGraph,
    SmallGame,
    explore,
    position_key,
)
from boardgames_cli.core.game import A, AnyGame, S


class Outcome(IntEnum):
    """The result of best play for the side to move; also its value."""

    LOSS = -1
    DRAW = 0
    WIN = 1


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of best play from a position, and how long it takes."""

    outcome: Outcome
    plies: int = 0
    """Plies to the end if the winner hurries and the loser delays; 0 for a draw."""

    def __str__(self) -> str:
        if self.outcome is Outcome.DRAW:
            return "draw"
        return f"{self.outcome.name.lower()} in {self.plies}"

    @property
    def value(self) -> float:
        """A number that ranks verdicts: fast wins over slow ones, slow losses over fast ones."""
        return self.outcome * (1.0 - self.plies * 1e-6)

    def before(self, swaps: bool) -> Verdict:
        """The verdict one ply earlier, for the side that moves there."""
        if self.outcome is Outcome.DRAW:
            return self
        outcome = Outcome(-self.outcome) if swaps else self.outcome
        return Verdict(outcome, self.plies + 1)


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of positions by result."""

    won: int
    drawn: int
    lost: int
    longest: int
    """The length of the longest forced win or loss in plies."""

    @property
    def total(self) -> int:
        return self.won + self.drawn + self.lost


class Solution(Generic[S, A]):
    """The verdict on every position of a graph, by index."""

    def __init__(self, graph: PositionGraph[S, A], verdicts: list[Verdict]) -> None:
        self.graph = graph
        self.verdicts = verdicts

    def verdict(self, state: S) -> Verdict:
        """The verdict on a state of the graph, for the side to move."""
        return self.verdicts[self.graph.number(state)]

    def key(self, state: S) -> Key:
        """The name of a state's position in the graph."""
        return position_key(self.graph.game, state, self.graph.shared)

    def judge(self, state: S) -> dict[A, Verdict]:
        """The verdict on every legal action of the side to move, for that side."""
        game = self.graph.game
        (mover,) = game.to_act(state)
        edges = {edge.key: edge for edge in self.graph.edges[self.graph.number(state)]}
        verdicts = {}
        for action in game.legal_actions(state, mover):
            edge = edges[self.key(game.apply(state, {mover: action}))]
            verdicts[action] = self.edge_verdict(edge)
        return verdicts

    def edge_verdict(self, edge: Edge) -> Verdict:
        """The verdict on a move, for the side that makes it."""
        if edge.target < 0:
            return _end(edge.reward)
        return self.verdicts[edge.target].before(edge.swaps)

    def counts(self, keys: Iterable[Key] | None = None) -> Counts:
        """Count positions by result: all of them, or those with the given keys."""
        verdicts = self.verdicts
        if keys is not None:
            verdicts = [verdicts[self.graph.numbers[key]] for key in keys]
        number = Counter(verdict.outcome for verdict in verdicts)
        return Counts(
            number[Outcome.WIN],
            number[Outcome.DRAW],
            number[Outcome.LOSS],
            max((verdict.plies for verdict in verdicts), default=0),
        )


def solve(graph: PositionGraph[S, A]) -> Solution[S, A]:
    """Solve the game of a graph, which has rewards only at the end."""
    parents: list[list[tuple[int, bool]]] = [[] for _ in graph.keys]
    # A position is won at the first winning move found, and lost only when no move is left.
    # Positions are processed in the order of their distance from the end, so the first win found is
    # the fastest and the last refutation the slowest.
    open_moves = [len(edges) for edges in graph.edges]
    settled: list[Verdict | None] = [None] * len(graph)
    queue: deque[tuple[int, Verdict]] = deque()
    for number, edges in enumerate(graph.edges):
        for edge in edges:
            if edge.target < 0:
                queue.append((number, _end(edge.reward)))
            else:
                parents[edge.target].append((number, edge.swaps))
    while queue:
        number, offered = queue.popleft()
        if settled[number] is not None or offered.outcome is Outcome.DRAW:
            continue
        open_moves[number] -= 1
        if offered.outcome is Outcome.LOSS and open_moves[number]:
            continue
        settled[number] = offered
        queue.extend((parent, offered.before(swaps)) for parent, swaps in parents[number])
    return Solution(graph, [verdict or Verdict(Outcome.DRAW) for verdict in settled])


def _end(reward: float) -> Verdict:
    if reward == 0:
        return Verdict(Outcome.DRAW)
    return Verdict(Outcome.WIN if reward > 0 else Outcome.LOSS, 1)


AnySolution = Solution[Any, Any]


@dataclass(frozen=True, slots=True)
class Survey:
    """Statistics of a solved game."""

    start: Verdict
    everywhere: Counts | None
    """All positions, reachable or not; None if the game can't list them."""
    reachable: Counts
    """The positions reachable from the start, including their mirror images."""


def survey(game: AnyGame) -> Survey:
    """Solve a game and count how its positions end.

    Raises:
        NotSmallError: The game can't be solved.
    """
    if not isinstance(game, SmallGame):
        plain = solve(explore(game, shared=False))
        return Survey(plain.verdict(game.initial_state()), None, plain.counts())
    solution = solve(explore(game, game.every_position(), shared=False))
    reached = explore(game).numbers
    keys = [
        game.position_key(state)
        for state in game.every_position()
        if position_key(game, state) in reached
    ]
    start = solution.verdict(game.initial_state())
    return Survey(start, solution.counts(), solution.counts(keys))
