"""Taking back and doing again, as far as that is fair."""

from __future__ import annotations

import random
from collections.abc import Collection
from typing import Final

from boardgames_cli.core.errors import IllegalActionError
from boardgames_cli.core.game import Seat
from boardgames_cli.core.info import Traits
from boardgames_cli.core.match import AnyMatch

_WORLDS: Final = 24
"""Guesses at what is hidden, tried to find out whether a step has shown something."""


def undo(match: AnyMatch, people: Collection[Seat]) -> None:
    """Go back to the last moment at which a person had a choice.

    Throws and deals come again as they were, since they derive from the seed. Where something
    is hidden, nothing is undone that has shown a person more than was known before.

    Raises:
        IllegalActionError: There is no such moment.
    """
    if any(seat in people for seat in match.committed):
        match.undo()  # only what was just chosen in a joint step that is not complete
        return
    target = _undo_target(match, people)
    while match.ply > target:
        match.undo()


def redo(match: AnyMatch, people: Collection[Seat]) -> None:
    """Take again what was undone, up to a person's next choice.

    Raises:
        IllegalActionError: Nothing was undone, or something else was done since.
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
    """Whether the step at a ply showed a person something hidden, such as a card.

    It did if another state that looked the same to that person before would look different
    after the same step. A deal always counts.
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
