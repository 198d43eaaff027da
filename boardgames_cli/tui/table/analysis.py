"""Hints, the analysis of the choices, and the chances of winning at the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from functools import partial
from typing import Any, Final

from boardgames_cli.core.game import Observation, Traits
from boardgames_cli.core.text import Glyphs, Picture, Span, cut, shortened, wrapped
from boardgames_cli.evaluation.hints import Hint, HintResult, HintThread, hint_pages
from boardgames_cli.evaluation.standing import Standing, WinChances, has_standing, standing
from boardgames_cli.session.viewpoint import Viewpoint
from boardgames_cli.tui.table.table_model import TableModel
from boardgames_cli.tui.widgets.choices import ListedChoice
from boardgames_cli.tui.widgets.picture import MORE


class Panel(Enum):
    """The panel with evaluations that is shown."""

    OFF = "off"
    ESTIMATE = "estimate"
    ANALYSIS = "analysis"


_MOST_NAMED: Final = 3
"""The maximum number of actions in a repeated hint."""
_NARROWEST: Final = 20
"""The least width of a message, in columns; a smaller window shows no hint."""
_MARGIN: Final = 2
"""The columns next to a message."""


class TableHints:
    """How good the choices and the position are: hints, the analysis of every choice, chances.

    The hint agent is asked at most once for a decision.

    Args:
        model: The table.
        deliver: Passes a result to `take`; called in the hint agent's thread.
        say: Shows a message.
        width: The columns of the screen.
    """

    def __init__(
        self,
        model: TableModel,
        deliver: Callable[[HintResult], None],
        say: Callable[[str], None],
        width: Callable[[], int],
    ) -> None:
        self.panel = Panel.OFF
        self._model = model
        self._session = model.session
        self._say = say
        self._width = width
        self._page = 0
        """The next line of the hint to show."""
        self._thread = HintThread(model.session.hint_source, deliver)
        self._result: HintResult | None = None
        self._hinted: int | None = None
        """The version of the match for which a hint was shown."""
        self._asked: int | None = None
        self._wants_hint = False
        self._is_assisted = False
        """Whether the log already notes the use of the analysis."""
        self._courses: dict[Viewpoint, WinChances] = {}

    @property
    def is_busy(self) -> bool:
        """Whether the hint agent thinks."""
        return self._thread.is_busy

    # -- the choices -------------------------------------------------------------------------

    @property
    def analysis(self) -> HintResult | None:
        """The hint agent's result for the current decision."""
        result = self._result
        if result is None or result.hint is None or self._model.is_past:
            return None
        is_fresh = result.version == self._session.match.version
        return result if is_fresh and result.seat == self._model.seat else None

    @property
    def hint(self) -> Hint | None:
        """The hint for the current decision, if one was requested."""
        result = self.analysis
        return result.hint if result and self._hinted == result.version else None

    def annotated(
        self, choices: Sequence[ListedChoice], *, with_others: bool
    ) -> Sequence[ListedChoice]:
        """The choices with their values after a hint.

        Args:
            choices: The legal actions as listed.
            with_others: Whether to show the whole analysis, because the panel has no space.
        """
        result = self.analysis if with_others or self.hint is not None else None
        if result is None:
            return choices
        worth = self._session.worth
        return [
            replace(choice, note=note_on(result, action, worth, with_others=with_others))
            for choice, action in zip(choices, self._model.legal, strict=True)
        ]

    def want_hint(self) -> None:
        """Show the best action with its reason once it is known; on repetition, more actions."""
        model = self._model
        if len(model.legal) == 1:
            self._say(f"Nothing else can be done: {model.legal[0]}.")
        elif self.hint is not None:
            self._tell_page(self.hint)
        elif self.analysis is not None:
            self._tell_hint()
        else:
            self._say("Looking for a hint …")
            self._wants_hint = True
            if not self._thread.is_busy:
                self._ask()

    def request_analysis(self) -> bool:
        """Request the values of the choices if the analysis is shown; whether that was needed."""
        if self.panel is not Panel.ANALYSIS or self._model.seat is None or self.analysis:
            return False
        if self._asked == self._session.match.version:
            return False
        self._ask()
        return True

    def take(self, result: HintResult) -> None:
        """Receive the hint agent's result; a stale one is not shown."""
        if result.error is not None:
            self._wants_hint = False
            self._say(str(result.error))
            return
        self._result = result
        if self._wants_hint and self.analysis is not None:
            self._tell_hint()

    def check_late(self) -> bool:
        """Give up a hint agent that is late; whether it was. To be called regularly."""
        late = self._thread.late()
        if late is not None:
            self.take(late)
        return late is not None

    def stop(self) -> None:
        """Cancel the current request."""
        self._thread.stop()
        self._asked, self._wants_hint = None, False

    def _ask(self) -> None:
        self._asked = self._session.match.version
        self._thread.ask(self._session.observe(self._model.seat))

    def _tell_hint(self) -> None:
        """Highlight the best action and show its value; the game counts as assisted from now on."""
        self._wants_hint = False
        result, seat = self.analysis, self._model.seat
        if result is None or result.hint is None or seat is None:
            return
        best = result.hint.best
        self._hinted = result.version
        self._model.index = self._model.index_of(str(best))
        self._page = 0
        self._tell_page(result.hint)
        self._session.take_hint(seat, best)

    def _tell_page(self, hint: Hint) -> None:
        session = self._session
        room = max(_NARROWEST, self._width() - len(MORE) - _MARGIN)
        name = partial(session.action_name, self._model.seat)
        pages = hint_pages(hint, session.worth, room, _MOST_NAMED, name)
        page = self._page % len(pages)
        self._page = page + 1
        self._say(pages[page] + (MORE if page + 1 < len(pages) else ""))

    # -- the position ------------------------------------------------------------------------

    @property
    def panels(self) -> tuple[Panel, ...]:
        """The panels available in this game, in order."""
        session = self._session
        return (
            Panel.OFF,
            *((Panel.ESTIMATE,) if has_standing(session.game) else ()),
            *((Panel.ANALYSIS,) if session.can_advise else ()),
        )

    @property
    def has_panels(self) -> bool:
        """Whether any panel is available."""
        # Checked first: creating the hint agent is not needed for games with a standing.
        return has_standing(self._session.game) or self._session.can_advise

    def turn_panel(self) -> None:
        """Cycle through winning chances, the analysis of every action, and nothing.

        Panels that the game does not support are skipped.
        """
        session, panels = self._session, self.panels
        if len(panels) == 1:
            self._say(f"There is no evaluation of positions of {session.game.info.name}.")
            return
        self.panel = panels[(panels.index(self.panel) + 1) % len(panels)]
        if self.panel is Panel.ANALYSIS:
            if session.humans and not self._is_assisted:
                self._is_assisted = True
                session.remark("The analysis was turned on.")
        elif self.hint is None:
            self.stop()

    def standing(self) -> Standing | None:
        """The standing, as far as the viewer may know it."""
        model = self._model
        return self._standing_at(model.viewpoint, model.ply if model.is_moving else model.past)

    def course(self) -> WinChances:
        """The course of the game so far, as far as the viewer may know it."""
        viewpoint = self._model.viewpoint
        if viewpoint not in self._courses:
            self._courses[viewpoint] = WinChances(
                self._session.match, lambda ply: self._standing_at(viewpoint, ply)
            )
        return self._courses[viewpoint]

    def _standing_at(self, viewpoint: Viewpoint, ply: int | None) -> Standing | None:
        session = self._session
        seen = session.snapshot(viewpoint, ply).seen
        if seen.seat is None and Traits.HIDDEN not in session.game.traits:
            seen = Observation(0, seen.ply, seen.state, ())
        return standing(session.game, seen, tuple(one.spec for one in session.holders))


