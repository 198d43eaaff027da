"""Puzzles: a position, a question, and afterwards what every choice was worth."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingsMap, BindingType
from textual.containers import Vertical

from boardgames_cli.core.text import Picture, Span, columns, justified, wrapped
from boardgames_cli.evaluation.puzzle_run import AskedPuzzle, PuzzleGroup, PuzzleRun, Stage
from boardgames_cli.session.setup import Settings
from boardgames_cli.session.snapshot import LogLine, TableSnapshot
from boardgames_cli.tui.keyboard import Keyboard
from boardgames_cli.tui.keys import actions_by_key, bindings_of, numbered
from boardgames_cli.tui.screens.frame import Frame
from boardgames_cli.tui.theme import Palette, tells_grounds
from boardgames_cli.tui.timers import REST_SECONDS, KeyDebounce
from boardgames_cli.tui.widgets.bars import Bar, KeyBar, Sides
from boardgames_cli.tui.widgets.choices import (
    ChoiceList,
    ChoiceRow,
    ListedChoice,
    choice_lines,
    moved,
)
from boardgames_cli.tui.widgets.panes import TablePanes
from boardgames_cli.tui.widgets.picture import PictureView, reason_lines

_RIGHT: Final = "!"
_TRIED: Final = "?"
"""As chess players mark a good move and a mistake."""

_METHOD_LINES: Final = 3


def title_bar(run: PuzzleRun) -> Sides:
    """Which puzzle of which game it is, and the progress."""
    asked, streak = run.asked, run.progress.streak
    left = [Span(" PUZZLE ", "highlight"), Span(f" {asked.game.info.name}", "title")]
    right = [
        Span(f"in a row {streak}, at most {run.progress.longest_streak}   ", "muted"),
        Span(f"solved {run.solved} of {run.count}"),
    ]
    return [*left, Span(f"  {asked.heading}", "muted")], right


def prompt_bar(asked: AskedPuzzle, width: int) -> Sides:
    """The question, the situation if there is room for it, and how often it was answered."""
    tries = len(asked.tried)
    right = [Span(f"{tries} {'try' if tries == 1 else 'tries'}", "muted")] if tries else []
    left = [Span(asked.puzzle.task, "title"), Span(f"  {asked.situation}")]
    fits = sum(len(piece.text) for piece in (*left, *right)) + 3 <= width
    return left if fits else left[:1], right


def message_bar(run: PuzzleRun) -> list[Span]:
    """What there is to say of the last answer."""
    asked = run.asked
    pieces = []
    if comment := asked.comment():
        role = {Stage.OPEN: "bad", Stage.SOLVED: "good", Stage.SHOWN: ""}[asked.stage]
        pieces.append(Span(f"{comment}  ", role))
    if asked.stage is Stage.SOLVED and run.streak:
        pieces.append(Span(f"{run.streak}  "))
    if run.problem:
        pieces.append(Span(run.problem, "bad"))
    return pieces


def tried_lines(asked: AskedPuzzle) -> list[LogLine]:
    """What was answered so far and what that costs, as a log."""
    puzzle = asked.puzzle
    texts = [f"{puzzle.label(one)}: {puzzle.verdict(one)}" for one in asked.tried]
    return [LogLine(number, text, puzzle.seat) for number, text in enumerate(texts)]


def choices_panel(asked: AskedPuzzle, chosen: int, width: int) -> Picture:
    """What every choice is worth, the best first, for a puzzle that is done.

    Args:
        asked: The puzzle.
        chosen: The place of the choice that the board shows.
        width: Columns.
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
    said = wrapped(method, width, max_lines=_METHOD_LINES)
    return Picture.of([*lines, [], *([Span(part, "muted")] for part in said)])


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


def group_answers(groups: Sequence[PuzzleGroup]) -> list[tuple[str, str]]:
    """Groups of puzzles as answers of a dialog: (index, label)."""
    width = max(columns(group.name) for group in groups)
    return [
        (str(place), f"{justified(group.name, width)}   solved {group.solved} of {group.count}")
        for place, group in enumerate(groups)
    ]


