"""What strategies are worth on a game tree, and the best answer to one.

All values are chips, or whatever the game's returns are, of seat 0 unless said otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from boardgames_cli.algorithms.game_tree import GameTree, Profile
from boardgames_cli.algorithms.information_sets import policy_of
from boardgames_cli.core.agent import Agent
from boardgames_cli.core.game import Seat

AnyTree = GameTree[Any, Any]

TREMBLE: Final = 1e-9
"""The probability of a slip, so that every information set is reached."""


@dataclass(frozen=True, slots=True)
class BestResponse:
    """The best answer to a strategy."""

    value: float
    """What it wins on average, for the seat that answers."""
    choices: Mapping[int, int]
    """The index of the best action at each information set of that seat, by its number."""


def uniform(tree: AnyTree) -> list[list[float]]:
    """The profile of players that choose among their actions with equal chances."""
    return [[1 / len(known.actions)] * len(known.actions) for known in tree.information_sets]


def tremble(profile: Profile) -> list[list[float]]:
    """A profile that slips into any action with a tiny probability."""
    return [
        [(1 - TREMBLE) * chance + TREMBLE / len(chances) for chance in chances]
        for chances in profile
    ]


def node_values(tree: AnyTree, profile: Profile) -> list[float]:
    """What every node is worth if both go on as the profile says."""
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
    """What the whole game is worth if both play a profile."""
    return node_values(tree, profile)[0]


def outside_reach(tree: AnyTree, profile: Profile, seat: Seat) -> list[float]:
    """For every node, how probable chance and the *other* seat make it."""
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
    """What each action is worth to its seat, in the light of what the seat knows.

    At every information set the nodes are weighted with their probability given that the other
    seat plays its part of the profile; afterwards both play the profile.
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
    """The best that a seat can do against the other seat's part of a profile."""
    return _Walk(tree, profile, seat).answer()


class _Walk:
    """One search for a best response.

    A value here is already multiplied with the probability that chance and the opponent lead to
    its node, so that values at the nodes of an information set can simply be added.
    """

    def __init__(self, tree: AnyTree, profile: Profile, seat: Seat) -> None:
        self._tree = tree
        self._seat = seat
        self._reach = outside_reach(tree, profile, seat)
        self._values: dict[int, float] = {}
        self._choices: dict[int, int] = {}

    def answer(self) -> BestResponse:
        value = self._value(0)
        # Own moves may keep some information sets out of reach; they get their answer too.
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
    """How agents mix at all their information sets; seats without one mix evenly.

    Args:
        tree: The tree of the game.
        agents: An agent for each seat of interest; they are reset.
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
