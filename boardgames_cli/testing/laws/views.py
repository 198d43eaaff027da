"""Laws of views: pictures fit, repeat exactly, and use only the characters allowed."""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from boardgames_cli.core.errors import ActionError
from boardgames_cli.core.game import Observation
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.text import Glyphs, Picture
from boardgames_cli.core.view import LEAST_SIDEBAR, AnyView, RenderContext, Size
from boardgames_cli.testing.findings import BrokenLaw, Law, demand
from boardgames_cli.testing.scene import Scene

_SIZES: Final = tuple(
    Size(*size)
    for size in ((0, 0), (1, 1), (20, 5), (40, 12), (60, 20), (80, 24), (120, 40), (300, 100))
)
_ROLE: Final = re.compile(r"[a-z0-9]+([.-][a-z0-9]+)*")
_HIGHLIGHTS: Final = 3

NAMES: Final = ("Ann", "Bob", "Cid", "Dot", "Eve", "Fay")
"""The names of the seat holders."""

_LONG_NAMES: Final = tuple(f"{name} who has a name of forty letters {name}" for name in NAMES)
_SIDEBARS: Final = (LEAST_SIDEBAR, 39, 80)

Context: TypeAlias = RenderContext[Any, Any]


@dataclass(frozen=True)
class ViewScene:
    """A scene with the view that shows it."""

    scene: Scene
    view: AnyView
    fits: Size
    """The size into which every picture must fit."""

    @functools.cached_property
    def seen(self) -> tuple[Observation[Any, Any], ...]:
        """The observation of each viewer."""
        return tuple(
            self.scene.game.observe(self.scene.state, viewer, self.scene.ply)
            for viewer in self.scene.viewers
        )

    @functools.cached_property
    def pictures(self) -> Sequence[tuple[Observation[Any, Any], Size, Context, Picture]]:
        """The board for every viewer: each context at one size, each size in one context.

        The combinations vary between scenes, so that all are covered.
        """
        rng = self.scene.rng("sizes")
        drawn = []
        for seen in self.seen:
            contexts = list(self.contexts(seen))
            asked = [(self.fits, context) for context in contexts]
            asked += [(size, rng.choice(contexts)) for size in _SIZES]
            for size, context in asked:
                drawn.append((seen, size, context, self.view.picture(seen, size, context)))
        return drawn

    def contexts(self, seen: Observation[Any, Any]) -> Iterator[Context]:
        """The contexts to try: all glyphs, and some actions highlighted."""
        match = self.scene.match
        last = None
        if match.steps:
            before = match.state_at(match.ply - 1)
            last = match.game.redact_step(before, match.steps[-1], seen.seat)
        for glyphs in Glyphs:
            for highlight in (None, *seen.legal[:_HIGHLIGHTS]):
                yield RenderContext(glyphs, NAMES, highlight, last, shows_layer=True)


def draws_at_every_size(scene: ViewScene) -> None:
    """A picture can be drawn at any size, and fits wherever there is room enough."""
    for _, size, _, picture in scene.pictures:
        is_large = size.width >= scene.fits.width and size.height >= scene.fits.height
        demand(
            not is_large or (picture.width <= size.width and picture.height <= size.height),
            f"a picture for {size.width}x{size.height} is {picture.width}x{picture.height}",
            "Choose a smaller drawing where there is less room.",
        )


def keeps_the_sidebar_narrow(scene: ViewScene) -> None:
    """A sidebar is no wider than it may be, whatever people are called."""
    for seen, width, glyphs in itertools.product(scene.seen, _SIDEBARS, Glyphs):
        picture = scene.view.sidebar(seen, width, RenderContext(glyphs, _LONG_NAMES))
        demand(
            picture.width <= width,
            f"a sidebar for {width} columns has {picture.width}: {picture}",
            "Give names the room that the rest leaves: RenderContext.short_name.",
        )


def draws_the_same_again(scene: ViewScene) -> None:
    """Equal arguments give equal pictures."""
    for seen, size, context, picture in scene.pictures:
        demand(
            size != scene.fits or scene.view.picture(seen, size, context) == picture,
            "two pictures of the same observation differ",
            "A picture must depend on its arguments alone.",
        )


def keeps_nothing(scene: ViewScene) -> None:
    """A view is a frozen value made with its game: it keeps nothing between two calls."""
    view = scene.view
    demand(
        type(view)(view.game) == view,
        "two views of one game are not equal",
        "Leave equality to the frozen dataclass that View is.",
    )
    kept = {
        name
        for name in vars(view)
        if not isinstance(getattr(type(view), name, None), functools.cached_property)
    }
    demand(
        kept == {"game"},
        f"the view keeps {sorted(kept)}",
        "Keep nothing but the game; make costly results from it a cached_property.",
    )


