"""What the screen of puzzles says around the board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardgames_cli.core.text import Picture, Span, wrapped
from boardgames_cli.evaluation.puzzle_run import AskedPuzzle, PuzzleGroup, PuzzleRun, Stage
from boardgames_cli.session.snapshot import LogLine
from boardgames_cli.tui.choice_lines import ChoiceRow, choice_lines
from boardgames_cli.tui.replay_bars import Sides
from boardgames_cli.tui.widgets.bars import Piece

_RIGHT: Final = "!"
_TRIED: Final = "?"
"""As chess players mark a good move and a mistake."""

_METHOD_LINES: Final = 3


def title_bar(run: PuzzleRun) -> Sides:
    """Which puzzle of which game it is, and the progress."""
    asked, streak = run.asked, run.progress.streak
    left = [Piece(" PUZZLE ", "highlight"), Piece(f" {asked.game.info.name}", "title")]
    right = [
        Piece(f"in a row {streak}, at most {run.progress.longest_streak}   ", "muted"),
        Piece(f"solved {run.solved} of {run.count}"),
    ]
    return [*left, Piece(f"  {asked.heading}", "muted")], right


def prompt_bar(asked: AskedPuzzle, width: int) -> Sides:
    """The question, the situation if there is room for it, and how often it was answered."""
    tries = len(asked.tried)
    right = [Piece(f"{tries} {'try' if tries == 1 else 'tries'}", "muted")] if tries else []
    left = [Piece(asked.puzzle.task, "title"), Piece(f"  {asked.situation}")]
    fits = sum(len(piece.text) for piece in (*left, *right)) + 3 <= width
    return left if fits else left[:1], right


def message_bar(run: PuzzleRun) -> list[Piece]:
    """What there is to say of the last answer."""
    asked = run.asked
    pieces = []
    if comment := asked.comment():
        role = {Stage.OPEN: "bad", Stage.SOLVED: "good", Stage.SHOWN: ""}[asked.stage]
        pieces.append(Piece(f"{comment}  ", role))
    if asked.stage is Stage.SOLVED and run.streak:
        pieces.append(Piece(f"{run.streak}  "))
    if run.problem:
        pieces.append(Piece(run.problem, "bad"))
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
    width = max(len(group.name) for group in groups)
    return [
        (str(place), f"{group.name:<{width}}   solved {group.solved} of {group.count}")
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
