"""The saves in the menu: continue, replay, delete."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, Protocol

from textual.app import App

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.plugins import is_confined
from boardgames_cli.session.setup import (
    Settings,
    UntrustedCommandError,
    load_replay,
    resume_session,
)
from boardgames_cli.storage.listing import SaveSummary
from boardgames_cli.storage.paths import save_folder
from boardgames_cli.storage.results import ResultTally
from boardgames_cli.storage.store import Store
from boardgames_cli.terminal.streams import printable
from boardgames_cli.tui import menu
from boardgames_cli.tui.navigator import PATIENCE_SECONDS, navigator_of
from boardgames_cli.tui.theme import Palette

_MOST: Final = 9
"""The number of saves offered in a dialog: one per digit."""


class Menu(Protocol):
    """What the saves need from the menu screen."""

    @property
    def app(self) -> App[Any]:
        """The application."""
        ...

    def show(self) -> None:
        """Redraw everything."""
        ...

    def say(self, message: str) -> None:
        """Show a message."""
        ...


class SavedGames:
    """The saves in a folder.

    Args:
        menu: The screen that shows them.
        settings: Where they are, and how games are shown.
    """

    def __init__(self, menu: Menu, settings: Settings) -> None:
        self._menu = menu
        self._settings = settings
        self._store = Store(save_folder(settings.save_folder))
        self.unfinished: list[SaveSummary] = []
        """The games that can be continued, most recently used first."""
        self.finished: list[SaveSummary] = []
        """The finished games."""
        self.unreadable = 0
        """The number of unreadable saves."""
        self.tallies: dict[str, ResultTally] = {}
        """Games won by people on this machine, by game."""

    def find(self) -> None:
        """Read the folder and the results; called after the first paint."""
        self.tallies = menu.tallies(self._settings.results_file)
        games = self._settings.games
        found = self._store.summaries()
        found = [save for save in found if _is_offered(save, games)] if games else found
        sound = [save for save in found if not save.problem]
        self.unreadable = len(found) - len(sound)
        self.unfinished = [save for save in sound if not save.is_finished]
        self.finished = [save for save in sound if save.is_finished]
        self._menu.show()

    def resume(self) -> None:
        """Continue the last game, or ask which."""
        self._choose("Continue which game?", self.unfinished, self.open)

    def replay(self) -> None:
        """Replay the last game, or ask which."""
        if not self.finished:
            self._menu.say("There is no finished game to see again yet.")
        self._choose("See which game again?", self.finished, self._replay)

    def delete(self) -> None:
        """Ask which game to delete, with a confirmation."""
        if self.unfinished:
            self._ask_which("Delete which game?", self.unfinished, self._confirm_deletion)

    def open(self, name: str | None) -> None:
        """Continue a game, after a question if it would run a program; None does nothing."""
        if name is not None:
            self._open(name, is_trusted=False)

    def _open(self, name: str, *, is_trusted: bool) -> None:
        app = self._menu.app
        # The tick was chosen for the game of the form, not for this one.
        settings = replace(self._settings, tick=None, theme=app.theme)
        try:
            session = resume_session(name, settings, PATIENCE_SECONDS, lambda _: is_trusted)
            navigator_of(app).open_table(session)
        except UntrustedCommandError as error:
            if is_confined():
                self._menu.say("This game was saved with an agent that is not for the browser.")
            else:
                self._ask_for_trust(name, error.commands)
        except GameError as error:
            self._menu.say(str(error))

    def _replay(self, name: str | None) -> None:
        if name is None:
            return
        try:
            replay = load_replay(name, self._settings)
            replay.is_judged = True
            navigator_of(self._menu.app).open_replay(replay)
        except GameError as error:
            self._menu.say(str(error))

    def _ask_for_trust(self, name: str, commands: Sequence[str]) -> None:
        def follow(answer: str | None) -> None:
            if answer == name:
                self._open(name, is_trusted=True)

        title = "An agent in this save is a program on this machine. Run it?"
        answers = [("", "Don't run it"), (name, "Run it")]
        self._ask(title, answers, follow, *map(printable, commands))

    def _confirm_deletion(self, name: str | None) -> None:
        save = next((save for save in self.unfinished if save.name == name), None)
        if save is not None:
            label = menu.save_label(save, _now())
            answers = [("", "Keep it"), (save.name, "Delete it for good")]
            self._ask("Delete this game?", answers, self._delete, label)

    def _delete(self, name: str | None) -> None:
        if not name:
            return
        try:
            self._store.delete(name)
        except GameError as error:
            self._menu.say(str(error))
        self.find()

    # -- questions ---------------------------------------------------------------------------

    def _choose(
        self, title: str, saves: Sequence[SaveSummary], follow: Callable[[str | None], None]
    ) -> None:
        if len(saves) > 1:
            self._ask_which(title, saves, follow)
        else:
            follow(saves[0].name if saves else None)

    def _ask_which(
        self, title: str, saves: Sequence[SaveSummary], follow: Callable[[str | None], None]
    ) -> None:
        answers = [(save.name, menu.save_label(save, _now())) for save in saves[:_MOST]]
        self._ask(title, answers, follow)

    def _ask(
        self,
        title: str,
        answers: Sequence[tuple[str, str]],
        follow: Callable[[str | None], None],
        *facts: str,
    ) -> None:
        from boardgames_cli.tui.screens.dialogs import ChoiceDialog

        app = self._menu.app
        app.push_screen(ChoiceDialog(title, facts, answers, Palette(app.theme)), follow)


def _is_offered(save: SaveSummary, games: Sequence[str]) -> bool:
    return save.header is not None and save.header.game in games


def _now() -> datetime.datetime:
    return datetime.datetime.now().astimezone()
