"""The table as it is drawn and driven: board, facts, story, choices, and the line to type in."""

from __future__ import annotations

import contextlib
from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Input

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import Seat
from boardgames_cli.core.view import Size
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.setup import Settings
from boardgames_cli.session.thinking import Answer
from boardgames_cli.tui.analysis import analysis_picture
from boardgames_cli.tui.animation import Animation, frame_seconds
from boardgames_cli.tui.beat import BeatConductor
from boardgames_cli.tui.conductor import Conductor, Desk
from boardgames_cli.tui.hints import Adviser, Counsel
from boardgames_cli.tui.outlook import Outlook, Panel
from boardgames_cli.tui.screens import ask
from boardgames_cli.tui.screens.frame import Frame
from boardgames_cli.tui.status import estimate_bar, key_hints, prompt_bar, title_bar
from boardgames_cli.tui.theme import MONOCHROME, Palette
from boardgames_cli.tui.widgets.bars import Bar, KeyBar, Piece
from boardgames_cli.tui.widgets.choices import ChoiceList
from boardgames_cli.tui.widgets.log import LogPane
from boardgames_cli.tui.widgets.picture import PictureView

PLACEHOLDER = "press : to type a move or a command"
_TICK = 0.1
_FEW = 3
"""So many actions, one a line, need no more room than they have."""
IN_THE_PAST = "This is the past, which can't be changed. } or esc goes back to the game."


