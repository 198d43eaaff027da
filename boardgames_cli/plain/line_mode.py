"""Plays a session in plain text."""

from __future__ import annotations

import contextlib
import time

from boardgames_cli.core.errors import StorageError
from boardgames_cli.plain.console import Console, EndOfInput
from boardgames_cli.plain.page import GamePage
from boardgames_cli.plain.turn import Left, PlainTurn
from boardgames_cli.session.blocking_loop import BlockingLoop
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.setup import Settings, closing_message
from boardgames_cli.terminal.signals import SignalWatch
from boardgames_cli.terminal.startup import Stopped


def run_game(session: Session, settings: Settings) -> int:
    """Play a session to its end, or until the player leaves.

    Args:
        session: The session; it is closed at the end.
        settings: Pace and verbosity.

    Returns:
        The exit code: 0; 4 if the game could not be saved completely; or 128 plus the number of the
        signal that ended the game.
    """
    with SignalWatch() as interrupts:
        console = Console.standard(interrupts)
        table = PlainTable(session, settings, console, interrupts)
        code = 0
        try:
            with contextlib.suppress(Left):
                table.play()
            save_elsewhere(session, console)
        except EndOfInput:
            console.say("End of input.")
        except Stopped as stop:
            code = stop.exit_code
            console.say()
        finally:
            table.close()
        console.say(closing_message(session, settings))
    return session.saving.exit_code(code)


def save_elsewhere(session: Session, console: Console) -> None:
    """Ask for another place to save while something is not saved, until the user gives up.

    Raises:
        EndOfInput: There are no more lines.
        Stopped: A signal came.
    """
    saving = session.saving
    while not saving.retry():
        console.say(saving.warning)
        console.say("Save the game in which other folder or file?")
        place = console.ask("Enter tries again, q leaves without saving: ")
        if place.lower() in ("q", "quit"):
            return
        if place:
            try:
                saving.move(place)
            except StorageError as error:
                console.say(str(error))


class PlainTable:
    """The main loop of a session in plain text.

    Args:
        session: The session.
        settings: Pace and verbosity.
        console: The console.
        interrupts: Lets signals in while the program waits.
    """

    def __init__(
        self, session: Session, settings: Settings, console: Console, interrupts: SignalWatch
    ) -> None:
        self.session = session
        self.settings = settings
        self.console = console
        self.page = GamePage(session, settings, console)
        self._interrupts = interrupts
        self._loop = BlockingLoop(session, interrupts.waiting, console.notice)
        self._last_change = 0.0

    def play(self) -> None:
        """Play and print the whole game.

        Raises:
            Left: The player wants to leave.
            EndOfInput: A person must act, and there is no more input.
            Stopped: A signal came.
        """
        self.page.greet()
        match = self.session.match
        while (event := self.session.next_event()) is not Event.OVER:
            ply = match.ply
            if event is Event.HUMAN:
                PlainTurn(self.page, self._interrupts).take()
            else:
                self._advance(event)
            self.page.print_news()
            if event is Event.AGENT and match.ply > ply and self._is_shown_on():
                self.page.show_board()
        self.page.finish()

    def _advance(self, event: Event) -> None:
        """Take a step without a person's choice, at the chosen pace."""
        # Only the last choice of a joint step has a visible effect.
        is_seen = event is not Event.AGENT or len(self.session.match.waiting_for) == 1
        if event is Event.AGENT:
            if is_seen and self.console.is_live and self.settings.pace.seconds is None:
                answer = self.console.ask("Press enter to go on, or q to leave. ")
                if answer.lower() in ("q", "quit"):
                    raise Left
        elif event is Event.CHANCE or not self.settings.auto_forced:
            self._keep_pace()
        if event is Event.FORCED:
            seat, action = self._loop.forced_action()
            self.console.say(f"{self.session.names[seat]}: only {action} is possible.")
        self._loop.advance()
        if event is Event.AGENT and is_seen:
            self._keep_pace()

    def _is_shown_on(self) -> bool:
        """Whether to show the board although no person is to act; the last one is always shown."""
        session = self.session
        return session.is_audience and not (session.humans and session.match.is_over)

    def close(self) -> None:
        """Release the agents and the save."""
        self._loop.close()

    def _keep_pace(self) -> None:
        """Wait until enough time has passed since the last change."""
        seconds = self.settings.pace.seconds or 0.0
        if self.console.is_live and seconds:
            self.console.wait(self._last_change + seconds - time.monotonic())
        else:
            self.console.wait(0.0)
        self._last_change = time.monotonic()
