"""Laws of views: pictures fit, repeat exactly, keep to the characters allowed, and show what is."""

from __future__ import annotations

import functools
import itertools
import unicodedata
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

from boardgames_cli.core.errors import ActionError, IllegalActionError
from boardgames_cli.core.game import Observation, Seat
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.presentation.styles import DARK
from boardgames_cli.core.presentation.view import (
    LEAST_SIDEBAR,
    LONGEST_AIM,
    AnyView,
    KeyedView,
    Moment,
    RenderContext,
    Size,
)
from boardgames_cli.core.text import COMMON_ROLES, Glyphs, Picture, columns
from boardgames_cli.testing.findings import BrokenLaw, demand
from boardgames_cli.testing.scene import Scene, Sight, call_viewer, one_step, pickled_copy

BOARD_AREA: Final = Size(60, 20)
"""The size of the board on the smallest supported terminal, into which every picture must fit."""

NAMES: Final = ("Ann", "Bob", "Cid", "Dot", "Eve", "Fay")

_SIZES: Final = tuple(
    Size(*size)
    for size in ((0, 0), (1, 1), (20, 5), (40, 12), (60, 20), (80, 24), (120, 40), (300, 100))
)
_HIGHLIGHTS: Final = 3
_LONG_NAMES: Final = tuple(f"{name} who has a name of forty letters {name}" for name in NAMES)
_SIDEBARS: Final = (LEAST_SIDEBAR, 39, 80)
_MOST_PEOPLE: Final = 4
_DETOURS: Final = 3
_DETOUR_PLIES: Final = 3
_MOST_CONFUSED: Final = 0.1

Context: TypeAlias = RenderContext[Any, Any]
Position: TypeAlias = tuple[int, Any]
"""A ply and a state, in full."""

_PLAIN: Final[Context] = RenderContext(Glyphs.ASCII, NAMES)


@dataclass(frozen=True)
class Look(Sight):
    """What one viewer sees, with the view that shows it."""

    view: AnyView

    @functools.cached_property
    def pictures(self) -> Sequence[tuple[Size, Context, Picture]]:
        """The board: each context at one size, each size in one context.

        The combinations vary between scenes, so that all are covered.
        """
        rng = self.scene.rng(f"sizes{self.viewer}")
        asked = [(BOARD_AREA, context) for context in self.contexts]
        asked += [(size, rng.choice(self.contexts)) for size in _SIZES]
        return [
            (size, context, self.view.picture(self.seen, size, context)) for size, context in asked
        ]

    @functools.cached_property
    def contexts(self) -> Sequence[Context]:
        """The contexts to try: all glyphs, and some actions highlighted."""
        scene = self.scene
        last = self.game.redact_step(*scene.last, self.viewer) if scene.last else None
        told = self.narration(RenderContext(Glyphs.UNICODE, NAMES))
        moments = [line for line in told or () if isinstance(line, Moment)]
        return [
            RenderContext(glyphs, NAMES, highlight, last, shows_layer=True, moments=moments)
            for glyphs in Glyphs
            for highlight in (None, *self.seen.legal[:_HIGHLIGHTS])
        ]

    def panels(self, context: Context, seen: Observation[Any, Any]) -> list[Picture]:
        """The pictures beside the board."""
        sidebar = self.view.sidebar(seen, LEAST_SIDEBAR, context)
        return [sidebar, self.view.legend(context.glyphs)]

    def narration(self, context: Context) -> list[str]:
        """The log of the last step."""
        if self.scene.last is None:
            return []
        before, step = self.scene.last
        told = self.game.redact_step(before, step, self.viewer)
        return self.view.narrate(
            self.game.redact(before, self.viewer), told, self.seen.state, context
        )

    def reports(self, context: Context, seen: Observation[Any, Any]) -> dict[str, list[str]]:
        """The game's own reports, by name."""
        view = self.view
        if not isinstance(view, KeyedView) or not seen.legal:
            return {}
        return {word: view.report(seen, word, context) for word in view.reports}

    def texts(self, seen: Observation[Any, Any], context: Context) -> list[object]:
        """All that is shown of an observation but the log."""
        view = self.view
        return [
            view.picture(seen, BOARD_AREA, context),
            *self.panels(context, seen),
            view.prompt(seen, context),
            view.status(seen, context) if isinstance(view, KeyedView) else "",
            [(view.describe(seen, action), str(action)) for action in view.shortlist(seen)],
            view.at_a_glance(seen) if isinstance(view, KeyedView) and seen.legal else "",
            self.reports(context, seen),
            view.result(seen.state, context) if self.scene.match.is_over else "",
        ]

    def all_pictures(self) -> Iterator[tuple[Glyphs, Picture]]:
        """The board and what is beside it, in all contexts."""
        yield from ((context.glyphs, picture) for _, context, picture in self.pictures)
        for context in self.contexts:
            yield from ((context.glyphs, picture) for picture in self.panels(context, self.seen))


