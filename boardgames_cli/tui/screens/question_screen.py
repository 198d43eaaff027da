"""Questions on the full screen: a position, a task, and what the answers cost or miss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from boardgames_cli.core.game import Seat
from boardgames_cli.core.text import Picture, Span, wrapped
from boardgames_cli.evaluation.puzzles import Puzzle
from boardgames_cli.session.questions import PuzzleRun, Question, QuestionRun
from boardgames_cli.session.settings import Settings
from boardgames_cli.tui.keys import REST_SECONDS, Keyboard, KeyDebounce, bindings_of, numbered
from boardgames_cli.tui.screens.frame import BoardScreen, HelpTopic, KeyHint
from boardgames_cli.tui.table.table_screen import aim_bar
from boardgames_cli.tui.theme import tells_grounds
from boardgames_cli.tui.widgets.choices import (
    ChoiceList,
    ChoiceRow,
    ListedChoice,
    choice_lines,
)
from boardgames_cli.tui.widgets.panes import TablePanes
from boardgames_cli.tui.widgets.picture import Bar, KeyBar, ReasonView, Sides

_RIGHT: Final = "!"
_TRIED: Final = "?"
"""As chess players mark a good move and a mistake."""

_METHOD_LINES: Final = 3
_SENTENCE_ROWS: Final = 2


def _question_keys(room: str, *own: tuple[str, str, str, str]) -> list[BindingType]:
    return bindings_of(
        room,
        *numbered("choose", "answer with that number", "answer", 10),
        ("up", "highlight(-1, True)", "look at the choice above", "up"),
        ("down", "highlight(1, True)", "look at the choice below", "down"),
        ("left,shift+tab", "highlight(-1)", "look at the choice before", "previous"),
        ("right", "highlight(1)", "look at the next choice", "next-choice"),
        ("enter,space", "confirm", "answer with that choice; afterwards: go on", "confirm"),
        *own,
        ("n", "next", "go on to the next one", "next"),
        ("tab", "tab", "next choice; in a small window: board or facts", "tab"),
        ("question_mark,f1", "help", "keys, rules, legend", "help"),
        ("q,escape", "leave", "close", "leave"),
    )


_HELP: Final = ("i,f2", "show_answer", "a hint, then the answer; then more of it", "show-answer")
PUZZLE_BINDINGS: Final = _question_keys("puzzle", _HELP)
LESSON_BINDINGS: Final = _question_keys("lesson")


def choices_panel(
    puzzle: Puzzle, tried: Sequence[str], chosen: int, width: int, height: int
) -> Picture:
    """What every choice of a puzzle is worth, the best first.

    How the values were computed is told where there is room for it.
    """
    kind, _, method = puzzle.method.partition(": ")
    rows = _rows(puzzle, tried)
    values = max(len(row.value) for row in rows)
    # Before the label stand two columns, after it the mark between two blanks.
    lines = choice_lines((kind,), rows, chosen, width, width - values - 5)
    words = puzzle.words.get(puzzle.choices[chosen], "")
    if words not in (row.value.strip() for row in rows):
        lines += [[Span(part, "muted")] for part in wrapped(words, width)[:2]]
    for text in (method, puzzle.finders):
        said = wrapped(text, width, max_lines=_METHOD_LINES) if text else []
        if len(lines) + len(said) < height:
            lines += [[], *([Span(part, "muted")] for part in said)]
    return Picture.of(lines)


def _rows(puzzle: Puzzle, tried: Sequence[str]) -> list[ChoiceRow]:
    right, values = "right" if puzzle.share_of else "best", []
    for notation in puzzle.choices:
        loss = puzzle.losses.get(notation, "")
        told = puzzle.words.get(notation, "") if not any(puzzle.losses.values()) else ""
        sign = "" if puzzle.share_of else "-"
        values.append(f"{sign}{loss}" if loss else told or right)
    width = max(map(len, values))
    rows = []
    for notation, value in zip(puzzle.choices, values, strict=True):
        mark, role = "", ""
        if notation in puzzle.right:
            mark, role = _RIGHT, "hint"
        elif notation in tried:
            mark, role = _TRIED, "bad"
        label = puzzle.label(notation)
        rows.append(ChoiceRow(notation, label, mark, f"{value:>{width}}", role=role))
    return rows


class QuestionScreen(BoardScreen):
    """Asks one question after the other, each again until the answer is right."""

    def __init__(self, run: QuestionRun[Any], settings: Settings) -> None:
        super().__init__()
        self.run = run
        self.settings = settings
        self.panes = TablePanes(run.asked.view)
        self.choices = ChoiceList(id="choices")
        self._rest: KeyDebounce | None = None
        """Keeps the key that answered from passing over what there is to see then."""
        self._begin()
        if run.asked.puzzle is not None:
            self.message = run.opening

    @property
    def asked(self) -> Question:
        return self.run.asked

    @property
    def seat(self) -> Seat | None:
        return None if self.asked.is_done else self.asked.seat

    @property
    def listed(self) -> Sequence[str]:
        # Of a puzzle that is done by worth.
        puzzle = self.asked.puzzle
        return self.asked.choices if puzzle is None or not self.asked.is_done else puzzle.choices

    def _begin(self) -> None:
        asked = self.asked
        self.index = None
        people = () if asked.asks_share else (asked.seat,)
        self.panes.view = asked.view
        keys = LESSON_BINDINGS if asked.puzzle is None else PUZZLE_BINDINGS
        self.take_keys(Keyboard(asked.view, people, (), lambda: people), keys)

    def body(self) -> ComposeResult:
        yield Bar(id="title")
        yield self.panes
        question = [Bar(id="prompt"), self.choices]
        # The sentence of a lesson stands above the task, the reason of a puzzle below it.
        is_lesson, reason = self.asked.puzzle is None, ReasonView(id="reason")
        with Vertical(id="below", classes="-lesson" if is_lesson else ""):
            yield from [reason, *question] if is_lesson else [*question, reason]
            yield Bar(id="message")
            yield KeyBar(id="keys")

    def on_mount(self) -> None:
        self.redraw()

    def game_palette(self) -> Mapping[str, Mapping[str, str]]:
        return self.asked.view.palette

    def draw(self) -> None:
        pointed = None if self.index is None else self.asked.action(self.listed[self.index])
        has_colours = tells_grounds(self.app.theme, self.app)
        self.panes.show(self.asked.snapshot(pointed, has_colours=has_colours), self.palette)
        self.choices.show(self._choices(), (), self.index, self.palette)
        if self.asked.puzzle is None:
            role = "bad" if self.asked.tried and not self.asked.is_done else ""
            self._show_reason(self.asked.comment, _SENTENCE_ROWS, role)
        else:
            self._show_worth(self.asked.puzzle)
        self.show_bar("prompt", *self._prompt_bar())
        super().draw()

    def _choices(self) -> list[ListedChoice]:
        asked = self.asked
        if asked.is_done:
            return []
        if asked.asks_share:
            return [ListedChoice(share) for share in asked.choices]
        return [self.listed_choice(asked.shown, action) for action in asked.seen.legal]

    def _show_worth(self, puzzle: Puzzle) -> None:
        choices, is_done = self.choices, self.asked.is_done
        choices.display, self.query_one(ReasonView).display = not is_done, is_done
        if not is_done:
            self.panes.show_part("analysis", None)
            return
        height = choices.styles.height
        self._show_reason(puzzle.reason, int(height.value) if height is not None else 1)
        room, chosen = self.panes.room_for_analysis, self.index or 0
        self.panes.show_part("analysis", choices_panel(puzzle, self.asked.tried, chosen, *room))

    def _show_reason(self, text: str, rows: int, role: str = "") -> None:
        self.query_one(ReasonView).show_text(text, rows, self.palette, role)

    def title_bar(self) -> Sides:
        run, asked = self.run, self.asked
        left = [Span(f" {asked.kind} ", "highlight"), Span(f" {asked.game.info.name}", "title")]
        heading = [Span(f"  {asked.heading}", "muted")] if asked.heading else []
        return [*left, *heading], [Span(run.standing, "muted" if asked.puzzle is None else "")]

    def _prompt_bar(self) -> Sides:
        asked, tries = self.asked, len(self.asked.tried)
        if asked.puzzle is None:
            return self._lesson_prompt(), []
        right = [Span(f"{tries} {'try' if tries == 1 else 'tries'}", "muted")] if tries else []
        left = [Span(asked.puzzle.task, "title"), Span(f"  {asked.shown.prompt}")]
        if asked.is_done:
            said = Span(asked.comment, "hint" if asked.is_solved else "title")
            left = [said, Span(f"  {asked.outlook or asked.puzzle.task}")]
        fits = sum(len(piece.text) for piece in (*left, *right)) + 3 <= self.size.width
        return left if fits else left[:1], right

    def _lesson_prompt(self) -> Sequence[Span]:
        if not self.asked.is_done:
            label = [] if self.has_class("-compact") else [Span("To do: ", "muted")]
            return [*label, Span(self.asked.about.task, "title")]
        after = "to go on" if self.run.has_next else "to end the lesson"
        enter = [Span("enter", "key", "screen.next"), Span(f" {after}", "", "screen.next")]
        return [Span("Well done. ", "good"), *enter]

    def message_bar(self) -> Sequence[Span]:
        if self.asked.puzzle is None:
            return aim_bar(self.asked.view, self.asked.seat)
        comment = "" if self.asked.is_done else self.asked.comment
        return [Span(f"{comment}  " if comment else "", "bad"), Span(self.run.problem, "bad")]

    def key_hints(self) -> Sequence[KeyHint]:
        run, is_done = self.run, self.asked.is_done
        first, look = self._answer_keys()
        *side, help, leave = self.common_keys
        word = "next" if run.has_next else "end"
        if isinstance(run, PuzzleRun):
            word = "next puzzle" if run.has_next else ""
        if is_done:
            first, look = [("enter", word, "screen.next")] if word else [], []
        if self.asked.puzzle is not None:
            show = ("↑↓", "choices", "screen.highlight(1)")
            more = "answer" if self.asked.is_hinted else "hint"
            first.append(show if is_done else ("i", more, "screen.show_answer"))
            if run.has_next and not is_done:
                first.append(("n", "next", "screen.next"))
        return [*first, *side, help, leave, *look]

    def _answer_keys(self) -> tuple[list[KeyHint], list[KeyHint]]:
        own, count = self.keyboard.hints, min(9, len(self.asked.choices))
        act = [(keys, word, "screen.highlight(1)") for keys, word in own]
        act = act or [(f"1-{count}", "answer", "screen.highlight(1)")]
        has_room = not (own or self.has_class("-compact"))
        return act, [("↑↓", "look", "screen.highlight(1)")] if has_room else []

    def help_topic(self) -> HelpTopic:
        asked, details = self.asked, []
        if asked.puzzle is not None and asked.is_done:
            details = [one for one in (asked.puzzle.method, asked.puzzle.finders) if one]
        return HelpTopic(asked.game, asked.shown.context.glyphs, self.palette, details)

    def answer(self, notation: str) -> None:
        """Take a choice; of a puzzle that is done, look at it."""
        self.message, before = "", self.asked.shown
        if self.asked.is_done:
            self.index = self.listed.index(notation)
        else:
            self.run.answer(notation)
            self._settle()
        if self.asked.shown is not before:
            self.panes.move(before, self.asked.shown, self.settings.pace)
        self.redraw()

    def _settle(self) -> None:
        if self.asked.is_done:
            self.index = 0 if self.listed else None
            self._rest = KeyDebounce(REST_SECONDS)

    def press(self, seat: Seat, text: str) -> None:
        notation = self.asked.read(text)
        if notation is not None:
            self.answer(notation)
        else:
            self.say("That is not a choice here.")

    def action_choose(self, number: int) -> None:
        asked = self.asked
        if asked.is_done:
            self.say("This one is done: enter or n goes to the next.")
        elif number > len(asked.choices):
            self.say(f"There is no choice {number}; choose 1 to {len(asked.choices)}.")
        else:
            self.answer(asked.choices[number - 1])

    def action_highlight(self, by: int, in_rows: bool = False) -> None:
        self.message = ""
        super().action_highlight(by, in_rows and not self.asked.is_done)

    def action_confirm(self) -> None:
        if self.asked.is_done:
            if self._rest is None or self._rest.is_over:
                self.action_next()
        elif self.index is None:
            self.action_highlight(1)
        else:
            self.action_choose(self.index + 1)

    def action_show_answer(self) -> None:
        self.message = ""
        if self.asked.is_done:
            self.query_one(ReasonView).turn()
        else:
            self.message = self.run.help()
            self._settle()
        self.redraw()

    def clicked(self, action: str) -> None:
        notation = self.asked.read(action)
        if notation is not None:
            self.answer(notation)

    def _show_new(self) -> None:
        self.message, self._rest = "", None
        self._begin()
        self.panes.remove_class("-side")
        self.use_theme()
        # The rows below the board may have changed with the game.
        self.call_after_refresh(self.redraw)

    def action_next(self) -> None:
        with self.telling_errors():
            if self.asked.puzzle is None and not self.asked.is_done:
                self.say("Do the task first; q closes the lesson.")
            elif self.run.go_on():
                self._show_new()
            elif isinstance(self.run, PuzzleRun):
                self.say("That was the last one. q closes.")
            else:
                self.close()
