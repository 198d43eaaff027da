"""Trees of histories: node counts for any game, and complete trees of small two-player games.

Comparing node counts ("perft") is a simple and strict test of rules.
"""

from __future__ import annotations

import functools
import itertools
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Protocol, TypeAlias, runtime_checkable

from boardgames_cli.algorithms.action_values import why_unfit
from boardgames_cli.core.agent import UNLIMITED, Agent, Thinking
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import CHANCE, A, AnyGame, C, Game, Observation, S, Seat, Step, Traits

Policy: TypeAlias = Mapping[A, float]
"""The probabilities of the legal actions; they sum to 1."""

SAMPLES: Final = 400
"""Samples taken at each information set from an agent that can't state its policy."""


@runtime_checkable
class NamesInformationSets(Protocol):
    """A game with its own, shorter names of information sets."""

    def information_set(self, seen: Observation[Any, Any]) -> str:
        """The name of the information set of the viewer, who is to act."""
        ...


StagePlace: TypeAlias = tuple[Any, Seat, float, int]
"""Where a state of a repeated game stands: the state of the stage game (redacted if that of the
repeated game is), the seat that plays the stage's seat 0, what seat 0 has won in earlier stages,
and in how many more of the later stages seat 0 rather than seat 1 plays the stage's seat 0."""


@runtime_checkable
class HasStages(Protocol):
    """A two-seat zero-sum game that repeats a small stage game, each time independently.

    Its information sets must have the same names as those of the stage game.
    """

    def stage(self) -> AnyGame: ...

    def place_in_stage(self, state: Any) -> StagePlace:
        """Where a state stands; after the end of a stage, at that end."""
        ...


@runtime_checkable
class HasPolicy(Protocol):
    """An agent that can state its policy."""

    def policy(self, seen: Observation[Any, Any]) -> Policy[Any]: ...


def information_set(game: Game[S, A, Any], seen: Observation[S, A]) -> str:
    """The name of the information set that an observation belongs to.

    By default it is the seat with the redacted position as JSON. That is enough if observations
    have perfect recall, that is, hold everything that the seat has ever known.
    """
    if isinstance(game, NamesInformationSets):
        return game.information_set(seen)
    position = game.to_json(seen.state)
    return json.dumps({"seat": seen.seat, **position}, sort_keys=True, separators=(",", ":"))


def stage_of(game: AnyGame) -> AnyGame:
    """The stage game of a repeated game; otherwise the game itself."""
    return game.stage() if isinstance(game, HasStages) else game


def policy_of(
    agent: Agent[S, A], seen: Observation[S, A], watched: Sequence[Observation[S, A]]
) -> Policy[A]:
    """The policy of an agent that was reset, as stated by it or estimated by sampling.

    It is shown all that it has watched, with ``seen`` last.
    """
    for earlier in watched:
        agent.watch(earlier)
    if isinstance(agent, HasPolicy):
        return agent.policy(seen)
    counts = dict.fromkeys(seen.legal, 0)
    for number in range(SAMPLES):
        counts[agent.act(seen, Thinking(random.Random(f"policy/{number}"), UNLIMITED))] += 1
    return {action: count / SAMPLES for action, count in counts.items()}


def draw(policy: Policy[A], rng: random.Random) -> A:
    """Sample an action from a policy."""
    actions = list(policy)
    return rng.choices(actions, [policy[action] for action in actions])[0]


def normalised(weights: Sequence[float]) -> list[float]:
    """Weights as probabilities; all are equal if no weight is positive."""
    total = sum(weights)
    if total <= 0:
        return [1 / len(weights)] * len(weights)
    return [weight / total for weight in weights]


def why_not_extensive(game: AnyGame) -> str | None:
    """None if a game's tree of histories can be built, otherwise the reason why not."""
    return why_unfit(game, is_duel=True) or why_unfit(game, Traits.SAMPLED_CHANCE)


