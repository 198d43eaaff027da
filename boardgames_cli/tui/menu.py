"""The texts of the launcher: the wordmark, the games, the saves."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame, GameInfo
from boardgames_cli.core.plugins import is_confined
from boardgames_cli.core.spec import GameSpec
from boardgames_cli.core.text import (
    Canvas,
    Glyphs,
    Picture,
    Span,
    columns,
    justified,
    shortened,
    wrapped,
)
from boardgames_cli.evaluation.glicko import PlayerRating
from boardgames_cli.registry import find_game, game_ids
from boardgames_cli.session.seats import holder_name
from boardgames_cli.storage.listing import SaveSummary
from boardgames_cli.storage.played_games import PlayedGame, ResultsFile, ResultTally

GAME = "game "
"""Prefix of a click target, before a game's number; save names have no spaces."""
MORE = "more saves"
"""The click target of the line below the saves."""
_MOST_SHOWN = 3
_MOST_NAMES = 3
_WIDE = 46
"""The width at which a save fits on one line."""
_CARD_HEIGHT = 8
_CARD_WIDTHS = (22, 34)
"""The minimum and maximum width of a card."""
_WORDMARK = (
    "█▄▄ █▀█ ▄▀█ █▀█ █▀▄ █▀▀ ▄▀█ █▀▄▀█ █▀▀ █▀",
    "█▄█ █▄█ █▀█ █▀▄ █▄▀ █▄█ █▀█ █ ▀ █ ██▄ ▄█",
)


def playable_games(offered: Sequence[str] = ()) -> list[GameSpec]:
    """The games of the menu, without those that can't be loaded, such as broken plug-ins.

    Args:
        offered: The ids to offer; empty offers all.
    """
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
    """The program's name in large letters."""
    if glyphs is Glyphs.ASCII:
        return Picture.of([Span("B O A R D G A M E S", "title")])
    return Picture.of([Span(line, "title") for line in _WORDMARK])


def players(info: GameInfo) -> str:
    """The number of players, such as ``2-6 players``."""
    low, high = min(info.seats), max(info.seats)
    return f"{low} players" if low == high else f"{low}-{high} players"


def title_line(
    info: GameInfo, tally: ResultTally | None, rating: PlayerRating | None = None
) -> Picture:
    """A game's name, the number of players, and a person's results and rating here."""
    spans = [Span(info.name, "title"), Span(f"  {players(info)}", "muted")]
    if tally is not None:
        spans.append(Span(f"  won {tally.won} of {tally.games}", "good"))
    if rating is not None:
        spans.append(Span(f"  rating {rating.value:+.0f}", "good"))
    return Picture.of([spans])


def played_games(path: Path | None) -> list[PlayedGame]:
    """The results of people on this machine; empty if they can't be read."""
    with contextlib.suppress(GameError):
        return ResultsFile(path).read()[0] if path is not None else []
    return []


@dataclass(frozen=True, slots=True)
class Today:
    """What there is to do today."""

    game: str = ""
    """The name of the game of the puzzle of the day; empty if there is none."""
    is_solved: bool = False
    """Whether that puzzle is done."""
    streak: int = 0
    """Puzzles in a row that were solved at the first try."""
    due: int = 0
    """Cards of the drill that are due."""


def today_lines(today: Today, *, is_wide: bool) -> Picture:
    """The puzzle of the day, the drill, and how to play with a friend.

    Args:
        today: What there is to do.
        is_wide: Whether everything stands in one line.
    """
    streak = f", {today.streak} in a row" if today.streak > 1 else ""
    whose = f" of {today.game}" if is_wide else ""
    daily = "daily puzzle done" if today.is_solved else f"daily puzzle{whose}"
    daily += streak if is_wide else ""
    keys = [("o", daily)] if today.game else []
    keys.append(("d", f"drill: {today.due or 'nothing'} due" if is_wide else f"drill {today.due}"))
    spans = [span for key, text in keys for span in (Span(f" {key} ", "key"), Span(f"{text} "))]
    friend = [] if is_confined() else [Span(" f ", "key"), Span("play with a friend")]
    return Picture.of([[*spans, *friend]] if is_wide else [spans, friend])


def game_line(number: int, info: GameInfo, is_chosen: bool, width: int) -> Picture:
    """A game as one line of a list; a click selects it."""
    role = "chosen" if is_chosen else ""
    action = f"{GAME}{number}"
    count = players(info).replace(" players", " p")
    name = shortened(info.name, max(1, width - len(count) - 6))
    text = f"{justified(name, max(1, width - len(count) - 5))}{count} "
    return Picture.of(
        [
            [
                Span(f" {number} ", role or "key", action),
                Span(f" {text}", role, action),
            ]
        ]
    )