def keeps_to_the_glyphs(scene: ViewScene) -> None:
    """Texts are one line of characters one column wide; with ASCII glyphs they are ASCII."""
    for _, _, context, picture in scene.pictures:
        _check_picture(picture, context.glyphs)
    for seen in scene.seen:
        for context in scene.contexts(seen):
            _check_picture(scene.view.sidebar(seen, LEAST_SIDEBAR, context), context.glyphs)
            _check_text(scene.view.prompt(seen, context), context.glyphs)
            _check_text(scene.view.status(seen, context) or "-", context.glyphs)
        for action in seen.legal:
            # Labels are shown with any glyphs, so they must be ASCII.
            _check_text(scene.view.describe(seen, action), Glyphs.ASCII)
    for glyphs in Glyphs:
        _check_picture(scene.view.legend(glyphs), glyphs)


def _check_picture(picture: Picture, glyphs: Glyphs) -> None:
    for line in picture.lines:
        for span in line:
            if span.text:
                _check_text(span.text, glyphs)
            _check_role(span.role)


# Cached, because boards repeat the same few texts.


@functools.cache
def _check_role(role: str) -> None:
    demand(
        all(_ROLE.fullmatch(word) for word in role.split()),
        f"a span has the role {role!r}",
        "Roles are words such as seat.0 or safe, with spaces between several.",
    )


@functools.cache
def _check_text(text: str, glyphs: Glyphs) -> None:
    demand(bool(text), "a text is empty", "Say something.")
    if glyphs is Glyphs.ASCII:
        demand(
            text.isascii() and text.isprintable(),
            f"{text!r} is not pure printable ASCII",
            "RenderContext.glyphs says which characters may be used.",
        )
        return
    wide = [
        character
        for character in text
        if not character.isprintable()
        or unicodedata.combining(character)
        or unicodedata.east_asian_width(character) in "WF"
    ]
    demand(
        not wide,
        f"{text!r} has characters that are not one column wide: {wide}",
        "Use characters one column wide, and no line breaks inside a span.",
    )


def offers_legal_clicks(scene: ViewScene) -> None:
    """The action of every span is a legal action of the viewer's seat."""
    clicks = [
        (seen, span.action)
        for seen, _, _, picture in scene.pictures
        for line in picture.lines
        for span in line
        if span.action
    ]
    for seen, action in {(seen.seat, action): (seen, action) for seen, action in clicks}.values():
        demand(
            seen.seat is not None and bool(seen.legal),
            f"a click means {action!r}, but this viewer can't act now",
            "Give spans actions only from seen.legal.",
        )
        assert seen.seat is not None
        try:
            parsed = scene.scene.game.parse(seen.state, seen.seat, action)
        except ActionError as error:
            raise BrokenLaw(
                f"a click means {action!r}, which is refused: {error}",
                "Use str(action) of an action from seen.legal.",
            ) from error
        demand(
            parsed in seen.legal,
            f"a click means {action!r}, which is not legal",
            "Give spans actions only from seen.legal.",
        )


def narrates_the_last_step(scene: ViewScene) -> None:
    """The log gets sentences of one line for every viewer; result says who won."""
    match: AnyMatch = scene.scene.match
    game = match.game
    for glyphs in Glyphs:
        context: Context = RenderContext(glyphs, NAMES)
        if match.is_over:
            _check_text(scene.view.result(match.state, context), glyphs)
        if not match.steps:
            continue
        for viewer in scene.scene.viewers:
            before, after = (
                game.redact(match.state_at(ply), viewer) for ply in (match.ply - 1, match.ply)
            )
            step = game.redact_step(match.state_at(match.ply - 1), match.steps[-1], viewer)
            lines = scene.view.narrate(before, step, after, context)
            demand(
                isinstance(lines, list) and all(isinstance(line, str) for line in lines),
                f"narrate gave {lines!r}",
                "Give a list of texts, which may be empty.",
            )
            for line in lines:
                _check_text(line, glyphs)


LAWS: Final[tuple[Law, ...]] = (
    keeps_nothing,
    draws_at_every_size,
    keeps_the_sidebar_narrow,
    draws_the_same_again,
    keeps_to_the_glyphs,
    offers_legal_clicks,
    narrates_the_last_step,
)
