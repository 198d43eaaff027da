"""Games as graphs of positions, for solvers and tables.

A *position* is a state without what is irrelevant to best play: which seat is the first, how long
the game has lasted, and (optionally) which of its mirror images it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Protocol, TypeAlias, runtime_checkable

from boardgames_cli.algorithms.action_values import why_unfit
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import CHANCE, A, AnyGame, Game, S, Traits

MOST_POSITIONS: Final = 200_000

_TOO_LARGE: Final = (
    "Solving and tables are for small games; play it by a search (mcts), or train a network "
    "(boardgames train GAME --method network)."
)

Key: TypeAlias = str
"""The name of a position, seen from the side to move."""


class NotSmallError(GameError):
    """A game can't be solved or learned position by position."""


@runtime_checkable
class SmallGame(Protocol):
    """Optional methods of a rulebook that make its graph smaller and its keys shorter.

    Without them a position's key is its JSON, and seats and mirror images are distinguished.
    """

    def position_key(self, state: Any) -> Key:
        """The key of a position; seats and the age of the game do not matter."""
        ...

    def symmetries(self, state: Any) -> Sequence[Any]:
        """All symmetric states, including the state itself; they have equal value."""
        ...

    def every_position(self) -> Iterator[Any]:
        """Every position with a seat to act, reachable or not, seen from the first seat."""
        ...


def why_not_small(game: AnyGame) -> str | None:
    """None if the game can be explored as a graph, otherwise the reason why not."""
    chance = Traits.CHANCE, Traits.SAMPLED_CHANCE
    return why_unfit(game, *chance, Traits.HIDDEN, Traits.SIMULTANEOUS, is_duel=True)


def fresh(game: Game[S, A, Any], state: S) -> S:
    """The state rebuilt from its position alone, for example with its age reset."""
    return game.from_json(game.to_json(state))


def position_key(game: AnyGame, state: Any, shared: bool = True) -> Key:
    """The name of a state's position; mirror images may share one, the smallest of theirs."""
    if not isinstance(game, SmallGame):
        return json.dumps(game.to_json(state), sort_keys=True, separators=(",", ":"))
    if not shared:
        return game.position_key(state)
    return min(map(game.position_key, game.symmetries(state)))


@dataclass(frozen=True, slots=True)
class Edge:
    """A move of the side to move; actions that lead to the same position share one edge."""

    target: int
    """The index of the next position, or -1 if the game is over."""
    key: Key
    reward: float
    swaps: bool
    """Whether the other side moves next, so that values change sign."""


@dataclass(slots=True)
class PositionGraph(Generic[S, A]):
    """All positions reachable from given starts, numbered in the order found."""

    game: Game[S, A, Any]
    shared: bool
    most: int
    keys: list[Key] = field(default_factory=list)
    states: list[S] = field(default_factory=list)
    edges: list[tuple[Edge, ...]] = field(default_factory=list)
    numbers: dict[Key, int] = field(default_factory=dict)

    def number(self, state: S) -> int:
        """The index of a state's position; a `KeyError` if it can't be reached from the starts."""
        return self.numbers[position_key(self.game, state, self.shared)]

    def __len__(self) -> int:
        return len(self.keys)


def explore(
    game: Game[S, A, Any],
    starts: Iterable[S] | None = None,
    *,
    shared: bool = True,
    most: int | None = None,
) -> PositionGraph[S, A]:
    """Find all reachable positions, by default from the game's initial state.

    Raises:
        NotSmallError: The game has chance, secrets, or too many positions.
    """
    reason = why_not_small(game)
    if reason:
        raise NotSmallError(f"{game.info.name} can't be explored position by position: {reason}.")
    graph = PositionGraph(game, shared, MOST_POSITIONS if most is None else most)
    for state in [game.initial_state()] if starts is None else starts:
        if not game.is_over(state):
            start = fresh(game, state)
            _enter(graph, start, position_key(game, start, shared))
    # The list grows during iteration, which makes this a breadth-first search.
    for state in graph.states:
        graph.edges.append(tuple(_edges(graph, state)))
    return graph


def _enter(graph: PositionGraph[S, A], state: S, key: Key) -> int:
    number = graph.numbers.get(key)
    if number is None:
        number = graph.numbers[key] = len(graph.keys)
        if number >= graph.most:
            raise NotSmallError(
                f"{graph.game.info.name} has more than {graph.most:,} positions.", _TOO_LARGE
            )
        graph.keys.append(key)
        graph.states.append(state)
    return number


def _edges(graph: PositionGraph[S, A], state: S) -> Iterator[Edge]:
    game = graph.game
    (mover,) = game.to_act(state)
    if mover == CHANCE:
        raise NotSmallError(
            f"{game.info.name} can't be explored position by position: chance acts."
        )
    seen: set[Key] = set()
    for action in game.legal_actions(state, mover):
        # Reset, because a limit on the length of games is not part of a position.
        after = fresh(game, game.apply(state, {mover: action}))
        key = position_key(game, after, graph.shared)
        if key in seen:
            continue
        seen.add(key)
        reward = game.returns(after)[mover] - game.returns(state)[mover]
        if game.is_over(after):
            yield Edge(-1, key, reward, swaps=False)
        else:
            yield Edge(_enter(graph, after, key), key, reward, swaps=game.to_act(after) != (mover,))
