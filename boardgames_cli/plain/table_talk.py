"""What others say and offer at a table on a server, in plain text."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from boardgames_cli.core.errors import GameError
from boardgames_cli.plain.console import Console
from boardgames_cli.plain.page import GamePage
from boardgames_cli.session.commands import COMMANDS, Request, interpret

if TYPE_CHECKING:
    from boardgames_cli.online.client.remote_session import RemoteSession

_ANSWER_SECONDS: Final = 1.0
"""How long the server's answer to a command is awaited before the next question."""
_POLL_SECONDS: Final = 0.02
_TALK: Final = tuple(c for c in COMMANDS if c.is_remote or c.word == "quit")
_LEAVES: Final = ("q", "quit", "exit")


class TableTalk:
    """Prints what the server says, and obeys the commands about others."""

    def __init__(self, session: RemoteSession, console: Console) -> None:
        self._session = session
        self._console = console
        self._asked = ""
        """The offer that was asked about last."""

    def hear(self, page: GamePage, prompt: str = "") -> None:
        """Print news, if there are some; a prompt that stands on the screen is written again."""
        if self._session.poll():
            page.print_news(prompt=prompt)

    def ask(self, prompt: str, page: GamePage, hidden: bool = False) -> str:
        """Read a line, and print news until it is there; see `Console.ask`."""
        return self._console.ask(prompt, hidden, lambda: self.hear(page, prompt))

    def talk(self, word: str, argument: str, page: GamePage) -> None:
        """Obey a command, and print what the server answers at once."""
        self._session.talk(word, argument)
        self.await_answer(page)

    def await_answer(self, page: GamePage) -> None:
        """Print what the server answers at once to what was sent."""
        ends = time.monotonic() + _ANSWER_SECONDS
        while not self._session.poll() and time.monotonic() < ends:
            self._console.wait(_POLL_SECONDS)
        page.print_news()

    def clock(self) -> str:
        """The time that this side has left, for the prompt; empty without a clock."""
        from boardgames_cli.online.client.remote_session import clock_text

        left = self._session.clocks()
        return "".join(f" {clock_text(left[seat])}" for seat in self._session.humans if left)

    def ask_about_offer(self, page: GamePage) -> None:
        """Ask once for the answer to an offer that was made while this side waits."""
        question = self._session.question
        if not question or question == self._asked:
            self._asked = question
            return
        self._asked = question
        answer = self.ask("agree or decline? ", page).lower()
        if answer in ("agree", "decline") and self._session.question:
            try:
                self.talk(answer, "", page)
            except GameError as error:
                self._console.say(str(error))

    def stay(self, page: GamePage) -> bool:
        """After the end: talk until another game begins, which is true, or this side leaves."""
        session = self._session
        if not session.humans or session.is_gone:
            return False
        self._console.say("offer rematch plays again, say TEXT talks, enter shows news, q leaves.")
        games = session.games
        while session.games == games:
            line = self.ask(f"{session.names[session.humans[0]]}> ", page)
            self.hear(page)
            if line.lower() in _LEAVES or session.is_gone:
                return False
            try:
                self._obey(line, page)
            except GameError as error:
                self._console.say(str(error))
        return True

    def _obey(self, line: str, page: GamePage) -> None:
        meaning = interpret(f":{line.lstrip(':')}", _TALK, (), str) if line else None
        if isinstance(meaning, Request):
            self.talk(meaning.command.word, meaning.argument, page)