def key_hints(
    asked: AskedPuzzle, own: Sequence[tuple[str, str]], *, is_compact: bool, has_more: bool
) -> list[tuple[str, str, str]]:
    """The keys that matter now: (key, word, action), the most important first.

    Args:
        asked: The puzzle.
        own: The keys of the game itself: (keys, word).
        is_compact: Whether there is room for the board or what is beside it, but not for both.
        has_more: Whether there are other puzzles.
    """
    side = [("tab", "facts", "screen.tab")] if is_compact else []
    after = [("n", "next", "screen.next")] if has_more else []
    today = [("t", "of the day", "screen.today")] if has_more else []
    common = [
        ("g", "game, level", "screen.choose_puzzles"),
        ("?", "help", "screen.help"),
        ("q", "close", "screen.leave"),
    ]
    if asked.is_done:
        look = [("↑↓", "choices", "screen.highlight(1)")]
        first = [("enter", "next puzzle", "screen.next")] if has_more else []
        return [*first, *look, *side, *common, *today]
    count = min(9, len(asked.choices))
    act = [(keys, word, "screen.highlight(1)") for keys, word in own]
    act = act or [(f"1-{count}", "answer", "screen.highlight(1)")]
    look = [] if own or is_compact else [("↑↓", "look", "screen.highlight(1)")]
    give_up = ("i", "show answer", "screen.show_answer")
    return [*act, give_up, *after, *side, *common, *today, *look]


_KEYS: Final = bindings_of(
    "puzzle",
    *numbered("choose", "answer with that number", "answer", 10),
    ("up", "highlight(-1, True)", "look at the choice above", "up"),
    ("down", "highlight(1, True)", "look at the choice below", "down"),
    ("left,shift+tab", "highlight(-1)", "look at the choice before", "previous"),
    ("right", "highlight(1)", "look at the next choice", "next-choice"),
    ("enter,space", "confirm", "answer with that choice; afterwards: next puzzle", "confirm"),
    ("i,f2", "show_answer", "show the answer", "show-answer"),
    ("n", "next", "next puzzle", "next"),
    ("t", "today", "puzzle of the day", "today"),
    ("g", "choose_puzzles", "choose the game and the level", "choose-puzzles"),
    ("tab", "tab", "next choice; in a small window: board or facts", "tab"),
    ("question_mark,f1", "help", "keys, rules, legend", "help"),
    ("q,escape", "leave", "close", "leave"),
)

_ACTION_OF_KEY: Final = actions_by_key(_KEYS)