def unstyled(pictures: Iterable[Picture], view: type[AnyView]) -> list[str]:
    """The roles in pictures for which neither a game's view nor the front end has a style."""
    known = COMMON_ROLES | set(view.palette.get(DARK, ()))
    used = {span.role for picture in pictures for line in picture.lines for span in line}
    roles = {role for several in used for role in several.split()}
    return sorted(role for role in roles if known.isdisjoint(_general(role)))


def _general(role: str) -> list[str]:
    return [role.rsplit(".", dots)[0] for dots in range(role.count(".") + 1)]


def fits_where_there_is_room(look: Look) -> None:
    """A picture can be drawn at any size, and picture, sidebar and aim fit the room they have.

    Choose a smaller drawing where there is less room, give names what the rest leaves
    (RenderContext.short_name), and say in a printable line how to win.
    """
    for size, _, picture in look.pictures:
        is_large = size.width >= BOARD_AREA.width and size.height >= BOARD_AREA.height
        demand(
            not is_large or (picture.width <= size.width and picture.height <= size.height),
            f"a picture for {size.width}x{size.height} is {picture.width}x{picture.height}",
        )
    for width, glyphs in itertools.product(_SIDEBARS, Glyphs):
        picture = look.view.sidebar(look.seen, width, RenderContext(glyphs, _LONG_NAMES))
        if picture.width > width:
            raise BrokenLaw(f"a sidebar for {width} columns has {picture.width}: {picture}")
    aim = look.view.aim(look.viewer)
    demand(
        columns(aim) <= LONGEST_AIM and aim.isprintable(),
        f"the aim has {columns(aim)} columns of {LONGEST_AIM}: {aim!r}",
    )


def keeps_to_the_glyphs(look: Look) -> None:
    """Texts, also of the log, are one line of narrow characters; with ASCII glyphs they are ASCII.

    RenderContext.glyphs says which characters may be used. Say something in every text, and put no
    line breaks inside a span.
    """
    view, seen = look.view, look.seen
    for glyphs, picture in look.all_pictures():
        for span in itertools.chain.from_iterable(picture.lines):
            if span.text:
                _check_text(span.text, glyphs)
    for context in look.contexts:
        _check_text(view.prompt(seen, context), context.glyphs)
        if isinstance(view, KeyedView):
            _check_text(view.status(seen, context) or "-", context.glyphs)
    for action in seen.legal:
        # Labels are shown with any glyphs, so they must be ASCII.
        _check_text(view.describe(seen, action), Glyphs.ASCII)
    for glyphs in Glyphs:
        _check_log(look, RenderContext(glyphs, NAMES))


def _check_log(look: Look, context: Context) -> None:
    if look.scene.match.is_over:
        _check_text(look.view.result(look.scene.state, context), context.glyphs)
    lines = look.narration(context)
    demand(isinstance(lines, list), f"narrate gave {lines!r}", "Give a list of texts.")
    for line in lines:
        _check_text(line, context.glyphs)
        if isinstance(line, Moment):
            letters = line.banner.replace("{}", "").replace(" ", "")
            demand(
                bool(line.kind) and (not letters or (letters.isascii() and letters.isalnum())),
                f"of the moment {line.facts} kind or banner is wrong",
                "Give it a kind, and a banner of letters, digits, and {} for the number.",
            )


@functools.cache  # boards repeat the same few texts
def _check_text(text: str, glyphs: Glyphs) -> None:
    demand(bool(text), "a text is empty")
    if glyphs is Glyphs.ASCII:
        demand(text.isascii() and text.isprintable(), f"{text!r} is not pure printable ASCII")
        return
    wide = [
        character
        for character in text
        if not character.isprintable()
        or unicodedata.combining(character)
        or unicodedata.east_asian_width(character) in "WF"
    ]
    demand(not wide, f"{text!r} has characters that are not one column wide: {wide}")


def offers_legal_clicks(look: Look) -> None:
    """The action of every span is a legal action of the viewer's seat.

    Use str(action) of an action from seen.legal.
    """
    spans = (span for _, _, picture in look.pictures for line in picture.lines for span in line)
    for action in {span.action for span in spans if span.action}:
        parsed = None
        if look.viewer is not None and look.seen.legal:
            try:
                parsed = look.game.parse(look.seen.state, look.viewer, action)
            except ActionError as error:
                raise BrokenLaw(f"a click means {action!r}, which is refused: {error}") from error
        demand(
            parsed in look.seen.legal,
            f"a click means {action!r}, which is not legal for {look.who}",
        )


