"""Search by simulation for any game: rollouts, and Monte Carlo tree search over what seats see.

A simulation starts in a state that fits the observation (`Game.determinize`), follows the tree
while it knows the position, and continues with a rollout. Nodes hold no states, only statistics by
action, so that every simulation draws chance and hidden information anew ("open loop": D. Perez,
J. Dieskau, M. Hunermund, S. Mostaghim and S. Lucas, "Open Loop Search for General Video Game
Playing", 2015). A node stands for the steps since the root as an observer sees them. With one
observer this is UCT in games of perfect information (L. Kocsis and C. Szepesvari, "Bandit based
Monte-Carlo Planning", 2006) and single-observer ISMCTS in others; with a tree for every seat it is
multi-observer ISMCTS (P. Cowling, E. Powley and D. Whitehouse, "Information Set Monte Carlo Tree
Search", 2012).

Where several seats act at once, no single action is best. Each seat then plays by regret matching,
and its average strategy is the answer (M. Lanctot, V. Lisy and M. Winands, "Monte Carlo Tree Search
in Simultaneous Move Games with Applications to Goofspiel", 2013).

Without chance, hidden information and joint steps, what the tree proves counts as exact: an end is
solved, and so is a decision with a winning action or with solved actions only; actions that lose
for certain are left out (M. Winands, Y. Bjornsson and J.-T. Saito, "Monte-Carlo Tree Search
Solver", 2008).

A network may guide the search: it values leaves without playing on, and its policy says which
actions to try first (PUCT: D. Silver et al., "Mastering the game of Go without human knowledge",
2017).
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Protocol

from boardgames_cli.algorithms.game_tree import normalised
from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.game import CHANCE, A, AnyGame, Game, Observation, S, Seat, Step, Traits
from boardgames_cli.core.spec import Heuristic

Returns = Sequence[float]
"""The final return of every seat."""

_EXPLORING: Final = 0.1
"""The share of uniformly random actions in regret matching, so that every action is tried."""
_UNSOLVABLE: Final = Traits.CHANCE | Traits.SAMPLED_CHANCE | Traits.HIDDEN | Traits.SIMULTANEOUS


class Leaves(Protocol):
    """What a search asks where its tree ends."""

    def play(self, state: Any, rng: random.Random) -> Returns:
        """The value of a state to every seat."""
        ...

    def priors(self, state: Any, seat: Seat) -> Mapping[Any, float] | None:
        """How promising the legal actions of a seat are, as probabilities; None if unknown."""
        ...


@dataclass(frozen=True)
class RolloutPolicy:
    """Plays games on to estimate the value of a state."""

    game: AnyGame
    heuristic: Heuristic | None = None
    """The value of a state in which a rollout is cut; None for the returns so far."""
    depth: int = 1000
    agents: Sequence[Agent[Any, Any]] = ()
    """The agent of every seat, reset for the game; empty for uniformly random actions. They are
    not shown the steps, so they must do without memory."""

    def play(self, state: Any, rng: random.Random) -> Returns:
        """The returns after a game played on from a state, or their estimate where it is cut."""
        game = self.game
        for _ in range(self.depth):
            seats = game.to_act(state)
            if not seats:
                return game.returns(state)
            if seats == (CHANCE,):
                state = game.apply_chance(state, game.sample_chance(state, rng))
            else:
                state = game.apply(state, {seat: self.choose(state, seat, rng) for seat in seats})
        if self.heuristic is None or game.is_over(state):
            return game.returns(state)
        return [self.heuristic(game, state, seat) for seat in range(game.seats)]

    def priors(self, state: Any, seat: Seat) -> None:
        """Nothing is known before actions were tried."""

    def choose(self, state: Any, seat: Seat, rng: random.Random) -> Any:
        """An action of a seat by the rollout policy."""
        if self.agents:
            return self.agents[seat].act(self.game.observe(state, seat), Thinking(rng))
        legal = self.game.legal_actions(state, seat)
        return legal[int(rng.random() * len(legal))]


class Arm:
    """The statistics of one action, or of one cell of a joint step's matrix."""

    __slots__ = ("available", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.total = 0.0
        self.available = 0
        """How often the action was legal when its node was visited."""

    @property
    def mean(self) -> float:
        """The mean return after the action; 0 before the first visit."""
        return self.total / self.visits if self.visits else 0.0


class Bandit(Generic[A]):
    """A seat's choice at a node, by upper confidence bounds (UCB1)."""

    __slots__ = ("actions",)

    def __init__(self) -> None:
        self.actions: dict[A, Arm] = {}

    def choose(self, legal: Sequence[A], search: TreeSearch[Any, A]) -> A:
        """An untried action if there is one, else that with the best upper confidence bound."""
        tallies = [self._arm(action) for action in legal]
        untried = [action for action, tally in zip(legal, tallies, strict=True) if not tally.visits]
        for tally in tallies:
            tally.available += 1
        if untried:
            return untried[int(search.rng.random() * len(untried))]
        width = search.exploration * search.spread
        bounds = [
            tally.total / tally.visits + width * math.sqrt(math.log(tally.available) / tally.visits)
            for tally in tallies
        ]
        return legal[bounds.index(max(bounds))]

    def learn(self, action: A, others: Hashable, value: float) -> None:
        """Add the seat's return in a simulation, after these actions of it and of the others."""
        tally = self._arm(action)
        tally.visits += 1
        tally.total += value

    def policy(self, legal: Sequence[A]) -> dict[A, float]:
        """The answer of the search: all on the most visited action, the better of equals."""
        best = max(legal, key=lambda action: (self._arm(action).visits, self._arm(action).mean))
        return {action: float(action == best) for action in legal}

    def shares(self, legal: Sequence[A]) -> dict[A, float]:
        """The share of each action in the simulations; all are equal before the first."""
        return dict(zip(legal, normalised([self._arm(one).visits for one in legal]), strict=True))

    def _arm(self, action: A) -> Arm:
        found = self.actions.get(action)
        if found is None:
            found = self.actions[action] = Arm()
        return found


class GuidedBandit(Bandit[A]):
    """A seat's choice by upper confidence bounds that favour a policy's actions (PUCT)."""

    __slots__ = ("priors",)

    def __init__(self, priors: Mapping[A, float]) -> None:
        super().__init__()
        self.priors = priors

    def choose(self, legal: Sequence[A], search: TreeSearch[Any, A]) -> A:
        """The action with the best bound; untried ones count as good as the mean of all."""
        tallies = [self._arm(action) for action in legal]
        visits = sum([tally.visits for tally in tallies])
        usual = sum([tally.total for tally in tallies]) / visits if visits else 0.0
        width = search.exploration * search.most_spread * math.sqrt(visits + 1)
        even = 1 / len(legal)
        bounds = [
            (tally.total / tally.visits if tally.visits else usual)
            + width * self.priors.get(action, even) / (1 + tally.visits)
            for action, tally in zip(legal, tallies, strict=True)
        ]
        return legal[bounds.index(max(bounds))]


class RegretMatching(Bandit[A]):
    """A choice in a joint step."""

    __slots__ = ("cells", "regrets", "strategy", "sums")

    def __init__(self) -> None:
        super().__init__()
        self.cells: dict[tuple[A, Hashable], Arm] = {}
        self.regrets: dict[A, float] = {}
        self.sums: dict[A, float] = {}
        """For each action the sum of its probabilities in the strategies so far."""

    def choose(self, legal: Sequence[A], search: TreeSearch[Any, A]) -> A:
        """Sample an action in proportion to its positive regret, now and then any action."""
        chances = normalised([max(self.regrets.get(action, 0.0), 0.0) for action in legal])
        for action, chance in zip(legal, chances, strict=True):
            self.sums[action] = self.sums.get(action, 0.0) + chance
        if search.rng.random() < _EXPLORING:
            return legal[int(search.rng.random() * len(legal))]
        return search.rng.choices(legal, chances)[0]

    def learn(self, action: A, others: Hashable, value: float) -> None:
        """Add what other actions have brought against the same actions of the others."""
        super().learn(action, others, value)
        cell = self.cells.setdefault((action, others), Arm())
        cell.visits += 1
        cell.total += value
        for other, tally in self.actions.items():
            known = self.cells.get((other, others), tally)
            if other != action and known.visits:
                self.regrets[other] = self.regrets.get(other, 0.0) + known.mean - value

    def shares(self, legal: Sequence[A]) -> dict[A, float]:
        return self.policy(legal)

    def policy(self, legal: Sequence[A]) -> dict[A, float]:
        sums = [self.sums.get(action, 0.0) for action in legal]
        return dict(zip(legal, normalised(sums), strict=True))


@dataclass(slots=True)
class SearchNode:
    """What an observer has seen since the root, with the decisions made there."""

    children: dict[Hashable, SearchNode] = field(default_factory=dict)
    decisions: dict[Seat, Bandit[Any]] = field(default_factory=dict)
    solved: Returns | None = None
    """The returns by best play, once they are proven."""
    has_proof: bool = False
    """Whether something is proven about a step from here."""

    def child(self, edge: Hashable) -> SearchNode:
        """The node after a step; made if it is new."""
        found = self.children.get(edge)
        if found is None:
            found = self.children[edge] = SearchNode()
        return found


@dataclass
class TreeSearch(Generic[S, A]):
    """A tree for one decision, which grows by one node with each simulation."""

    game: Game[S, A, Any]
    seen: Observation[S, A]
    rollouts: Leaves
    rng: random.Random
    exploration: float = 0.7
    """The weight of the exploration term, in units of the spread of the returns met."""
    multi: bool = False
    """Whether every seat has a tree of its own, with what it sees; else all share that of the seat
    to act."""
    known: S | None = None
    """The state in which every simulation starts, if it is known; else one that fits ``seen``."""
    root: SearchNode = field(init=False, default_factory=SearchNode)
    simulations: int = field(init=False, default=0)
    spread: float = field(init=False, default=0.0)
    """The difference of the highest and the lowest return of any seat so far."""
    results: dict[A, list[Returns]] = field(init=False, default_factory=dict)
    """The returns of all seats in each simulation, by the action at the root."""

    def __post_init__(self) -> None:
        assert self.seen.seat is not None, "a spectator has no decision"
        self.seat = self.seen.seat
        self._observers = range(self.game.seats) if self.multi else (self.seat,)
        self._low, self._high = math.inf, -math.inf
        low, high = self.game.utility
        self.most_spread = high - low
        self._are_listed = Traits.SAMPLED_CHANCE not in self.game.traits
        self._is_open = Traits.HIDDEN not in self.game.traits
        self._can_solve = not self.game.traits & _UNSOLVABLE
        self._roots: dict[Hashable, SearchNode] = {}

    def run(self, simulations: int, should_stop: Callable[[int], bool]) -> None:
        """Run simulations until there are enough, or ``should_stop(simulations)``."""
        while self.simulations < simulations and not should_stop(self.simulations):
            state = self.known
            self._simulate(self.game.determinize(self.seen, self.rng) if state is None else state)
            self.simulations += 1

    def values(self) -> dict[A, float]:
        """The return of the seat after each legal action: proven, its mean, or that of all."""
        known = self.root.decisions.get(self.seat, Bandit()).actions
        tallies = {action: known.get(action, Arm()) for action in self.seen.legal}
        visits = sum(tally.visits for tally in tallies.values())
        total = sum(tally.total for tally in tallies.values())
        usual = total / visits if visits else self.game.returns(self.seen.state)[self.seat]
        values = {}
        for action, tally in tallies.items():
            solved = self._solved(self.root, self.seat, action)
            values[action] = solved[self.seat] if solved else tally.mean if tally.visits else usual
        return values

    def solved(self, action: A) -> Returns | None:
        """The proven returns of all seats after an action; None if nothing is proven."""
        return self._solved(self.root, self.seat, action)

    def policy(self) -> dict[A, float]:
        """The probabilities of the legal actions, all equal before the first simulation."""
        return self._best_of(lambda decision, good: decision.policy(good))

    def shares(self) -> dict[A, float]:
        """The share of each legal action in the simulations, or in the average strategy.

        Only actions as good as is proven have one: at a solved root, simulations try the others.
        """
        return self._best_of(lambda decision, good: decision.shares(good))

    def _best_of(self, share: Callable[[Bandit[A], Sequence[A]], dict[A, float]]) -> dict[A, float]:
        legal = self.seen.legal
        decision = self.root.decisions.get(self.seat)
        if not decision:
            return dict.fromkeys(legal, 1 / len(legal))
        found = share(decision, self._good(self.root, self.seat, legal))
        return {action: found.get(action, 0.0) for action in legal}

    def _simulate(self, state: S) -> None:
        game, rng = self.game, self.rng
        nodes = {seat: self._root_of(seat, state) for seat in self._observers}
        path: list[tuple[Seat, Bandit[A], A, Hashable]] = []
        trail: list[tuple[SearchNode, Seat, Sequence[A]]] = []
        while True:
            seats = game.to_act(state)
            step: Step[A, Any]
            if not seats:
                if self._can_solve:
                    nodes[self.seat].solved = game.returns(state)
                    self._prove(trail)
                break
            if nodes[self.seat].solved and path:
                break
            if seats == (CHANCE,):
                step = Step.of_chance(game.sample_chance(state, rng))
            else:
                # The tree grows by one decision; the first one has been met before.
                decisions, is_new = self._decisions(nodes, seats, state)
                if is_new and path:
                    break
                legal = [game.legal_actions(state, seat) for seat in seats]
                if self._can_solve:
                    trail.append((nodes[self.seat], seats[0], legal[0]))
                    legal = [self._to_try(*trail[-1])]
                joint = {
                    seat: decision.choose(actions, self)
                    for seat, decision, actions in zip(seats, decisions, legal, strict=True)
                }
                for seat, decision in zip(seats, decisions, strict=True):
                    others = tuple(joint[other] for other in seats if other != seat)
                    path.append((seat, decision, joint[seat], others))
                step = Step(joint)
            nodes = {
                seat: node.child(self._edge(state, step, seat)) for seat, node in nodes.items()
            }
            state = game.apply_step(state, step)
        self._learn(path, nodes[self.seat].solved or self.rollouts.play(state, rng))

    def _solved(self, node: SearchNode, seat: Seat, action: A) -> Returns | None:
        child = node.children.get(((seat, action),)) if node.has_proof else None
        return child.solved if child else None

    def _to_try(self, node: SearchNode, seat: Seat, legal: Sequence[A]) -> Sequence[A]:
        if not node.solved:
            return self._good(node, seat, legal)
        return [action for action in legal if not self._solved(node, seat, action)] or legal

    def _good(self, node: SearchNode, seat: Seat, legal: Sequence[A]) -> Sequence[A]:
        if not node.has_proof:
            return legal
        proven = [(action, self._solved(node, seat, action)) for action in legal]
        if node.solved:
            most = node.solved[seat]
            return [action for action, solved in proven if solved and solved[seat] == most]
        least = self.game.utility[0]
        return [
            action for action, solved in proven if solved is None or solved[seat] > least
        ] or legal

    def _prove(self, trail: Sequence[tuple[SearchNode, Seat, Sequence[A]]]) -> None:
        for node, seat, legal in reversed(trail):
            node.has_proof = True
            known = [self._solved(node, seat, action) for action in legal]
            solved = [returns for returns in known if returns]
            best = max(solved, key=lambda returns: returns[seat])
            if len(solved) < len(known) and best[seat] < self.game.utility[1]:
                return
            node.solved = best

    def _learn(self, path: Sequence[tuple[Seat, Bandit[A], A, Hashable]], returns: Returns) -> None:
        self._low, self._high = min(self._low, *returns), max(self._high, *returns)
        self.spread = self._high - self._low
        first = next((action for seat, _, action, _ in path if seat == self.seat), None)
        if first is not None:
            self.results.setdefault(first, []).append(returns)
        for seat, decision, action, others in path:
            decision.learn(action, others, returns[seat])

    def _root_of(self, observer: Seat, state: S) -> SearchNode:
        if observer == self.seat:
            return self.root
        key = (observer, self.game.redact(state, observer))
        return self._roots.setdefault(key, SearchNode())

    def _decisions(
        self, nodes: Mapping[Seat, SearchNode], seats: Sequence[Seat], state: S
    ) -> tuple[list[Bandit[A]], bool]:
        found, is_new = [], False
        for seat in seats:
            known = (nodes[seat] if self.multi else nodes[self.seat]).decisions
            if seat not in known:
                known[seat] = self.new_decision(seats, seat, state)
                is_new = True
            found.append(known[seat])
        return found, is_new

    def new_decision(self, seats: Sequence[Seat], seat: Seat, state: S) -> Bandit[A]:
        """A decision that nothing is known about, or what the leaves' policy says."""
        if len(seats) > 1:
            return RegretMatching()
        priors = self.rollouts.priors(state, seat)
        return Bandit() if priors is None else GuidedBandit(priors)

    def _edge(self, state: S, step: Step[A, Any], observer: Seat) -> Hashable:
        if step.is_chance and not self._are_listed:
            return None
        seen = step if self._is_open else self.game.redact_step(state, step, observer)
        return seen.outcome if seen.is_chance else tuple(seen.joint.items())