_MOST = 6
"""The maximum number of actions in the panel."""
_COURSE_ROWS: Final = 3
_LOW: Final = 1 / (8 * _COURSE_ROWS)
"""The height of the lowest glyph of a curve."""


def note_on(
    result: HintResult | None, action: Any, worth: Callable[[float], str], *, with_others: bool
) -> str:
    """The note on one action, in one line.

    Args:
        result: The agents' values, if known.
        action: The action.
        worth: Formats a return.
        with_others: Whether to add the values of another agent in the session.
    """
    if result is None or result.hint is None:
        return ""
    hint, others = result.hint, result.others
    value = dict(hint.values).get(action)
    said = _said(value, hint.words.get(action, ""), worth)
    best = "best" if action == hint.best and not said.startswith("best") else ""
    parts = [" ".join(filter(None, (best, said)))]
    if with_others and others is not None and action in others.words:
        parts.append(f"{others.name}: {others.words[action]}")
    return "   ".join(filter(None, parts))


def analysis_picture(
    result: HintResult | None,
    legal: Sequence[Any],
    worth: Callable[[float], str],
    waiting: str,
    width: int,
) -> Picture:
    """The analysis as a panel.

    Args:
        result: The agents' values; None while there are none.
        legal: The actions in the order of their numbers.
        worth: Formats a return.
        waiting: The text shown while there are no values.
        width: Columns.
    """
    lines: list[list[Span]] = [[Span("Analysis", "title")]]
    if result is None or result.hint is None:
        return Picture.of([*lines, [Span(waiting, "muted")]])
    hint, others = result.hint, result.others
    said = {
        action: _said(value, hint.words.get(action, ""), worth) for action, value in hint.values
    }
    order = [action for action, _ in hint.values if action in legal]
    lines += _section(order, legal, said, width, hint.best)
    if others is not None and others.words:
        lines += [[], [Span(cut(f"{others.name}'s view", width), "title")]]
        known = [action for action in order if action in others.words]
        lines += _section(known, legal, others.words, width, None)
    return Picture.of(lines)


def _said(value: float | None, words: str, worth: Callable[[float], str]) -> str:
    # Words include the number and say what kind of number it is.
    return words or ("" if value is None else worth(value))


def _section(
    order: Sequence[Any],
    legal: Sequence[Any],
    said: Mapping[Any, str],
    width: int,
    best: Any,
) -> list[list[Span]]:
    lines = []
    named = max((len(str(action)) for action in order), default=0)
    for action in order[:_MOST]:
        role = "hint" if action == best else ""
        head = f"{legal.index(action) + 1:>2} "
        text = said.get(action, "")
        if len(head) + named + 2 + len(text) <= width:
            lines.append([Span(head, "key"), Span(f"{action!s:<{named}}  {text}", role)])
            continue
        lines.append([Span(head, "key"), Span(str(action), role)])
        lines += [[Span(f"   {part}", role or "muted")] for part in wrapped(text, width - 3)]
    rest = len(order) - _MOST
    return [*lines, [Span(f"   and {rest} more", "muted")]] if rest > 0 else lines


def course_picture(
    points: Sequence[float | None],
    head: Span,
    width: int,
    glyphs: Glyphs,
    below: str = "",
) -> Picture | None:
    """A seat's winning probability so far as a curve; None if unknown.

    Args:
        points: The winning probability (0 to 1) at each ply, as far as known.
        head: The heading; the curve has the same role.
        width: Columns. A short game takes a column for each ply.
        glyphs: Which characters may be used.
        below: The role of the opponent, whose lead is drawn below a line; empty if there are more.
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
