"""The keys of the table."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from typing import ClassVar, Final

from textual import on
from textual.binding import BindingType
from textual.widgets import Input

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import Traits
from boardgames_cli.session.commands import Chosen, interpret
from boardgames_cli.session.hints import hint_sentence
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.setup import Settings
from boardgames_cli.session.viewpoint import ALL_SEEING, Viewpoint
from boardgames_cli.tui.commands import COMMANDS, action_of
from boardgames_cli.tui.keys import ACTION_OF_KEY, GAME_BINDINGS, keys_beside
from boardgames_cli.tui.screens import ask
from boardgames_cli.tui.screens.table import IN_THE_PAST, Table
from boardgames_cli.tui.screens.table_view import PLACEHOLDER
from boardgames_cli.tui.table_model import Panel
from boardgames_cli.tui.widgets.choices import ChoiceList

_MOST_NAMED: Final = 3
"""Actions in a hint that was asked for again."""

_AT_ONCE: Final = 99
"""Paces to go up to be as fast as possible."""


def game_screen(session: Session, settings: Settings) -> GameScreen:
    """The screen of a table, with the keys of its game."""
    return _kind(tuple(keys_beside(session)))(session, settings)


@functools.cache
def _kind(more: tuple[BindingType, ...]) -> type[GameScreen]:
    """A screen with more keys. Textual never forgets a class, so each is made once."""
    return type("GameScreen", (GameScreen,), {"BINDINGS": list(more)}) if more else GameScreen


class GameScreen(Table):
    """One table being played."""

    BINDINGS: ClassVar[list[BindingType]] = GAME_BINDINGS

    _is_assisted = False
    """Whether the story says already that the analysis was looked at."""

    async def action_press(self, key: str) -> None:
        """Do what a key of the game means; if that is nothing now, what it means everywhere."""
        press = self.outlook.keyboard.press(key, self.outlook.seat)
        if press is None:
            if key in ACTION_OF_KEY:
                await self.run_command(ACTION_OF_KEY[key])
            else:
                self.say(self.why_not())
            return
        seat, text = press
        if text:
            self.act(seat, self.session.game.parse(self.session.match.state, seat, text))
        else:
            self.refresh_table()

    def action_choose(self, number: int) -> None:
        """Take an action by its number."""
        self.play(number - 1)

    def action_highlight(self, by: int) -> None:
        """Highlight another action."""
        self.outlook.move_highlight(by)
        self.refresh_table()

    def action_highlight_row(self, by: int) -> None:
        """Highlight the action above or below."""
        columns = self.query_one("#choices", ChoiceList).columns
        index, count = self.outlook.index, len(self.outlook.legal)
        if index is not None and 0 <= index + by * columns < count:
            by *= columns
        self.action_highlight(by)

    def action_tab(self) -> None:
        """Next action; in a small window the other pane."""
        if self.has_class("-compact"):
            self.toggle_class("-side")
            self.call_after_refresh(self.refresh_table)
        else:
            self.action_highlight(1)

    def action_confirm(self) -> None:
        """Do the obvious: take the highlighted action, or go on."""
        if self.outlook.is_past:
            self.action_travel_live()
        elif self.conductor.event is Event.OVER:
            self.action_result()
        elif self.outlook.seat is None:
            if self.conductor.is_held:
                self.conductor.step()
            elif self.session.humans and self.session.is_audience:
                self.action_pace(_AT_ONCE)
        elif self.outlook.index is None:
            self.action_highlight(1)
        else:
            self.play(self.outlook.index)

    def action_type(self) -> None:
        """Let a move or a command be typed."""
        entry = self.query_one(Input)
        self.conductor.cover(True)
        entry.can_focus = True
        entry.placeholder = "a move, its number, or a command such as undo or help; esc leaves"
        entry.focus()

    def action_escape(self) -> None:
        """Leave the line, the past, or the highlight."""
        if self.query_one(Input).has_focus:
            self._close_line()
        elif self.outlook.is_past:
            self.action_travel_live()
        else:
            self.outlook.index, self.message = None, ""
            self.refresh_table()

    def _close_line(self) -> None:
        entry = self.query_one(Input)
        entry.value = ""
        entry.placeholder = PLACEHOLDER
        self.set_focus(None)
        entry.can_focus = False
        self.conductor.cover(False)

    @on(Input.Submitted, "#entry")
    async def _submitted(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        if not text:
            self._close_line()
            return
        try:
            meaning = interpret(
                text, COMMANDS, self.possible(), self.parse_action, self.outlook.legal
            )
        except GameError as error:
            self.say(str(error))
            return
        self._close_line()
        if isinstance(meaning, Chosen):
            seat = self.outlook.seat
            assert seat is not None, "who can't act has no actions"
            self.act(seat, meaning.action)
        else:
            await self.run_command(action_of(meaning))

    async def run_command(self, action: str) -> None:
        """Run an action of this screen given as text."""
        await self.app.run_action(action, default_namespace=self)

    def action_undo(self) -> None:
        """Undo to the last choice of a person."""
        self._go_back(self.conductor.undo)

    def action_redo(self) -> None:
        """Redo what was undone."""
        self._go_back(self.conductor.redo)

    def _go_back(self, jump: Callable[[], None]) -> None:
        self.message = ""
        self.stop_advice()
        self.outlook.travel(self.session.match.ply)
        self.outlook.reveal(None)
        self.conductor.is_browsing = False
        jump()

    def action_hint(self) -> None:
        """Ask for a hint; a second time show the next best as well."""
        if self.outlook.seat is None:
            self.say(IN_THE_PAST if self.outlook.is_past else "It is not your turn yet.")
        elif self.outlook.hint is not None:
            self.say(hint_sentence(self.outlook.hint, self.session.worth, _MOST_NAMED))
        else:
            self.ask_hint()

    def action_refusals(self) -> None:
        """Make room for all illegal actions, or take it back."""
        self.toggle_class("-refusals")
        if self.has_class("-refusals") and not self.outlook.refusals():
            self.say("Nothing tempting is illegal now.")
        self.call_after_refresh(self.refresh_table)

    def action_layer(self) -> None:
        """Lay something over the board, or take it off."""
        view = self.session.view
        if not view.layer:
            self.say(
                f"There is nothing to be laid over the board of {self.session.game.info.name}."
            )
            return
        session = self.session
        session.shows_layer = not session.shows_layer
        self.say(f"{view.layer.capitalize()}: {'shown' if session.shows_layer else 'hidden'}.")
        self.refresh_table()

    def action_follow(self) -> None:
        """See what the next seat sees, round and round."""
        seats = self.session.game.seats
        last = self.session.viewpoint.seat
        seat = 0 if last is None else (last + 1) % seats
        self._look_through(Viewpoint((seat,)), f"You see what {self.session.names[seat]} sees.")

    def action_see_all(self) -> None:
        """See everything."""
        self._look_through(ALL_SEEING, "You see everything.")

    def _look_through(self, viewpoint: Viewpoint, said: str) -> None:
        try:
            self.session.follow(viewpoint)
        except GameError as error:
            self.say(str(error))
            return
        self.say(said)
        self.refresh_table()

    def action_estimate(self) -> None:
        """Winning chances, then the analysis of every action, then nothing again."""
        outlook, session = self.outlook, self.session
        outlook.panel = outlook.panel.next()
        if outlook.panel is Panel.ANALYSIS and session.humans and not self._is_assisted:
            self._is_assisted = True
            session.remark("The analysis was turned on.")
        if outlook.panel is not Panel.ANALYSIS and not self.outlook.hint:
            self.stop_advice()
        self.refresh_table()
        self.call_after_refresh(self.refresh_table)

    def action_travel(self, by: int) -> None:
        """Look at an earlier or a later step."""
        self.travel(self.outlook.ply + by)

    def action_travel_first(self) -> None:
        """Look at the beginning."""
        self.travel(0)

    def action_travel_live(self) -> None:
        """Come back to the present."""
        self.travel(self.session.match.ply)

    def action_pause(self) -> None:
        """Pause, or go on."""
        self.conductor.pause(not self.conductor.is_paused)

    def action_pace(self, by: int) -> None:
        """Show steps faster or slower."""
        self.conductor.change_pace(by)
        self.say(self.conductor.pace_text)

    def action_step(self) -> None:
        """Take one step now."""
        if self.outlook.is_past:
            self.say(IN_THE_PAST)
        else:
            self.conductor.step()

    def action_hurry(self) -> None:
        """Make the agent move now."""
        self.conductor.hurry()

    def action_copy(self) -> None:
        """Copy the position as JSON to the clipboard."""
        game = self.session.game
        self.app.copy_to_clipboard(json.dumps(game.to_json(self.outlook.seen().state)))
        if Traits.HIDDEN in game.traits:
            # What is hidden is missing, so no game can start from it.
            self.say("What you know of the position is in the clipboard.")
        else:
            self.say("The position is in the clipboard: boardgames play … --position FILE.")

    def action_save_as(self, name: str = "") -> None:
        """Save a copy under a name."""
        ask.save_as(self, name)

    def action_help(self, page: str = "keys") -> None:
        """Keys, rules, legend."""
        ask.show_help(self, page)

    def action_result(self) -> None:
        """The result and what can be done next."""
        if self.conductor.event is Event.OVER and self.app.screen is self:
            ask.show_result(self)

    def action_review(self) -> None:
        """Look back through the finished game; nothing is secret any more."""
        if self.conductor.event is not Event.OVER:
            self.say("v looks back through the game when it is over; [ and ] do so now.")
        elif self.app.screen is self:
            ask.review(self)

    def action_leave(self) -> None:
        """Save and quit, or stay."""
        ask.leave(self)

    def action_menu(self) -> None:
        """Save and open the menu."""
        ask.leave_for(self, lambda: self.app.run_worker(self.app.run_action("open_menu")))
