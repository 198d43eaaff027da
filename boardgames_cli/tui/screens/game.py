"""The screen of a table: its keys, the mouse, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingsMap, BindingType

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import Seat
from boardgames_cli.session.commands import Chosen, interpret
from boardgames_cli.session.hint_thread import HintResult
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.setup import Settings
from boardgames_cli.tui.commands import COMMANDS, action_of
from boardgames_cli.tui.game_loop import LoopCallbacks
from boardgames_cli.tui.keys import ACTION_OF_KEY, GAME_BINDINGS, keys_beside
from boardgames_cli.tui.real_time_loop import make_loop
from boardgames_cli.tui.screens.frame import Frame
from boardgames_cli.tui.table_hints import TableHints
from boardgames_cli.tui.table_model import TableModel
from boardgames_cli.tui.table_view import TableView
from boardgames_cli.tui.widgets.choices import ChoiceList
from boardgames_cli.tui.widgets.entry import EntryLine
from boardgames_cli.tui.widgets.panes import TablePanes
from boardgames_cli.tui.widgets.picture import PictureView

if TYPE_CHECKING:
    from boardgames_cli.tui.screens.table_dialogs import TableDialogs

_TICK: Final = 0.1
_AT_ONCE: Final = 99
"""Paces to go up to be as fast as possible."""


class GameScreen(Frame):
    """One table being played.

    The model says what is shown, the view draws it, the loop drives the session on; the screen
    turns keys and clicks into what they are asked to do.

    Args:
        session: The table.
        settings: How it is shown and paced.
    """

    BINDINGS: ClassVar[list[BindingType]] = GAME_BINDINGS

    def __init__(self, session: Session, settings: Settings) -> None:
        super().__init__()
        self.session = session
        self.settings = settings
        # A game's own keys win over those of every game.
        own = BindingsMap(keys_beside(session))
        self._bindings.key_to_bindings.update(own.key_to_bindings)
        self.model = TableModel(session)
        post = self.from_thread
        callbacks = LoopCallbacks(
            self.set_timer, self.refresh_table, self.say, lambda a: post(self.loop.take, a)
        )
        self.loop = make_loop(session, settings, callbacks)
        self.hints = TableHints(session, self.model, lambda r: post(self._take_hint, r), self.say)
        self.view = TableView(self.model, self.loop, self.hints, settings.theme)
        self._is_result_shown = False

    @cached_property
    def dialogs(self) -> TableDialogs:
        """What may lie over the table."""
        # The first board should not wait for them to be imported.
        from boardgames_cli.tui.screens.table_dialogs import TableDialogs

        return TableDialogs(self, self.view)

    def body(self) -> ComposeResult:
        """The table."""
        yield self.view

    # -- coming and going --------------------------------------------------------------------

    def on_mount(self) -> None:
        """Begin."""
        self.set_interval(_TICK, self._tick)
        self.use_theme()
        self.call_after_refresh(self.loop.go_on)

    def on_screen_suspend(self) -> None:
        """Something lies over the table; real time stands still."""
        self.loop.cover(True)

    def on_screen_resume(self) -> None:
        """The table is seen again."""
        self.loop.cover(False)

    def on_unmount(self) -> None:
        """Stop everything that belongs to the table."""
        self.view.panes.animation.stop()
        self.hints.stop()
        self.loop.close()

    def on_resize(self) -> None:
        """Draw for the new size, once the widgets have theirs."""
        self.view.panes.animation.stop()
        self.call_after_refresh(self.refresh_table)

    def use_theme(self) -> None:
        """Take the colours of the application's theme."""
        self.view.use_theme(self.app.theme)
        self.refresh_table()

    def refresh_table(self) -> None:
        """Show everything as it is now, and do what that asks for."""
        if not self.is_mounted:
            return
        self.view.draw()
        seat = self.model.must_hand_over
        if seat is not None and self.app.screen is self and not self.model.is_past:
            self.dialogs.hand_over(seat, self.refresh_table)
        if self.loop.event is not Event.OVER:
            self._is_result_shown = False
        elif not self._is_result_shown and not self.model.is_past:
            self._is_result_shown = True
            self.call_later(self.action_result)
        if self.hints.meet_analysis():
            self.view.draw_analysis()

    def say(self, text: str) -> None:
        """Show a message until something is done."""
        self.view.say(text)

    def _tick(self) -> None:
        self.loop.check_late()
        if self.hints.check_late():
            self.refresh_table()
        elif self.loop.thinking_seconds is not None or self.hints.is_busy:
            self.view.draw_lines()

    def _take_hint(self, result: HintResult) -> None:
        self.hints.take(result)
        self.refresh_table()

    # -- playing -----------------------------------------------------------------------------

    def act(self, action: Any, seat: Seat | None = None) -> None:
        """Let a person do something: the one to act on what is shown, or another one."""
        seat = self.model.seat if seat is None else seat
        assert seat is not None, "a seat that can't act has no actions"
        self.view.message = ""
        self.model.index = None
        self.hints.stop()
        if self.loop.play(seat, action) and self.session.keeps_secrets:
            self.model.reveal(None)
            self.refresh_table()

    async def action_press(self, key: str) -> None:
        """Do what a key of the game means; if that is nothing now, what it means everywhere."""
        press = self.model.keyboard.press(key, self.model.seat)
        if press is None:
            if key in ACTION_OF_KEY:
                await self.run_command(ACTION_OF_KEY[key])
            else:
                self.say(self.model.why_not())
            return
        seat, text = press
        if text:
            self.act(self.session.game.parse(self.session.match.state, seat, text), seat)
        else:
            self.refresh_table()

    def action_choose(self, number: int) -> None:
        """Take an action by its number."""
        legal = self.model.legal
        if number > len(legal):
            self.say(self.model.why_not(number))
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
        """Do the obvious: take the highlighted action, or go on."""
        if self.model.is_past:
            self.action_travel_live()
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
        """Let a move or a command be typed."""
        self.loop.cover(True)
        self.view.open_line()

    def action_escape(self) -> None:
        """Leave the line, the past, or the highlight."""
        if self.view.entry.is_open:
            self._close_line()
        elif self.model.is_past:
            self.action_travel_live()
        else:
            self.model.index, self.view.message = None, ""
            self.refresh_table()

    def _close_line(self) -> None:
        self.view.close_line()
        self.loop.cover(False)

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
        """Run an action of this screen given as text."""
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
        """Look at another moment."""
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

    # -- what is shown -----------------------------------------------------------------------

    def action_hint(self) -> None:
        """Ask for a hint; a second time show the next best as well."""
        if self.model.seat is None:
            self.say(self.model.why_not())
        else:
            self.hints.want_hint()
            self.refresh_table()

    def action_estimate(self) -> None:
        """Winning chances, then the analysis of every action, then nothing again."""
        self.hints.turn_panel()
        self.refresh_table()
        self.call_after_refresh(self.refresh_table)

    def action_refusals(self) -> None:
        """Make room for all illegal actions, or take it back."""
        self.view.turn_refusals()
        self.call_after_refresh(self.refresh_table)

    def action_layer(self) -> None:
        """Lay something over the board, or take it off."""
        self._show_otherwise(self.model.turn_layer)

    def action_follow(self) -> None:
        """See what the next seat sees, round and round."""
        self._show_otherwise(self.model.view_as_next)

    def action_see_all(self) -> None:
        """See everything."""
        self._show_otherwise(self.model.view_all)

    def _show_otherwise(self, change: Callable[[], str]) -> None:
        try:
            self.say(change())
        except GameError as error:
            self.say(str(error))
        self.refresh_table()

    def action_pause(self) -> None:
        """Pause, or go on."""
        self.loop.pause(not self.loop.is_paused)

    def action_pace(self, by: int) -> None:
        """Show steps faster or slower."""
        self.loop.change_pace(by)
        self.say(self.loop.pace_text)

    def action_step(self) -> None:
        """Take one step now."""
        if self.model.is_past:
            self.say(self.model.why_not())
        else:
            self.loop.step()

    def action_hurry(self) -> None:
        """Make the agent move now."""
        self.loop.hurry()

    # -- other screens -----------------------------------------------------------------------

    def action_copy(self) -> None:
        """Copy the position as JSON to the clipboard."""
        position, said = self.model.position_text()
        self.app.copy_to_clipboard(position)
        self.say(said)

    def action_save_as(self, name: str = "") -> None:
        """Save a copy under a name."""
        self.dialogs.save_copy(name)

    def action_help(self, page: str = "keys") -> None:
        """Keys, rules, legend."""
        self.dialogs.show_help(page)

    def action_result(self) -> None:
        """The result and what can be done next."""
        if self.loop.event is Event.OVER and self.app.screen is self:
            self.dialogs.show_result(self.settings.pace)

    def action_review(self) -> None:
        """Look back through the finished game; nothing is secret any more."""
        if self.loop.event is not Event.OVER:
            self.say("v looks back through the game when it is over; [ and ] do so now.")
        elif self.app.screen is self:
            self.dialogs.review()

    def action_leave(self) -> None:
        """Save and quit, or stay."""
        self.dialogs.leave()

    def action_menu(self) -> None:
        """Save and open the menu."""
        self.dialogs.leave_for_menu()