def card_width(room: int, count: int) -> int:
    """The width of each of ``count`` cards in a row, with a column between them."""
    least, most = _CARD_WIDTHS
    return max(least, min(most, room // count - 1))


def game_card(number: int, info: GameInfo, is_chosen: bool, width: int) -> Picture:
    """A game as a card in its own colours; a click selects it."""
    role = "card"
    canvas = Canvas(width, _CARD_HEIGHT, role)
    canvas.fill(0, 0, width, _CARD_HEIGHT, role, f"{GAME}{number}")
    canvas.fill(0, 0, width, 1, f"{role} card.title", f"{GAME}{number}")
    canvas.put(0, 0, f" {number} ", "highlight" if is_chosen else None)
    canvas.put(4, 0, shortened(info.name, width - 4))
    lines = wrapped(info.summary, width - 2, max_lines=_CARD_HEIGHT - 3)
    for row, line in enumerate(lines, start=1):
        canvas.put(1, row, line)
    canvas.put(
        1,
        _CARD_HEIGHT - 1,
        f"{players(info)}, {info.minutes} min"[: width - 2],
        f"{role} card.number",
    )
    return canvas.picture()


def save_lines(
    saves: Sequence[SaveSummary], width: int, height: int, now: datetime.datetime
) -> Picture:
    """The most recent unfinished games, latest first, and the number of further ones.

    Args:
        saves: All unfinished games.
        width: Columns; narrow lists use two lines per save.
        height: Available lines.
        now: The present time.
    """
    if not saves:
        return Picture.of([Span("no unfinished game", "muted")])
    lines_each = 1 if width >= _WIDE else 2
    shown = max(1, min(_MOST_SHOWN, (height - (len(saves) > 1)) // lines_each))
    lines: list[list[Span]] = []
    for number, save in enumerate(saves[:shown]):
        key = Span(" c " if number == 0 else "   ", "key", save.name)
        what, when = f" {who_plays(save)}", f"step {save.plies}, {ago(save.modified, now)}"
        if lines_each == 1:
            lines.append([key, Span(what, "", save.name), Span(f", {when}", "muted", save.name)])
        else:
            lines.append([key, Span(shortened(what, width - 3), "", save.name)])
            lines.append([Span(shortened(f"    {when}", width), "muted", save.name)])
    if len(saves) > shown:
        lines.append([Span(f"    {len(saves) - shown} more: c", "muted", MORE)])
    return Picture.of(lines)


def field_keys() -> list[tuple[str, str, str]]:
    """Key, label and action of every key while a field is open."""
    return [
        ("enter", "done", "screen.enter"),
        ("esc", "as it was", "screen.stop_typing(False)"),
        ("ctrl+u", "empty", "screen.empty"),
    ]


def footer_keys(
    *, takes_text: bool, can_continue: bool, can_replay: bool, games: int
) -> list[tuple[str, str, str]]:
    """Key, label and action of everything the launcher can do now, the important ones first.

    Args:
        takes_text: Whether the field under the cursor takes text.
        can_continue: Whether there is an unfinished game.
        can_replay: Whether there is a finished game.
        games: How many games there are.
    """
    keys = [("enter", "start", "screen.enter")]
    if takes_text:
        keys.append(("e", "type", "screen.type"))
    if can_continue:
        keys.append(("c", "continue", "screen.resume"))
    keys += [("↑↓", "field", "screen.field(1)"), ("←→", "change", "screen.turn(1)")]
    keys += [("?", "rules", "screen.rules"), ("f", "friend", "screen.friend")]
    keys.append(("q", "quit", "screen.leave"))
    if can_replay:
        keys.append(("r", "replay", "screen.replay"))
    if not is_confined():
        keys.append(("t", "tournament", "screen.tournament"))
    # The digits are shown next to the games anyway.
    return [*keys, (f"1-{min(9, games)}", "game", "screen.game(1)")] if games > 1 else keys


def start_pieces(spec: GameSpec, *, is_wrong: bool, width: int) -> list[Span]:
    """The line below the form: how to start, or why that's impossible, the lesson and the puzzles.

    Args:
        spec: The chosen game.
        is_wrong: Whether a field is invalid.
        width: Columns of the line.
    """
    if is_wrong:
        return [Span("Correct the marked field to start.", "bad")]
    pieces = [Span("   Start: enter   ", "highlight", "screen.start")]
    others = [("l", "learn")] if spec.has_lesson else []
    others += [("p", "puzzles")] if spec.has_puzzles else []
    for key, word in others:
        action = f"screen.{word}"
        more = [Span("   "), Span(key, "key", action), Span(f" {word}", "", action)]
        if sum(columns(piece.text) for piece in (*pieces, *more)) + 2 <= width:
            pieces += more
    return pieces


def tournament_problem(game: AnyGame | None) -> str:
    """Why a tournament can't start; empty if it can.

    Args:
        game: The game with the chosen options; None if they are invalid.
    """
    if is_confined():
        return "Tournaments need a terminal: boardgames tournament. It can't run here."
    return "Correct the marked field to start a tournament." if game is None else ""


def save_label(save: SaveSummary, now: datetime.datetime) -> str:
    """A save in one line, such as ``senet-3  Senet, Ann v hard, Ann won, 2 h ago``."""
    state = outcome(save) or f"step {save.plies}"
    return f"{save.name}  {who_plays(save)}, {state}, {ago(save.modified, now)}"


def outcome(save: SaveSummary) -> str:
    """How a finished game ended, such as ``Ann won``; empty if it is not over."""
    if save.result is None or save.header is None:
        return ""
    best = max(save.result)
    winners = [seat for seat, value in enumerate(save.result) if value == best]
    if len(winners) > 1:
        return "drawn" if min(save.result) == best else f"{len(winners)} won"
    spec = find_game(save.header.game)
    return f"{holder_name(save.header.seats[winners[0]], spec)} won"


def who_plays(save: SaveSummary) -> str:
    """The game and the seats of a save, such as ``Senet, Ann v hard``."""
    header = save.header
    if header is None:
        return save.name
    spec = find_game(header.game)
    names = [holder_name(seat, spec) for seat in header.seats]
    if len(names) > _MOST_NAMES:
        names = [*names[: _MOST_NAMES - 1], f"{len(names) - _MOST_NAMES + 1} more"]
    return f"{spec.info.name}, {' v '.join(names)}"


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
