"""A game from its first line to its last, on a page that scrolls."""

from __future__ import annotations

import shlex
import time
from collections import Counter
from typing import Final

from boardgames_cli.core.view import Size
from boardgames_cli.plain.console import Console, EndOfInput
from boardgames_cli.plain.desk import AgentDesk
from boardgames_cli.plain.interrupts import Interrupts, Stopped
from boardgames_cli.plain.turn import Left, Turn
from boardgames_cli.session.seats import seat_name
from boardgames_cli.session.session import Event, LogLine, Session
from boardgames_cli.session.setup import Settings

_RETOLD: Final = 3
"""So many sentences of a resumed game are told again."""


def run_game(session: Session, settings: Settings) -> int:
    """Play a session to its end, or until the player leaves.

    Args:
        session: The table; it is closed at the end.
        settings: How fast and how wordy.

    Returns:
        The exit code: 0, or 128 and the number of the signal that ended the game.
    """
    with Interrupts() as interrupts:
        console = Console.standard(interrupts)
        table = Table(session, settings, console, interrupts)
        code = 0
        try:
            table.play()
        except Left:
            pass
        except EndOfInput:
            console.say("End of input.")
        except Stopped as stop:
            code = stop.exit_code
            console.say()
        finally:
            table.close()
        console.say(farewell(session, settings))
    return code


def farewell(session: Session, settings: Settings) -> str:
    """Where the game is now, and how to go on with it or see it again."""
    if session.journal is None:
        return "This game was not saved." if settings.save else "This game was not saved, as asked."
    name = session.journal.name
    verb = "See it again" if session.match.is_over else "Go on with"
    command = f"boardgames {'replay' if session.match.is_over else 'resume'} {shlex.quote(name)}"
    if settings.save_folder is not None:
        command += f" --save-dir {shlex.quote(str(settings.save_folder))}"
    return f"Saved as {name}. {verb}: {command}"


class Table:
    """A session told line by line.

    Args:
        session: What is played.
        settings: How fast and how wordy.
        console: Where it is told.
        interrupts: Lets signals in while somebody is waited for.
    """

    def __init__(
        self, session: Session, settings: Settings, console: Console, interrupts: Interrupts
    ) -> None:
        self.session = session
        self.settings = settings
        self.console = console
        self._interrupts = interrupts
        self._desk = AgentDesk(session, interrupts, console.notice)
        self._known: Counter[LogLine] = Counter(session.log())
        self._last_change = 0.0
        self.asked_at = session.match.ply
        """The ply at which a person was asked last."""

    @property
    def failures(self) -> int:
        """How often an agent failed and a random action was played for it."""
        return self._desk.failures

    def play(self) -> None:
        """Tell the whole game.

        Raises:
            Left: The player wants to leave.
            EndOfInput: A person's action is wanted, and there are no more lines.
            Stopped: A signal came.
        """
        self._greet()
        while (event := self.session.next_event()) is not Event.OVER:
            match event:
                case Event.HUMAN:
                    Turn(self, self._interrupts).take()
                case Event.FORCED:
                    self._forced()
                case Event.CHANCE:
                    self._keep_pace()
                    self.session.resolve_chance()
                case Event.AGENT:
                    self._agent()
            self.tell()
            if event is Event.AGENT and not self.session.humans:
                self.show_board()
        self._finish()

    def close(self) -> None:
        """Let go of the agents and the save."""
        self._desk.close()
        self.session.close()

    # -- telling ---------------------------------------------------------------------------

    def tell(self) -> None:
        """Tell what has happened since the last time."""
        log = self.session.log()
        known = self._known
        self._known = Counter(log)
        for line in log:
            if known[line] > 0:
                known[line] -= 1
            else:
                self.console.say(line.text)

    def know(self) -> None:
        """Take what has happened as told."""
        self._known = Counter(self.session.log())

    def show_board(self, is_wanted: bool = False) -> None:
        """Draw the board, unless it is to be drawn on request only."""
        if self.settings.terse and not is_wanted:
            return
        session = self.session
        seen = session.observe(session.viewer())
        room = self.console.size
        # The last column stays free: some terminals break the line when it is used.
        size = Size(max(1, room.width - 1), room.height)
        self.console.say(str(session.view.picture(session.game, seen, size, session.look())))

    def _greet(self) -> None:
        session = self.session
        self.console.say(f"{session.title}. Seed {session.match.seed}.")
        for seat, owner in enumerate(session.names):
            called = f" ({seat_name(session.game, seat)})" if session.game.info.seat_names else ""
            self.console.say(f"Seat {seat + 1}{called}: {owner}.")
        if session.match.ply:
            self.console.say(f"This game goes on after step {session.match.ply}.")
        for line in session.log()[-_RETOLD:]:
            self.console.say(line.text)
        if session.humans:
            self.console.say("Type ? for help.")
        else:
            self.show_board()

    def _finish(self) -> None:
        session = self.session
        if session.humans:
            self.show_board()
        if session.match.truncated:
            self.console.say(f"The game was cut short after {session.match.ply} steps.")
        else:
            self.console.say(session.view.result(session.game, session.match.state, session.look()))

    # -- going on --------------------------------------------------------------------------

    def _forced(self) -> None:
        session = self.session
        seat = next(seat for seat in session.match.waiting_for if seat in session.humans)
        (action,) = session.observe(seat).legal
        if not self.settings.auto_forced:
            self._keep_pace()
        self.console.say(f"{session.names[seat]}: only {action} is possible.")
        session.submit(seat, action)

    def _agent(self) -> None:
        if self.console.is_live and self.settings.pace.seconds is None:
            answer = self.console.ask("Press enter to go on, or q to leave. ")
            if answer.lower() in ("q", "quit"):
                raise Left
        self._desk.play()
        self._keep_pace()

    def _keep_pace(self) -> None:
        """Wait until enough time has passed since the last change; only people need that."""
        seconds = self.settings.pace.seconds or 0.0
        if self.console.is_live and seconds:
            self.console.wait(self._last_change + seconds - time.monotonic())
        else:
            self.console.wait(0.0)
        self._last_change = time.monotonic()
