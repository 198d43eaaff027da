"""Possible worlds: the states that a viewer can't rule out by the steps it was shown.

A game of hidden information leaks if two histories whose steps look the same to a seat are told
apart by what the seat observes (non-interference: J. Goguen and J. Meseguer, "Security policies
and security models", 1982). So beside every match the kit follows all other histories with the
same visible steps.
"""

from __future__ import annotations

import contextlib
import itertools
import random
from collections.abc import Iterator
from typing import Any, Final

from boardgames_cli.core.errors import ActionError
from boardgames_cli.core.game import CHANCE, AnyGame, RevealsInformation, Seat, Step, Traits

_MOST_WORLDS: Final = 36
_MOST_STEPS: Final = 60
_SAMPLED_OUTCOMES: Final = 4

AnyStep = Step[Any, Any]


class Worlds:
    """The states that one viewer's view of the history allows.

    Args:
        game: The rulebook.
        viewer: The viewer; None is a spectator.
        rng: Chooses among worlds, where there are too many.
    """

    def __init__(self, game: AnyGame, viewer: Seat | None, rng: random.Random) -> None:
        self.states: list[Any] = [game.initial_state()]
        """The possible states, the true one among them."""
        self.is_complete = True
        """Whether `states` has all of them."""
        self.leak: Any = None
        """A state that the steps allow, but the observation does not; None if there is none."""
        self._game = game
        self._viewer = viewer
        self._rng = rng

    def follow(self, before: Any, step: AnyStep, after: Any) -> None:
        """Follow a step of the true history.

        A different observation is no leak where hidden information is turned up: at the end of the
        game, at a step that pays somebody, or where the game says so (`RevealsInformation`). Of an
        outcome of chance that no step can tell in part, such as a deal of all hands, a seat may see
        its part at once; but not all of it, or the step should have told it.
        """
        game, viewer = self._game, self._viewer
        if isinstance(game, RevealsInformation) and game.reveals(before, step, viewer):
            self.states, self.is_complete = [after], False
            return
        known = game.redact_step(before, step, viewer)
        is_shown = self._is_showdown(before, after)
        is_dealt = step.is_chance and known.outcome is None and viewer is not None
        others: list[Any] = []
        seen, reached = game.observe(after, viewer), {after: None}
        for world in self.states:
            if game.to_act(world) != game.to_act(before):
                continue
            for possible in self._possible(world, step, known):
                state = game.apply_step(world, possible)
                if game.observe(state, viewer) == seen:
                    reached[state] = None
                elif not is_shown and not self._is_showdown(world, state):
                    others.append(state)
        sees_all = self.is_complete and len(reached) == 1
        if others and (sees_all or not is_dealt):
            self.leak = others[0]
        self.states = list(reached)
        if len(self.states) > _MOST_WORLDS:
            self.is_complete = False
            self.states = [after, *self._rng.sample(self.states[1:], _MOST_WORLDS - 1)]

    def _is_showdown(self, before: Any, after: Any) -> bool:
        game = self._game
        return game.is_over(after) or game.returns(before) != game.returns(after)

    def _possible(self, world: Any, step: AnyStep, known: AnyStep) -> Iterator[AnyStep]:
        """The steps from a world that look to the viewer like the true one."""
        steps = self._outcomes(world, step) if step.is_chance else self._joints(world, known)
        for possible in steps:
            if self._game.redact_step(world, possible, self._viewer) == known:
                yield possible

    def _outcomes(self, world: Any, step: AnyStep) -> Iterator[AnyStep]:
        game = self._game
        if Traits.SAMPLED_CHANCE not in game.traits:
            yield from (Step.of_chance(outcome) for outcome, _ in game.chance_outcomes(world))
            return
        self.is_complete = False
        drawn = [game.sample_chance(world, self._rng) for _ in range(_SAMPLED_OUTCOMES)]
        with contextlib.suppress(ActionError):  # it may be impossible in that world
            drawn.append(game.parse_chance(world, str(step.outcome)))
        yield from map(Step.of_chance, drawn)

    def _joints(self, world: Any, known: AnyStep) -> Iterator[AnyStep]:
        acting = [seat for seat in self._game.to_act(world) if seat != CHANCE]
        choices = []
        for seat in acting:
            legal = self._game.legal_actions(world, seat)
            told = [known.joint[seat]] if seat in known.joint else legal
            choices.append([action for action in told if action in legal])
        joints = list(itertools.islice(itertools.product(*choices), _MOST_STEPS + 1))
        self.is_complete &= len(joints) <= _MOST_STEPS
        for actions in joints[:_MOST_STEPS]:
            yield Step(dict(zip(acting, actions, strict=True)))
