"""How a game is displayed: one view serves every front end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Generic, TypeAlias, TypeVar

from boardgames_cli.core.errors import refuse_moved
from boardgames_cli.core.game import CHANCE, A, AnyGame, C, Observation, S, Seat, Step, winners
from boardgames_cli.core.text import Glyphs, Picture, Span, shortened


@dataclass(frozen=True, slots=True)
class Size:
    """The space for a picture in columns and rows."""

    width: int
    height: int


LEAST_SIDEBAR: Final = 26
"""The smallest width of a sidebar in columns."""

LONGEST_AIM: Final = 73
"""The largest width of `View.aim` in columns: a line of 80 columns with ``Aim:`` before it."""


class Moment(str):
    """A sentence of the log about something that nobody should miss.

    Plain text prints the sentence like any other. The full screen may show more for a while, such
    as a banner; how is up to it. Sidebars may count moments (`RenderContext.moments`). A kind is
    the view's own word for it, such as ``bluff``. A banner has letters, digits and spaces, as
    ``bluff caught``; ``{}`` in it stands for the number (points, chips, or the step), which may be
    counted up. It happened to one seat, and another did it; a blow shakes.
    """

    __slots__ = ("banner", "by", "kind", "number", "seat", "shakes")

    kind: str
    banner: str
    seat: Seat | None
    by: Seat | None
    number: int
    shakes: bool

    def __new__(
        cls,
        text: str,
        *,
        kind: str,
        banner: str = "",
        seat: Seat | None = None,
        by: Seat | None = None,
        number: int = 0,
        shakes: bool = False,
    ) -> Moment:
        moment = super().__new__(cls, text)
        moment.kind, moment.banner, moment.number = kind, banner, number
        moment.seat, moment.by, moment.shakes = seat, by, shakes
        return moment

    @property
    def facts(self) -> tuple[object, ...]:
        """All that it tells, for comparisons: as text it equals its sentence."""
        return (str(self), *(getattr(self, name) for name in self.__slots__))


G = TypeVar("G", bound=AnyGame)


@dataclass(frozen=True, slots=True)
class RenderContext(Generic[A, C]):
    """What a picture shows in addition to the position, and how."""

    glyphs: Glyphs = Glyphs.ASCII
    names: Sequence[str] = ()
    """The names of the seat holders, by seat."""
    highlight: A | None = None
    """The action under the cursor: the view shows what it would do."""
    last: Step[A, C] | None = None
    """The step that led here, as the viewer may know it; None at the start."""
    last_move: Step[A, C] | None = None
    """The last step of seats, ignoring later chance steps; None before the first."""
    committed: Collection[Seat] = ()
    """The seats that have acted in an incomplete joint step."""
    people: Collection[Seat] | None = None
    """The seats of the people at the screen, addressed as "you"; None means the viewer's own."""
    shows_layer: bool = False
    """Whether `View.layer` is shown on the board."""
    has_colours: bool = True
    """Whether colours are available; if not, frames and shades must distinguish areas."""
    viewer: Seat | None = None
    """The viewer's seat, for `View.frames`, which gets no observation."""
    moments: Sequence[Moment] = ()
    """What happened so far, as the viewer may know it, for pictures; `View.narrate` gets none."""

    def is_own(self, seat: Seat) -> bool:
        """Whether a person at the screen has the seat."""
        return self.people is None or seat in self.people

    def name(self, seat: Seat) -> str:
        """The name of a seat's holder."""
        return self.names[seat] if 0 <= seat < len(self.names) else f"Seat {seat + 1}"

    def short_name(self, seat: Seat, width: int) -> str:
        """The name of a seat's holder, cut to a number of columns."""
        return shortened(self.name(seat), width, self.glyphs)


@dataclass(frozen=True, slots=True)
class KeySet:
    """The keys with which one person plays on the full screen."""

    actions: Mapping[str, str]
    """Notations by key; keys are named as Textual does: ``up``, ``w``, ``space``, ``full_stop``."""
    hints: tuple[tuple[str, str], ...] = ()
    """The entries of the footer: (keys, label)."""
    words: Mapping[str, str] = field(default_factory=dict)
    """What a key adds to the notation of the next action, such as a radio word."""
    word_count: int = 0
    """The number of words in a complete message; fewer are ignored."""


