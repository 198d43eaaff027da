"""The game screen: playing and browsing by keys and mouse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

from textual import on
from textual.binding import BindingType

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import Seat
from boardgames_cli.session.commands import Chosen, interpret
from boardgames_cli.session.session import Event
from boardgames_cli.tui.commands import COMMANDS, action_of
from boardgames_cli.tui.game_loop import Obstruction
from boardgames_cli.tui.keys import ACTION_OF_KEY, GAME_BINDINGS
from boardgames_cli.tui.screens.table_screen import TableScreen
from boardgames_cli.tui.widgets.choices import ChoiceList
from boardgames_cli.tui.widgets.entry import EntryLine
from boardgames_cli.tui.widgets.panes import TablePanes
from boardgames_cli.tui.widgets.picture import PictureView

_AT_ONCE: Final = 99
"""More levels than there are paces."""


class GameScreen(TableScreen):
    """The game screen: handles keys, clicks and typed commands."""

    BINDINGS: ClassVar[list[BindingType]] = GAME_BINDINGS

    # -- playing -----------------------------------------------------------------------------

    def act(self, action: Any, seat: Seat | None = None) -> None:
        """Play a person's action: of the person to act on what is shown, or of another seat."""
        seat = self.model.seat if seat is None else seat
        assert seat is not None, "a seat that can't act has no actions"
        if self.tutor_dialog is not None and not self.loop.awaited:
            self.tutor_dialog.ask(seat, action, lambda: self._play(action, seat))
        else:
            self._play(action, seat)

    def _play(self, action: Any, seat: Seat) -> None:
        self.view.message = ""
        self.model.index = None
        self.hints.stop()
        if self.loop.play(seat, action) and self.session.keeps_secrets:
            self.model.reveal(None)
            self.refresh_table()

    async def action_press(self, key: str) -> None:
        """Handle a key of the game; if it has no meaning now, handle it as a general key."""
        press = self.model.keyboard.press(key, self.model.seat)
        if press is None:
            if key in ACTION_OF_KEY:
                await self.run_command(ACTION_OF_KEY[key])
            else:
                self.view.say(self.model.why_not(), is_passing=True)
            return
        seat, text = press
        if not text:
            self.refresh_table()
            return
        try:
            action = self.session.game.parse(self.session.match.state, seat, text)
        except GameError as error:
            self.view.say(str(error), is_passing=True)
            return
        self.act(action, seat)

    def action_choose(self, number: int) -> None:
        """Take an action by its number."""
        legal = self.model.legal
        if self.loop.awaited:
            self.view.say(f"Press enter: {self.loop.awaited}.", is_passing=True)
        elif number > len(legal):
            self.view.say(self.model.why_not(number), is_passing=True)
        else:
            self.act(legal[number - 1])

    def action_highlight(self, by: int, in_rows: bool = False) -> None:
        """Highlight another action: the next or the one before, or below or above."""
        self.model.move_highlight(by, self.view.choices.columns if in_rows else 1)
        self.refresh_table()

    def action_tab(self) -> None:
        """Next action; in a small window the other pane."""
        if self.view.is_compact:
            self.view.panes.turn()
            self.call_after_refresh(self.refresh_table)
        else:
            self.action_highlight(1)

    def action_confirm(self) -> None:
        """Take the highlighted action, or continue."""
        if self.model.is_past:
            self.action_travel_live()
        elif self.loop.awaited:
            self.loop.release()
        elif self.loop.event is Event.OVER:
            self.action_result()
        elif self.model.seat is None:
            if self.loop.is_held:
                self.loop.step()
            elif self.session.humans and self.session.is_audience:
                self.action_pace(_AT_ONCE)
        elif self.model.index is None:
            self.action_highlight(1)
        else:
            self.action_choose(self.model.index + 1)

    # -- the typed line ----------------------------------------------------------------------

    def action_type(self) -> None:
        """Open the line for typing a move or a command."""
        self.loop.cover(Obstruction.LINE, True)
        self.view.open_line()

    def action_escape(self) -> None:
        """Close the line, leave the history, or clear the highlight."""
        if self.view.entry.is_open:
            self._close_line()
        elif self.model.is_past:
            self.action_travel_live()
        else:
            self.model.index, self.view.message = None, ""
            self.refresh_table()

    def _close_line(self) -> None:
        self.view.close_line()
        self.loop.cover(Obstruction.LINE, False)

    @on(EntryLine.Entered)
    async def _entered(self, event: EntryLine.Entered) -> None:
        if not event.text:
            self._close_line()
            return
        model = self.model
        try:
            meaning = interpret(event.text, COMMANDS, model.possible, model.parse, model.legal)
        except GameError as error:
            self.say(str(error))
            return
        self._close_line()
        if isinstance(meaning, Chosen):
            self.act(meaning.action)
        else:
            await self.run_command(action_of(meaning))

    async def run_command(self, action: str) -> None:
        """Run a Textual action of this screen."""
        await self.app.run_action(action, default_namespace=self)

    @on(PictureView.Clicked)
    def _clicked(self, event: PictureView.Clicked) -> None:
        if self.model.seat is None:
            return
        try:
            self.act(self.model.parse(event.notation))
        except GameError as error:
            self.say(str(error))

    @on(ChoiceList.Chosen)
    def _chosen(self, event: ChoiceList.Chosen) -> None:
        self.action_choose(event.index + 1)

    @on(TablePanes.Travelled)
    def _travelled(self, event: TablePanes.Travelled) -> None:
        self.travel(event.ply)

    # -- back and forth ----------------------------------------------------------------------

    def travel(self, ply: int) -> None:
        """Show another ply."""
        self.view.message = ""
        self.model.travel(ply)
        self.loop.browse(self.model.is_past)

    def action_travel(self, by: int) -> None:
        """Look at an earlier or a later step."""
        self.travel(self.model.ply + by)

    def action_travel_first(self) -> None:
        """Look at the beginning."""
        self.travel(0)

    def action_travel_live(self) -> None:
        """Come back to the present."""
        self.travel(self.session.match.ply)

    def action_undo(self) -> None:
        """Undo to the last choice of a person."""
        self._go_back(self.loop.undo)

    def action_redo(self) -> None:
        """Redo what was undone."""
        self._go_back(self.loop.redo)

    def _go_back(self, jump: Callable[[], None]) -> None:
        self.view.message = ""
        self.hints.stop()
        self.model.travel(self.session.match.ply)
        self.model.reveal(None)
        self.loop.is_browsing = False
        jump()