def why_not_cfr(game: AnyGame) -> str | None:
    """None if CFR can train a game, otherwise the reason why not.

    It is only for games with hidden information or joint steps; others need no mixed strategies.
    """
    if not game.traits & (Traits.HIDDEN | Traits.SIMULTANEOUS):
        return "it has no secrets"
    return why_not_extensive(game)


@dataclass(frozen=True, slots=True)
class NodeCounts:
    """The number of nodes of each kind."""

    chance: int = 0
    decision: int = 0
    terminal: int = 0

    def __add__(self, other: NodeCounts) -> NodeCounts:
        return NodeCounts(
            self.chance + other.chance,
            self.decision + other.decision,
            self.terminal + other.terminal,
        )


def successors(game: Game[S, A, C], state: S) -> Iterator[tuple[Step[A, C], S]]:
    """Every step that can be taken in a state, with the state it leads to."""
    seats = game.to_act(state)
    if seats == (CHANCE,):
        for outcome, _ in game.chance_outcomes(state):
            yield Step.of_chance(outcome), game.apply_chance(state, outcome)
    elif seats:
        choices = [game.legal_actions(state, seat) for seat in seats]
        for combination in itertools.product(*choices):
            joint = dict(zip(seats, combination, strict=True))
            yield Step(joint), game.apply(state, joint)


def count_nodes(game: Game[S, A, C], state: S, depth: int) -> NodeCounts:
    """Count all histories of up to ``depth`` steps from a state, the state itself included.

    Histories are counted, not distinct states, as chess programs do in "perft".
    """
    seats = game.to_act(state)
    if not seats:
        return NodeCounts(terminal=1)
    here = NodeCounts(chance=1) if seats == (CHANCE,) else NodeCounts(decision=1)
    if depth == 0:
        return here
    below = (count_nodes(game, after, depth - 1) for _, after in successors(game, state))
    return sum(below, here)


MOST_NODES: Final = 20_000


class TreeError(GameError):
    """The game can't be expanded as a tree: it is too large, or not supported."""


@dataclass(frozen=True, slots=True)
class InformationSet(Generic[A]):
    """All nodes that a seat can't tell apart."""

    name: str
    seat: Seat
    actions: tuple[A, ...]
    nodes: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Node(Generic[S, A]):
    """One history. Children have higher numbers than their parents."""

    number: int
    state: S
    parent: int
    """The index of the parent, or -1 at the root."""
    information: int
    """The index of the information set, or -1 at chance and terminal nodes."""
    chance: float
    """The product of the chance probabilities on the path."""
    joint: tuple[A, ...] = ()
    """In a joint step, the action of the seat before, which the seat to act does not see."""
    children: list[int] = field(default_factory=list)


