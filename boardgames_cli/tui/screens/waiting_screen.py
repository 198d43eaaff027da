"""Waiting at a table on a server until all seats are taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.plugins import is_confined
from boardgames_cli.core.presentation.styles import LIGHT
from boardgames_cli.core.text import Glyphs, Picture, Span, columns
from boardgames_cli.session.parting import note_results
from boardgames_cli.session.settings import Settings
from boardgames_cli.tui.effects import half_blocks, large_text
from boardgames_cli.tui.keys import bindings_of
from boardgames_cli.tui.screens.frame import Frame, KeyHint
from boardgames_cli.tui.widgets.picture import PictureView, Sides

if TYPE_CHECKING:
    from boardgames_cli.online.client.remote_session import RemoteSession
    from boardgames_cli.online.codes import TableAddress

_TICK: Final = 0.1
_MOST_SAID: Final = 6
_HERE: Final = "Only on this machine, in another terminal:"
_SERVED: Final = "Others come here, too, or in a terminal:"
_ANYWHERE: Final = "For anybody who can reach this address:"


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
        self, session: RemoteSession, settings: Settings, address: TableAddress | None = None
    ) -> None:
        super().__init__()
        self._session = session
        session.show_with(settings)
        self._settings = settings
        own = session.connection.address._replace(code=session.welcome.code)
        self._address = address or own

    @property
    def join_line(self) -> str:
        return f"boardgames join {self._address}"

    def content(self) -> ComposeResult:
        with Horizontal(id="others"):
            yield PictureView(centred=True, id="waiting")
            yield PictureView(centred=True, id="sign")

    def on_mount(self) -> None:
        self.set_interval(_TICK, self._tick)

    def _tick(self) -> None:
        try:
            is_new = self._session.poll()
        except GameError as error:
            self.say(str(error))
            return
        if self._session.has_begun:
            note_results(self._session, self._settings)
            self.app.open_table(self._session)
        elif is_new:
            self.redraw()

    def title_bar(self) -> Sides:
        welcome = self._session.welcome
        clock = "" if welcome.clock == "no clock" else welcome.clock
        title = [Span(welcome.game.info.name, "title"), Span("  waiting for players", "muted")]
        return title, [Span(clock, "muted")]

    def key_hints(self) -> Sequence[KeyHint]:
        return [("c", "copy the line", "screen.copy"), ("q", "leave", "screen.leave")]

    def draw(self) -> None:
        welcome = self._session.welcome
        lines = [[Span(row, "key")] for row in large_text(welcome.code, self._settings.glyphs)]
        is_here, sign = self._address.is_here, self.query_one("#sign", PictureView)
        if welcome.code:
            reach = _SERVED if is_confined() else _HERE if is_here else _ANYWHERE
            lines += [[], [Span(reach, "muted")], [Span(self.join_line, "title")]]
        if welcome.code and welcome.has_pages:
            lines += [[Span("or in a browser:", "muted")], [Span(self._address.link)]]
        if welcome.watch:
            lines += [[], [Span("Spectators use the code ", "muted"), Span(welcome.watch)]]
        said = self._session.log.remarks[-_MOST_SAID:]
        lines += [[], *self._seats(), [], *([Span(line.text, "muted")] for line in said)]
        picture = _centred(lines)
        has_sign = welcome.code and welcome.has_pages and not is_here
        code = self._qr_code() if has_sign else Picture(())
        sign.styles.width = code.width
        sign.display = 0 < code.width <= self.size.width - picture.width - 1
        sign.show(code, self.palette)
        self.show_picture("waiting", picture)
        super().draw()

    def _qr_code(self) -> Picture:
        try:
            import segno
        except ImportError:
            return Picture(())
        if self._settings.glyphs is Glyphs.ASCII:
            return Picture(())
        # Capitals make it smaller; neither a host nor a code minds them.
        made = segno.make(self._address.link.upper(), error="l", micro=False, boost_error=False)
        # What is bright is drawn, but on a bright ground what is dark.
        drawn = self.app.theme == LIGHT
        rows = [
            "".join(str(int(dot == drawn)) for dot in row) for row in made.matrix_iter(border=2)
        ]
        return Picture.of(half_blocks(rows))

    def _seats(self) -> list[list[Span]]:
        table, game = self._session.table, self._session.game
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
        self._session.close()
        self.close()
