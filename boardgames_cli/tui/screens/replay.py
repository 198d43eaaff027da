"""A game that was played, again: nothing can be changed, and after its end nothing is secret."""

from __future__ import annotations

from functools import partial
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.timer import Timer

from boardgames_cli.core.text import Glyphs
from boardgames_cli.session.replay import Replay
from boardgames_cli.session.setup import Pace, Settings
from boardgames_cli.tui.game_loop import PACES
from boardgames_cli.tui.navigator import navigator_of
from boardgames_cli.tui.screens.dialogs import NameDialog
from boardgames_cli.tui.screens.frame import Frame
from boardgames_cli.tui.status import seed_pieces
from boardgames_cli.tui.theme import Palette, tells_grounds
from boardgames_cli.tui.widgets.bars import Bar, KeyBar, Piece, ProgressBar, gauge
from boardgames_cli.tui.widgets.panes import Moment, TablePanes

_MOST_DIGITS: Final = 9
"""Of the number of a step; longer ones are far beyond every game."""

_LEAST_SECONDS: Final = 0.05
"""The shortest pause, in seconds: at pace instant there is still time to stop."""


def _key(keys: str, action: str, description: str, id: str) -> Binding:
    return Binding(keys, action, description, show=False, id=f"replay.{id}")


class ReplayScreen(Frame):
    """Goes through a game, by hand or at a pace.

    Args:
        replay: The game.
        settings: How it is shown and paced.
        ply: Where to begin.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        _key("space,p", "play", "play, or stop", "play"),
        _key("right_square_bracket,right,n", "travel(1)", "one step forward", "forward"),
        _key("left_square_bracket,left,b", "travel(-1)", "one step back", "back"),
        _key("pagedown", "travel(10)", "ten steps forward", "ten-forward"),
        _key("pageup", "travel(-10)", "ten steps back", "ten-back"),
        _key("g", "go_to", "to a step by its number", "go-to"),
        _key("left_curly_bracket,home", "first", "to the beginning", "first"),
        _key("right_curly_bracket,end", "last", "to the end", "last"),
        _key("plus,equals_sign", "pace(1)", "faster", "faster"),
        _key("minus", "pace(-1)", "slower", "slower"),
        _key("tab", "tab", "in a small window: board or facts", "tab"),
        _key("question_mark,f1", "help", "keys, rules, legend", "help"),
        _key("q,escape", "leave", "close", "leave"),
    ]

    def __init__(self, replay: Replay, settings: Settings, ply: int = 0) -> None:
        super().__init__()
        self.replay = replay
        self.settings = settings
        self.ply = ply
        self.pace = settings.pace if settings.pace.seconds is not None else Pace.NORMAL
        self.palette = Palette(settings.theme, replay.view.palette)
        self.panes = TablePanes(replay.view)
        self._timer: Timer | None = None

    @property
    def last(self) -> int:
        """The ply at which the game ended or stands."""
        return self.replay.match.ply

    @property
    def is_playing(self) -> bool:
        """Whether it goes on by itself."""
        return self._timer is not None

    def body(self) -> ComposeResult:
        """Board and facts, then the lines below them."""
        yield Bar(id="title")
        yield self.panes
        yield ProgressBar(id="progress")
        yield Bar(id="prompt")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Show where it begins."""
        self.use_theme()

    def on_unmount(self) -> None:
        """Stop what moves."""
        self._stop()

    def on_resize(self) -> None:
        """Draw for the new size, once the widgets have theirs."""
        self.panes.animation.stop()
        self.call_after_refresh(self._show)

    def use_theme(self) -> None:
        """Take the colours of the application's theme."""
        theme = self.app.theme
        self.palette = Palette(theme, self.replay.view.palette)
        self.replay.glyphs = self.settings.glyphs
        self.replay.has_colours = tells_grounds(theme, self.app)
        self._show()

    # -- drawing -----------------------------------------------------------------------------

    def _show(self) -> None:
        if not self.is_mounted:
            return
        replay, ply, palette = self.replay, self.ply, self.palette
        self.panes.show(Moment(replay.seen(ply), replay.context(ply), replay.log(ply)), palette)
        self.query_one("#title", Bar).show(*self._title(), palette)
        self.query_one("#progress", Bar).show(self._progress(), (), palette)
        self.query_one("#prompt", Bar).show(*self._prompt(), palette)
        self.query_one(KeyBar).show_keys(self._keys(), palette)

    def _title(self) -> tuple[list[Piece], list[Piece]]:
        players: list[Piece] = []
        for seat, name in enumerate(self.replay.names):
            if players:
                players.append(Piece(" v " if len(self.replay.names) == 2 else "  ", "muted"))
            players.append(Piece(name, f"seat.{seat}"))
        name = self.replay.game.info.name
        left = [Piece(" REPLAY ", "highlight"), Piece(f" {name}", "title")]
        return left, [*seed_pieces(self.replay.match), *players]

    def _progress(self) -> list[Piece]:
        share = self.ply / self.last if self.last else 1.0
        cells = self._gauge[1]
        # Without colours the full and the empty part need different signs.
        is_plain = self.replay.glyphs is Glyphs.ASCII or not self.replay.has_colours
        full, empty = gauge(share, cells, is_plain)
        return [
            Piece(self._counted, "muted"),
            Piece(full, "bar.full"),
            Piece(empty, "bar.empty"),
        ]

    @property
    def _gauge(self) -> tuple[int, int]:
        """The first column of the bar, and how many it has."""
        return 1 + len(self._counted), max(10, self.size.width - 24)

    @property
    def _counted(self) -> str:
        return f"step {self.ply} of {self.last}  "

    def _prompt(self) -> tuple[list[Piece], list[Piece]]:
        replay = self.replay
        if self.ply == self.last:
            return [Piece(replay.ending(), "title")], []
        said = replay.view.prompt(replay.seen(self.ply), replay.context(self.ply))
        pace = [Piece(f"pace {self.pace.value}", "muted")] if self.is_playing else []
        return [Piece(said)], pace

    def _keys(self) -> list[tuple[str, str, str]]:
        side = [("tab", "facts", "screen.tab")] if self.has_class("-compact") else []
        return [
            ("space", "stop" if self.is_playing else "play", "screen.play"),
            ("[ ]", "step", "screen.travel(1)"),
            ("{ }", "first, last", "screen.first"),
            ("g", "go to", "screen.go_to"),
            ("+ -", "pace", "screen.pace(1)"),
            *side,
            ("?", "help", "screen.help"),
            ("q", "close", "screen.leave"),
        ]

    # -- time --------------------------------------------------------------------------------

    def _arm(self) -> None:
        seconds = max(self.pace.seconds or 0.0, _LEAST_SECONDS)
        self._timer = self.set_timer(seconds, self._go_on)

    def _go_on(self) -> None:
        if not self.is_playing:
            return  # it was stopped while the timer was ringing
        self._timer = None
        self.ply = min(self.ply + 1, self.last)
        if self.ply < self.last:
            self._arm()
        self.panes.move(partial(self.replay.frames, self.ply), self.pace)
        self._show()

    def _stop(self) -> None:
        self.panes.animation.stop()
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    # -- keys and mouse ----------------------------------------------------------------------

    def travel(self, ply: int) -> None:
        """Show another moment."""
        self._stop()
        self.ply = max(0, min(ply, self.last))
        self._show()

    def action_play(self) -> None:
        """Go on by itself, from the beginning if it is at the end; or stop."""
        if self.is_playing:
            self._stop()
        else:
            self.ply = 0 if self.ply == self.last else self.ply
            self._arm()
        self._show()

    def action_travel(self, by: int) -> None:
        """One step."""
        self.travel(self.ply + by)

    def action_go_to(self) -> None:
        """Ask for a step, and show it."""

        def follow(text: str | None) -> None:
            if text and text.isascii() and text.isdigit():
                self.travel(int(text[:_MOST_DIGITS]))

        question = f"Go to which step, 0 to {self.last}?"
        self.app.push_screen(NameDialog(question, "", "enter goes there, esc stays here"), follow)

    @on(ProgressBar.Clicked)
    def _clicked_progress(self, event: ProgressBar.Clicked) -> None:
        first, cells = self._gauge
        self.travel(round((event.column - first) / max(1, cells - 1) * self.last))

    def action_first(self) -> None:
        """To the beginning."""
        self.travel(0)

    def action_last(self) -> None:
        """To the end."""
        self.travel(self.last)

    def action_pace(self, by: int) -> None:
        """Faster or slower."""
        paces = [pace for pace in PACES if pace.seconds is not None]
        place = paces.index(self.pace) + by
        self.pace = paces[max(0, min(place, len(paces) - 1))]
        self._show()

    def action_tab(self) -> None:
        """In a small window the other pane."""
        if self.has_class("-compact"):
            self.panes.turn()
            self.call_after_refresh(self._show)

    def action_help(self) -> None:
        """Keys, rules, legend."""
        # Markdown takes a while to import.
        from boardgames_cli.tui.screens.help import game_help

        keys = navigator_of(self.app).key_descriptions(self)
        glyphs = self.replay.glyphs
        self.app.push_screen(game_help(self.replay.game, keys, glyphs, self.palette))

    def action_leave(self) -> None:
        """Back to where one came from, or out of the program."""
        if len(self.app.screen_stack) > 2:  # the first is Textual's own
            self.app.pop_screen()
        else:
            self.app.exit(return_code=0)

    @on(TablePanes.Travelled)
    def _travelled(self, event: TablePanes.Travelled) -> None:
        self.travel(event.ply)