class GameTree(Generic[S, A]):
    """All histories of a game. In a joint step one seat acts after the other, unseen by it.

    Raises:
        TreeError: The game is not supported, too large, or without perfect recall.
    """

    def __init__(self, game: Game[S, A, Any]) -> None:
        reason = why_not_extensive(game)
        if reason is not None:
            raise TreeError(f"{game.info.name} can't be expanded as a tree: {reason}.")
        self.game = game
        self.nodes: list[Node[S, A]] = []
        self.information_sets: list[InformationSet[A]] = []
        self._has_secrets = Traits.HIDDEN in game.traits
        self._numbers: dict[str, int] = {}
        self._memory: list[tuple[tuple[int, int], ...]] = []
        if _is_too_large(game):
            raise TreeError(
                f"{game.info.name} has more than {MOST_NODES:,} histories.",
                "Choose options that make it smaller, or play it by a search (mcts, ismcts) or "
                "a network (boardgames train GAME --method network).",
            )
        self._grow()

    @property
    def size(self) -> str:
        """Its size in words."""
        sets = len(self.information_sets)
        return f"{len(self.nodes):,} histories in {sets:,} information sets"

    def payoff(self, node: Node[S, A]) -> float:
        """The return of seat 0 at a terminal node."""
        return self.game.returns(node.state)[0]

    def named(self, rows: Profile) -> dict[str, dict[str, float]]:
        """The numbers of a profile by information set and action."""
        return {
            known.name: dict(zip(map(str, known.actions), row, strict=True))
            for known, row in zip(self.information_sets, rows, strict=True)
        }

    def find(self, name: str) -> int:
        """The index of the information set with that name."""
        return self._numbers[name]

    def watched(self, node: Node[S, A]) -> list[Observation[S, A]]:
        """What the seat to act at a decision node has seen so far, the node itself last."""
        seat = self.information_sets[node.information].seat
        steps = [earlier.state for earlier in self.path(node) if not earlier.joint]
        return [self.game.observe(state, seat, ply) for ply, state in enumerate(steps)]

    def path(self, node: Node[S, A]) -> list[Node[S, A]]:
        """The nodes from the root to a node."""
        nodes = [node]
        while nodes[-1].parent >= 0:
            nodes.append(self.nodes[nodes[-1].parent])
        return nodes[::-1]

    def _grow(self) -> None:
        # The memory of each seat: its past information sets with its actions, to check recall.
        nothing: tuple[tuple[int, int], ...] = ()
        start: tuple[A, ...] = ()
        waiting = [(self.game.initial_state(), -1, 1.0, (nothing, nothing), start)]
        while waiting:
            state, parent, chance, memory, joint = waiting.pop()
            seats = self.game.to_act(state)
            number, information = len(self.nodes), -1
            if seats and seats != (CHANCE,):
                seat = seats[len(joint)]
                information = self._information(self.game.observe(state, seat), memory[seat])
                self.information_sets[information].nodes.append(number)
            self.nodes.append(Node(number, state, parent, information, chance, joint))
            if parent >= 0:
                self.nodes[parent].children.append(number)
            following = []
            if seats == (CHANCE,):
                for outcome, probability in self.game.chance_outcomes(state):
                    after = self.game.apply_chance(state, outcome)
                    following.append((after, number, chance * probability, memory, start))
            elif seats:
                for index, action in enumerate(self.information_sets[information].actions):
                    own = (*memory[seat], (information, index))
                    both = (memory[0], own) if seat else (own, memory[1])
                    chosen = (*joint, action)
                    after = state
                    if len(chosen) == len(seats):
                        after = self.game.apply(state, dict(zip(seats, chosen, strict=True)))
                        chosen = start
                    following.append((after, number, chance, both, chosen))
            waiting += reversed(following)

    def _information(self, seen: Observation[S, A], memory: tuple[tuple[int, int], ...]) -> int:
        name = information_set(self.game, seen)
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self.information_sets)
            self.information_sets.append(InformationSet(name, seen.own_seat, seen.legal))
            self._memory.append(memory)
            return number
        known = self.information_sets[number]
        if known.seat != seen.own_seat or known.actions != seen.legal:
            raise TreeError(f'two different decisions are both called "{name}".')
        # With perfect information, forgetting is harmless: the future depends on the state alone.
        if self._has_secrets and self._memory[number] != memory:
            raise TreeError(
                f'at "{name}" a seat would have forgotten what it knew or did before.',
                "Let the redacted state hold all that the seat has ever seen.",
            )
        return number


@functools.lru_cache(maxsize=64)
def _is_too_large(game: AnyGame) -> bool:
    histories = [game.initial_state()]
    for state in histories:  # which grows
        histories += [after for _, after in successors(game, state)]
        if len(histories) > MOST_NODES:
            return True
    return False


@functools.lru_cache(maxsize=8)
def tree_of(game: AnyGame) -> GameTree[Any, Any]:
    """The tree of a game, cached; it must not be changed."""
    return GameTree(game)


def why_no_tree(game: AnyGame) -> str | None:
    """None if the tree of a game, or of its stage, can be built, otherwise the reason why not."""
    reason = why_not_extensive(game)
    if reason is None:
        try:
            tree_of(stage_of(game))
        except TreeError as error:
            return error.message.rstrip(".")
    return reason


Profile = Sequence[Sequence[float]]
"""The probabilities of the actions at every information set, by index."""
