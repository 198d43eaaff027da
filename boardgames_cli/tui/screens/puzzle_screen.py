"""Puzzles: a position, a question, and afterwards what every choice was worth."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar, Final

from textual.binding import BindingType

from boardgames_cli.core.game import Seat
from boardgames_cli.core.text import Picture, Span, aligned, wrapped
from boardgames_cli.evaluation.puzzle_run import (
    AskedPuzzle,
    DrillRun,
    PuzzleGroup,
    PuzzleRun,
    Stage,
)
from boardgames_cli.session.setup import Settings
from boardgames_cli.session.snapshot import LogLine, TableSnapshot
from boardgames_cli.tui.screens.frame import KeyHint
from boardgames_cli.tui.screens.question_screen import QuestionScreen, question_keys
from boardgames_cli.tui.timers import REST_SECONDS, KeyDebounce
from boardgames_cli.tui.widgets.bars import Sides
from boardgames_cli.tui.widgets.choices import ChoiceRow, ListedChoice, choice_lines
from boardgames_cli.tui.widgets.picture import ReasonView

_RIGHT: Final = "!"
_TRIED: Final = "?"
"""As chess players mark a good move and a mistake."""

_METHOD_LINES: Final = 3


def tried_lines(asked: AskedPuzzle) -> list[LogLine]:
    """What was answered so far and what that costs, as a log."""
    puzzle = asked.puzzle
    texts = [f"{puzzle.label(one)}: {puzzle.verdict(one)}" for one in asked.tried]
    return [LogLine(number, text, puzzle.seat) for number, text in enumerate(texts)]


def choices_panel(asked: AskedPuzzle, chosen: int, width: int, height: int) -> Picture:
    """What every choice is worth, the best first, for a puzzle that is done.

    Args:
        asked: The puzzle.
        chosen: The place of the choice that the board shows.
        width: Columns.
        height: Rows; how the values were computed is told where there is room for it.
    """
    puzzle = asked.puzzle
    kind, _, method = puzzle.method.partition(": ")
    rows = _rows(asked)
    values = max(len(row.value) for row in rows)
    # Before the label stand two columns, after it the mark between two blanks.
    lines = choice_lines((kind,), rows, chosen, width, width - values - 5)
    notation = puzzle.choices[chosen]
    words = puzzle.words.get(notation, "")
    if words not in (row.value.strip() for row in rows):
        lines += [[Span(part, "muted")] for part in wrapped(words, width)[:2]]
    for text in (method, puzzle.finders):
        said = wrapped(text, width, max_lines=_METHOD_LINES) if text else []
        if len(lines) + len(said) < height:
            lines += [[], *([Span(part, "muted")] for part in said)]
    return Picture.of(lines)


def _rows(asked: AskedPuzzle) -> list[ChoiceRow]:
    puzzle = asked.puzzle
    right, values = "right" if puzzle.share_of else "best", []
    for notation in puzzle.choices:
        loss = puzzle.losses.get(notation, "")
        told = puzzle.words.get(notation, "") if not any(puzzle.losses.values()) else ""
        sign = "" if puzzle.share_of else "-"
        values.append(f"{sign}{loss}" if loss else told or right)
    width = max(map(len, values))
    rows = []
    for notation, value in zip(puzzle.choices, values, strict=True):
        is_right = notation in puzzle.right
        is_tried = notation in asked.tried
        rows.append(
            ChoiceRow(
                notation,
                puzzle.label(notation),
                _RIGHT if is_right else _TRIED if is_tried else "",
                f"{value:>{width}}",
                role="hint" if is_right else "bad" if is_tried else "",
            )
        )
    return rows


class PuzzleScreen(QuestionScreen):
    """Asks puzzles one after the other.

    Args:
        run: The puzzles.
        settings: How they are shown.
    """

    BINDINGS: ClassVar[list[BindingType]] = question_keys(
        "puzzle",
        ("i,f2", "show_answer", "show the answer; then more of the reason", "show-answer"),
        ("t", "today", "puzzle of the day", "today"),
        ("g", "choose_puzzles", "choose the game and the level", "choose-puzzles"),
    )

    def __init__(self, run: PuzzleRun, settings: Settings) -> None:
        self.run = run
        super().__init__(run.asked, settings)
        self.message = run.opening

    @property
    def asked(self) -> AskedPuzzle:
        """The puzzle that is asked now."""
        return self.run.asked

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats whose own keys answer: none for a probability."""
        return () if self.asked.puzzle.share_of else super().people

    @property
    def details(self) -> Sequence[str]:
        """How the values were computed, in full, and who finds the answer."""
        puzzle = self.asked.puzzle
        return [one for one in (puzzle.method, puzzle.finders) if one and self.asked.is_done]

    @property
    def listed(self) -> Sequence[str]:
        """The choices, and when it is done by worth."""
        return self.asked.puzzle.choices if self.asked.is_done else self.asked.choices

    # -- drawing -----------------------------------------------------------------------------

    def title_bar(self) -> Sides:
        """Which puzzle of which game it is, and the progress."""
        run, asked = self.run, self.asked
        left = [Span(f" {run.kind} ", "highlight"), Span(f" {asked.game.info.name}", "title")]
        right = [Span(f"solved {run.solved} of {run.count}")]
        return [*left, Span(f"  {run.heading}", "muted")], right

    def prompt_bar(self) -> Sides:
        """The question, then the verdict; as much beside it as there is room for."""
        asked, tries = self.asked, len(self.asked.tried)
        right = [Span(f"{tries} {'try' if tries == 1 else 'tries'}", "muted")] if tries else []
        left = [Span(asked.puzzle.task, "title"), Span(f"  {asked.situation}")]
        if asked.is_done:
            role = "hint" if asked.stage is Stage.SOLVED else "title"
            left = [Span(asked.comment(), role), Span(f"  {self.run.outlook or asked.task}")]
        fits = sum(len(piece.text) for piece in (*left, *right)) + 3 <= self.size.width
        return left if fits else left[:1], right

    def message_bar(self) -> Sequence[Span]:
        """What there is to say of a wrong answer, and why the progress is not kept."""
        comment = "" if self.asked.is_done else self.asked.comment()
        return [Span(f"{comment}  " if comment else "", "bad"), Span(self.run.problem, "bad")]

    def key_hints(self) -> Sequence[KeyHint]:
        """The keys that matter now."""
        *side, help, leave = self.common_keys
        common = [("g", "game, level", "screen.choose_puzzles"), help, leave]
        if self.run.count > 1 and not isinstance(self.run, DrillRun):
            common.append(("t", "of the day", "screen.today"))
        if self.asked.is_done:
            first = [("enter", "next puzzle", "screen.next")] if self.run.has_next else []
            return [*first, ("↑↓", "choices", "screen.highlight(1)"), *side, *common]
        act, look = self.answer_keys()
        after = [("n", "next", "screen.next")] if self.run.has_next else []
        return [*act, ("i", "show answer", "screen.show_answer"), *after, *side, *common, *look]

    def snapshot(self, highlight: Any, *, has_colours: bool) -> TableSnapshot:
        """The board, with the answers so far as its log."""
        asked = self.asked
        context = asked.context(highlight, has_colours=has_colours)
        tried = [] if asked.is_done else tried_lines(asked)
        return TableSnapshot(asked.view, asked.seen, context, log=tried)

    def show_choices(self) -> None:
        """Show the list of choices; when it is done, in its place why the answer is the best."""
        asked = self.asked
        choices, reason = self.query_one("#choices"), self.query_one("#reason")
        choices.display, reason.display = not asked.is_done, asked.is_done
        if asked.is_done:
            self.show_reason(asked.puzzle.reason, self.rows, "")
            room = self.panes.room_for_analysis
            self.panes.show_analysis(choices_panel(asked, self.index or 0, *room))
        else:
            super().show_choices()
            self.panes.show_analysis(None)

    def choices(self) -> list[ListedChoice]:
        """The choices as the list shows them."""
        if self.asked.puzzle.share_of:
            return [ListedChoice(share) for share in self.asked.choices]
        return super().choices()

    # -- answering ---------------------------------------------------------------------------

    def answer(self, notation: str) -> None:
        """Take a choice; of a puzzle that is done, look at it."""
        if self.asked.is_done:
            self.message, self.index = "", self.asked.puzzle.choices.index(notation)
            self.redraw()
        else:
            super().answer(notation)

    def take(self, notation: str) -> None:
        """Take a choice, and look at the answer if it is done then."""
        self.run.answer(notation)
        if self.asked.is_done:
            self.index = 0

    def action_show_answer(self) -> None:
        """Give the puzzle up; once it is done, show more of a long reason."""
        self.message = ""
        if self.asked.is_done:
            self.query_one(ReasonView).turn()
        else:
            self.run.show_answer()
            self.index, self._rest = 0, KeyDebounce(REST_SECONDS)
        self.redraw()

    # -- other puzzles -----------------------------------------------------------------------

    def action_next(self) -> None:
        """Ask the next puzzle."""
        with self.telling_errors():
            if self.run.go_on():
                self.show_new()
            else:
                self.say("That was the last one. g chooses others, q closes.")

    def action_today(self) -> None:
        """Ask the puzzle of the day."""
        with self.telling_errors():
            if self.run.go_to_today(datetime.date.today()):
                self.show_new()
            else:
                self.say("This is the puzzle of the day.")

    def action_choose_puzzles(self) -> None:
        """Choose the game, then the level."""
        game, _ = self.run.chosen
        with self.telling_errors():
            groups = self.run.games()
            present = next((at for at, one in enumerate(groups) if one.game == game), 0)
            self._ask_which("Puzzles of which game?", groups, present, self._ask_level)

    def _ask_level(self, chosen: PuzzleGroup) -> None:
        _, level = self.run.chosen
        with self.telling_errors():
            groups = self.run.levels(chosen.game)
            present = next((at for at, one in enumerate(groups) if one.level == level), 0)
            title = f"Which level? Puzzles of {chosen.name}"
            self._ask_which(title, groups, present, self._choose)

    def _choose(self, group: PuzzleGroup) -> None:
        with self.telling_errors():
            self.run.choose(group.game, group.level)
            self.show_new(self.run.summary)

    def _ask_which(
        self,
        title: str,
        groups: Sequence[PuzzleGroup],
        start: int,
        follow: Callable[[PuzzleGroup], None],
    ) -> None:
        """Let the user choose a group; skipped for a single one."""
        if len(groups) == 1:
            follow(groups[0])
            return
        from boardgames_cli.tui.screens.dialogs import ask  # few choose

        rows = [(one.name, f" solved {one.solved} of {one.count}") for one in groups]
        follows = [partial(follow, group) for group in groups]
        ask(self, title, (), list(zip(aligned(rows), follows, strict=True)), self.palette, start)
