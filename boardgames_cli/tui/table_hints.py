"""Hints and analysis in one session: when the hint agent is asked, and what is shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from boardgames_cli.evaluation.hints import Hint, HintResult, HintThread, hint_pages
from boardgames_cli.session.session import Session
from boardgames_cli.tui.table_model import Panel, TableModel

_MOST_NAMED: Final = 3
"""The maximum number of actions in a repeated hint."""
_MORE: Final = "   i shows more"
_NARROWEST: Final = 20
"""The least width of a message, in columns; a smaller window shows no hint."""
_MARGIN: Final = 2
"""The columns next to a message."""


class TableHints:
    """Asks the hint agent at most once per decision, for hints and the analysis.

    Args:
        session: The table.
        model: The table model, which keeps the hint agent's result.
        deliver: Passes a result to `take`; called in the hint agent's thread.
        say: Shows a message.
        width: The columns of the screen.
    """

    def __init__(
        self,
        session: Session,
        model: TableModel,
        deliver: Callable[[HintResult], None],
        say: Callable[[str], None],
        width: Callable[[], int],
    ) -> None:
        self._session = session
        self._model = model
        self._say = say
        self._width = width
        self._page = 0
        """The next line of the hint to show."""
        self._thread = HintThread(session.hint_source, deliver)
        self._asked: int | None = None
        self._wants_hint = False
        self._is_assisted = False
        """Whether the log already notes the use of the analysis."""

    @property
    def is_busy(self) -> bool:
        """Whether the hint agent thinks."""
        return self._thread.is_busy

    def want_hint(self) -> None:
        """Show the best action with its reason once it is known; on repetition, more actions."""
        model = self._model
        if len(model.legal) == 1:
            self._say(f"Nothing else can be done: {model.legal[0]}.")
        elif model.hint is not None:
            self._tell_page(model.hint)
        elif model.analysis is not None:
            self._tell_hint()
        else:
            self._say("Looking for a hint …")
            self._wants_hint = True
            if not self._thread.is_busy:
                self._ask()

    def turn_panel(self) -> None:
        """Cycle through winning chances, the analysis of every action, and nothing.

        Panels that the game does not support are skipped.
        """
        model, session = self._model, self._session
        panels = model.panels
        if len(panels) == 1:
            self._say(f"There is no evaluation of positions of {session.game.info.name}.")
            return
        model.panel = panels[(panels.index(model.panel) + 1) % len(panels)]
        if model.panel is Panel.ANALYSIS:
            if session.humans and not self._is_assisted:
                self._is_assisted = True
                session.remark("The analysis was turned on.")
        elif model.hint is None:
            self.stop()

    def request_analysis(self) -> bool:
        """Request the values of the choices if the analysis is shown; whether that was needed."""
        model = self._model
        if model.panel is not Panel.ANALYSIS or model.seat is None or model.analysis:
            return False
        if self._asked == self._session.match.version:
            return False
        self._ask()
        return True

    def take(self, result: HintResult) -> None:
        """Receive the hint agent's result."""
        if result.error is not None:
            self._wants_hint = False
            self._say(str(result.error))
        elif self._model.keep(result) and self._wants_hint:
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
        hint, seat = self._model.take_hint(), self._model.seat
        if hint is None or seat is None:
            return
        self._page = 0
        self._tell_page(hint)
        self._session.take_hint(seat, hint.best)

    def _tell_page(self, hint: Hint) -> None:
        room = max(_NARROWEST, self._width() - len(_MORE) - _MARGIN)
        pages = hint_pages(hint, self._session.worth, room, _MOST_NAMED)
        page = self._page % len(pages)
        self._page = page + 1
        self._say(pages[page] + (_MORE if page + 1 < len(pages) else ""))
