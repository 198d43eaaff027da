"""The game screen: shows one session, and plays and browses it by keys and mouse."""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import events, on
from textual.binding import BindingsMap, BindingType
from textual.geometry import Size

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import Seat, Traits
from boardgames_cli.session.commands import Chosen, FrontEnd, commands_of, interpret
from boardgames_cli.session.match_driver import Obstruction
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.settings import Settings
from boardgames_cli.session.viewpoint import ALL_SEEING, Viewpoint
from boardgames_cli.tui.command_list import action_of
from boardgames_cli.tui.keyboard import layer_of
from boardgames_cli.tui.keys import (
    ACTION_OF_KEY,
    AUDIENCE_BINDINGS,
    GAME_BINDINGS,
    LAYER_BINDINGS,
)
from boardgames_cli.tui.screens.frame import HelpTopic
from boardgames_cli.tui.table.table_view import TableView
from boardgames_cli.tui.widgets.choices import ChoiceList, moved
from boardgames_cli.tui.widgets.entry import EntryLine
from boardgames_cli.tui.widgets.panes import TablePanes

if TYPE_CHECKING:
    from boardgames_cli.tui.screens.table_dialogs import TableDialogs
    from boardgames_cli.tui.table.table_news import TableNews
    from boardgames_cli.tui.table.tutor_dialog import TutorDialog

_TICK: Final = 0.1
_FRAME: Final = 1 / 15
"""Seconds between frames of the countdown bar."""
_AT_ONCE: Final = 99
"""More levels than there are paces."""