def draws_the_same_again(look: Look) -> None:
    """Equal observations give equal pictures and texts, whatever is hidden.

    A view is the frozen dataclass that View is, keeps its game and nothing else but a
    cached_property, and shows what its arguments say: no chance, and nothing that redact forgot.
    """
    kind, kept = type(look.view), vars(look.view)
    demand(kind(look.view.game) == look.view, "two views of one game are not equal")
    cached = (
        name for name in kept if isinstance(getattr(kind, name, 0), functools.cached_property)
    )
    demand({*kept} - {*cached} == {"game"}, f"the view keeps {sorted(kept)}")
    context = look.contexts[0]
    shown = [*look.texts(look.seen, context), _facts(look.narration(context))]
    again = [*look.texts(pickled_copy(look.seen), context), _facts(look.narration(context))]
    _check_equal(shown, again, "the same observation")
    for other in look.look_alikes:
        seen = look.look(other)
        if seen == look.seen:
            _check_equal(shown[:-1], look.texts(seen, context), f"{other!r}, which looks the same")
    for size, context, picture in look.pictures:
        if size == BOARD_AREA:
            _check_equal([picture], [look.view.picture(look.seen, size, context)], "the same")


def _facts(lines: Sequence[str]) -> list[object]:
    return [line.facts if isinstance(line, Moment) else line for line in lines]


def _check_equal(shown: Sequence[object], again: Sequence[object], of: str) -> None:
    for one, other in zip(shown, again, strict=True):
        if one != other:
            raise BrokenLaw(f"{str(one)!r} was shown, but {str(other)!r} for {of}")


def styles_every_role(look: Look) -> None:
    """Pictures use no role without a style, also where something is highlighted.

    Add it to the palette, or use one of boardgames_cli.core.text.COMMON_ROLES.
    """
    unknown = unstyled((picture for _, picture in look.all_pictures()), type(look.view))
    demand(not unknown, f"pictures use {unknown}, which have no style")


def shows_what_is_highlighted(look: Look) -> None:
    """A choice that can be clicked on the board looks otherwise while it is highlighted.

    Draw what RenderContext.highlight would do, at least with another role.
    """
    drawn = {
        (context.glyphs, context.highlight): picture
        for size, context, picture in look.pictures
        if size == BOARD_AREA
    }
    for (glyphs, action), picture in drawn.items():
        plain = drawn[glyphs, None]
        clicks = {span.action for line in plain.lines for span in line}
        demand(
            action is None or picture != plain or str(action) not in clicks,
            f"the board is the same with {action} highlighted",
        )


def lists_what_is_legal(look: Look) -> None:
    """The shortlist holds legal actions, each once, with a label and a number that means it alone.

    List at least one where something is legal; begin describe with the notation of the action. A
    notation that is the number of another action in the list would be read first: give it a letter.
    """
    seen, listed = look.seen, list(look.view.shortlist(look.seen))
    demand(
        all(action in seen.legal for action in listed)
        and len(set(listed)) == len(listed)
        and bool(listed) == bool(seen.legal),
        f"of {len(seen.legal)} legal actions {listed} are listed",
    )
    labels = [look.view.describe(seen, action) for action in listed]
    demand(len(set(labels)) == len(labels), f"the labels are {labels}")
    for number, action in enumerate(listed, start=1):
        named = look.game.action_named(str(number))
        demand(named in (None, action), f"{number} is {named}, and the list's number of {action}")


def reports_what_it_promises(look: Look) -> None:
    """Every report gives lines of text, and a glance at the choices is at most one.

    Say in a sentence that there is nothing to report.
    """
    view, seen = look.view, look.seen
    for context in look.contexts:
        for word, lines in look.reports(context, seen).items():
            demand(
                bool(lines) and all(line and "\n" not in line for line in lines),
                f"the report {word!r} is {lines!r}",
            )
    if isinstance(view, KeyedView) and seen.legal:
        glance = view.at_a_glance(seen)
        demand("\n" not in glance, f"{glance!r} is more than one line")