class PuzzleScreen(Frame):
    """Asks puzzles one after the other.

    Args:
        run: The puzzles.
        settings: How they are shown.
    """

    BINDINGS: ClassVar[list[BindingType]] = _KEYS

    def __init__(self, run: PuzzleRun, settings: Settings) -> None:
        super().__init__()
        self.run = run
        self.settings = settings
        self.panes = TablePanes(run.asked.view)
        self._common = dict(self._bindings.key_to_bindings)
        self._rest: KeyDebounce | None = None
        """Keeps the key that answered from passing over what there is to see then."""
        self._begin()

    def _begin(self) -> None:
        """Take up the puzzle that is asked: its game's look and keys."""
        asked = self.asked
        seat = asked.puzzle.seat
        self.index: int | None = None
        """The place of the choice that is looked at: in the list, and when it is done by worth."""
        self.palette = Palette(self.settings.theme, asked.view.palette)
        people = () if asked.puzzle.share_of else (seat,)
        self.keyboard = Keyboard(asked.view, people, (), lambda: people)
        self.panes.view = asked.view
        # A game's own keys win over those of every puzzle.
        own = BindingsMap(self.keyboard.bindings()).key_to_bindings
        self._bindings.key_to_bindings = {**self._common, **own}

    @property
    def asked(self) -> AskedPuzzle:
        """The puzzle that is asked now."""
        return self.run.asked

    def body(self) -> ComposeResult:
        """Board and facts, then the lines below them."""
        yield Bar(id="title")
        yield self.panes
        with Vertical(id="below"):
            yield Bar(id="prompt")
            yield ChoiceList(id="choices")
            yield PictureView(id="reason")
            yield Bar(id="message")
            yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Show the first one."""
        self.use_theme()

    def use_theme(self) -> None:
        """Take the colours of the application's theme."""
        self.palette = Palette(self.app.theme, self.asked.view.palette)
        self.redraw()

    # -- drawing -----------------------------------------------------------------------------

    def redraw(self) -> None:
        """Draw everything as it is now."""
        if not self.is_mounted:
            return
        asked, palette = self.asked, self.palette
        self.query_one("#below").set_class(bool(self.keyboard.hints), "-keyed")
        has_colours = tells_grounds(self.app.theme, self.app)
        context = asked.context(self._highlight, has_colours=has_colours)
        tried = [] if asked.is_done else tried_lines(asked)
        shown = TableSnapshot(asked.view, asked.seen, context, log=tried)
        self.panes.show(shown, palette)
        self._show_choices()
        self.query_one("#title", Bar).show(*title_bar(self.run), palette)
        self.query_one("#prompt", Bar).show(*prompt_bar(asked, self.size.width), palette)
        said = [Span(self.message)] if self.message else message_bar(self.run)
        self.query_one("#message", Bar).show(said, (), palette)
        is_compact, has_more = self.has_class("-compact"), self.run.count > 1
        own = self.keyboard.hints
        keys = key_hints(asked, own, is_compact=is_compact, has_more=has_more)
        self.query_one(KeyBar).show_keys(keys, palette)

    def _show_choices(self) -> None:
        """Show the list of choices; when it is done, in its place why the answer is the best."""
        asked, palette = self.asked, self.palette
        choices, reason = self.query_one("#choices"), self.query_one("#reason", PictureView)
        choices.display, reason.display = not asked.is_done, asked.is_done
        if asked.is_done:
            text = asked.puzzle.reason
            reason.show(reason_lines(text, self.size.width, self._rows), palette)
            panel = choices_panel(asked, self.index or 0, self.panes.side_width)
            self.panes.show_analysis(panel)
        else:
            self.query_one(ChoiceList).show(self._choices(), (), self.index, palette)
            self.panes.show_analysis(None)

    def _choices(self) -> list[ListedChoice]:
        asked = self.asked
        if asked.puzzle.share_of:
            return [ListedChoice(share) for share in asked.choices]
        return [
            self.keyboard.choice(asked.view, asked.seen, action, asked.glyphs)
            for action in asked.seen.legal
        ]

    @property
    def _rows(self) -> int:
        """How many rows there are for the choices, and afterwards for the reason."""
        height = self.query_one("#choices").styles.height
        return int(height.value) if height is not None else 1

    @property
    def _highlight(self) -> Any:
        """The action that the board shows: the one looked at, or when it is done the answer."""
        asked = self.asked
        if not asked.is_done and self.index is None:
            return None
        listed = asked.puzzle.choices if asked.is_done else asked.choices
        return asked.action(listed[self.index or 0])

    # -- answering ---------------------------------------------------------------------------

    def answer(self, notation: str) -> None:
        """Take a choice; of a puzzle that is done, look at it."""
        asked, self.message = self.asked, ""
        if asked.is_done:
            self.index = asked.puzzle.choices.index(notation)
        else:
            self.run.answer(notation)
            self._look_at_answer()
        self.redraw()

    def _look_at_answer(self) -> None:
        if self.asked.is_done:
            self.index = 0
            self._rest = KeyDebounce(REST_SECONDS)

    async def action_press(self, key: str) -> None:
        """Do what a key of the game means; when the puzzle is done, what it means everywhere."""
        press = None if self.asked.is_done else self.keyboard.press(key, self.asked.puzzle.seat)
        if press is None:
            if key in _ACTION_OF_KEY:
                await self.app.run_action(_ACTION_OF_KEY[key], default_namespace=self)
            return
        notation = self.asked.read(press[1]) if press[1] else None
        if notation is not None:
            self.answer(notation)
        elif press[1]:
            self.say("That is not a choice here.")

    def action_choose(self, number: int) -> None:
        """Take a choice by its number."""
        asked = self.asked
        if asked.is_done:
            self.say("This one is done: enter or n goes to the next.")
        elif number > len(asked.choices):
            self.say(f"There is no choice {number}; choose 1 to {len(asked.choices)}.")
        else:
            self.answer(asked.choices[number - 1])

    def action_highlight(self, by: int, in_rows: bool = False) -> None:
        """Look at another choice: the next or the one before, or below or above."""
        asked = self.asked
        columns = self.query_one(ChoiceList).columns if in_rows and not asked.is_done else 1
        self.index = moved(self.index, by, len(asked.choices), columns)
        self.message = ""
        self.redraw()

    def action_confirm(self) -> None:
        """Take the choice that is looked at; when the puzzle is done, go to the next."""
        if self.asked.is_done:
            if self._rest is None or self._rest.is_over:
                self.action_next()
        elif self.index is None:
            self.action_highlight(1)
        else:
            self.action_choose(self.index + 1)

    def action_show_answer(self) -> None:
        """Give the puzzle up."""
        self.message = ""
        if not self.asked.is_done:
            self.run.show_answer()
            self._look_at_answer()
        self.redraw()

    # -- other puzzles -----------------------------------------------------------------------

    def action_next(self) -> None:
        """Ask the next puzzle."""
        with self.telling_errors():
            if self.run.go_on():
                self._show_new()
            else:
                self.say("That was the last one. g chooses others, q closes.")

    def action_today(self) -> None:
        """Ask the puzzle of the day."""
        with self.telling_errors():
            if self.run.go_to_today(datetime.date.today()):
                self._show_new()
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
            self._show_new(self.run.summary)

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
        from boardgames_cli.tui.screens.dialogs import ChoiceDialog  # few choose

        def answered(answer: str | None) -> None:
            if answer is not None:
                follow(groups[int(answer)])

        dialog = ChoiceDialog(title, (), group_answers(groups), self.palette, start)
        self.app.push_screen(dialog, answered)

    def _show_new(self, message: str = "") -> None:
        self.message, self._rest = message, None
        self._begin()
        self.panes.remove_class("-side")
        self.use_theme()
        # The rows below the board may have changed with the game.
        self.call_after_refresh(self.redraw)

    # -- the mouse, and what changes nothing -------------------------------------------------

    @on(PictureView.Clicked)
    def _clicked(self, event: PictureView.Clicked) -> None:
        notation = self.asked.read(event.notation)
        if notation is not None:
            self.answer(notation)

    @on(ChoiceList.Chosen)
    def _chosen(self, event: ChoiceList.Chosen) -> None:
        self.action_choose(event.index + 1)

    @on(PictureView.Pointed)
    def _pointed(self, event: PictureView.Pointed) -> None:
        asked = self.asked
        if not asked.is_done and event.notation in asked.choices:
            self._point(asked.choices.index(event.notation))

    @on(ChoiceList.Pointed)
    def _pointed_choice(self, event: ChoiceList.Pointed) -> None:
        if event.index is not None:
            self._point(event.index)

    def _point(self, index: int) -> None:
        if index != self.index:
            self.index = index
            self.redraw()

    def action_tab(self) -> None:
        """Next choice; in a small window the other pane."""
        if self.has_class("-compact"):
            self.panes.turn()
            self.call_after_refresh(self.redraw)
        else:
            self.action_highlight(1)

    def action_help(self) -> None:
        """Keys, rules, legend."""
        self.show_help(self.asked.game, self.asked.glyphs, self.palette)
