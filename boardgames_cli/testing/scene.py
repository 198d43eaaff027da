"""Scenes: states of random games at which laws are checked."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from boardgames_cli.core.game import CHANCE, AnyGame, Observation, Seat, Step, Traits
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.testing.worlds import Worlds

_EVERY_STATE_BEFORE = 12
_SHARE_LATER = 0.15
_GUESSES = 2

T = TypeVar("T")


@dataclass(frozen=True)
class Scene:
    """One state of a random match."""

    match: AnyMatch
    seed: int
    worlds: Mapping[Seat | None, Worlds] = field(default_factory=dict)
    """What the steps so far allow for each viewer, in games of hidden information."""

    @property
    def game(self) -> AnyGame:
        """The rulebook."""
        return self.match.game

    @property
    def state(self) -> Any:
        """The state, in full."""
        return self.match.state

    @property
    def ply(self) -> int:
        """The number of steps before."""
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
        """Whether chance is to act."""
        return self.game.to_act(self.state) == (CHANCE,)

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
        return random.Random(f"{self.seed}/{stream}/{self.ply}")

    def illegal(self, seat: Seat, count: int) -> list[Any]:
        """Some actions of the game that are not legal now."""
        legal = set(self.game.legal_actions(self.state, seat))
        others = [action for action in self.game.actions if action not in legal]
        return self.rng("illegal").sample(others, min(count, len(others)))

    @property
    def where(self) -> dict[str, object]:
        """The place, for messages."""
        return {"seed": self.seed, "ply": self.ply, "state": self.state}


@dataclass(frozen=True)
class Sight:
    """A scene as one viewer sees it."""

    scene: Scene
    viewer: Seat | None

    @property
    def game(self) -> AnyGame:
        """The rulebook."""
        return self.scene.game

    @property
    def who(self) -> str:
        """The viewer, for messages."""
        return call_viewer(self.viewer)

    @cached_property
    def seen(self) -> Observation[Any, Any]:
        """What the viewer observes."""
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
        """The place, for messages."""
        return {"viewer": self.who, **self.scene.where}


def call_viewer(viewer: Seat | None) -> str:
    """The name of a viewer, for messages."""
    return "a spectator" if viewer is None else f"seat {viewer}"


def scenes(game: AnyGame, seeds: Iterable[int], max_plies: int) -> Iterator[Scene]:
    """Play a match at random for each seed, and yield a scene for every state."""
    for seed in seeds:
        match: AnyMatch = Match(game, seed=seed, max_plies=max_plies)
        viewers = (*range(game.seats), None) if Traits.HIDDEN in game.traits else ()
        worlds = {viewer: Worlds(game, viewer, random.Random(seed)) for viewer in viewers}
        yield Scene(match, seed, worlds)
        while match.waiting_for:
            one_step(match)
            for possible in worlds.values():
                possible.follow(match.state_at(match.ply - 1), match.steps[-1], match.state)
            yield Scene(match, seed, worlds)


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
