"""The process of a visitor's session: the full screen with restricted permissions.

It is started in the visitor's own folder, with a terminal as its standard streams.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import fcntl
import os
import sys
import termios
from collections.abc import Awaitable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.plugins import confine
from boardgames_cli.core.text import Glyphs
from boardgames_cli.registry import find_game, game_ids, make
from boardgames_cli.session.opening import open_session, resume_session
from boardgames_cli.session.session import Session
from boardgames_cli.session.settings import Settings
from boardgames_cli.storage.paths import drill_file
from boardgames_cli.storage.store import Store
from boardgames_cli.tui.app import BoardgamesApp, run_app
from boardgames_cli.tui.form import Form

if TYPE_CHECKING:
    from boardgames_cli.tui.screens.frame import LiveScreen

_OPEN_GAME: Final = Path("open-game")
"""The file with the name of the open game, to reopen it after a lost session."""
_TABLE: Final = "table "
"""What stands there before the code of a table of the server."""
_FIRST_SIGNAL: Final = 128


class SeatedApp(BoardgamesApp):
    """The full-screen front end, which records the open game."""

    has_menu = True

    def open_table(self, session: Session) -> Awaitable[object]:
        name = _table_of(session) if session.journal is None else session.journal.name
        with contextlib.suppress(OSError):  # the menu is then shown first next time
            _OPEN_GAME.write_text(name, encoding="utf-8")
        return super().open_table(session)

    def open_menu(self) -> Awaitable[object]:
        """Show the menu; the open session is saved and closed."""
        forget_open_game()
        if not self.has_menu:
            self.exit()
            return asyncio.sleep(0)
        return super().open_menu()


def main() -> None:
    """Run a session and end the process with its exit code."""
    with contextlib.suppress(OSError):  # it is this process's terminal already
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*")
    parser.add_argument("--no-menu", action="store_true", dest="has_no_menu")
    parser.add_argument("--table", default="")
    parser.add_argument("--watch", default="")
    sys.exit(run(parser.parse_args()))


def run(chosen: argparse.Namespace) -> int:
    """Run a visitor's session, confined from here on.

    Args:
        chosen: The games offered, by default all, of which a single one is started or continued;
            and the code of the table to which a link has led.

    Returns:
        The exit code.
    """
    confine()
    games = tuple(chosen.games)
    settings = replace(
        Settings.preferred(),
        glyphs=Glyphs.ASCII if os.environ.get("TERM") == "linux" else Glyphs.UNICODE,
        games=games,
        drill_file=drill_file(),
    )
    is_linked = bool(chosen.table or chosen.watch or chosen.has_no_menu)
    first = None if chosen.watch else _cut_off(settings, chosen.table, is_linked=is_linked)
    if first is None and is_linked:
        from boardgames_cli.tui.screens.friend_screen import FriendScreen

        game, code = make([*games, *game_ids()][0]), chosen.table or chosen.watch
        first = FriendScreen(game, settings, code, is_watching=bool(chosen.watch))
    if first is None and len(games) == 1:
        first = _unfinished(games[0], settings) or _new(games[0], settings)
    if isinstance(first, Session):
        app = SeatedApp(first, settings)
    else:
        app = SeatedApp(None, settings, only=first)
    app.has_menu = not chosen.has_no_menu
    code = run_app(app)
    if (app.return_code or 0) < _FIRST_SIGNAL:
        forget_open_game()
    return code


def forget_open_game() -> None:
    """Start with the menu next time, since the visitor has left the game."""
    with contextlib.suppress(OSError):
        _OPEN_GAME.unlink()


def _cut_off(settings: Settings, code: str, *, is_linked: bool) -> Session | LiveScreen | None:
    with contextlib.suppress(OSError, ValueError, GameError):
        name = _OPEN_GAME.read_text(encoding="utf-8")
        if name.startswith(_TABLE + code):
            from boardgames_cli.tui.screens.friend_screen import join
            from boardgames_cli.tui.screens.waiting_screen import WaitingScreen

            seat, address = join(name.removeprefix(_TABLE), "")
            return WaitingScreen(seat, settings, address)
        if name and not name.startswith(_TABLE) and not is_linked:
            session = resume_session(name, settings)
            if not settings.games or session.game.info.id in settings.games:
                return session
            session.close()
    return None


def _table_of(session: Session) -> str:
    from boardgames_cli.online.client.remote_session import RemoteSession

    if isinstance(session, RemoteSession) and session.humans:
        return f"{_TABLE}{session.welcome.code}"
    return ""


def _unfinished(game: str, settings: Settings) -> Session | None:
    for save in Store.at().summaries():
        if save.header is not None and save.header.game == game and not save.is_finished:
            with contextlib.suppress(GameError):  # for example if it is open elsewhere
                return resume_session(save.name, settings)
    return None


def _new(game: str, settings: Settings) -> Session | None:
    form = Form(find_game(game), settings)
    try:
        return None if form.problem else open_session(form.setup(), form.settings())
    except GameError:
        return None


if __name__ == "__main__":
    main()