class GameScreen(TableView):
    """Shows one session, and handles keys, clicks and typed commands."""

    BINDINGS: ClassVar[list[BindingType]] = GAME_BINDINGS

    def __init__(self, session: Session, settings: Settings) -> None:
        super().__init__(session, settings)
        self.commands = commands_of(FrontEnd.SCREEN, is_social=session.company is not None)
        beside = [
            *(LAYER_BINDINGS if layer_of(session.view) else []),
            *(AUDIENCE_BINDINGS if Traits.HIDDEN in session.game.traits else []),
        ]
        own = BindingsMap(self.model.keyboard.bindings()).key_to_bindings
        # A game's own keys come first, and win over those of every game.
        keys = own | BindingsMap(beside).key_to_bindings | own
        self._bindings.key_to_bindings.update(keys)
        self.tutor_dialog: TutorDialog | None = None
        if self.has_tutor:
            from boardgames_cli.tui.table.tutor_dialog import (
                TutorDialog,  # imported late: only needed with a tutor
            )

            self.tutor_dialog = TutorDialog(
                self, self.model, self.oracle, settings, self.action_hint
            )
        self.news: TableNews | None = None
        if session.company is not None:
            from boardgames_cli.tui.table.table_news import TableNews  # only at a server's tables

            self.news = TableNews(session.company, self.model, self.loop, self)
        self._is_result_shown = False
        self._must_count_down = session.tick is not None
        self._last_size: Size | None = None

    @cached_property
    def dialogs(self) -> TableDialogs:
        """The dialogs."""
        # Imported late, so that the first board does not wait for them.
        from boardgames_cli.tui.screens.table_dialogs import TableDialogs

        return TableDialogs(self)

    def on_mount(self) -> None:
        self.set_interval(_TICK, self._tick)
        if self.session.tick is not None and self.app.animation_level != "none":
            self.set_interval(_FRAME, self.draw_beat)
        self.use_theme()
        self.call_after_refresh(self.loop.go_on)

    def on_screen_suspend(self) -> None:
        """Another screen covers the game; real time stops."""
        self.loop.cover(Obstruction.SCREEN, True)

    def on_screen_resume(self) -> None:
        """The game is visible again."""
        self._check_size()
        self.loop.cover(Obstruction.SCREEN, False)
        # The result has closed for the review: then this comes while the review is on its way.
        is_back = self.app.screen is self and self._is_result_shown
        if is_back and self.dialogs.is_reviewing:
            self.dialogs.is_reviewing = False
            self.call_after_refresh(self.action_result)

    def on_unmount(self) -> None:
        self.panes.animation.stop()
        self.oracle.drop()
        if self._is_result_shown:
            self.dialogs.stop_review()
        self.loop.close()
        self.session.close()

    def on_resize(self) -> None:
        # Textual reports the first size twice.
        if self.size != self._last_size:
            self.end_effect()
        self._last_size = self.size
        self._check_size()

    def _check_size(self) -> None:
        self.loop.cover(Obstruction.SIZE, self.is_too_small)

    def follow_focus(self, has_focus: bool) -> None:
        # Without the focus people can watch agents, but not play.
        if self.session.humans:
            self.loop.cover(Obstruction.FOCUS, not has_focus)

    def draw(self) -> None:
        self.follow_pause()
        self.draw_table()
        if self.news is not None:
            self.news.tell()
        if self.tutor_dialog is not None and not self.loop.awaited:
            self.tutor_dialog.consider()
        is_shown = not (self.loop.awaited or self.model.is_past or self.model.is_moving)
        seat = self.model.must_hand_over if is_shown else None
        if seat is not None and self.app.screen is self:
            self.dialogs.hand_over(seat)
        if self._must_count_down and self.loop.event not in (Event.CHANCE, Event.OVER):
            self._must_count_down = False
            self.count_down()
        if self.loop.event is not Event.OVER:
            if self._is_result_shown:
                self.dialogs.close_result()
            self._is_result_shown = False
        elif not (self._is_result_shown or self.model.is_past or self.is_moving):
            self._is_result_shown = True
            self.call_later(self.action_result)
        if self.hints.request_analysis():
            self.draw_analysis()

    @on(TablePanes.Settled)
    def _settled(self) -> None:
        self.loop.cover(Obstruction.COUNTDOWN, False)

    def on_key(self, event: events.Key) -> None:
        """End an effect, and keep keys meant for the previous decision from ending a pause."""
        self.end_effect()
        if self.rest is not None and not self.rest.is_over:
            event.stop()

    def _tick(self) -> None:
        self.loop.check_late()
        if self.news is not None:
            self.news.tick()
            self.draw_lines()
        if self.loop.thinking_seconds is not None or self.hints.is_busy:
            self.draw_lines()

    def action_hint(self) -> None:
        """Ask for a hint; a second time show the next best as well."""
        if self.model.seat is None:
            self.say(self.model.why_not(), is_passing=True)
        else:
            self.hints.want_hint()
            self.redraw()

    def action_estimate(self) -> None:
        """Winning chances, then the analysis of every action, then nothing again."""
        self.hints.turn_panel()
        self.redraw()
        self.call_after_refresh(self.redraw)

    def action_refusals(self) -> None:
        """Show or hide the list of all illegal actions."""
        self.toggle_class("-refusals")
        if self.has_class("-refusals") and not self.model.refusals():
            self.say("No illegal actions are worth listing now.")
        self.call_after_refresh(self.redraw)

    def action_layer(self) -> None:
        """Turn the overlay on or off."""
        session, layer = self.session, layer_of(self.session.view)
        if not layer:
            self.say(f"{session.game.info.name} has no overlay for its board.")
        else:
            session.shows_layer = not session.shows_layer
            self.say(f"{layer.capitalize()}: {'shown' if session.shows_layer else 'hidden'}.")
        self.redraw()

    def action_follow(self) -> None:
        """Switch to the next seat's view."""
        session, last = self.session, self.session.viewpoint.seat
        seat = 0 if last is None else (last + 1) % session.game.seats
        self._follow(Viewpoint((seat,)), f"You see what {session.names[seat]} sees.")

    def action_see_all(self) -> None:
        """See everything."""
        self._follow(ALL_SEEING, "You see everything.")

    def _follow(self, viewpoint: Viewpoint, said: str) -> None:
        with self.telling_errors():
            self.session.follow(viewpoint)
            self.say(said)
        self.redraw()

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
            self.say(self.model.why_not(), is_passing=True)
        else:
            self.loop.step()

    def action_hurry(self) -> None:
        """Make the agent move now; without people in the game, go to its end."""
        if self.model.are_people_out:
            self.loop.fast_forward()
        else:
            self.loop.step()

    def action_rematch(self) -> None:
        """Leave a game that goes on without people for another one."""
        if self.model.are_people_out:
            self.dialogs.rematch()
        elif self.loop.event is Event.OVER:
            self.action_result()
        else:
            self.say("r begins another game once you are out of this one.")

    def action_copy(self) -> None:
        """Copy the position as JSON to the clipboard."""
        game = self.session.game
        self.app.copy_to_clipboard(json.dumps(game.to_json(self.model.snapshot.seen.state)))
        if Traits.HIDDEN in game.traits:
            # Hidden information is missing, so no game can start from it.
            self.say("What you know of the position is in the clipboard.")
        else:
            self.say("The position is in the clipboard: boardgames play … --position FILE.")

    def action_save_as(self, name: str = "") -> None:
        """Save a copy under a name."""
        self.dialogs.save_copy(name)

    def help_topic(self) -> HelpTopic:
        session = self.session
        return HelpTopic(session.game, session.glyphs, self.palette, session.details)

    def action_result(self) -> None:
        """The result and what can be done next."""
        if self.loop.event is Event.OVER and self.app.screen is self:
            self.dialogs.show_result(self.settings)

    def action_review(self) -> None:
        """Review the finished game, with nothing hidden."""
        if self.loop.event is not Event.OVER:
            self.say("v reviews the game when it is over; [ and ] look back now.")
        elif self.app.screen is self:
            self.dialogs.review()

    def action_leave(self) -> None:
        self.dialogs.leave()

    def action_menu(self) -> None:
        """Save and open the menu."""
        self.dialogs.leave_for(self.app.open_menu)

    def act(self, action: Any, seat: Seat | None = None) -> None:
        """Play a person's action: of the person to act on what is shown, or of another seat."""
        seat = self.model.seat if seat is None else seat
        assert seat is not None, "a seat that can't act has no actions"
        if self.tutor_dialog is not None and not self.loop.awaited:
            self.tutor_dialog.ask(seat, action, lambda: self._play(action, seat))
        else:
            self._play(action, seat)

    def _play(self, action: Any, seat: Seat) -> None:
        self.message = ""
        self.model.index = None
        self.hints.stop()
        if self.session.keeps_secrets:
            # Before the step, whose effect would otherwise show what only this person may see.
            self.model.reveal(None)
            if not self.loop.play(seat, action):
                self.model.reveal(seat)
            self.redraw()
        else:
            self.loop.play(seat, action)

    async def action_press(self, key: str) -> None:
        """Handle a key of the game; if it has no meaning now, handle it as a general key."""
        press = self.model.keyboard.press(key, self.model.seat)
        if press is None:
            if key in ACTION_OF_KEY:
                await self.run_command(ACTION_OF_KEY[key])
            else:
                self.say(self.model.why_not(), is_passing=True)
            return
        seat, text = press
        if not text:
            self.redraw()
            return
        try:
            action = self.session.game.parse(self.session.match.state, seat, text)
        except GameError as error:
            self.say(str(error), is_passing=True)
            return
        self.act(action, seat)

    def action_choose(self, number: int) -> None:
        """Take an action by its number."""
        legal = self.model.legal
        if self.loop.awaited:
            self.say(f"Press enter: {self.loop.awaited}.", is_passing=True)
        elif number > len(legal):
            self.say(self.model.why_not(number), is_passing=True)
        else:
            self.act(legal[number - 1])

    def action_highlight(self, by: int, in_rows: bool = False) -> None:
        """Highlight another action: the next or the one before, or below or above."""
        columns = self.choices.columns if in_rows else 1
        self.model.index = moved(self.model.index, by, len(self.model.legal), columns)
        self.redraw()

    def action_confirm(self) -> None:
        """Take the highlighted action, or continue."""
        if self.model.is_past:
            self.travel(self.session.match.ply)
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

    def action_type(self) -> None:
        """Open the line for typing a move or a command."""
        self.loop.cover(Obstruction.LINE, True)
        for place in self.query("#estimate, #beat"):
            place.display = False
        self.entry.display = True
        self.entry.open()

    def action_type_command(self, text: str) -> None:
        """Open the line with the beginning of a command."""
        self.action_type()
        self.entry.type(f":{text}")

    def action_talk(self, word: str, argument: str) -> None:
        """Obey a command about the others at a table on a server."""
        company = self.session.company
        assert company is not None, "else there are no such commands"
        with self.telling_errors():
            company.talk(word, argument)
        self.redraw()

    def action_escape(self) -> None:
        """Close the line, leave the history, or clear the highlight."""
        if self.entry.is_open:
            self._close_line()
        elif self.model.is_past:
            self.travel(self.session.match.ply)
        else:
            self.model.index, self.message = None, ""
            self.redraw()

    def _close_line(self) -> None:
        self.entry.close()
        self.call_after_refresh(self._draw_standing)
        self.loop.cover(Obstruction.LINE, False)

    @on(EntryLine.Entered)
    async def _entered(self, event: EntryLine.Entered) -> None:
        if not event.text:
            self._close_line()
            return
        model = self.model
        try:
            meaning = interpret(event.text, self.commands, model.possible, model.parse, model.legal)
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

    def on_mouse_down(self) -> None:
        """End an effect."""
        self.end_effect()

    def clicked(self, action: str) -> None:
        if self.model.seat is not None:
            with self.telling_errors():
                self.act(self.model.parse(action))

    def index_of(self, notation: str) -> int | None:
        return self.model.index_of(notation)

    def point(self, index: int | None) -> None:
        if index not in (None, self.model.index) and index < len(self.model.legal):
            self.model.index = index
            self.draw_table()

    @on(ChoiceList.Refused)
    def _refused(self, event: ChoiceList.Refused) -> None:
        refusal = event.refusal  # not looked up by number: the list may have changed since
        self.say(f"{refusal.label} is illegal: {refusal.reason}.")

    @on(TablePanes.Travelled)
    def _travelled(self, event: TablePanes.Travelled) -> None:
        self.travel(event.ply)

    def travel(self, ply: int) -> None:
        """Show another ply."""
        self.message = ""
        self.model.travel(ply)
        self.loop.browse(self.model.is_past)

    def action_travel(self, by: int) -> None:
        """Look at an earlier or a later step."""
        self.travel(self.model.ply + by)

    def action_undo(self) -> None:
        """Undo to the last choice of a person."""
        self.loop.jump(self.session.undo, self._forget_moment)

    def action_redo(self) -> None:
        """Redo what was undone."""
        self.loop.jump(self.session.redo, self._forget_moment)

    def _forget_moment(self) -> None:
        self.message = ""
        self.hints.stop()
        self.model.travel(self.session.match.ply)
        self.model.reveal(None)
