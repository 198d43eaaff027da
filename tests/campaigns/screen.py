"""The full screen inside this process: the command line as it is, with a pilot at the keyboard."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, ClassVar
from unittest import mock

from textual.app import App
from textual.drivers.headless_driver import HeadlessDriver
from textual.pilot import Pilot

from tests.campaigns.inside import inside
from tests.conftest import Outcome

Steps = Callable[[Pilot[Any]], Awaitable[None]]

LIMIT = 180.0
"""Seconds that a session at the screen may take; a pilot waits often for an idle moment."""
DRIVER = "tests.campaigns.screen:RecordingDriver"
"""With any driver named, the program opens the full screen although this is not a terminal."""


class RecordingDriver(HeadlessDriver):
    """A terminal that remembers what was sent to it."""

    sent: ClassVar[list[str]] = []

    @property
    def is_headless(self) -> bool:
        """Textual sends nothing to a driver that says yes."""
        return False

    def write(self, data: str) -> None:
        self.sent.append(data)


def on_screen(
    folder: Path, *words: str, steps: Steps, size: tuple[int, int] = (80, 24), **variables: Any
) -> Outcome:
    """Run a command line on a screen that exists in memory only.

    Args:
        folder: Where it runs and saves.
        *words: The command line.
        steps: What is done at the screen; after that the application is ended, unless it has
            ended already.
        size: Columns and rows.
        **variables: Changes to the environment.
    """
    run = App.run

    async def pilot_steps(pilot: Pilot[Any]) -> None:
        await steps(pilot)
        if pilot.app.is_running:
            pilot.app.exit(return_code=pilot.app.return_code or 0)

    def run_here(app: App[Any], **_: Any) -> Any:
        return run(app, size=size, auto_pilot=pilot_steps)

    RecordingDriver.sent.clear()
    with (
        mock.patch.object(App, "run", run_here),
        # Textual reads the variable once, when it is imported.
        mock.patch.object(App, "get_driver_class", return_value=RecordingDriver),
    ):
        return inside(folder, *words, limit=LIMIT, TEXTUAL_DRIVER=DRIVER, **variables)


def sent_to_terminal() -> str:
    """All that the last screen has sent to its terminal."""
    return "".join(RecordingDriver.sent)
