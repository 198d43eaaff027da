"""What the launcher says: the wordmark, the games, the saves."""

from __future__ import annotations

import datetime
import textwrap
from collections.abc import Sequence

from boardgames_cli.core.game import GameInfo
from boardgames_cli.core.text import Canvas, Glyphs, Picture, Span
from boardgames_cli.storage.listing import SaveSummary

GAME = "game "
"""Before the number of a game that was clicked; no save's name has a space."""
_CARD_HEIGHT = 8
_WORDMARK = (
    "█▄▄ █▀█ ▄▀█ █▀█ █▀▄ █▀▀ ▄▀█ █▀▄▀█ █▀▀ █▀",
    "█▄█ █▄█ █▀█ █▀▄ █▄▀ █▄█ █▀█ █ ▀ █ ██▄ ▄█",
)


def wordmark(glyphs: Glyphs) -> Picture:
    """The name of the program, large."""
    if glyphs is Glyphs.ASCII:
        return Picture.of([Span("B O A R D G A M E S", "title")])
    return Picture.of([Span(line, "title") for line in _WORDMARK])


def players(info: GameInfo) -> str:
    """How many can play, such as ``2-6 players``."""
    low, high = min(info.seats), max(info.seats)
    return f"{low} players" if low == high else f"{low}-{high} players"


def game_line(number: int, info: GameInfo, is_chosen: bool, width: int) -> Picture:
    """A game as one line of a list; a click chooses it."""
    role = "chosen" if is_chosen else ""
    action = f"{GAME}{number}"
    count = players(info).replace(" players", " p")
    name = info.name[: max(1, width - len(count) - 6)]
    text = f"{name:<{max(1, width - len(count) - 5)}}{count} "
    return Picture.of(
        [
            [
                Span(f" {number} ", role or "key", action),
                Span(f" {text}", role, action),
            ]
        ]
    )


def game_card(number: int, info: GameInfo, is_chosen: bool, width: int) -> Picture:
    """A game as a card in its own colours; a click chooses it."""
    role = "card"
    canvas = Canvas(width, _CARD_HEIGHT, role)
    canvas.fill(0, 0, width, _CARD_HEIGHT, role, f"{GAME}{number}")
    canvas.fill(0, 0, width, 1, f"{role} card.title", f"{GAME}{number}")
    canvas.put(0, 0, f" {number} ", "highlight" if is_chosen else None)
    canvas.put(4, 0, info.name[: width - 4])
    lines = textwrap.wrap(info.summary, width - 2, max_lines=_CARD_HEIGHT - 3, placeholder=" …")
    for row, line in enumerate(lines, start=1):
        canvas.put(1, row, line)
    canvas.put(
        1,
        _CARD_HEIGHT - 1,
        f"{players(info)}, {info.minutes} min"[: width - 2],
        f"{role} card.number",
    )
    return canvas.picture()


def save_lines(saves: Sequence[SaveSummary], width: int, now: datetime.datetime) -> Picture:
    """The games that can be continued, the last one first."""
    if not saves:
        return Picture.of([Span("no unfinished game", "muted")])
    lines = []
    for number, save in enumerate(saves):
        key = " c " if number == 0 else "   "
        moment = ago(save.modified, now)
        lines.append(
            [
                Span(key, "key", save.name),
                Span(f" {save.name}"[: max(1, width - len(moment) - 5)], "", save.name),
                Span(f"  {moment}", "muted", save.name),
            ]
        )
    return Picture.of(lines)


def save_label(save: SaveSummary, now: datetime.datetime) -> str:
    """A save in one line."""
    return f"{save.name}, {save.plies} steps, {ago(save.modified, now)}"


def ago(then: datetime.datetime, now: datetime.datetime) -> str:
    """How long ago something was, in words."""
    minutes = int((now - then).total_seconds() // 60)
    if minutes < 1:
        return "just now"
    if minutes < 60:
        return f"{minutes} min ago"
    if minutes < 48 * 60:
        return f"{minutes // 60} h ago"
    return f"{minutes // (24 * 60)} days ago"
