"""The texts of the home screen: the games, what to go on with, what there is today."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import GameInfo
from boardgames_cli.core.presentation.home_page import PICTURE_SIZE, home_page_of
from boardgames_cli.core.spec import GameSpec
from boardgames_cli.core.text import (
    Canvas,
    Glyphs,
    Picture,
    Span,
    aligned,
    columns,
    counted,
    shortened,
    wrapped,
)
from boardgames_cli.registry import find_game, game_ids
from boardgames_cli.session.seats import holder_name
from boardgames_cli.storage.reading import SaveSummary

_MOST_SHOWN: Final = 3
_MOST_NAMES: Final = 3
_LONGEST: Final = 200
"""More columns than a description of a save has."""
_LARGE_WIDTHS: Final = (22, 34)
"""The minimum and maximum width of a large card."""
_LARGE_HEIGHT: Final = 10
_SMALL_HEIGHT: Final = PICTURE_SIZE[1] + 2
_TAB_WIDTH: Final = 18
_MOST_TABS: Final = 6
"""The most rows of tabs; more are scrolled."""
_WORDMARK: Final = (
    "█▀▄ █▀█ ▄▀█ █▀█ █▀▄ █▀▀ ▄▀█ █▀▄▀█ █▀▀ █▀",
    "█▀▄ █ █ █▀█ █▀▄ █ █ █ █ █▀█ █ ▀ █ █▀  ▀█",
    "▀▀  ▀▀▀ ▀ ▀ ▀ ▀ ▀▀  ▀▀▀ ▀ ▀ ▀   ▀ ▀▀▀ ▀▀",
)


def playable_games(offered: Sequence[str] = ()) -> list[GameSpec]:
    """The games of the menu, without those that can't be loaded, such as broken plug-ins."""
    found = []
    for id in offered or game_ids():
        spec = find_game(id)
        try:
            spec.game_class()
            spec.view_class()
        except ImportError:
            continue
        found.append(spec)
    return found


def wordmark(glyphs: Glyphs) -> Picture:
    """The name of the program."""
    if glyphs is Glyphs.ASCII:
        return Picture.of([Span("B O A R D G A M E S", "title")])
    return Picture.of([Span(line, "title") for line in _WORDMARK])


def players(info: GameInfo) -> str:
    """The number of players, such as ``2-6 players``."""
    low, high = min(info.seats), max(info.seats)
    return f"{low} players" if low == high else f"{low}-{high} players"


def picture_of(spec: GameSpec, glyphs: Glyphs) -> Picture:
    """The small picture of a game; its initials if it has none that can be used."""
    with contextlib.suppress(GameError):
        picture = home_page_of(spec).picture
        if picture is not None:
            return picture.drawn(glyphs)
    width, height = PICTURE_SIZE
    initials = "".join(word[0] for word in spec.info.name.split())[:4].upper()
    rows = ["", initials.center(width)]
    return Picture.of([[Span(row.ljust(width), "card.title")] for row in (*rows, "")[:height]])


