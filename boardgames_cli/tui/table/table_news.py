"""What a server says about a table: chat, offers, clocks, and who is there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from boardgames_cli.core.text import Glyphs, Span
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.snapshot import Company, clock_text
from boardgames_cli.tui.keys import Keyboard, KeyDebounce
from boardgames_cli.tui.screens.dialogs import ChoiceDialog
from boardgames_cli.tui.table.table_screen import TableScreen
from boardgames_cli.tui.widgets.picture import Sides

_OFFER_KEYS: Final = {"agree": "y", "decline": "n"}
"""Neither digits nor enter, because people may be pressing these to play."""


class TableNews:
    """Brings the server's messages to the game screen, and asks for answers to offers.

    Args:
        screen: The game screen.
        company: The others at its table.
    """

    def __init__(self, screen: TableScreen, company: Company) -> None:
        self._screen = screen
        self._session = session = screen.session
        self._company = company
        self._told = len(session.log.remarks)
        self._people = session.humans
        self._asked = ""
        self._dialog: ChoiceDialog | None = None

    def tick(self) -> None:
        """Take messages that no request waits for; to be called regularly."""
        loop = self._screen.loop
        if loop.event is not Event.AGENT and self._company.poll():
            loop.go_on()

    def tell(self) -> None:
        session = self._session
        if session.humans != self._people:  # seats are exchanged in a rematch
            self._people = session.humans
            self._screen.keyboard = Keyboard.of_session(session)
            self._screen.forget_moment()
        remarks = session.log.remarks
        if len(remarks) > self._told:
            self._screen.say(remarks[-1].text)
        self._told = len(remarks)
        if self._company.question != self._asked:
            self._asked = self._company.question
            self._ask()

    def _ask(self) -> None:
        """Ask for the answer to the present offer; a question that is void is closed."""
        if self._dialog is not None:
            self._dialog.dismiss(None)
            self._dialog = None
        if not self._asked:
            return
        answers = [("agree", "Agree"), ("decline", "Decline")]
        self._dialog = ChoiceDialog(
            self._asked,
            (),
            answers,
            self._screen.palette,
            None,
            keys=_OFFER_KEYS,
            rest=KeyDebounce(),
        )
        self._screen.app.push_screen(self._dialog, self._answer)

    def _answer(self, answer: str | None) -> None:
        self._dialog = None
        if answer is None or not self._company.question:
            return
        with self._screen.telling_errors():
            self._company.talk(answer, "")

    def bar(self) -> Sides:
        """Clocks, who is away, an offer without an answer, spectators."""
        return list(_clocks(self._company, self._session)), list(_others(self._company))


def _clocks(company: Company, session: Session) -> Iterator[Span]:
    mark = ">" if session.glyphs is Glyphs.ASCII else "▸"
    for seat, left in company.clocks().items():
        runs = seat in company.running
        yield Span(f"{mark if runs else ' '}{session.names[seat]} ", f"seat.{seat}")
        yield Span(clock_text(left), "highlight" if runs else "muted")
        yield Span("  ")
    for seat, left in company.away().items():
        yield Span(session.names[seat], f"seat.{seat}")
        if left:
            yield Span(f" is away; {clock_text(left)} to return  ", "bad")
        else:
            yield Span(" is away; ", "bad")
            yield Span(":offer agent", "key", "screen.type(':offer agent')")
            yield Span(" or ", "muted")
            yield Span(":offer claim  ", "key", "screen.type(':offer claim')")


def _others(company: Company) -> Iterator[Span]:
    watchers = company.watchers
    if watchers:
        yield Span("1 spectator  " if watchers == 1 else f"{watchers} spectators  ", "muted")
    if company.question:
        yield Span(f"{company.question} ")
        yield Span(":agree", "key", "screen.talk('agree', '')")
        yield Span(" or ", "muted")
        yield Span(":decline", "key", "screen.talk('decline', '')")
    elif not company.is_up and not company.is_gone:
        yield Span(" reconnecting ", "highlight")
    else:
        yield Span(":say", "key", "screen.type(':say ')")
        yield Span(" to everybody", "muted")
