"""Values of strategies on a game tree, best responses to them, and exploitability.

All values are in the unit of the game's returns, for seat 0 unless stated otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from boardgames_cli.algorithms.game_tree import GameTree, Profile, policy_of
from boardgames_cli.algorithms.strategy import Strategy
from boardgames_cli.core.agent import Agent
from boardgames_cli.core.game import AnyGame, Seat

AnyTree = GameTree[Any, Any]

TREMBLE: Final = 1e-9
"""The probability of a tremble, which makes every information set reachable."""


@dataclass(frozen=True, slots=True)
class BestResponse:
    """A best response to a strategy."""

    value: float
    """Its expected return for the responding seat."""
    choices: Mapping[int, int]
    """The index of the best action at each information set of that seat, by its number."""


def uniform(tree: AnyTree) -> list[list[float]]:
    """The profile in which every player chooses uniformly at random."""
    return [[1 / len(known.actions)] * len(known.actions) for known in tree.information_sets]


def tremble(profile: Profile) -> list[list[float]]:
    """The profile mixed with a tiny probability of every action."""
    return [
        [(1 - TREMBLE) * chance + TREMBLE / len(chances) for chance in chances]
        for chances in profile
    ]


def node_values(tree: AnyTree, profile: Profile) -> list[float]:
    """The value of every node if both seats follow the profile from there."""
    values = [0.0] * len(tree.nodes)
    for node in reversed(tree.nodes):
        if not node.children:
            values[node.number] = tree.payoff(node)
        elif node.information >= 0:
            chances = profile[node.information]
            values[node.number] = sum(
                chance * values[child] for chance, child in zip(chances, node.children, strict=True)
            )
        else:
            values[node.number] = (
                sum(tree.nodes[child].chance * values[child] for child in node.children)
                / node.chance
            )
    return values


def profile_value(tree: AnyTree, profile: Profile) -> float:
    """The value of the game if both seats follow the profile."""
    return node_values(tree, profile)[0]


def outside_reach(tree: AnyTree, profile: Profile, seat: Seat) -> list[float]:
    """For every node the probability that chance and the *other* seat lead to it."""
    reach = [0.0] * len(tree.nodes)
    for node in tree.nodes:
        if node.parent < 0:
            reach[node.number] = 1.0
            continue
        parent = tree.nodes[node.parent]
        step = node.chance / parent.chance
        if parent.information >= 0 and tree.information_sets[parent.information].seat != seat:
            step = profile[parent.information][parent.children.index(node.number)]
        reach[node.number] = reach[parent.number] * step
    return reach


def action_values(tree: AnyTree, profile: Profile) -> list[list[float]]:
    """The value of each action to its seat, given what the seat knows.

    The nodes of an information set are weighted by the probability that chance and the other seat's
    part of the profile lead to them. After the action both seats follow the profile.
    """
    profile = tremble(profile)
    values = node_values(tree, profile)
    reach = [outside_reach(tree, profile, seat) for seat in (0, 1)]
    result = []
    for known in tree.information_sets:
        sign = -1 if known.seat else 1
        weights = [reach[known.seat][number] for number in known.nodes]
        totals = [0.0] * len(known.actions)
        for number, weight in zip(known.nodes, weights, strict=True):
            for index, child in enumerate(tree.nodes[number].children):
                totals[index] += sign * weight * values[child]
        result.append([total / sum(weights) for total in totals])
    return result


def best_response(tree: AnyTree, profile: Profile, seat: Seat) -> BestResponse:
    """A best response of a seat to the other seat's part of a profile."""
    return _Walk(tree, profile, seat).answer()


class _Walk:
    """One search for a best response.

    Values are counterfactual: already multiplied by the probability that chance and the opponent
    lead to the node, so that the values in an information set can be added.
    """

    def __init__(self, tree: AnyTree, profile: Profile, seat: Seat) -> None:
        self._tree = tree
        self._seat = seat
        self._reach = outside_reach(tree, profile, seat)
        self._values: dict[int, float] = {}
        self._choices: dict[int, int] = {}

    def answer(self) -> BestResponse:
        value = self._value(0)
        # Information sets that the seat's own moves avoid get a response, too.
        for number, known in enumerate(self._tree.information_sets):
            if known.seat == self._seat:
                self._choice(number)
        return BestResponse(value, self._choices)

    def _value(self, number: int) -> float:
        value = self._values.get(number)
        if value is None:
            value = self._values[number] = self._compute(number)
        return value

    def _compute(self, number: int) -> float:
        node = self._tree.nodes[number]
        if not node.children:
            payoff = self._tree.payoff(node)
            return self._reach[number] * (-payoff if self._seat else payoff)
        if (
            node.information >= 0
            and self._tree.information_sets[node.information].seat == self._seat
        ):
            return self._value(node.children[self._choice(node.information)])
        return sum(self._value(child) for child in node.children)

    def _choice(self, information: int) -> int:
        choice = self._choices.get(information)
        if choice is None:
            known = self._tree.information_sets[information]
            totals = [
                sum(self._value(self._tree.nodes[number].children[index]) for number in known.nodes)
                for index in range(len(known.actions))
            ]
            choice = self._choices[information] = totals.index(max(totals))
        return choice


def profile_of(tree: AnyTree, agents: Mapping[Seat, Agent[Any, Any]]) -> list[list[float]]:
    """The profile that agents play; seats without an agent play uniformly at random.

    Args:
        tree: The tree of the game.
        agents: The agents by seat; they are reset.
    """
    profile = uniform(tree)
    for number, known in enumerate(tree.information_sets):
        agent = agents.get(known.seat)
        if agent is None:
            continue
        path = tree.path(tree.nodes[known.nodes[0]])
        watched = [tree.game.observe(node.state, known.seat, ply) for ply, node in enumerate(path)]
        agent.reset(tree.game, known.seat)
        policy = policy_of(agent, watched[-1], watched)
        profile[number] = [policy[action] for action in known.actions]
    return profile


@dataclass(frozen=True, slots=True)
class Quality:
    """The quality of a strategy profile."""

    value: float
    """The expected return of seat 0 if both seats follow the profile."""
    best: tuple[float, float]
    """The expected return of each seat's best response to the other's part."""

    @property
    def nash_conv(self) -> float:
        """The sum of what the seats could gain by deviating; 0 in equilibrium."""
        return sum(self.best)

    @property
    def exploitability(self) -> float:
        """The mean of what the seats could gain by deviating; 0 in equilibrium."""
        return self.nash_conv / 2


def quality(tree: GameTree[Any, Any], profile: Profile) -> Quality:
    """Measure a profile on a game tree."""
    best = (best_response(tree, profile, 0).value, best_response(tree, profile, 1).value)
    return Quality(profile_value(tree, profile), best)


def strategy_quality(game: AnyGame, strategy: Strategy) -> Quality:
    """Measure a strategy table.

    Raises:
        TreeError: The game can't be expanded as a tree.
        StrategyError: The table does not fit the game.
    """
    tree = GameTree(game)
    return quality(tree, strategy.profile(tree))
