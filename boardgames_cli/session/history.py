"""Undo and redo that do not reveal hidden information."""

from __future__ import annotations

import random
from collections.abc import Collection
from typing import Final

from boardgames_cli.core.errors import IllegalActionError
from boardgames_cli.core.game import Seat
from boardgames_cli.core.info import Traits
from boardgames_cli.core.match import AnyMatch

_WORLDS: Final = 24
"""The number of determinizations used to test whether a step revealed something."""


def undo(match: AnyMatch, people: Collection[Seat]) -> None:
    """Go back to the last decision of a person.

    Throws and deals repeat as they were, since they derive from the seed. Steps that revealed
    hidden information to a person can't be undone.

    Raises:
        IllegalActionError: There is no such decision.
    """
    if any(seat in people for seat in match.committed):
        match.undo()  # only the submitted actions of an incomplete joint step
        return
    target = _undo_target(match, people)
    while match.ply > target:
        match.undo()


def redo(match: AnyMatch, people: Collection[Seat]) -> None:
    """Redo up to a person's next decision.

    Raises:
        IllegalActionError: Nothing was undone, or the match has changed since.
    """
    match.redo()
    while match.can_redo and not _had_choice(match, people, match.ply):
        match.redo()


def _undo_target(match: AnyMatch, people: Collection[Seat]) -> int:
    for ply in range(match.ply - 1, -1, -1):
        if Traits.HIDDEN in match.game.traits and _has_shown(match, people, ply):
            raise IllegalActionError(
                "what was shown since your last decision can't be hidden again."
            )
        if _had_choice(match, people, ply):
            return ply
    raise IllegalActionError("there is no decision of yours to take back.")


def _has_shown(match: AnyMatch, people: Collection[Seat], ply: int) -> bool:
    """Whether the step at a ply revealed something hidden to a person, such as a card.

    It did if another state that was indistinguishable before would look different after the same
    step. A deal always counts.
    """
    game, step = match.game, match.steps[ply]
    if step.is_chance:
        return True
    rng = random.Random(f"{match.seed}/shown/{ply}")
    for seat in people:
        before = match.observe(seat, ply)
        after = game.redact(match.state_at(ply + 1), seat)
        for _ in range(_WORLDS):
            world = game.apply(game.determinize(before, rng), step.joint)
            if game.redact(world, seat) != after:
                return True
    return False


def _had_choice(match: AnyMatch, people: Collection[Seat], ply: int) -> bool:
    game, state = match.game, match.state_at(ply)
    return any(
        seat in people and len(game.legal_actions(state, seat)) > 1 for seat in game.to_act(state)
    )
