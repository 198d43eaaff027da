"""After a match: what it was, luck or skill, and which decisions cost chips."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from boardgames_cli.core.game import Seat
from boardgames_cli.core.match import Match
from boardgames_cli.core.view import RenderContext
from boardgames_cli.games.kuhn import drawing, theory
from boardgames_cli.games.kuhn.actions import Action, Deal, word
from boardgames_cli.games.kuhn.luck import accounts, advantages
from boardgames_cli.games.kuhn.rules import information_set
from boardgames_cli.games.kuhn.state import KuhnState

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
    lines.append(f"What cost {context.name(viewer)} chips, on average:")
    lines += [
        f"  hand {mistake.hand}: {mistake.text}, {mistake.cost:.2f} (better: {mistake.better})"
        for mistake in found
    ]
    return lines
