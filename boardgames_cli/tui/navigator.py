"""What screens may ask of the application; so they need not know it."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from textual.app import App
from textual.screen import Screen

from boardgames_cli.session.session import Session
from boardgames_cli.session.setup import Settings, Setup

if TYPE_CHECKING:
    from boardgames_cli.session.puzzle_run import PuzzleRun
    from boardgames_cli.session.replay import Replay

PATIENCE_SECONDS: Final = 1.0
"""How long a new table waits for agents that need a process of their own."""


class Navigator(Protocol):
    """Goes from one screen to another."""

    def open_menu(self) -> Awaitable[object]:
        """Show the launcher; the table that was open is saved and closed."""
        ...

    def open_table(self, session: Session) -> Awaitable[object]:
        """Show a table, and nothing else."""
        ...

    def open_replay(self, replay: Replay) -> Awaitable[object]:
        """Show a game again, over what is on the screen."""
        ...

    def open_puzzles(self, run: PuzzleRun) -> Awaitable[object]:
        """Ask puzzles, over what is on the screen."""
        ...

    def play_on(self, setup: Setup) -> None:
        """Leave what is on the screen for a new game, once what is open there is saved.

        Raises:
            GameError: The open game can't be saved, or the new one can't begin.
        """
        ...

    def start(self, setup: Setup, settings: Settings) -> Session:
        """Set up a table and show it; returns the table.

        Raises:
            GameError: Something chosen is wrong, or the save can't be written.
        """
        ...

    def rematch(self, session: Session, *, swap: bool) -> None:
        """Play the same game again with other luck, perhaps with the seats changed.

        Raises:
            GameError: The save can't be written.
        """
        ...

    def key_descriptions(self, screen: Screen[Any]) -> list[tuple[str, str]]:
        """The keys of a screen as they are bound now, with what they do."""
        ...


def navigator_of(app: App[Any]) -> Navigator:
    """The application as its screens use it."""
    return cast("Navigator", app)
