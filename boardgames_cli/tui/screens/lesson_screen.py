"""A lesson on the full screen: a sentence, a task, and why an answer was wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType

from boardgames_cli.core.text import Span
from boardgames_cli.session.lesson_run import AskedStep, LessonRun
from boardgames_cli.session.setup import Settings
from boardgames_cli.session.snapshot import TableSnapshot
from boardgames_cli.tui.screens.frame import KeyHint
from boardgames_cli.tui.screens.question_screen import QuestionScreen, question_keys
from boardgames_cli.tui.table.status import aim_bar
from boardgames_cli.tui.widgets.bars import Bar, Sides
from boardgames_cli.tui.widgets.choices import ChoiceList
from boardgames_cli.tui.widgets.picture import ReasonView

_SENTENCE_ROWS: Final = 2


class LessonScreen(QuestionScreen):
    """Gives a lesson step by step.

    Args:
        run: The lesson.
        settings: How it is shown.
    """

    BINDINGS: ClassVar[list[BindingType]] = question_keys("lesson")

    def __init__(self, run: LessonRun, settings: Settings) -> None:
        self.run = run
        super().__init__(run.asked, settings)

    @property
    def asked(self) -> AskedStep:
        """The current step."""
        return self.run.asked

    def question(self) -> ComposeResult:
        """The sentence above the task."""
        yield ReasonView(id="reason")
        yield Bar(id="prompt")
        yield ChoiceList(id="choices")

    def title_bar(self) -> Sides:
        """The game and the number of the step."""
        run = self.run
        left = [Span(" LESSON ", "highlight"), Span(f" {run.view.game.info.name}", "title")]
        return left, [Span(f"step {run.number} of {run.count}", "muted")]

    def prompt_bar(self) -> Sides:
        """The task, or how to go on once it is done."""
        if not self.asked.is_done:
            label = [] if self.has_class("-compact") else [Span("To do: ", "muted")]
            return [*label, Span(self.asked.task, "title")], []
        after = "to end the lesson" if self.run.is_last else "to go on"
        return [
            Span("Well done. ", "good"),
            Span("enter", "key", "screen.next"),
            Span(f" {after}", "", "screen.next"),
        ], []

    def message_bar(self) -> Sequence[Span]:
        """The aim of the game."""
        return aim_bar(self.run.view, self.run.lesson.seat)

    def key_hints(self) -> list[KeyHint]:
        """The keys that matter now."""
        if self.asked.is_done:
            after = "end" if self.run.is_last else "next"
            return [("enter", after, "screen.next"), *self.common_keys]
        act, look = self.answer_keys()
        return [*act, *self.common_keys, *look]

    def snapshot(self, highlight: Any, *, has_colours: bool) -> TableSnapshot:
        """The board, with what has happened so far."""
        shown = self.asked.snapshot(highlight, has_colours=has_colours)
        return replace(shown, log=self.asked.log())

    def show_choices(self) -> None:
        """Show the choices, and the sentence above them."""
        role = "bad" if self.asked.is_wrong else ""
        self.show_reason(self.asked.sentence, _SENTENCE_ROWS, role)
        super().show_choices()

    def take(self, notation: str) -> None:
        """Do the task, or learn why this is not it."""
        before = self.asked.snapshot()
        self.run.answer(notation)
        if self.asked.is_done:
            self.index = None
            self.panes.move(before, self.asked.snapshot(), self.settings.pace)

    def action_next(self) -> None:
        """Go on to the next step, once this one is done; after the last one leave."""
        if not self.asked.is_done:
            self.say("Do the task first; q closes the lesson.")
            return
        with self.telling_errors():
            if self.run.go_on():
                self.show_new()
            else:
                self.close()
