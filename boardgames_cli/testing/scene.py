"""Scenes: states of random games at which laws are checked, and what looks the same there.

A game of hidden information leaks if two histories whose steps look the same to a seat are told
apart by what the seat observes (non-interference: J. Goguen and J. Meseguer, "Security policies
and security models", 1982). So beside every match the kit follows all other histories with the
same visible steps.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import pickle
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, TypeAlias, TypeVar

from boardgames_cli.core.errors import ActionError
from boardgames_cli.core.game import (
    CHANCE,
    AnyGame,
    Observation,
    RevealsInformation,
    Seat,
    Step,
    Traits,
)
from boardgames_cli.core.match import AnyMatch, Match

_EVERY_STATE_BEFORE: Final = 12
_SHARE_LATER: Final = 0.15
_GUESSES: Final = 2
_MOST_WORLDS: Final = 36
_MOST_STEPS: Final = 400
_FEWEST_STEPS: Final = 12
_SAMPLED_OUTCOMES: Final = 4
_ILLEGAL_SAMPLE: Final = 4

AnyStep: TypeAlias = Step[Any, Any]

T = TypeVar("T")


class Worlds:
    """The states that one viewer's view of the history allows.

    The generator chooses among worlds, where there are too many.
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
        is_told = not isinstance(game, RevealsInformation) or not game.reveals(before, step, viewer)
        if not is_told and len(self.states) == 1:
            # In fog, following all that may be hidden is too much.
            self.states, self.is_complete = [after], False
            return
        known = game.redact_step(before, step, viewer)
        is_shown = not is_told or self._is_showdown(before, after)
        is_dealt = step.is_chance and known.outcome is None and viewer is not None
        others: list[Any] = []
        seen, reached = game.observe(after, viewer), {after: None}
        most = max(_FEWEST_STEPS, _MOST_STEPS // len(self.states))
        for world in self.states:
            if game.to_act(world) != game.to_act(before):
                continue
            steps, is_all = other_steps(game, world, step, viewer, self._rng, most)
            self.is_complete &= is_all
            for possible in steps:
                if game.redact_step(world, possible, viewer) != known:
                    continue
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


def other_steps(
    game: AnyGame, state: Any, step: AnyStep, viewer: Seat | None, rng: random.Random, most: int
) -> tuple[list[AnyStep], bool]:
    """Steps that are possible in the place of another one, with the same action of the viewer.

    The generator chooses among the steps, where there are too many. Returns them, and whether these
    are all.
    """
    if step.is_chance and Traits.SAMPLED_CHANCE in game.traits:
        drawn = [game.sample_chance(state, rng) for _ in range(_SAMPLED_OUTCOMES)]
        with contextlib.suppress(ActionError):  # it may be impossible in that state
            drawn.append(game.parse_chance(state, str(step.outcome)))
        return [Step.of_chance(outcome) for outcome in drawn], False
    if step.is_chance:
        steps: list[AnyStep] = [Step.of_chance(one) for one, _ in game.chance_outcomes(state)]
        return (steps, True) if len(steps) <= most else (rng.sample(steps, most), False)
    choices = [
        [action for action in game.legal_actions(state, seat) if seat != viewer or action == own]
        for seat, own in step.joint.items()
    ]
    is_all = math.prod(map(len, choices)) <= most
    joints: Iterable[Sequence[Any]] = itertools.product(*choices)
    if not is_all:
        joints = [[rng.choice(some) for some in choices] for _ in range(most) if all(choices)]
    return [Step(dict(zip(step.joint, joint, strict=True))) for joint in joints], is_all


@dataclass(frozen=True)
class Scene:
    """One state of a random match."""

    match: AnyMatch
    worlds: Mapping[Seat | None, Worlds] = field(default_factory=dict)
    """What the steps so far allow for each viewer, in games of hidden information."""

    @property
    def game(self) -> AnyGame:
        return self.match.game

    @property
    def state(self) -> Any:
        return self.match.state

    @property
    def ply(self) -> int:
        return self.match.ply

    @cached_property
    def last(self) -> tuple[Any, Step[Any, Any]] | None:
        """The state before the last step, and that step; None at the start."""
        if not self.ply:
            return None
        return self.match.state_at(self.ply - 1), self.match.steps[-1]

    @cached_property
    def acting(self) -> tuple[Seat, ...]:
        """The seats to act; empty at chance nodes and at the end."""
        return tuple(seat for seat in self.game.to_act(self.state) if seat != CHANCE)

    @property
    def is_chance(self) -> bool:
        return self.game.to_act(self.state) == (CHANCE,)

    @property
    def lists_chance(self) -> bool:
        """Whether chance is to act, with outcomes that can be listed."""
        return self.is_chance and Traits.SAMPLED_CHANCE not in self.game.traits

    @property
    def viewers(self) -> tuple[Seat | None, ...]:
        """All viewers: every seat and a spectator."""
        return (*range(self.game.seats), None)

    @property
    def is_sample(self) -> bool:
        """Whether slower laws are checked here, too: early, at the end, and occasionally."""
        if self.ply < _EVERY_STATE_BEFORE or self.match.is_over:
            return True
        return self.rng("sample").random() < _SHARE_LATER

    def rng(self, stream: str) -> random.Random:
        """A reproducible generator for a law's own choices."""
        return random.Random(f"{self.match.seed}/{stream}/{self.ply}")

    @property
    def where(self) -> dict[str, object]:
        return {"seed": self.match.seed, "ply": self.ply, "state": self.state}

    @cached_property
    def sights(self) -> list[Sight]:
        return [Sight(self, viewer) for viewer in self.viewers]

    @cached_property
    def turns(self) -> list[SeatTurn]:
        return [SeatTurn(self, seat) for seat in self.acting]


@dataclass(frozen=True)
class Sight:
    """A scene as one viewer sees it."""

    scene: Scene
    viewer: Seat | None

    @property
    def game(self) -> AnyGame:
        return self.scene.game

    @property
    def who(self) -> str:
        return call_viewer(self.viewer)

    @cached_property
    def seen(self) -> Observation[Any, Any]:
        return self.look(self.scene.state)

    def look(self, state: Any) -> Observation[Any, Any]:
        """What the viewer would observe in another state."""
        return self.game.observe(state, self.viewer, self.scene.ply)

    @cached_property
    def look_alikes(self) -> list[Any]:
        """Other states that the viewer can't tell from the true one."""
        if Traits.HIDDEN not in self.game.traits:
            return []
        guesses = [self.imagine(f"alike{guess}") for guess in range(_GUESSES)]
        return [*self.scene.worlds[self.viewer].states[1:], *guesses]

    def imagine(self, stream: str) -> Any:
        """A determinization of what the viewer observes."""
        return self.game.determinize(self.seen, self.scene.rng(stream))

    @property
    def where(self) -> dict[str, object]:
        return {"viewer": self.who, **self.scene.where}


@dataclass(frozen=True)
class SeatTurn(Sight):
    """A scene as a seat that is to act sees it."""

    viewer: Seat

    @property
    def state(self) -> Any:
        return self.scene.state

    @cached_property
    def legal(self) -> list[Any]:
        return list(self.game.legal_actions(self.state, self.viewer))

    @property
    def illegal(self) -> list[Any]:
        """Some actions of the game that are not legal now."""
        legal = set(self.legal)
        others = [action for action in self.game.actions if action not in legal]
        return self.scene.rng("illegal").sample(others, min(_ILLEGAL_SAMPLE, len(others)))


def call_viewer(viewer: Seat | None) -> str:
    """The name of a viewer, for messages."""
    return "a spectator" if viewer is None else f"seat {viewer}"


def can_be_returns(game: AnyGame, values: Sequence[float], margin: float = 1e-9) -> bool:
    """Whether values may be the returns of a game, but for an error of at most the margin."""
    least, greatest = game.utility
    return (
        len(values) == game.seats
        and all(least - margin <= value <= greatest + margin for value in values)
        and (Traits.ZERO_SUM not in game.traits or abs(math.fsum(values)) <= margin)
    )


def scenes(game: AnyGame, seeds: Iterable[int], max_plies: int) -> Iterator[Scene]:
    """Play a match at random for each seed, and yield a scene for every state."""
    for seed in seeds:
        match: AnyMatch = Match(game, seed=seed, max_plies=max_plies)
        viewers = (*range(game.seats), None) if Traits.HIDDEN in game.traits else ()
        worlds = {viewer: Worlds(game, viewer, random.Random(seed)) for viewer in viewers}
        yield Scene(match, worlds)
        while match.waiting_for:
            one_step(match)
            for possible in worlds.values():
                possible.follow(match.state_at(match.ply - 1), match.steps[-1], match.state)
            yield Scene(match, worlds)


def one_step(match: AnyMatch) -> None:
    """Take a random step of chance or of all seats to act."""
    for seat in match.waiting_for:
        if seat == CHANCE:
            match.resolve_chance()
        else:
            choices = match.game.legal_actions(match.state, seat)
            match.submit(seat, match.rng(f"random{seat}").choice(choices))


def pickled_copy(value: T) -> T:
    """A copy through pickle, as another process would get it."""
    copy: T = pickle.loads(pickle.dumps(value))  # noqa: S301  # we wrote it ourselves
    return copy
