"""After a match: what it was, luck or skill, and which decisions cost chips."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from boardgames_cli.agents.cfr import worth_of_actions
from boardgames_cli.algorithms.game_tree import GameTree
from boardgames_cli.core.game import Seat
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.view import RenderContext
from boardgames_cli.games.kuhn import drawing, theory
from boardgames_cli.games.kuhn.actions import ENDS, Action, Deal, word
from boardgames_cli.games.kuhn.rules import Kuhn, information_set
from boardgames_cli.games.kuhn.state import KuhnState


@dataclass(frozen=True, slots=True)
class Account:
    """Where a seat's chips came from; `seating`, `skill` and `luck` add up to `result`."""

    result: float
    seating: float
    """What acting first or second in these hands is worth between equals."""
    skill: float
    luck: float
    given_away: float
    """What the seat's own mistakes cost it, 0 or less."""
    mistakes: int
    """How many decisions cost more than a hundredth of a chip."""

    def line(self) -> str:
        """The account in one line."""
        # Adding 0 turns -0.0 into 0.0.
        luck, skill = (round(part, 1) + 0.0 for part in (self.luck + self.seating, self.skill))
        return f"{self.result + 0.0:+g} chips: luck {luck:+.1f}, skill {skill:+.1f}"


def accounts(match: Match[KuhnState, Action, Deal]) -> tuple[Account, Account]:
    """The accounts of both seats over all hands of a match that are finished.

    Knows all cards: to be shown when the match is over.
    """
    losses: tuple[list[float], list[float]] = ([], [])
    seating = 0.0
    finished = _plies_finished(match)
    for ply, step in enumerate(match.steps[:finished]):
        if step.is_chance:
            continue
        ((seat, action),) = step.joint.items()
        seen = match.observe(seat, ply)
        losses[seat].append(advantages()[information_set(seen)][str(action)])
        if not seen.state.actions:
            seating += -theory.VALUE if seat else theory.VALUE
    result = match.game.returns(match.state_at(finished))[0]
    given = (sum(losses[0]), sum(losses[1]))
    return _account(0, result, seating, given, losses), _account(1, result, seating, given, losses)


def _account(
    seat: Seat,
    result: float,
    seating: float,
    given: tuple[float, float],
    losses: tuple[list[float], list[float]],
) -> Account:
    sign = -1 if seat else 1
    skill = given[seat] - given[1 - seat]
    return Account(
        result=sign * result,
        seating=sign * seating,
        skill=skill,
        luck=sign * (result - seating) - skill,
        given_away=given[seat],
        mistakes=sum(loss < -0.01 for loss in losses[seat]),
    )


def _plies_finished(match: AnyMatch) -> int:
    """The ply at which the last finished hand ended."""
    return next((ply for ply in range(match.ply, 0, -1) if match.state_at(ply).actions in ENDS), 0)


@functools.cache
def advantages() -> Mapping[str, Mapping[str, float]]:
    """For each information set how much more each action is worth than the equilibrium's choice.

    0 for actions that it takes, negative for the others.
    """
    strategy = theory.trained()
    worth = worth_of_actions(GameTree(Kuhn()), strategy)
    result = {}
    for name, row in worth.items():
        usual = sum(strategy.table[name][action] * value for action, value in row.items())
        result[name] = {action: value - usual for action, value in row.items()}
    return result


_WORTH_TELLING: Final = 0.01
"""A loss of less than this, in chips, is a rounding error of the strategy."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A decision that the equilibrium never takes."""

    ply: int
    hand: int
    """Counted from 1."""
    text: str
    """What was done, such as ``call with the jack``."""
    cost: float
    """In chips, on average."""
    better: str
    """What the equilibrium does, such as ``fold``, or how it mixes."""


def mistakes(match: Match[KuhnState, Action, Deal], seat: Seat) -> Iterator[Mistake]:
    """The decisions of a seat that cost chips; from its own knowledge at the time only."""
    for ply, step in enumerate(match.steps):
        action = step.joint.get(seat)
        if action is None:
            continue
        seen = match.observe(seat, ply)
        name = information_set(seen)
        cost = -advantages()[name][str(action)]
        if cost < _WORTH_TELLING:
            continue
        card = drawing.RANKS[seen.state.cards[seat]].lower()
        line = seen.state.actions
        policy = theory.trained().table[name]
        better = " or ".join(
            word(line, other) if policy[str(other)] > 1 - _WORTH_TELLING
            else f"{word(line, other)} {policy[str(other)]:.0%}"
            for other in Action
            if policy[str(other)] > _WORTH_TELLING
        )  # fmt: skip
        text = f"{word(line, action)} with the {card}"
        yield Mistake(ply, seen.state.hand + 1, text, cost, better)


def review(
    match: Match[KuhnState, Action, Deal],
    context: RenderContext[Action, Deal],
    viewer: Seat | None = None,
) -> list[str]:
    """The match in a few lines, for when it is over.

    Args:
        match: The match.
        context: Whose names to use.
        viewer: Whose mistakes to list; None lists nobody's.
    """
    lines = [
        f"{context.name(seat)}: {account.line()}" for seat, account in enumerate(accounts(match))
    ]
    if viewer is None:
        return lines
    found = sorted(mistakes(match, viewer), key=lambda mistake: -mistake.cost)
    if not found:
        return [*lines, f"{context.name(viewer)} made no mistake."]
    name = context.name(viewer)
    lines.append(f"What cost {'you' if name == 'You' else name} chips, on average:")
    lines += [
        f"  hand {mistake.hand}: {mistake.text}, {mistake.cost:.2f} (better: {mistake.better})"
        for mistake in found
    ]
    return lines
