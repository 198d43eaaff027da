"""The tutor's questions on the game screen."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from boardgames_cli.core.game import Seat
from boardgames_cli.core.text import wrapped
from boardgames_cli.evaluation.oracle import Oracle
from boardgames_cli.evaluation.tutor import MistakeWarning, Tutor
from boardgames_cli.session.settings import Pace, Settings
from boardgames_cli.tui.screens.dialogs import ask
from boardgames_cli.tui.screens.frame import Frame
from boardgames_cli.tui.table.table_model import TableModel
from boardgames_cli.tui.timers import REST_SECONDS, KeyDebounce

_WIDTH: Final = 48
"""Columns of the facts in a dialog."""


class TutorDialog:
    """Lets moves pass, at once or after a question, with a delay of at most a second.

    Args:
        screen: The table.
        model: What is shown of it.
        oracle: Judges the decisions; it must mark what may be a mistake.
        settings: How it is shown.
        give_hint: Asks for a hint.
    """

    def __init__(
        self,
        screen: Frame,
        model: TableModel,
        oracle: Oracle,
        settings: Settings,
        give_hint: Callable[[], None],
    ) -> None:
        self._screen = screen
        self._give_hint = give_hint
        self._model = model
        self._oracle = oracle
        self._tutor = Tutor(oracle, model.session.note_warning)
        self._is_instant = settings.pace is Pace.INSTANT
        self._asked = 0

    def consider(self) -> None:
        """Start to evaluate the decision of the person to act."""
        if self._model.seat is not None:
            self._oracle.consider(self._model.seat)

    def ask(self, seat: Seat, action: Any, play: Callable[[], None]) -> None:
        """Play an action, unless it is a mistake and the person takes it back.

        Args:
            seat: Whose action it is.
            action: The action.
            play: Plays it.
        """
        match = self._model.session.match
        version = match.version
        self._asked = asked = self._asked + 1

        def decide(_: Any = None) -> None:
            # The match may have changed in the meantime.
            if self._asked != asked or match.version != version:
                return
            warning = self._tutor.warning(seat, action)
            if warning is None:
                play()
            else:
                self._question(seat, warning, play)

        if self._tutor.is_ready(seat):
            decide()
        else:
            self._tutor.call(seat, lambda: self._screen.from_thread(decide, None))

    def _question(self, seat: Seat, warning: MistakeWarning, play: Callable[[], None]) -> None:
        facts = [*wrapped(warning.values, _WIDTH), *wrapped(warning.sentence, _WIDTH)]
        # Explained once; who goes on like that gets a clue before the next choice.
        coach = partial(self._screen.say, f"Look again. {warning.clue}")
        match = self._model.session.match
        version = match.version

        def unless_changed(do: Callable[[], None]) -> Callable[[], None]:
            return lambda: do() if match.version == version else None

        answers = [
            ("Play it anyway", unless_changed(play)),
            ("Take it back", unless_changed(coach)),
            ("Show a hint", unless_changed(self._give_hint)),
        ]
        self._tutor.note_warning(seat)
        self._screen.redraw()
        rest = None if self._is_instant else KeyDebounce(REST_SECONDS)
        title = "This looks like a mistake."
        ask(self._screen, title, facts, answers, self._screen.palette, 1, rest)