@dataclass(frozen=True)
class View(ABC, Generic[G, S, A, C]):
    """Draws observations and describes steps of one game, with its options.

    It gets only states and steps that are redacted for the viewer, and keeps nothing between calls.
    A game must implement `picture`, `narrate` and `legend`; the rest has usable defaults.
    """

    game: G

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        refuse_moved(cls)

    palette: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """For each theme ("dark", "light") a style for each role of this game, such as
    ``"bold #2b2118 on #e8d5a3"``; roles without one take the style of the part before the last dot,
    and the styles of ``seat.N`` come from the front end."""

    @abstractmethod
    def picture(self, seen: Observation[S, A], size: Size, context: RenderContext[A, C]) -> Picture:
        """The board as one seat sees it, within ``size`` if at all possible."""

    @abstractmethod
    def narrate(
        self, before: S, step: Step[A, C], after: S, context: RenderContext[A, C]
    ) -> list[str]:
        """One line for each thing that happened, a `Moment` for what nobody should miss."""

    @abstractmethod
    def legend(self, glyphs: Glyphs) -> Picture:
        """What the symbols on the board mean."""

    def sidebar(self, seen: Observation[S, A], width: int, context: RenderContext[A, C]) -> Picture:
        """Facts shown next to the board: who has what, and what the position means.

        The width in columns is `LEAST_SIDEBAR` or more. Names are cut to what the rest leaves; see
        `RenderContext.short_name`.
        """
        lines = []
        for seat in range(self.game.seats):
            mark = ">" if seat in self.game.to_act(seen.state) else " "
            name = context.short_name(seat, width - len(mark) - 1)
            lines.append((Span(f"{mark} {name}", f"seat.{seat}"),))
        return Picture(tuple(lines))

    def frames(
        self,
        before: S,
        step: Step[A, C],
        after: S,
        size: Size,
        context: RenderContext[A, C],
    ) -> Iterable[Picture]:
        """Animation frames between two states, in order; none by default.

        The states are redacted for the viewer, and neither is among the frames, but for the one
        after at a pause (see `pause_after`). Front ends with animation show them within the time
        that the pace leaves; the others, and those told to show steps at once or without motion,
        skip them.
        """
        return ()

    def pause_after(
        self, before: S, step: Step[A, C], after: S, context: RenderContext[A, C]
    ) -> str:
        """What follows a step at which the game should pause, such as ``next hand``.

        If people play, front ends wait there for a key, showing the last of the step's `frames` if
        there are any. Empty (the default): the game goes on at its pace.
        """
        return ""

    def aim(self, seat: Seat | None) -> str:
        """How to win, in one line of at most `LONGEST_AIM` columns; front ends always show it.

        A spectator has no seat.
        """
        return ""

    def prompt(self, seen: Observation[S, A], context: RenderContext[A, C]) -> str:
        """One line about the decision to make."""
        seats = self.game.to_act(seen.state)
        if not seats:
            return "The game is over."
        if seats == (CHANCE,):
            return "Chance acts."
        return f"{', '.join(context.name(seat) for seat in seats)} to act."

    def describe(self, seen: Observation[S, A], action: A) -> str:
        """The label of a choice: the action's notation and its notable effects."""
        return str(action)

    def shortlist(self, seen: Observation[S, A]) -> Sequence[A]:
        """The actions that are listed and numbered; the others can be typed. By default all."""
        return seen.legal

    def result(self, state: S, context: RenderContext[A, C]) -> str:
        """Who won, in one line."""
        best = [context.name(seat) for seat in winners(self.game.returns(state))]
        if len(best) > 1:
            return f"Tie: {', '.join(best)}."
        return f"{best[0]} won." if best else "The game is a draw."


class KeyedView(View[G, S, A, C]):
    """A view with keys, an overlay and reports of its own, for games too fast for lists."""

    layer: ClassVar[str] = ""
    """The name of an optional overlay on the board, such as ``danger``; empty if there is none.
    `RenderContext.shows_layer` turns it on."""

    reports: ClassVar[Mapping[str, str]] = {}
    """Commands for reports of this game only, each with its description; `report` answers them."""

    def report(self, seen: Observation[S, A], word: str, context: RenderContext[A, C]) -> list[str]:
        """The lines of one of `reports`."""
        return []

    def status(self, seen: Observation[S, A], context: RenderContext[A, C]) -> str:
        """What the viewer's seat has, in a few words, for a line with its name and choice.

        These lines replace the list of choices when several people play at once. Empty (the
        default): the prompt is enough.
        """
        return ""

    def at_a_glance(self, seen: Observation[S, A]) -> str:
        """All choices in one line of plain text; empty: they are listed one per line."""
        return ""

    def key_sets(self, people: int) -> Sequence[KeySet]:
        """A set of keys for each person at one keyboard.

        Empty if the game has no keys of its own; a single set for several people if they must act
        one after the other.
        """
        return ()

    def audience_viewpoint(self) -> Seat | None:
        """The initial viewpoint for people who watch agents; None is the public view."""
        return None


AnyView: TypeAlias = View[Any, Any, Any, Any]
