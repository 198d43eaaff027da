"""The bars of the replay screen, with or without a review."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from boardgames_cli.core.text import Picture, Span, wrapped
from boardgames_cli.session.replay import Replay
from boardgames_cli.session.setup import Pace
from boardgames_cli.tui.table.status import seed_pieces
from boardgames_cli.tui.widgets.bars import Sides, gauge

if TYPE_CHECKING:
    from boardgames_cli.tui.review_model import ReviewModel


def title_bar(replay: Replay, review: ReviewModel | None) -> Sides:
    """The title, the progress of the review, and the players."""
    players: list[Span] = []
    for seat, name in enumerate(replay.names):
        if players:
            players.append(Span(" v " if len(replay.names) == 2 else "  ", "muted"))
        players.append(Span(name, f"seat.{seat}"))
    kind = " REPLAY " if review is None else " REVIEW "
    left = [Span(kind, "highlight"), Span(f" {replay.game.info.name}", "title")]
    if review is not None and review.progress:
        left.append(Span(f"  {review.progress} …", "muted"))
    return left, [*seed_pieces(replay.match), *players]


def counted(step: int, last: int) -> str:
    """The position in the game, of constant width."""
    return f"step {step} of {last}  ".ljust(len(f"step {last} of {last}  "))


class ReplayPosition(NamedTuple):
    """A moment of a game."""

    ply: int
    step: int
    """What it is called."""
    last: int
    """The number of steps in the game."""


def progress_bar(
    place: ReplayPosition, cells: int, is_plain: bool, marks: Mapping[int, str]
) -> list[Span]:
    """The position in the game, as text and as a bar.

    Args:
        place: The moment.
        cells: Columns of the bar.
        is_plain: Whether the full and the empty part need different characters.
        marks: Marks in some of its columns.
    """
    full, empty = gauge(place.ply / place.last if place.last else 1.0, cells, is_plain)
    pieces = [Span(counted(place.step, place.last), "muted")]
    for column, sign in enumerate(full + empty):
        role = "bar.full" if column < len(full) else "bar.empty"
        pieces.append(Span(marks[column], "bad") if column in marks else Span(sign, role))
    return pieces


def prompt_bar(replay: Replay, review: ReviewModel | None, ply: int, pace: Pace | None) -> Sides:
    """The next step, or its evaluation.

    Args:
        replay: The game.
        review: Its review; None without one.
        ply: The moment.
        pace: The pace of automatic play; None if it is off.
    """
    if ply == replay.match.ply:
        return [Span(replay.ending(), "title")], []
    right = [] if pace is None else [Span(f"pace {pace.value}", "muted")]
    if review is not None:
        spans, luck = review.words(ply)[0], review.luck(ply)
        right += [Span(luck, "muted")] if luck else []
        if spans:
            return [Span(span.text, span.role) for span in spans], right
    return [Span(replay.snapshot(ply).prompt)], right


def reason_lines(text: str, width: int, rows: int) -> Picture:
    """The reason for a better choice, in a constant number of lines."""
    lines = wrapped(text, max(20, width - 2), max_lines=rows)
    lines += [""] * (rows - len(lines))
    return Picture.of([[Span(f" {line}", "muted")] for line in lines])


def key_hints(is_compact: bool, is_playing: bool, is_judged: bool) -> list[tuple[str, str, str]]:
    """The keys that matter now: (key, word, action), the most important first."""
    side = [("tab", "facts", "screen.tab")] if is_compact else []
    common = [*side, ("?", "help", "screen.help"), ("q", "close", "screen.leave")]
    if is_judged:
        return [
            ("n N", "mistake", "screen.mistake(1)"),
            ("enter", "retry", "screen.retry"),
            ("[ ]", "turn", "screen.travel(1)"),
            ("↑↓", "choice", "screen.choice(1)"),
            ("g", "go to", "screen.go_to"),
            *common,
        ]
    return [
        ("space", "stop" if is_playing else "play", "screen.play"),
        ("[ ]", "step", "screen.travel(1)"),
        ("{ }", "first, last", "screen.first"),
        ("g", "go to", "screen.go_to"),
        ("v", "judge", "screen.review"),
        ("+ -", "pace", "screen.pace(1)"),
        *common,
    ]
