"""Walking game trees: node counts, the plainest and strictest test of rules."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from boardgames_cli.core.game import CHANCE, A, C, Game, S, Step


@dataclass(frozen=True, slots=True)
class NodeCounts:
    """How many nodes of each kind a tree has."""

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
