"""Laws of showing: the screen shows what the observation holds."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator
from typing import Any, Final

from boardgames_cli.core.game import Observation, Seat
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.text import Glyphs
from boardgames_cli.core.view import LEAST_SIDEBAR, AnyView, RenderContext, Size
from boardgames_cli.testing.findings import Law, demand
from boardgames_cli.testing.laws.views import NAMES, Context
from boardgames_cli.testing.scene import Scene, one_step

_PLAIN: Final[Context] = RenderContext(Glyphs.ASCII, NAMES)
_DETOURS: Final = 3
_DETOUR_PLIES: Final = 3
_MOST_CONFUSED: Final = 0.1

Position = tuple[int, Any]
"""A ply and a state, in full."""


class Showing:
    """Collects the texts shown for positions during a check.

    Args:
        view: The view, made with the game that it shows.
        size: The size of the board.
    """

    def __init__(self, view: AnyView, size: Size) -> None:
        self.view = view
        self.size = size
        self.steps: list[tuple[Position, Position]] = []
        """Pairs of successive positions, and of positions after different steps from one."""
        self._seen: dict[Seat | None, dict[Hashable, set[Any]]] = {}
        self._texts: dict[Observation[Any, Any], tuple[str, str, str]] = {}

    def visit(self, scene: Scene) -> None:
        """Record the position of a scene, the step that led there, and some alternatives."""
        match = scene.match
        here = (match.ply, match.state)
        self.steps = []
        self._texts.clear()
        if match.steps:
            self.steps.append(((match.ply - 1, match.state_at(match.ply - 1)), here))
        firsts = []
        for path in self._detours(scene):
            self.steps += zip([here, *path], path, strict=False)
            firsts.append(path[0])
            for ply, state in path:
                self._note(scene, ply, state)
        self.steps += itertools.pairwise(firsts)
        self._note(scene, *here)

    def _note(self, scene: Scene, ply: int, state: Any) -> None:
        for viewer in scene.viewers:
            seen = scene.game.redact(state, viewer)
            looks = self._seen.setdefault(viewer, {})
            looks.setdefault(self.shown(ply, state, viewer), set()).add(seen)

    def _detours(self, scene: Scene) -> Iterator[list[Position]]:
        """Positions after other moves than those of the match."""
        for number in range(_DETOURS):
            seed = scene.rng(f"detour{number}").getrandbits(32)
            aside: AnyMatch = Match(scene.game, seed=seed, start=scene.state)
            path: list[Position] = []
            while aside.waiting_for and len(path) < _DETOUR_PLIES:
                one_step(aside)
                path.append((scene.ply + len(path) + 1, aside.state))
            if path:
                yield path

    def shown(self, ply: int, state: Any, viewer: Seat | None) -> tuple[str, str, str]:
        """The text of the board, the sidebar and the prompt for a viewer."""
        seen = self.view.game.observe(state, viewer, ply)
        if seen not in self._texts:
            self._texts[seen] = (
                str(self.view.picture(seen, self.size, _PLAIN)),
                str(self.view.sidebar(seen, LEAST_SIDEBAR, _PLAIN)),
                self.view.prompt(seen, _PLAIN),
            )
        return self._texts[seen]

    def look_alikes(self, viewer: Seat | None) -> tuple[int, list[set[Any]]]:
        """The number of a viewer's observations, and the groups of them that look the same."""
        looks = self._seen.get(viewer, {})
        return sum(map(len, looks.values())), [same for same in looks.values() if len(same) > 1]


def shows_every_step(showing: Showing) -> None:
    """Whenever a step changes what a viewer knows, the board, sidebar or prompt changes.

    So it does whenever another step would have led to another observation. Colour alone does not
    count: not every terminal has it.
    """
    game = showing.view.game
    for one, other in showing.steps:
        for viewer in (*range(game.seats), None):
            before, after = (game.redact(state, viewer) for _, state in (one, other))
            demand(
                before == after or showing.shown(*one, viewer) != showing.shown(*other, viewer),
                f"{_who(viewer)} is shown the same for {before!r} at ply {one[0]} "
                f"and for {after!r} at ply {other[0]}",
                "Show the difference; a fact that no player needs does not belong in the state.",
            )


def distinguishes_positions(showing: Showing) -> None:
    """At most one in ten positions of some matches looks like another one to a viewer.

    Not everything must be on the board all the time, but most must be: a board on which only the
    last move can be seen shows every step, but can't be played on.
    """
    for viewer in (*range(showing.view.game.seats), None):
        count, groups = showing.look_alikes(viewer)
        confused = sum(map(len, groups))
        example = [repr(seen) for seen in list(groups[0])[:2]] if groups else []
        demand(
            confused <= max(1, _MOST_CONFUSED * count),
            f"of {count} observations of {_who(viewer)} {confused} look like another, "
            f"such as {' and '.join(example)}",
            "Draw the whole position, not only what is new.",
        )


def _who(viewer: Seat | None) -> str:
    return "a spectator" if viewer is None else f"seat {viewer}"


LAWS: Final[tuple[Law, ...]] = (shows_every_step,)
LAST_LAWS: Final[tuple[Law, ...]] = (distinguishes_positions,)
"""Laws checked once, after all matches."""
