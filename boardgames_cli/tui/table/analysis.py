"""Hints, the analysis of the choices, and the chances of winning at the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from functools import partial
from typing import Any, Final

from boardgames_cli.core.game import Observation, Traits
from boardgames_cli.core.text import Glyphs, Picture, Span, shortened, wrapped
from boardgames_cli.evaluation.oracle import ConsideredDecision, Hint, JudgedDecision
from boardgames_cli.evaluation.standing import Standing, WinChances, has_standing, standing
from boardgames_cli.session.snapshot import TableSnapshot
from boardgames_cli.session.viewpoint import Viewpoint
from boardgames_cli.tui.table.table_screen import TableScreen
from boardgames_cli.tui.widgets.choices import ListedChoice
from boardgames_cli.tui.widgets.picture import MORE


class Panel(Enum):
    """The panel with evaluations that is shown."""

    OFF = "off"
    ESTIMATE = "estimate"
    ANALYSIS = "analysis"


_COURSE_SECONDS: Final = 0.02
"""The time slice for evaluating positions, and the gap between slices for handling keys."""
_NARROWEST: Final = 20
"""The least width of a message, in columns; a smaller window shows no hint."""
_MARGIN: Final = 2
"""The columns next to a message."""


class TableHints:
    """How good the choices and the position are: hints, the analysis of every choice, chances."""

    def __init__(self, screen: TableScreen) -> None:
        self.panel = Panel.OFF
        self._screen = screen
        self._session = screen.session
        self._oracle = screen.oracle
        chances = (Panel.ESTIMATE,) if has_standing(screen.session.game) else ()
        self.panels = (Panel.OFF, *chances, Panel.ANALYSIS)
        """The panels of this game, in order."""
        self._page = 0
        """The next line of the hint to show."""
        self._has_figures = False  # whether figures of the hint have been shown
        self._given: tuple[ConsideredDecision, Hint] | None = None
        """The latest hint that was shown."""
        self._asked: ConsideredDecision | None = None
        """The decision for which a hint or the analysis was asked for."""
        self._wants_hint = False
        self._is_assisted = False
        """Whether the log already notes the use of the analysis."""
        self._courses: dict[Viewpoint, WinChances] = {}

    @property
    def is_busy(self) -> bool:
        """Whether what was asked for is still being judged."""
        return self._asked is not None and not self._asked.is_told.is_set()

    @property
    def _present(self) -> ConsideredDecision | None:
        known = None if self._screen.is_past else self._oracle.known(self._screen.seat)
        return known if known is self._asked else None

    @property
    def analysis(self) -> JudgedDecision | None:
        return None if self._present is None else self._present.decision

    @property
    def hint(self) -> Hint | None:
        """The hint for the current decision, if one was requested."""
        given = self._given
        return given[1] if given and given[0] is self._present else None

    @property
    def _is_wide(self) -> bool:
        return self._screen.has_class("-wide")

    def annotated(self, choices: Sequence[ListedChoice]) -> Sequence[ListedChoice]:
        """The choices with their values if the hint or the panel has no space for them."""
        in_list = self.panel is Panel.ANALYSIS and not self._is_wide
        is_told = self.hint is not None and self._has_figures
        decision = self.analysis if in_list or is_told else None
        if decision is None:
            return choices
        return [
            replace(choice, note=note_on(decision, action))
            for choice, action in zip(choices, self._screen.listed, strict=True)
        ]

    def draw(self) -> None:
        """Show the analysis and the course of the game, if they are on and there is space."""
        self._draw_analysis()
        self._draw_course()

    def _draw_analysis(self) -> None:
        panes, shown = self._screen.panes, None
        if self.panel is Panel.ANALYSIS and self._is_wide:
            waiting = "thinking …" if self.is_busy else "on your turn"
            legal = self._screen.listed
            shown = analysis_picture(self.analysis, legal, waiting, panes.side_width)
        panes.show_part("analysis", shown)

    def _draw_course(self) -> None:
        screen, session, panes = self._screen, self._session, self._screen.panes
        if self.panel is Panel.OFF or not self._is_wide or Panel.ESTIMATE not in self.panels:
            panes.show_part("course", None)
            return
        chances = self.course()
        if not chances.work(_COURSE_SECONDS):
            screen.set_timer(_COURSE_SECONDS, self._draw_course)
        seat = screen.viewpoint.seat or 0
        head = Span(f"{session.names[seat]}: the game so far", f"seat.{seat}")
        points = chances.points(screen.shown.seen.ply)
        below = f"seat.{1 - seat}" if session.game.seats == 2 else ""
        shown = course_picture(points, head, panes.side_width, session.glyphs, below)
        panes.show_part("course", shown)

    def want_hint(self) -> None:
        """Show the best action with its reason once it is known; on repetition, figures."""
        legal = self._screen.listed
        if len(legal) == 1:
            self._screen.say(f"Nothing else can be done: {legal[0]}.")
        elif self.hint is not None:
            self._tell_page(self.hint)
        else:
            self._wants_hint = True
            self._screen.say("Looking for a hint …")
            self._ask()
            self.take_news()

    def request_analysis(self) -> None:
        """Request the values of the choices if the analysis is shown without them."""
        if self.panel is Panel.ANALYSIS and self._screen.seat is not None and not self._present:
            self._ask()
            self._draw_analysis()

    def take_news(self) -> None:
        """Show the hint that was asked for if it is known by now, or why there is none."""
        found = self._present
        if found is None or not found.is_told.is_set():
            return
        if found.decision is None:
            self._screen.say(str(found.error))
        elif self._wants_hint:
            self._give(found, found.decision)
        self._wants_hint = False

    def stop(self) -> None:
        self._asked, self._wants_hint = None, False

    def _ask(self) -> None:
        if self._screen.seat is not None:
            self._asked = self._oracle.consider(self._screen.seat)

    def _give(self, found: ConsideredDecision, decision: JudgedDecision) -> None:
        seat = decision.seen.own_seat
        hint = Hint.of(decision, found.why, partial(self._session.action_name, seat))
        self._given = found, hint
        listed = self._screen.listed
        self._screen.index = listed.index(hint.best) if hint.best in listed else None
        self._page, self._has_figures = 0, False
        self._tell_page(hint)
        self._session.take_hint(seat, hint.best)

    def _tell_page(self, hint: Hint) -> None:
        room = max(_NARROWEST, self._screen.size.width - len(MORE) - _MARGIN)
        advice = wrapped(hint.advice, room)
        pages = [*advice, *wrapped(hint.figures, room)]
        page = self._page % len(pages)
        self._page = page + 1
        self._has_figures |= page >= len(advice)
        self._screen.say(pages[page] + (MORE if page + 1 < len(pages) else ""))

    def turn_panel(self) -> None:
        """Cycle through winning chances, the analysis of every action, and nothing.

        Panels that the game does not support are skipped.
        """
        session, panels = self._session, self.panels
        self.panel = panels[(panels.index(self.panel) + 1) % len(panels)]
        if self.panel is Panel.ANALYSIS:
            if session.humans and not self._is_assisted:
                self._is_assisted = True
                session.remark("The analysis was turned on.")
        elif self.hint is None:
            self.stop()

    def standing(self) -> Standing | None:
        """The standing, as far as the viewer may know it; None if it is off, too."""
        return None if self.panel is Panel.OFF else self._standing_of(self._screen.shown)

    def course(self) -> WinChances:
        """The course of the game so far, as far as the viewer may know it."""
        session, viewpoint = self._session, self._screen.viewpoint
        if viewpoint not in self._courses:
            self._courses[viewpoint] = WinChances(
                session.match, lambda ply: self._standing_of(session.snapshot(viewpoint, ply))
            )
        return self._courses[viewpoint]

    def _standing_of(self, shown: TableSnapshot) -> Standing | None:
        session, seen = self._session, shown.seen
        if seen.seat is None and Traits.HIDDEN not in session.game.traits:
            seen = Observation(0, seen.ply, seen.state, ())
        return standing(session.game, seen, session.holder_specs)


_MOST = 6
"""The maximum number of actions in the panel."""
_COURSE_ROWS: Final = 3
_LOW: Final = 1 / (8 * _COURSE_ROWS)
"""The height of the lowest glyph of a curve."""


def note_on(decision: JudgedDecision, action: Any) -> str:
    """The note on one action, in one line."""
    said = decision.told(decision.judgement.of(action))
    best = "best" if action == decision.best and not said.startswith("best") else ""
    return " ".join(filter(None, (best, said)))


def analysis_picture(
    decision: JudgedDecision | None, legal: Sequence[Any], waiting: str, width: int
) -> Picture:
    """The analysis as a panel."""
    lines: list[list[Span]] = [[Span("Analysis", "title")]]
    if decision is None:
        return Picture.of([*lines, [Span(waiting, "muted")]])
    choices = [choice for choice in decision.choices if choice.action in legal]
    named = max((len(str(choice.action)) for choice in choices), default=0)
    for choice in choices[:_MOST]:
        action, text = choice.action, decision.told(choice)
        role = "hint" if action == decision.best else ""
        head = f"{legal.index(action) + 1:>2} "
        if len(head) + named + 2 + len(text) <= width:
            lines.append([Span(head, "key"), Span(f"{action!s:<{named}}  {text}", role)])
            continue
        lines.append([Span(head, "key"), Span(str(action), role)])
        lines += [[Span(f"   {part}", role or "muted")] for part in wrapped(text, width - 3)]
    rest = len(choices) - _MOST
    return Picture.of([*lines, [Span(f"   and {rest} more", "muted")]] if rest > 0 else lines)


def course_picture(
    points: Sequence[float | None],
    head: Span,
    width: int,
    glyphs: Glyphs,
    below: str = "",
) -> Picture | None:
    """A seat's winning probability so far as a curve in the role of its heading; None if unknown.

    The lead of an only opponent is drawn below a line, in their role.
    """
    if all(point is None for point in points):
        return None
    # Imported late: it is rarely used, and imports the reviews.
    from boardgames_cli.evaluation.plots import curve, resample

    title = Span(shortened(head.text, width), head.role)
    # Even a lost position shows a line; otherwise the curve would seem to be missing.
    heights = [max(_LOW, share) for share in resample(points, min(width, len(points)))]
    roles = [head.role, below] if below else [head.role]
    return Picture.of([[title], *curve(heights, _COURSE_ROWS, roles, glyphs)])
