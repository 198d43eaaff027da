"""Games as graphs of positions: what solvers and tables work on.

A *position* is a state without what does not bear on best play: which seat is called the first,
how long the game has lasted, and (if wanted) which of its mirror images it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Protocol, TypeAlias, runtime_checkable

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import CHANCE, A, AnyGame, Game, S
from boardgames_cli.core.info import Traits

MOST_POSITIONS: Final = 200_000
"""A game with more reachable positions is not small."""

Key: TypeAlias = str
"""The name of a position: its side to move first, whichever seat that is."""


class NotSmallError(GameError):
    """A game is not one that can be solved or learned position by position."""


@runtime_checkable
class SmallGame(Protocol):
    """What a rulebook may offer beside the contract, to make its graph smaller and its keys short.

    Without it positions are distinguished by their JSON, with both seats and all mirror images.
    """

    def position_key(self, state: Any) -> Key:
        """The same for positions that differ only in which seat is which, or in their age."""
        ...

    def symmetries(self, state: Any) -> Sequence[Any]:
        """All states that are worth the same to the side to move, the state itself among them."""
        ...

    def every_position(self) -> Iterator[Any]:
        """Every position in which a seat acts, reachable or not, as the first seat sees it."""
        ...


def why_not_small(game: AnyGame) -> str | None:
    """None if the game can be a graph of positions, otherwise the reason why not."""
    traits = game.traits
    if traits & (Traits.CHANCE | Traits.SAMPLED_CHANCE):
        return "chance has a part in it"
    if Traits.HIDDEN in traits:
        return "it hides things from the seats"
    if Traits.SIMULTANEOUS in traits:
        return "all seats act at once there"
    if game.seats != 2 or Traits.ZERO_SUM not in traits:
        return "it needs two seats, one winning what the other loses"
    return None


def fresh(game: Game[S, A, Any], state: S) -> S:
    """The state as its position alone gives it: the age of the game, say, starts over."""
    return game.from_json(game.to_json(state))


def position_key(game: AnyGame, state: Any, shared: bool = True) -> Key:
    """The name of a state's position.

    Args:
        game: The rulebook.
        state: Any state of it, finished ones included.
        shared: Whether all mirror images have one name, the smallest of theirs.
    """
    if not isinstance(game, SmallGame):
        return json.dumps(game.to_json(state), sort_keys=True, separators=(",", ":"))
    if not shared:
        return game.position_key(state)
    return min(map(game.position_key, game.symmetries(state)))


@dataclass(frozen=True, slots=True)
class Edge:
    """One thing that the side to move can do; actions that lead to the same position are one."""

    target: int
    """The number of the position after it, or -1 if the game is over then."""
    key: Key
    """The name of the position after it."""
    reward: float
    """What the mover gains by it."""
    swaps: bool
    """Whether the other side is to move then, and so counts values the other way round."""


@dataclass(slots=True)
class PositionGraph(Generic[S, A]):
    """All positions that can be reached from some first ones, numbered as they were found."""

    game: Game[S, A, Any]
    shared: bool
    """Whether mirror images are one position."""
    most: int
    """More positions than this are too many."""
    keys: list[Key] = field(default_factory=list)
    states: list[S] = field(default_factory=list)
    """For each position one state that has it."""
    edges: list[tuple[Edge, ...]] = field(default_factory=list)
    numbers: dict[Key, int] = field(default_factory=dict)

    def number(self, state: S) -> int:
        """The number of a state's position.

        Raises:
            KeyError: It can't be reached from the first positions.
        """
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
    """Find all positions that can be reached.

    Args:
        game: The rulebook.
        starts: The first positions; by default the game's own start.
        shared: Whether mirror images are one position.
        most: More positions than this are too many; by default `MOST_POSITIONS`.

    Raises:
        NotSmallError: The game has chance, secrets, or too many positions.
    """
    reason = why_not_small(game)
    if reason:
        raise NotSmallError(f"{game.info.name} can't be taken position by position: {reason}.")
    graph = PositionGraph(game, shared, MOST_POSITIONS if most is None else most)
    for state in [game.initial_state()] if starts is None else starts:
        if not game.is_over(state):
            _enter(graph, state)
    # The list grows while it is walked: breadth first.
    for state in graph.states:
        graph.edges.append(tuple(_edges(graph, state)))
    return graph


def _enter(graph: PositionGraph[S, A], state: S) -> int:
    """The number of a position in which a seat acts, new or known."""
    state = fresh(graph.game, state)
    key = position_key(graph.game, state, graph.shared)
    number = graph.numbers.get(key)
    if number is None:
        number = graph.numbers[key] = len(graph.keys)
        if number >= graph.most:
            raise NotSmallError(
                f"{graph.game.info.name} has more than {graph.most:,} positions.",
                "Solving and tables are for small games.",
            )
        graph.keys.append(key)
        graph.states.append(state)
    return number


def _edges(graph: PositionGraph[S, A], state: S) -> Iterator[Edge]:
    game = graph.game
    (mover,) = game.to_act(state)
    if mover == CHANCE:
        raise NotSmallError(f"{game.info.name} can't be taken position by position: chance acts.")
    seen: set[Key] = set()
    for action in game.legal_actions(state, mover):
        # Reset here: a limit on the length of games is no property of positions.
        after = fresh(game, game.apply(state, {mover: action}))
        key = position_key(game, after, graph.shared)
        if key in seen:
            continue
        seen.add(key)
        reward = game.returns(after)[mover] - game.returns(state)[mover]
        if game.is_over(after):
            yield Edge(-1, key, reward, swaps=False)
        else:
            yield Edge(_enter(graph, after), key, reward, swaps=game.to_act(after) != (mover,))
