"""The table as it is driven: time, choices, the mouse, and answers from threads."""

from __future__ import annotations

import contextlib
from typing import Any

from textual import on
from textual.message import Message
from textual.widgets import Input

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import Seat
from boardgames_cli.session.agent_thread import ActResult
from boardgames_cli.session.hint_thread import HintResult, HintThread
from boardgames_cli.session.hints import hint_sentence
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.setup import Settings
from boardgames_cli.tui.game_loop import GameLoop, LoopCallbacks
from boardgames_cli.tui.real_time_loop import RealTimeLoop
from boardgames_cli.tui.screens import ask
from boardgames_cli.tui.screens.table_view import TableView
from boardgames_cli.tui.table_model import Panel
from boardgames_cli.tui.widgets.choices import ChoiceList
from boardgames_cli.tui.widgets.log import LogPane
from boardgames_cli.tui.widgets.picture import PictureView

_TICK = 0.1
IN_THE_PAST = "This is the past, which can't be changed. } or esc goes back to the game."


class Table(TableView):
    """Keeps a session going; the keys are added by `GameScreen`.

    Args:
        session: The table.
        settings: How it is shown and paced.
    """

    class Answered(Message):
        """An agent has answered; posted from its thread."""

        def __init__(self, answer: ActResult) -> None:
            super().__init__()
            self.answer = answer

    class Advised(Message):
        """The adviser has answered; posted from its thread."""

        def __init__(self, result: HintResult) -> None:
            super().__init__()
            self.result = result

    def __init__(self, session: Session, settings: Settings) -> None:
        super().__init__(session, settings)
        desk = LoopCallbacks(self.set_timer, self.refresh_table, self.say, self._deliver)
        self.conductor = (
            GameLoop(session, settings.pace, desk, auto_forced=settings.auto_forced)
            if session.tick is None
            else RealTimeLoop(session, session.tick, desk)
        )
        self.adviser = HintThread(session, self._deliver_hint)
        self._asked: int | None = None
        self._wants_hint = False
        self._is_result_shown = False

    def on_mount(self) -> None:
        """Begin."""
        self.query_one(Input).can_focus = False
        self.query_one(Input).cursor_blink = False
        self.set_interval(_TICK, self._tick)
        self.use_theme()
        self.call_after_refresh(self.conductor.go_on)

    def on_screen_suspend(self) -> None:
        """Something lies over the table; real time stands still."""
        self.conductor.cover(True)

    def on_screen_resume(self) -> None:
        """The table is seen again."""
        self.conductor.cover(False)

    def on_unmount(self) -> None:
        """Stop everything that belongs to the table."""
        self.animation.stop()
        self.adviser.stop()
        self.conductor.close()

    def refresh_table(self) -> None:
        """Show everything as it is now, and do what that asks for."""
        super().refresh_table()
        if self.is_mounted:
            self._meet_event()
            self._analyse()

    def _analyse(self) -> None:
        """Ask what the choices are worth, once for each decision, while that is to be shown."""
        outlook, version = self.outlook, self.session.match.version
        if outlook.panel is not Panel.ANALYSIS or outlook.seat is None or outlook.analysis:
            return
        if self._asked != version:
            self._ask()
            self.show_side()

    def _ask(self) -> None:
        self._asked = self.session.match.version
        self.adviser.ask(self.session.observe(self.outlook.seat))

    def _tick(self) -> None:
        self.conductor.check_late()
        late = self.adviser.late()
        if late is not None:
            self._take_result(late)
        if self.conductor.thinking_seconds is not None or self.adviser.is_busy:
            self.show_lines()

    def _meet_event(self) -> None:
        seat = self.outlook.must_hand_over
        if seat is not None and self.app.screen is self and not self.outlook.is_past:
            ask.hand_over(self, seat)
        if self.conductor.event is not Event.OVER:
            self._is_result_shown = False
        elif not self._is_result_shown and not self.outlook.is_past:
            self._is_result_shown = True
            self.call_later(ask.show_result, self)

    # -- playing -----------------------------------------------------------------------------

    def play(self, index: int) -> None:
        """Take the action of that place in the list, counted from 0."""
        seat, legal = self.outlook.seat, self.outlook.legal
        if seat is None or index >= len(legal):
            self.say(self.why_not(index))
            return
        self.act(seat, legal[index])

    def act(self, seat: Seat, action: Any) -> None:
        """Let a person do something."""
        self.message = ""
        self.outlook.index = None
        self.stop_advice()
        if self.conductor.play(seat, action) and self.session.keeps_secrets:
            self.outlook.reveal(None)
            self.refresh_table()

    def why_not(self, index: int = 0) -> str:
        """Why nothing can be done now, or not that action."""
        if self.outlook.is_past:
            return IN_THE_PAST
        if self.conductor.event is Event.OVER:
            return "The game is over. enter shows what you can do now."
        if self.outlook.seat is None:
            return "It is not your turn yet."
        count = len(self.outlook.legal)
        return f"There is no action {index + 1}; choose 1{f' to {count}' if count > 1 else ''}."

    def possible(self) -> tuple[Any, ...]:
        """All that the person can do who is to act on what is shown, listed or not."""
        seat = self.outlook.seat
        return () if seat is None else self.session.observe(seat).legal

    def parse_action(self, text: str) -> Any:
        """Read an action of that person.

        Raises:
            GameError: It is none, is not legal, or nobody can act now.
        """
        seat = self.outlook.seat
        if seat is None:
            raise GameError(self.why_not())
        return self.session.game.parse(self.session.match.state, seat, text)

    @on(PictureView.Clicked)
    def _clicked(self, event: PictureView.Clicked) -> None:
        seat = self.outlook.seat
        if seat is None:
            return
        try:
            action = self.parse_action(event.notation)
        except GameError as error:
            self.say(str(error))
        else:
            self.act(seat, action)

    @on(PictureView.Pointed)
    def _pointed(self, event: PictureView.Pointed) -> None:
        index = self.outlook.index_of(event.notation)
        if index is not None and index != self.outlook.index:
            self.outlook.index = index
            self.refresh_table()

    @on(ChoiceList.Pointed)
    def _pointed_choice(self, event: ChoiceList.Pointed) -> None:
        if event.index is not None and event.index != self.outlook.index:
            self.outlook.index = event.index
            self.refresh_table()

    @on(ChoiceList.Chosen)
    def _chosen(self, event: ChoiceList.Chosen) -> None:
        self.play(event.index)

    @on(ChoiceList.Refused)
    def _refused(self, event: ChoiceList.Refused) -> None:
        refusal = self.outlook.refusals()[event.index]
        self.say(f"{refusal.label} is illegal: {refusal.reason}.")

    @on(PictureView.Wheel)
    def _wheel(self, event: PictureView.Wheel) -> None:
        self.travel(self.outlook.ply + event.direction)

    @on(LogPane.Picked)
    def _picked(self, event: LogPane.Picked) -> None:
        self.travel(event.ply)

    def travel(self, ply: int) -> None:
        """Look at another moment."""
        self.message = ""
        self.outlook.travel(ply)
        self.conductor.browse(self.outlook.is_past)

    # -- answers from threads ----------------------------------------------------------------

    def _deliver(self, answer: ActResult) -> None:
        self._post_from_thread(self.Answered(answer))

    def _deliver_hint(self, result: HintResult) -> None:
        self._post_from_thread(self.Advised(result))

    def _post_from_thread(self, message: Message) -> None:
        with contextlib.suppress(RuntimeError):  # the program may have ended meanwhile
            self.post_message(message)

    @on(Answered)
    def _answered(self, event: Answered) -> None:
        self.conductor.take(event.answer)

    @on(Advised)
    def _advised(self, event: Advised) -> None:
        self._take_result(event.result)

    def _take_result(self, result: HintResult) -> None:
        if result.error is not None:
            self._wants_hint = False
            self.say(str(result.error))
        elif self.outlook.keep(result) and self._wants_hint:
            self.show_hint()
        self.refresh_table()

    def stop_advice(self) -> None:
        """Want no advice on what is being decided any more."""
        self.adviser.stop()
        self._asked, self._wants_hint = None, False

    def ask_hint(self) -> None:
        """Show the best action, as soon as it is known."""
        if self.outlook.analysis is not None:
            self.show_hint()
            self.refresh_table()
            return
        self.say("Looking for a hint …")
        self._wants_hint = True
        if not self.adviser.is_busy:
            self._ask()

    def show_hint(self) -> None:
        """Highlight the best action and say what it is worth; the game is assisted from now on."""
        self._wants_hint = False
        hint, seat = self.outlook.take_hint(), self.outlook.seat
        if hint is None or seat is None:
            return
        more = "   i shows more" if len(hint.values) > 1 else ""
        self.say(hint_sentence(hint, self.session.worth) + more)
        self.session.take_hint(seat, hint.best)