def gives_keys_that_mean_something(look: Look) -> None:
    """Every key means an action of the game, which need not be legal now; none has two meanings.

    Give a set of keys for each person, one for all in turn, or none; let each key name an action as
    people would type it.
    """
    view = look.view
    if not isinstance(view, KeyedView):
        return
    for people in range(1, _MOST_PEOPLE + 1):
        sets = view.key_sets(people)
        demand(
            len(sets) in (0, 1, people), f"for {people} people there are {len(sets)} sets of keys"
        )
        keys = [key for own in sets for key in (*own.actions, *own.words)]
        twice = sorted(key for key in set(keys) if keys.count(key) > 1)
        demand(not twice, f"keys {twice} are given twice")
        for own in sets if look.viewer in look.scene.acting else ():
            words = [next(iter(own.words.values()))] * own.word_count if own.words else []
            for text in own.actions.values():
                _check_key(look, text)
                _check_key(look, " ".join([text, *words]))


def _check_key(look: Look, text: str) -> None:
    assert look.viewer is not None, "it is to act"
    try:
        look.game.parse(look.seen.state, look.viewer, text)
    except IllegalActionError:
        pass  # still an action: who presses the key is told why it is illegal now
    except ActionError as error:
        raise BrokenLaw(f"a key means {text!r}, and {error.message}") from error


class Showing:
    """Collects the texts shown for positions during a check."""

    def __init__(self, view: AnyView) -> None:
        self.view = view
        self.steps: list[tuple[Position, Position]] = []
        """Pairs of successive positions, and of positions after different steps from one."""
        self.seen: dict[Seat | None, dict[Hashable, set[Any]]] = {}
        """By viewer and text, the redacted states that were shown so."""
        self._texts: dict[Observation[Any, Any], tuple[str, str, str]] = {}

    def visit(self, scene: Scene) -> None:
        """Record the position of a scene, the step that led there, and some alternatives."""
        here: Position = (scene.ply, scene.state)
        before: list[Position] = [(scene.ply - 1, scene.last[0])] if scene.last else []
        paths = [path for path in map(partial(_detour, scene), range(_DETOURS)) if path[1:]]
        firsts = [path[1] for path in paths]
        self.steps = [
            pair for path in ([*before, here], *paths, firsts) for pair in itertools.pairwise(path)
        ]
        self._texts.clear()
        for ply, state in (here, *(position for path in paths for position in path[1:])):
            for viewer in scene.viewers:
                looks = self.seen.setdefault(viewer, {})
                seen = self.view.game.redact(state, viewer)
                looks.setdefault(self.shown(ply, state, viewer), set()).add(seen)

    def shown(self, ply: int, state: Any, viewer: Seat | None) -> tuple[str, str, str]:
        """The text of the board, the sidebar and the prompt for a viewer."""
        seen = self.view.game.observe(state, viewer, ply)
        if seen not in self._texts:
            self._texts[seen] = (
                str(self.view.picture(seen, BOARD_AREA, _PLAIN)),
                str(self.view.sidebar(seen, LEAST_SIDEBAR, _PLAIN)),
                self.view.prompt(seen, _PLAIN),
            )
        return self._texts[seen]


def _detour(scene: Scene, number: int) -> list[Position]:
    seed = scene.rng(f"detour{number}").getrandbits(32)
    aside: AnyMatch = Match(scene.game, seed=seed, start=scene.state, max_plies=_DETOUR_PLIES)
    while aside.waiting_for:
        one_step(aside)
    return [(scene.ply + ply, aside.state_at(ply)) for ply in range(aside.ply + 1)]


def shows_every_step(showing: Showing) -> None:
    """Whenever a step changes what a viewer knows, the board, sidebar or prompt changes.

    So it does whenever another step would have led to another observation. Show the difference, and
    not by colour alone, which not every terminal has; what no player needs is not for the state.
    """
    redact = showing.view.game.redact
    for (one, other), viewer in itertools.product(showing.steps, showing.seen):
        before, after = redact(one[1], viewer), redact(other[1], viewer)
        if before == after:
            continue
        texts = [showing.shown(ply, state, viewer) for ply, state in (one, other)]
        if texts[0] == texts[1]:
            raise BrokenLaw(
                f"{call_viewer(viewer)} is shown the same for {before!r} at ply {one[0]} "
                f"and for {after!r} at ply {other[0]}"
            )


def distinguishes_positions(showing: Showing) -> None:
    """At most one in ten positions of some matches looks like another one to a viewer.

    Draw most of the position all the time: a board on which only the last move can be seen shows
    every step, but can't be played on.
    """
    for viewer, looks in showing.seen.items():
        count = sum(map(len, looks.values()))
        groups = [same for same in looks.values() if len(same) > 1]
        confused = sum(map(len, groups))
        example = [repr(seen) for seen in list(groups[0])[:2]] if groups else []
        demand(
            confused <= max(1, _MOST_CONFUSED * count),
            f"of {count} observations of {call_viewer(viewer)} {confused} look like another, "
            f"such as {' and '.join(example)}",
        )