class Table(Frame):
    """Shows a session and keeps it going; the keys are added by `GameScreen`.

    Args:
        session: The table.
        settings: How it is shown and paced.
    """

    class Answered(Message):
        """An agent has answered; posted from its thread."""

        def __init__(self, answer: Answer) -> None:
            super().__init__()
            self.answer = answer

    class Advised(Message):
        """The adviser has answered; posted from its thread."""

        def __init__(self, counsel: Counsel) -> None:
            super().__init__()
            self.counsel = counsel

    def __init__(self, session: Session, settings: Settings) -> None:
        super().__init__()
        self.session = session
        self.settings = settings
        self.outlook = Outlook(session)
        desk = Desk(self.set_timer, self.refresh_table, self.say, self._deliver)
        self.conductor = (
            Conductor(session, settings.pace, desk, auto_forced=settings.auto_forced)
            if session.tick is None
            else BeatConductor(session, session.tick, desk)
        )
        self.adviser = Adviser(session, self._deliver_counsel)
        self.palette = Palette(settings.theme, session.view.palette)
        self.message = ""
        self.animation = Animation(self.set_timer, self._show_board)
        self._drawn_ply = session.match.ply
        self._asked: int | None = None
        self._wants_hint = False
        self._is_result_shown = False

    def body(self) -> ComposeResult:
        """Board and facts, then the lines below them."""
        yield Bar(id="title")
        with Horizontal(id="table"):
            yield PictureView(centred=True, id="board")
            with Vertical(id="side"):
                yield PictureView(id="facts")
                yield PictureView(id="analysis")
                yield LogPane(id="log")
        yield Bar(id="estimate")
        yield Bar(id="prompt")
        yield ChoiceList(id="choices")
        with Horizontal(id="line"):
            yield Bar(id="mark")
            yield Input(placeholder=PLACEHOLDER, compact=True, id="entry", select_on_focus=False)
        yield Bar(id="message")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Begin."""
        self.query_one(Input).can_focus = False
        self.query_one(Input).cursor_blink = False
        self.set_interval(_TICK, self._tick)
        self.app.theme_changed_signal.subscribe(self, lambda _: self.use_theme())
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

    def on_resize(self) -> None:
        """Draw for the new size, once the widgets have theirs."""
        self.animation.stop()
        self.call_after_refresh(self.refresh_table)

    def use_theme(self) -> None:
        """Take the colours of the application's theme."""
        theme = self.app.theme
        self.palette = Palette(theme, self.session.view.palette)
        self.outlook.is_framed = theme == MONOCHROME
        self.refresh_table()

    # -- drawing -----------------------------------------------------------------------------

    def refresh_table(self) -> None:
        """Show everything as it is now."""
        if not self.is_mounted:
            return
        self._move_board()
        self._show_board()
        self._show_side()
        outlook, palette = self.outlook, self.palette
        in_list = outlook.panel is Panel.ANALYSIS and not self.has_class("-wide")
        self.set_class(in_list and len(outlook.legal) > _FEW, "-analysis")
        self.query_one("#choices", ChoiceList).show(
            outlook.choices(with_analysis=in_list), outlook.refusals(), outlook.index, palette
        )
        self.query_one(LogPane).show(self.session.log(outlook.past), palette)
        self.query_one("#title", Bar).show(*title_bar(self.session, outlook), palette)
        self.query_one("#mark", Bar).show([Piece("›", "key")], (), palette)
        estimate = self.query_one("#estimate", Bar)
        # Beside an analysis nobody needs to be told that there is no estimate.
        has_estimate = outlook.panel is Panel.ANALYSIS and outlook.estimate() is not None
        estimate.display = outlook.panel is Panel.ESTIMATE or has_estimate
        if estimate.display:
            width = self.size.width // 2 - 6
            estimate.show(*estimate_bar(outlook, width, outlook.is_framed), palette)
        self.query_one(KeyBar).show_keys(
            key_hints(self.conductor, outlook, self.has_class("-compact")), palette
        )
        self._show_lines()
        self._meet_event()
        self._analyse()

    def _move_board(self) -> None:
        """Let something move on the board if a step has just been taken."""
        outlook, ply = self.outlook, self.session.match.ply
        is_next = ply == self._drawn_ply + 1 and not outlook.is_past
        is_still = self.app.animation_level == "none"
        if ply != self._drawn_ply or outlook.is_past or outlook.index is not None:
            self.animation.stop()
        if is_next and not is_still and self.conductor.pace.seconds != 0 and self._board_size:
            frames = outlook.frames(self._board_size)
            self.animation.play(frames, frame_seconds(self.conductor.pace, len(frames)))
        self._drawn_ply = ply

    @property
    def _board_size(self) -> Size | None:
        width, height = self.query_one("#board", PictureView).size
        return Size(width, height) if width and height else None

    def _show_board(self) -> None:
        session, outlook, size = self.session, self.outlook, self._board_size
        if size is None:
            return
        picture = self.animation.picture or session.view.picture(
            session.game, outlook.seen(), size, outlook.look()
        )
        self.query_one("#board", PictureView).show(picture, self.palette)

    def _show_side(self) -> None:
        session, outlook = self.session, self.outlook
        facts = session.view.sidebar(session.game, outlook.seen(), outlook.look())
        self.query_one("#facts", PictureView).show(facts, self.palette)
        analysis = self.query_one("#analysis", PictureView)
        analysis.display = outlook.panel is Panel.ANALYSIS and self.has_class("-wide")
        if analysis.display:
            waiting = "thinking …" if self.adviser.is_busy else "on your turn"
            width = self.query_one(LogPane).size.width - 1
            shown = analysis_picture(outlook.counsel, outlook.legal, session.worth, waiting, width)
            analysis.show(shown, self.palette)

    def _analyse(self) -> None:
        """Ask what the choices are worth, once for each decision, while that is to be shown."""
        outlook, version = self.outlook, self.session.match.version
        if outlook.panel is not Panel.ANALYSIS or outlook.seat is None or outlook.counsel:
            return
        if self._asked != version:
            self._ask()
            self._show_side()

    def _ask(self) -> None:
        self._asked = self.session.match.version
        self.adviser.ask(self.session.observe(self.outlook.seat))

    def _show_lines(self) -> None:
        self.query_one("#prompt", Bar).show(*prompt_bar(self.conductor, self.outlook), self.palette)
        self.query_one("#message", Bar).show([Piece(self.message)], (), self.palette)

    def _tick(self) -> None:
        self.conductor.check_late()
        if self.conductor.thinking_seconds is not None or self.adviser.is_busy:
            self._show_lines()

    def say(self, text: str) -> None:
        """Show a message until something is done."""
        self.message = text
        if self.is_mounted:
            self._show_lines()

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

    def play_text(self, text: str) -> bool:
        """Play what was typed: a number or a move; False if it was refused, with the reason."""
        seat = self.outlook.seat
        if seat is None:
            self.say(self.why_not(0))
            return False
        # Other scripts' digits are no choices, and Python refuses to read very long numbers.
        is_number = text.isascii() and text.isdigit() and len(text) < 6
        if is_number and 1 <= int(text) <= len(self.outlook.legal):
            self.play(int(text) - 1)
            return True
        try:
            action = self.session.game.parse(self.session.match.state, seat, text)
        except GameError as error:
            self.say(str(error))
            return False
        self.act(seat, action)
        return True

    @on(PictureView.Clicked)
    def _clicked(self, event: PictureView.Clicked) -> None:
        if self.outlook.seat is not None:
            self.play_text(event.notation)

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

    def _deliver(self, answer: Answer) -> None:
        self._post_from_thread(self.Answered(answer))

    def _deliver_counsel(self, counsel: Counsel) -> None:
        self._post_from_thread(self.Advised(counsel))

    def _post_from_thread(self, message: Message) -> None:
        with contextlib.suppress(RuntimeError):  # the program may have ended meanwhile
            self.post_message(message)

    @on(Answered)
    def _answered(self, event: Answered) -> None:
        self.conductor.take(event.answer)

    @on(Advised)
    def _advised(self, event: Advised) -> None:
        counsel = event.counsel
        if counsel.advice is None:
            self.say(counsel.problem)
        elif self.outlook.take_counsel(counsel) and self._wants_hint:
            self.show_hint()
        self.refresh_table()

    def stop_advice(self) -> None:
        """Want no advice on what is being decided any more."""
        self.adviser.stop()
        self._asked, self._wants_hint = None, False

    def ask_hint(self) -> None:
        """Show the best action, as soon as it is known."""
        if self.outlook.counsel is not None:
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
        session, seat = self.session, self.outlook.seat
        if self.outlook.take_hint() is None or seat is None:
            return
        self.say(self.hint_text())
        session.remark(f"{session.names[seat]} took a hint.")

    def hint_text(self, count: int = 1) -> str:
        """The best actions with what they are worth."""
        advice = self.outlook.advice
        assert advice is not None
        named = []
        for action, value in advice.values[:count]:
            worth = "" if value is None else self.session.worth(value)
            worth = advice.words.get(action, worth)
            named.append(f"{action} ({worth})" if worth else str(action))
        more = "   i shows more" if count == 1 and len(advice.values) > 1 else ""
        return f"Hint: {', then '.join(named)}.{more}"
