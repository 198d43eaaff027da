"""The tutor's questions on the game screen."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from boardgames_cli.core.game import Seat
from boardgames_cli.core.text import wrapped
from boardgames_cli.evaluation.tutor import MistakeWarning, Tutor
from boardgames_cli.session.settings import Pace
from boardgames_cli.tui.keys import REST_SECONDS, KeyDebounce
from boardgames_cli.tui.screens.dialogs import ask
from boardgames_cli.tui.table.table_screen import TableScreen

_WIDTH: Final = 48
"""Columns of the facts in a dialog."""


class TutorDialog:
    """Lets moves pass, at once or after a question, with a delay of at most a second.

    Args:
        screen: The table. Its oracle must mark what may be a mistake.
        give_hint: Asks for a hint.
    """

    def __init__(self, screen: TableScreen, give_hint: Callable[[], None]) -> None:
        self._give_hint = give_hint
        self._screen = screen
        self._match = screen.session.match
        self._tutor = Tutor(screen.oracle, screen.session.note_warning)
        self._asked = 0

    def consider(self) -> None:
        """Start to evaluate the decision of the person to act."""
        if self._screen.seat is not None:
            self._screen.oracle.consider(self._screen.seat)

    def ask(self, seat: Seat, action: Any, play: Callable[[], None]) -> None:
        """Play an action, unless it is a mistake and the person takes it back.

        Args:
            seat: Whose action it is.
            action: The action.
            play: Plays it.
        """
        self._asked = asked = self._asked + 1

        def decide() -> None:
            if self._asked != asked:
                return
            warning = self._tutor.warning(seat, action)
            if warning is None:
                play()
            else:
                self._question(seat, warning, play)

        then = self._unless_changed(decide)
        if self._tutor.is_ready(seat):
            then()
        else:
            self._tutor.call(seat, lambda: self._screen.from_thread(then, None))

    def _unless_changed(self, do: Callable[..., None]) -> Callable[..., None]:
        version = self._match.version
        return lambda *_: do() if self._match.version == version else None

    def _question(self, seat: Seat, warning: MistakeWarning, play: Callable[[], None]) -> None:
        screen = self._screen
        facts = [*wrapped(warning.values, _WIDTH), *wrapped(warning.sentence, _WIDTH)]
        # Explained once; who goes on like that gets a clue before the next choice.
        coach = partial(screen.say, f"Look again. {warning.clue}")
        answers = [
            ("Play it anyway", self._unless_changed(play)),
            ("Take it back", self._unless_changed(coach)),
            ("Show a hint", self._unless_changed(self._give_hint)),
        ]
        self._tutor.note_warning(seat)
        screen.redraw()
        rest = None if screen.settings.pace is Pace.INSTANT else KeyDebounce(REST_SECONDS)
        title = "This looks like a mistake."
        ask(screen, title, facts, answers, screen.palette, 1, rest)