@dataclass(frozen=True, slots=True)
class CardLayout:
    """How the games are laid out."""

    per_row: int
    width: int
    height: int
    """1 for tabs; more for cards with a picture."""
    rows: int
    """The rows of the screen; the rest is scrolled."""

    @classmethod
    def fitting(cls, room: int, count: int, *, is_low: bool, is_large: bool) -> CardLayout:
        """The layout for a number of columns and of games, on a low or a large screen."""
        least, most = _LARGE_WIDTHS
        width = min(most, room // count - 1)
        if is_large and width >= least:
            return cls(count, width, _LARGE_HEIGHT, _LARGE_HEIGHT)
        if width >= PICTURE_SIZE[0] and not is_low:
            return cls(count, min(width, least), _SMALL_HEIGHT, _SMALL_HEIGHT)
        per_row = max(1, min(count, room // (_TAB_WIDTH + 1)))
        return cls(per_row, room // per_row - 1, 1, min(_MOST_TABS, -(-count // per_row)))


def whole_words(text: str, most: int) -> str:
    """As many words as fit in a number of columns; the first one is cut if it does not fit."""
    kept = ""
    for word in text.split():
        longer = f"{kept} {word}".strip()
        if columns(longer) > most:
            break
        kept = longer
    return kept or shortened(text, most)


def game_card(
    number: int, info: GameInfo, picture: Picture, note: str, is_chosen: bool, layout: CardLayout
) -> Picture:
    """A game in its own colours, with a note in the last row; a click selects it."""
    width, height, role = layout.width, layout.height, "card"
    action = f"game({number})"
    canvas = Canvas(width, height, role)
    canvas.fill(0, 0, width, height, role, action)
    canvas.fill(0, 0, width, 1, f"{role} card.title", action)
    canvas.put(0, 0, f" {number} ", "highlight" if is_chosen else None)
    canvas.put(4, 0, whole_words(info.name, width - 4))
    if height == 1:
        return canvas.picture()
    room = height - picture.height - 2
    summary = wrapped(info.summary, width - 2, max_lines=room) if room else []
    top = 1 + (room - len(summary)) // 2
    for row, line in enumerate(picture.lines, start=top):
        column = (width - picture.width) // 2
        for span in line:
            canvas.put(column, row, span.text, span.role)
            column += columns(span.text)
    for row, text in enumerate(summary, start=top + picture.height):
        canvas.put(1, row, text)
    note = note if columns(note) < width else note.partition(",")[0]
    canvas.put(1, height - 1, whole_words(note, width - 1), f"{role} card.number")
    return canvas.picture()


@dataclass(frozen=True, slots=True)
class Today:
    """What there is to do today."""

    puzzles: Mapping[str, bool] = field(default_factory=dict)
    """The ids of the games with a puzzle of the day, and whether it is done."""
    due: int | None = 0
    """Cards of the drill that are due; None without a drill."""
    streak: int = 0
    """The days in a row on which something was done."""


def heading(title: str, remark: str = "", role: str = "good") -> list[Span]:
    """The heading of a part of the screen, with a remark behind it."""
    return [Span(f" {title}", "title"), Span(f"  {remark}" if remark else "", role)]


def _entry(key: str, text: str, action: str) -> list[Span]:
    return [Span(f" {key} ", "key", action), Span(text, "", action)]


def today_lines(game: str, today: Today, width: int) -> list[list[Span]]:
    """The chosen game's puzzle of the day, and the drill."""
    streak = f"{today.streak} days in a row" if today.streak > 1 else ""
    lines = [heading("TODAY", streak)]
    if game in today.puzzles:
        done = f"{sum(today.puzzles.values())}/{len(today.puzzles)} done"
        state = f"done, {done}" if today.puzzles[game] else done
        lines.append(
            _entry("o", whole_words(f"puzzle of the day: {state}", width - 3), "puzzles(True)")
        )
    if today.due is not None:
        cards = counted(today.due, "card") if today.due else "nothing"
        lines.append(_entry("d", f"drill: {cards} due", "drill"))
    return lines


def other_lines() -> list[list[Span]]:
    """Where else the keys lead."""
    rest = [*_entry("v", "you ", "profile"), *_entry("r", "saved games", "replay")]
    return [_entry("f", "play a friend", "friend"), rest]


def home_lines(parts: Sequence[Sequence[list[Span]]], height: int) -> Picture:
    """Parts below one another, with a blank line between them where there is room."""
    gap: list[list[Span]] = [[]] if sum(map(len, parts)) + len(parts) <= height else []
    lines = [line for part in parts for line in (*part, *gap)]
    return Picture.of(lines[:height])


def save_lines(
    saves: Sequence[SaveSummary], width: int, height: int, now: datetime.datetime
) -> list[list[Span]]:
    """The most recent unfinished games, latest first, and the number of further ones."""
    if not saves:
        return [[Span(" no unfinished game", "muted")]]
    shown = max(1, min(_MOST_SHOWN, height - (len(saves) > 1)))
    lines: list[list[Span]] = []
    for number, save in enumerate(saves[:shown]):
        action, text = f"open({save.name!r})", who_plays(save, width - 3)
        when = f", {ago(save.modified, now)}"
        fits = columns(text + when) <= width - 3
        key = Span(" c " if number == 0 else "   ", "key", action)
        lines.append([key, Span(text, "", action), Span(when if fits else "", "muted", action)])
    if len(saves) > shown:
        lines.append([Span(f"   {len(saves) - shown} more: r", "muted", "replay")])
    return lines


def start_pieces(problem: str, *, has_lesson: bool) -> list[Span]:
    """The line below the form: how to start, or why that's impossible, and the lesson."""
    if problem:
        return [Span("Correct the marked field to start.", "bad")]
    lesson = [Span("   l", "key", "screen.learn"), Span(" learn", "", "screen.learn")]
    start = Span("   Start: enter   ", "highlight", "screen.start")
    return [start, *(lesson if has_lesson else [])]


def save_labels(saves: Sequence[SaveSummary], now: datetime.datetime) -> list[str]:
    """A line for each save, such as ``senet-3  Ann v hard  Ann won  2 h ago``, in columns."""
    rows = [
        (save.path.stem, _players(save), outcome(save) or f"step {save.plies}",
         ago(save.modified, now))
        for save in saves
    ]  # fmt: skip
    return aligned(rows)


def _players(save: SaveSummary) -> str:
    said = who_plays(save)
    named = save.header is not None and save.path.stem.startswith(save.header.game)
    return said.partition(", ")[2] if named else said


def outcome(save: SaveSummary) -> str:
    """How a finished game ended, such as ``Ann won``; empty if it is not over."""
    best = save.winners
    if best is None or save.header is None:
        return ""
    if len(best) != 1:
        return f"{len(best)} won" if best else "drawn"
    return f"{holder_name(save.header.seats[best[0]], find_game(save.header.game))} won"


def who_plays(save: SaveSummary, room: int = _LONGEST) -> str:
    """The game and seats of a save, as ``Senet, Ann v hard``; where room is short, fewer."""
    header = save.header
    if header is None:
        return save.path.stem
    spec = find_game(header.game)
    names = [holder_name(seat, spec) for seat in header.seats]
    told = [names] if len(names) <= _MOST_NAMES else []
    told += [[*names[:count], f"{len(names) - count} more"] for count in (2, 1) if names[count:]]
    told += [names[:1]]
    texts = [f"{spec.info.name}, {' v '.join(one)}" for one in told]
    return next((text for text in texts if columns(text) <= room), whole_words(texts[-1], room))


def ago(then: datetime.datetime, now: datetime.datetime) -> str:
    """The time since a moment, in words."""
    minutes = int((now - then).total_seconds() // 60)
    if minutes < 1:
        return "just now"
    if minutes < 60:
        return f"{minutes} min ago"
    if minutes < 48 * 60:
        return f"{minutes // 60} h ago"
    return f"{minutes // (24 * 60)} days ago"
