"""The game screen: shows one session, and plays and browses it by keys and mouse."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.geometry import Size
from textual.widgets import Input

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import Seat, Traits
from boardgames_cli.core.text import Span
from boardgames_cli.evaluation.oracle import Oracle
from boardgames_cli.session.commands import Chosen, FrontEnd, commands_of, interpret
from boardgames_cli.session.match_driver import Obstruction
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.settings import Pace, Settings
from boardgames_cli.session.viewpoint import ALL_SEEING, Viewpoint
from boardgames_cli.tui.command_list import action_of
from boardgames_cli.tui.effects import countdown, moments_of, step_effect
from boardgames_cli.tui.keys import GAME_BINDINGS, layer_of
from boardgames_cli.tui.screens.frame import HelpTopic
from boardgames_cli.tui.table.analysis import Panel, TableHints
from boardgames_cli.tui.table.table_screen import TableScreen
from boardgames_cli.tui.theme import tells_grounds
from boardgames_cli.tui.widgets.choices import ChoiceList
from boardgames_cli.tui.widgets.panes import TablePanes
from boardgames_cli.tui.widgets.picture import Bar, KeyBar, PictureView

if TYPE_CHECKING:
    from boardgames_cli.tui.screens.table_dialogs import TableDialogs, TableNews, TutorDialog

_TICK: Final = 0.1
_FRAME: Final = 1 / 15
"""Seconds between frames of the countdown bar."""
_AT_ONCE: Final = 99
"""More levels than there are paces."""


class GameScreen(TableScreen):
    """Shows one session, and handles keys, clicks and typed commands."""

    BINDINGS: ClassVar[list[BindingType]] = GAME_BINDINGS

    def __init__(self, session: Session, settings: Settings) -> None:
        super().__init__(session, settings)
        post = self.from_thread
        has_tutor = settings.tutor and settings.tick is None and bool(session.humans)
        self.oracle = Oracle(
            session.match,
            session.holder_specs,
            lambda: post(self._hear_oracle, None),
            marks=has_tutor,
        )
        self.hints = TableHints(self)
        self._version: int | None = None
        """The version of the match that clears the message; None if it stays."""
        self._drawn_ply = session.match.ply
        self._drawn_from = self.viewpoint
        """The viewpoint of what was last drawn at rest."""
        self.commands = commands_of(FrontEnd.SCREEN, is_social=session.company is not None)
        self.tutor_dialog: TutorDialog | None = None
        if has_tutor:
            from boardgames_cli.tui.screens.table_dialogs import TutorDialog

            self.tutor_dialog = TutorDialog(self, self.action_hint)
        self.news: TableNews | None = None
        if session.company is not None:
            from boardgames_cli.tui.screens.table_dialogs import TableNews

            self.news = TableNews(self, session.company, self.action_talk)
        self._is_result_shown = False
        self._must_count_down = session.tick is not None
        self._last_size: Size | None = None

    @cached_property
    def dialogs(self) -> TableDialogs:
        # Imported late, so that the first board does not wait for them.
        from boardgames_cli.tui.screens.table_dialogs import TableDialogs

        return TableDialogs(self)

    def parse(self, text: str) -> Any:
        """Read an action of the person who can act.

        Raises:
            GameError: It is not an action, not legal, or nobody can act now.
        """
        seat = self.seat
        if seat is None:
            raise GameError(self.why_not())
        return self.session.game.parse(self.session.match.state, seat, text)

    def body(self) -> ComposeResult:
        yield Bar(id="title")
        yield self.panes
        with Vertical(id="below"):
            if self.session.company is not None:
                yield Bar(id="news")
            yield Bar(id="prompt")
            yield self.choices
            if self.has_people_lines:
                yield PictureView(id="people")
            yield Bar(id="gauge")
            yield self.entry
            yield Bar(id="message")
            yield KeyBar(id="keys")

    def game_palette(self) -> Mapping[str, Mapping[str, str]]:
        return self.session.view.palette

    def use_theme(self) -> None:
        self.session.has_colours = tells_grounds(self.app.theme, self.app)
        super().use_theme()

    def _hear_oracle(self, _: None) -> None:
        self.hints.take_news()
        self.redraw()

    def on_mount(self) -> None:
        self.set_interval(_TICK, self._tick)
        if self.session.tick is not None and self.app.animation_level != "none":
            self.set_interval(_FRAME, self._draw_beat)
        self.use_theme()
        self.call_after_refresh(self.loop.go_on)

    def on_screen_suspend(self) -> None:
        """Another screen covers the game; real time stops."""
        self.loop.cover(Obstruction.SCREEN, True)

    def on_screen_resume(self) -> None:
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
        if not self.query("#title"):
            return  # widgets of a closing screen disappear one by one
        self.follow_pause()
        self._draw_table()
        if self.news is not None:
            self.news.tell()
        if self.tutor_dialog is not None and not self.loop.awaited:
            self.tutor_dialog.consider()
        is_settled = not (self.is_past or self.is_moving)
        seat = self.must_hand_over if is_settled and not self.loop.awaited else None
        if seat is not None and self.app.screen is self:
            self.dialogs.hand_over(seat)
        if self._must_count_down and self.loop.event not in (Event.CHANCE, Event.OVER):
            self._must_count_down = False
            self._count_down()
        if self.loop.event is not Event.OVER:
            if self._is_result_shown:
                self.dialogs.close_result()
            self._is_result_shown = False
        elif not (self._is_result_shown or self.is_past or self.has_effect):
            self._is_result_shown = True
            self.call_later(self.action_result, True)
        self.hints.request_analysis()

    def _draw_table(self) -> None:
        session = self.session
        if self._version not in (None, session.match.version):
            self.message, self._version = "", None
        self._move_board()
        if not self.is_moving:
            self._drawn_from = self.viewpoint
        shown, palette = self.shown, self.palette
        is_kept = self.loop.awaited and not self.is_past and not self.is_moving
        self.panes.kept = shown.frames if is_kept else None
        self.panes.show(shown, palette)
        self.hints.draw()
        choices = [self.listed_choice(shown, action) for action in shown.listed]
        self.choices.show(self.hints.annotated(choices), shown.refusals, self.index, palette)
        self.draw_people()
        self.show_bar("mark", [Span("Say:" if self.entry.is_talk else "›", "key")])
        self._draw_gauge()
        super().draw()

    def _draw_gauge(self) -> None:
        self.draw_gauge(self.hints.standing())

    def _draw_beat(self) -> None:
        if self.hints.panel is Panel.OFF:
            self.draw_gauge(None)

    @property
    def has_effect(self) -> bool:
        """Whether an effect is shown in place of the board, of a step or not."""
        return self.panes.animation.picture is not None

    def _move_board(self) -> None:
        ply = self.session.match.ply
        if ply != self._drawn_ply or self.is_past or self.index is not None:
            self.panes.animation.stop()
        is_next = ply == self._drawn_ply + 1 and not self.is_past
        self._drawn_ply = ply
        pace = self.loop.pace
        if self.session.tick is not None:
            # The game goes on meanwhile, so it must not be covered while somebody plays.
            is_still = self.loop.awaited or self.loop.event is Event.OVER
            pace = self.settings.pace if is_still else Pace.INSTANT
        if is_next and pace is not Pace.INSTANT:
            self._show_step(pace)

    def _show_step(self, pace: Pace) -> None:
        session = self.session
        # People who take turns at a screen see a move from the side of who has made it.
        viewpoint = self.viewpoint if session.keeps_secrets else self._drawn_from
        after = session.snapshot(viewpoint)
        before = session.snapshot(viewpoint, session.match.ply - 1)
        seconds = self.panes.play(lambda size: step_effect(before, after, size, pace), before)
        self.loop.linger(seconds)
        if seconds and self.settings.bell and moments_of(after):
            self.app.bell()

    def _count_down(self) -> None:
        if self.settings.pace is not Pace.INSTANT:
            seconds = self.panes.play(lambda size: countdown(self.shown, size))
            self.loop.cover(Obstruction.COUNTDOWN, seconds > 0)

    def end_effect(self) -> None:
        """End the effect that is shown, if one is, and the waiting for it."""
        if self.has_effect:
            self.panes.animation.stop()
            self.loop.linger(0)
            self.loop.cover(Obstruction.COUNTDOWN, False)
            self.redraw()

    def draw_lines(self) -> None:
        super().draw_lines()
        self.show_bar("prompt", *self.prompt_bar())
        if self.news is not None:
            self.show_bar("news", *self.news.bar())

    def say(self, text: str, *, is_passing: bool = False) -> None:
        """Show a message until the next action; a passing one until anything changes."""
        self.message = text
        self._version = self.session.match.version if is_passing else None
        if self.is_mounted:
            self.draw_lines()

    def refuse(self, number: int | None = None) -> None:
        self.say(self.why_not(number), is_passing=True)

    @on(TablePanes.Settled)
    def _settled(self) -> None:
        self.loop.cover(Obstruction.COUNTDOWN, False)

    def on_key(self, event: events.Key) -> None:
        """End an effect, and keep keys meant for the previous decision from ending a pause."""
        self.end_effect()
        if self.is_resting:
            event.stop()

    def on_mouse_down(self) -> None:
        self.end_effect()

    def _tick(self) -> None:
        self.loop.check_late()
        if self.news is not None:
            self.news.tick()
        if self.news is not None or self.loop.request is not None or self.hints.is_busy:
            self.draw_lines()

    def action_hint(self) -> None:
        """Ask for a hint; a second time show its figures."""
        if self.seat is None:
            self.refuse()
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
        if self.has_class("-refusals") and not self.shown.refusals:
            self.say("No illegal actions are worth listing now.")
        self.call_after_refresh(self.redraw)

    def action_layer(self) -> None:
        session, layer = self.session, layer_of(self.session.view)
        if not layer:
            self.say(f"{session.game.info.name} has no overlay for its board.")
        else:
            session.shows_layer = not session.shows_layer
            self.say(f"{layer.capitalize()}: {'shown' if session.shows_layer else 'hidden'}.")
        self.redraw()

    def action_follow(self) -> None:
        session, last = self.session, self.session.viewpoint.seat
        seat = 0 if last is None else (last + 1) % session.game.seats
        self._follow(Viewpoint((seat,)), f"You see what {session.names[seat]} sees.")

    def action_see_all(self) -> None:
        self._follow(ALL_SEEING, "You see everything.")

    def _follow(self, viewpoint: Viewpoint, said: str) -> None:
        with self.telling_errors():
            self.session.follow(viewpoint)
            self.say(said)
        self.redraw()

    def action_pause(self) -> None:
        self.loop.pause(not self.loop.is_paused)

    def action_pace(self, by: int) -> None:
        self.loop.change_pace(by)
        self.say(self.loop.pace_text)

    def action_step(self) -> None:
        if self.is_past:
            self.refuse()
        else:
            self.loop.step()

    def action_hurry(self) -> None:
        """Make the agent move now; without people in the game, go to its end."""
        if self.are_people_out:
            self.loop.fast_forward()
        else:
            self.loop.step()

    def action_rematch(self) -> None:
        """Leave a game that goes on without people for another one."""
        if self.are_people_out:
            self.dialogs.rematch()
        elif self.loop.event is Event.OVER:
            self.action_result()
        else:
            self.say("r begins another game once you are out of this one.")

    def action_copy(self) -> None:
        """Copy the position as JSON to the clipboard."""
        game = self.session.game
        self.app.copy_to_clipboard(json.dumps(game.to_json(self.shown.seen.state)))
        if Traits.HIDDEN in game.traits:
            # Hidden information is missing, so no game can start from it.
            self.say("What you know of the position is in the clipboard.")
        else:
            self.say("The position is in the clipboard: boardgames play … --position FILE.")

    def action_save_as(self, name: str = "") -> None:
        self.dialogs.save_copy(name)

    def help_topic(self) -> HelpTopic:
        session = self.session
        return HelpTopic(session.game, session.glyphs, self.palette, session.details)

    def action_result(self, is_new: bool = False) -> None:
        """The result and what can be done next."""
        if self.loop.event is Event.OVER and self.app.screen is self:
            self.dialogs.show_result(is_new=is_new)

    def action_review(self) -> None:
        """Review the finished game, with nothing hidden."""
        if self.loop.event is not Event.OVER:
            self.say("v reviews the game when it is over; [ and ] look back now.")
        elif self.app.screen is self:
            self.dialogs.review()

    def action_leave(self) -> None:
        self.dialogs.leave()

    def action_menu(self) -> None:
        self.dialogs.leave_for(self.app.open_menu)

    def act(self, action: Any, seat: Seat | None = None) -> None:
        """Play a person's action: of the person to act on what is shown, or of another seat."""
        seat = self.seat if seat is None else seat
        assert seat is not None, "a seat that can't act has no actions"
        if self.tutor_dialog is not None and not self.loop.awaited:
            self.tutor_dialog.ask(seat, action, lambda: self._play(action, seat))
        else:
            self._play(action, seat)

    def _play(self, action: Any, seat: Seat) -> None:
        self.message = ""
        self.index = None
        self.hints.stop()
        if self.session.keeps_secrets:
            # Before the step, whose effect would otherwise show what only this person may see.
            self.revealed = None
            if not self.loop.play(seat, action):
                self.revealed = seat
            self.redraw()
        else:
            self.loop.play(seat, action)

    def press(self, seat: Seat, text: str) -> None:
        try:
            action = self.session.game.parse(self.session.match.state, seat, text)
        except GameError as error:
            self.say(str(error), is_passing=True)
        else:
            self.act(action, seat)

    def action_choose(self, number: int) -> None:
        legal = self.listed
        if self.loop.awaited:
            self.say(f"Press enter: {self.loop.awaited}.", is_passing=True)
        elif number > len(legal):
            self.refuse(number)
        else:
            self.act(legal[number - 1])

    def action_confirm(self) -> None:
        if self.is_past:
            self.travel(self.session.match.ply)
        elif self.loop.awaited:
            self.loop.release()
        elif self.loop.event is Event.OVER:
            self.action_result()
        elif self.seat is None:
            if self.loop.is_held:
                self.loop.step()
            elif self.session.humans and self.session.is_audience:
                self.action_pace(_AT_ONCE)
        elif self.index is None:
            self.action_highlight(1)
        else:
            self.action_choose(self.index + 1)

    def action_type(self, text: str = "", is_talk: bool = False) -> None:
        """Open the line for typing a move or a command, perhaps with the beginning of one."""
        self.loop.cover(Obstruction.LINE, True)
        self.query_one("#gauge").display, self.entry.display = False, True
        self.entry.open(text, is_talk=is_talk)
        self.redraw()

    def action_offers(self) -> None:
        """Answer what the others ask, or choose what to ask of them."""
        company = self.session.company
        if self.news is not None and company is not None and company.question:
            self.news.ask()
        else:
            self.dialogs.offer()

    def action_talk(self, word: str, argument: str) -> None:
        """Obey a command about the others at a table on a server."""
        if word == "resign":
            self.dialogs.resign()
        else:
            self.dialogs.talk(word, argument)

    def action_escape(self) -> None:
        """Close the line, leave the history, or clear the highlight."""
        if self.entry.is_open:
            self._close_line()
        elif self.is_past:
            self.travel(self.session.match.ply)
        else:
            self.index, self.message = None, ""
            self.redraw()

    def _close_line(self) -> None:
        self.entry.close()
        self.call_after_refresh(self._draw_gauge)
        self.loop.cover(Obstruction.LINE, False)

    @on(Input.Submitted)
    async def _entered(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        if not text:
            self._close_line()
            return
        if self.entry.is_talk:
            self._close_line()
            self.action_talk("say", text)
            return
        possible = self.shown.seen.legal
        try:
            meaning = interpret(text, self.commands, possible, self.parse, self.listed)
        except GameError as error:
            self.say(str(error))
            return
        self._close_line()
        if isinstance(meaning, Chosen):
            self.act(meaning.action)
        else:
            await self.run_action(action_of(meaning))

    def clicked(self, action: str) -> None:
        if self.seat is not None:
            self.press(self.seat, action)

    @on(ChoiceList.Refused)
    def _refused(self, event: ChoiceList.Refused) -> None:
        action, reason = event.refusal  # not looked up by number: the list may have changed since
        self.say(f"{action} is illegal: {reason}.")

    @on(TablePanes.Travelled)
    def _travelled(self, event: TablePanes.Travelled) -> None:
        self.travel(event.ply)

    def travel(self, ply: int) -> None:
        """Show another ply; the last one is the present."""
        self.message = ""
        self.show_ply(ply)
        self.loop.browse(self.is_past)

    def action_travel(self, by: int) -> None:
        """Look at an earlier or a later step."""
        self.travel(self.shown.seen.ply + by)

    def action_undo(self) -> None:
        """Undo to the last choice of a person."""
        self.loop.jump(self.session.undo, self.forget_moment)

    def action_redo(self) -> None:
        self.loop.jump(self.session.redo, self.forget_moment)

    def forget_moment(self) -> None:
        self.hints.stop()
        super().forget_moment()
