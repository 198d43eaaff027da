"""Waiting at a table on a server until all seats are taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.text import Picture, Span, columns
from boardgames_cli.session.parting import note_results
from boardgames_cli.session.settings import Settings
from boardgames_cli.storage.store import Store
from boardgames_cli.tui.effects import large_text
from boardgames_cli.tui.keys import bindings_of
from boardgames_cli.tui.screens.frame import Frame, KeyHint
from boardgames_cli.tui.widgets.picture import PictureView, Sides

if TYPE_CHECKING:
    from boardgames_cli.online.client.arrival import Arrival
    from boardgames_cli.online.codes import TableAddress

_TICK: Final = 0.1
_MOST_SAID: Final = 6


def _centred(lines: Sequence[Sequence[Span]]) -> Picture:
    widths = [sum(columns(span.text) for span in line) for line in lines]
    most = max(widths)
    margins = [Span(" " * ((most - width) // 2)) for width in widths]
    return Picture.of([[margin, *line] for margin, line in zip(margins, lines, strict=True)])


class WaitingScreen(Frame):
    """Shows the code and who is there, and opens the table when the game begins.

    Without an address of its own, this side has joined.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings_of(
        "waiting",
        ("c,y", "copy", "copy the line with which others join", "copy"),
        ("q,escape", "leave", "leave; the seat is kept", "leave"),
    )

    def __init__(
        self, arrival: Arrival, settings: Settings, address: TableAddress | None = None
    ) -> None:
        super().__init__()
        self._arrival = arrival
        self._settings = settings
        self._address = address or arrival.address._replace(code=arrival.welcome.code)
        self._said: list[str] = []
        self._store = Store.at(settings.save_folder) if settings.save else None

    @property
    def join_line(self) -> str:
        return f"boardgames join {self._address}"

    def content(self) -> ComposeResult:
        yield PictureView(centred=True, id="waiting")

    def on_mount(self) -> None:
        self.set_interval(_TICK, self._tick)

    def _tick(self) -> None:
        before = self._arrival.table
        try:
            session = self._arrival.poll(self._hear, self._store, self._settings.glyphs)
        except GameError as error:
            self.say(str(error))
            return
        if session is not None:
            note_results(session, self._settings)
            self.app.open_table(session)
        elif self._arrival.table != before:
            self.redraw()

    def _hear(self, text: str) -> None:
        self._said = [*self._said, text][-_MOST_SAID:]
        self.redraw()

    def title_bar(self) -> Sides:
        welcome = self._arrival.welcome
        clock = "" if welcome.clock == "no clock" else welcome.clock
        title = [Span(welcome.game.info.name, "title"), Span("  waiting for players", "muted")]
        return title, [Span(clock, "muted")]

    def key_hints(self) -> Sequence[KeyHint]:
        return [("c", "copy the line", "screen.copy"), ("q", "leave", "screen.leave")]

    def draw(self) -> None:
        welcome = self._arrival.welcome
        lines = [[Span(row, "key")] for row in large_text(welcome.code, self._settings.glyphs)]
        if welcome.code:
            lines += [[], [Span("Others join with", "muted")], [Span(self.join_line, "title")]]
            if welcome.has_pages:
                lines += [[Span("or in a browser: ", "muted"), Span(self._address.link)]]
        if welcome.watch:
            watched = self._address._replace(code=welcome.watch)
            lines += [[], [Span("Spectators watch with", "muted")]]
            lines += [[Span(f"boardgames watch {watched}")]]
            if welcome.has_pages:
                lines += [[Span("or in a browser: ", "muted"), Span(watched.link)]]
        lines += [[], *self._seats(), [], *([Span(text, "muted")] for text in self._said)]
        self.show_picture("waiting", _centred(lines))
        super().draw()

    def _seats(self) -> list[list[Span]]:
        """A line for every seat: who has it, or that it is open."""
        table, game = self._arrival.table, self._arrival.welcome.game
        lines = []
        for seat, name in enumerate(table.names):
            place = Span(f"{game.info.seat_name(seat)}: ", "muted")
            if seat in table.open:
                lines.append([place, Span("open", "hint")])
            elif seat in dict(table.away):
                lines.append([place, Span(name, f"seat.{seat}"), Span(" is away", "bad")])
            else:
                lines.append([place, Span(name, f"seat.{seat}")])
        return lines

    def action_copy(self) -> None:
        """Copy the line with which others join to the clipboard."""
        self.app.copy_to_clipboard(self.join_line)
        self.say("The line is in the clipboard.")

    def action_leave(self) -> None:
        """Go back, or out of the program; the seat is kept."""
        self._arrival.close()
        self.close()
