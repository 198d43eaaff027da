"""The application's interface for screens, so that they do not import it."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from textual.app import App
from textual.screen import Screen

from boardgames_cli.session.session import Session
from boardgames_cli.session.setup import Settings, Setup

if TYPE_CHECKING:
    from boardgames_cli.evaluation.puzzle_run import PuzzleRun
    from boardgames_cli.session.replay import Replay

PATIENCE_SECONDS: Final = 1.0
"""How long a new session waits for agents in their own processes."""


class Navigator(Protocol):
    """Goes from one screen to another."""

    def open_menu(self) -> Awaitable[object]:
        """Show the menu; the open session is saved and closed."""
        ...

    def open_table(self, session: Session) -> Awaitable[object]:
        """Show a session, replacing all screens."""
        ...

    def open_replay(self, replay: Replay) -> Awaitable[object]:
        """Show a replay on top of the current screen."""
        ...

    def open_puzzles(self, run: PuzzleRun) -> Awaitable[object]:
        """Show puzzles on top of the current screen."""
        ...

    def play_on(self, setup: Setup) -> None:
        """Replace all screens by a new game, once the open session is saved.

        Raises:
            GameError: The open game can't be saved, or the new one can't begin.
        """
        ...

    def start(self, setup: Setup, settings: Settings) -> Session:
        """Set up a session, show it and return it.

        Raises:
            GameError: A choice is invalid, or the save can't be written.
        """
        ...

    def rematch(self, session: Session, *, swap: bool) -> None:
        """Play the same game again with a new seed, optionally with swapped seats.

        Raises:
            GameError: The save can't be written.
        """
        ...

    def key_descriptions(self, screen: Screen[Any]) -> list[tuple[str, str]]:
        """The current key bindings of a screen with their descriptions."""
        ...


def navigator_of(app: App[Any]) -> Navigator:
    """The application as a navigator."""
    return cast("Navigator", app)
