"""The base classes of screens and dialogs."""

from __future__ import annotations

import asyncio
import contextlib
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from textual import events, messages, on
from textual._callback import invoke
from textual._styles_cache import StylesCache
from textual._types import CallbackType
from textual.app import App, ComposeResult, ScreenStackError
from textual.await_complete import AwaitComplete
from textual.binding import BindingsMap, BindingType
from textual.dom import NoScreen
from textual.errors import NoWidget
from textual.geometry import Region, Size
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Static

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.core.presentation.styles import DARK
from boardgames_cli.core.text import Glyphs, Picture, Span, columns
from boardgames_cli.tui.effects import ReliableTimers
from boardgames_cli.tui.keys import Keyboard
from boardgames_cli.tui.theme import Palette
from boardgames_cli.tui.widgets.choices import ChoiceList, ListedChoice, moved
from boardgames_cli.tui.widgets.picture import Bar, KeyBar, PictureView, Sides

LEAST_WIDTH: Final = 60
LEAST_HEIGHT: Final = 20
LEAST_ROOM: Final = 20
"""The columns for which a part is drawn at least, such as before the first layout."""

WIDTHS: Final = [(0, "-narrow"), (LEAST_WIDTH, "-compact"), (80, "-standard"), (120, "-wide")]
HEIGHTS: Final = [(0, "-flat"), (LEAST_HEIGHT, "-low"), (24, "-middle"), (40, "-tall")]


_MESSAGES_AT_ONCE: Final = 16
"""How many messages a screen takes before others get their turn."""

_LAST_MESSAGES: Final = (
    events.Unmount,
    events.ScreenSuspend,
    events.Hide,
    events.Callback,
    messages.Prune,
)
"""What a screen that is gone still has to hear."""


class TooSmall(Static):
    """Covers everything while the terminal is too small; shown and hidden by the style sheet."""

    def render(self) -> str:
        width, height = self.app.size
        return (
            f"This terminal is too small: {width}x{height}.\n"
            f"The game needs {LEAST_WIDTH}x{LEAST_HEIGHT}.\n\n"
            "Make the window larger, or play\nwith --no-color. ctrl+c quits."
        )

    def on_resize(self) -> None:
        self.refresh()


if TYPE_CHECKING:
    from boardgames_cli.session.commands import GameCommand
    from boardgames_cli.session.replay import Replay
    from boardgames_cli.session.session import Session
    from boardgames_cli.session.settings import Settings, Setup
    from boardgames_cli.session.snapshot import TableSnapshot
    from boardgames_cli.tui.review_model import ReviewModel
    from boardgames_cli.tui.widgets.panes import TablePanes

    class _Application(App[None]):
        def open_menu(self) -> Awaitable[object]: ...
        def open_replay(
            self, replay: Replay, started: ReviewModel | None = None, ply: int = 0
        ) -> Awaitable[object]: ...
        def open_notice(self, message: str) -> Awaitable[object]: ...
        def open_help(
            self, screen: Screen[Any], topic: HelpTopic, page: str = "keys"
        ) -> Awaitable[object]: ...
        def start(self, setup: Setup, settings: Settings) -> Session: ...
        def use_settings(self, settings: Settings) -> None: ...
        def resume(self, name: str, *, is_trusted: bool) -> None: ...
        def play_on(self, setup: Setup) -> None: ...
        def open_table(self, session: Session) -> Awaitable[object]: ...
        def rematch(self, session: Session, *, swap: bool, rival: str = "") -> None: ...


class LiveScreen(ReliableTimers, Screen[Any]):
    """A screen that takes messages and callbacks only while it can show what comes of them.

    Keys, clicks and results of other threads may arrive when a screen is gone or covered already,
    or before its first layout. What is meant for a screen that is gone is dropped here, and
    nowhere else; only the uppermost screen can be closed, once. While the terminal is too small,
    only the application's own keys count, such as ctrl+c.
    """

    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS

    if TYPE_CHECKING:

        @property
        def app(self) -> _Application: ...  # type: ignore[override]  # any application

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Close this screen with a result, if it is the uppermost one."""
        return super().dismiss(result) if self.is_active else AwaitComplete()

    @property
    def is_too_small(self) -> bool:
        width, height = self.app.size
        return width < LEAST_WIDTH or height < LEAST_HEIGHT

    def from_thread(self, take: Callable[[Any], None], result: Any) -> None:
        """Pass a result to the screen's thread; called in another thread."""

        def hear() -> None:
            if not is_gone(self):
                take(result)

        with contextlib.suppress(RuntimeError):  # the application may have ended
            self.call_later(hear)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether an action can run now: not before the screen has its parts, nor after."""
        return self.is_mounted and not is_gone(self) and super().check_action(action, parameters)

    def _refresh_layout(self, size: Size | None = None, scroll: bool = False) -> None:
        # Textual can't wrap a text into no columns. What is beyond the terminal is not sent.
        size = size or self.outer_size
        super()._refresh_layout(
            Size(max(size.width, LEAST_ROOM), size.height) if size else size, scroll
        )

    def get_widget_at(self, x: int, y: int) -> tuple[Widget, Region]:
        """The widget at a place; the screen, if the window became smaller since the click."""
        try:
            return super().get_widget_at(x, y)
        except NoWidget:
            return self, self.region

    def _forward_event(self, event: events.Event) -> None:
        is_input = isinstance(event, (events.InputEvent, events.Paste))
        if self.is_active and not (is_input and self.is_too_small):
            super()._forward_event(event)

    _heard = 0

    async def _dispatch_message(self, message: Message) -> None:
        self._heard += 1
        if not self._heard % _MESSAGES_AT_ONCE:
            await asyncio.sleep(0)  # a queue that is never empty would keep all others waiting
        if isinstance(message, events.Resize) and message.size != self.app.size:
            return  # a newer size is known: the layouts for the two would call for each other
        if not is_gone(self) or isinstance(message, _LAST_MESSAGES):
            await super()._dispatch_message(message)

    def _invoke_later(self, callback: CallbackType, sender: MessagePump) -> None:
        async def call() -> None:
            if not is_gone(sender):
                await invoke(callback)

        super()._invoke_later(call, sender)


def is_gone(pump: MessagePump) -> bool:
    """Whether a widget or screen is no longer a part of what the application shows."""
    if not isinstance(pump, Widget):
        return False
    if pump._closing or pump._pruning or not pump.is_mounted:
        return pump._closing or pump._pruning
    try:
        return pump.screen not in pump.app.screen_stack
    except (NoScreen, ScreenStackError):
        return True


class HelpTopic(NamedTuple):
    """What the help of a screen is about, besides its keys."""

    game: AnyGame
    glyphs: Glyphs
    palette: Palette
    details: Sequence[str] = ()
    """Facts that stand below the keys, such as the seed."""


KeyHint = tuple[str, str, str]
"""A key that matters now: its sign, a word and the action."""


class Frame(LiveScreen):
    """A full screen of the program, with the notice when the terminal is too small.

    Most have a title above, and below what was said, and the keys.
    """

    AUTO_FOCUS = ""
    commands: Sequence[GameCommand] = ()
    """The commands of a game that apply to it."""
    message = ""
    """What was last said to the user."""
    palette = Palette(DARK)
    """The colours of the application's theme and of the game."""

    def compose(self) -> ComposeResult:
        self.palette = Palette(self.app.theme, self.game_palette())
        yield from self.body()
        yield TooSmall(id="too-small")

    def body(self) -> ComposeResult:
        """The screen's own widgets: what it shows between the lines above and below."""
        yield Bar(id="title")
        yield from self.content()
        yield Bar(id="message")
        yield KeyBar(id="keys")

    def game_palette(self) -> Mapping[str, Mapping[str, str]] | None:
        """The palette of the game that is shown, if it is one."""
        return None

    def content(self) -> ComposeResult:
        yield Widget()

    def title_bar(self) -> Sides:
        return (), ()

    def message_bar(self) -> Sequence[Span]:
        """What there is to say if nothing was said."""
        return ()

    def key_hints(self) -> Sequence[KeyHint]:
        """The keys that matter now, the most important first."""
        return ()

    def on_mount(self) -> None:
        self.app.theme_changed_signal.subscribe(self, lambda _: self.use_theme())

    def on_unmount(self) -> None:
        """Clear caches that would keep the screen, its game and its agents alive."""
        self.app.theme_changed_signal.unsubscribe(self)
        # The cache of a method, which holds the last thousand widgets with their lines.
        StylesCache.get_inner_outer.cache_clear()

    def redraw(self) -> None:
        """Draw everything as it is now, if it is there."""
        if self.is_mounted:
            self.draw()

    def draw(self) -> None:
        self.show_bar("title", *self.title_bar())
        self.draw_lines()
        self.query_one(KeyBar).show_keys(self.key_hints(), self.palette)

    def draw_lines(self) -> None:
        """Draw the lines that change most often."""
        self.show_bar("message", [Span(self.message)] if self.message else self.message_bar())

    def show_bar(self, id: str, left: Sequence[Span], right: Sequence[Span] = ()) -> None:
        """Show spans in one of the lines."""
        self.query_one(f"#{id}", Bar).show(left, right, self.palette)

    def show_picture(self, id: str, picture: Picture, palette: Palette | None = None) -> None:
        """Show a picture in one of the widgets, perhaps in the colours of another game."""
        self.query_one(f"#{id}", PictureView).show(picture, palette or self.palette)

    @on(PictureView.Clicked)
    def _clicked(self, event: PictureView.Clicked) -> None:
        self.clicked(event.notation)

    def clicked(self, action: str) -> None:
        """What was clicked in a picture: here an action of the screen."""
        self.call_later(self.run_action, action)

    @on(ChoiceList.Chosen)
    def _chosen(self, event: ChoiceList.Chosen) -> None:
        self.call_later(self.run_action, f"choose({event.index + 1})")

    def on_resize(self) -> None:
        """Draw for the new size, once the widgets have theirs."""
        self.call_after_refresh(self.redraw)

    def use_theme(self) -> None:
        """Take the colours of the application's theme."""
        self.palette = Palette(self.app.theme, self.game_palette())
        self.redraw()

    def say(self, text: str) -> None:
        """Show a message until the user does something else; a long one in a dialog."""
        if columns(text) + 2 > self.size.width and self.is_active:
            self.app.open_notice(text)
            return
        self.message = text
        self.redraw()

    @contextlib.contextmanager
    def telling_errors(self) -> Iterator[None]:
        """What follows is left at a `GameError`, whose message is shown."""
        try:
            yield
        except GameError as error:
            self.say(str(error))

    def follow_focus(self, has_focus: bool) -> None:
        """The terminal window has lost or gained the focus."""

    def action_leave(self) -> None:
        """Leave the screen, perhaps after a question."""
        self.close()

    def close(self) -> None:
        """Go back to the screen below, or out of the program if there is none."""
        if len(self.app.screen_stack) <= 2:  # the first is Textual's own
            self.app.exit(return_code=0)
        elif self.is_active:
            self.app.pop_screen()


class BoardScreen(Frame):
    """A screen with the board of a game and facts beside it."""

    panes: TablePanes
    """The board and the facts."""
    choices: ChoiceList
    """The list of choices, on screens that have one."""
    keyboard: Keyboard
    """The game's own keys, on screens that take them."""
    index: int | None = None
    """The place of the choice that is looked at."""

    def __init__(self) -> None:
        super().__init__()
        self._class_keys = self._general = self._bindings.key_to_bindings
        """The keys of this class of screens, and those of any game."""

    @property
    def seat(self) -> Seat | None:
        """The person who can act on what is shown."""
        return None

    @property
    def listed(self) -> Sequence[Any]:
        """What can be chosen, in the order of its numbers."""
        return ()

    def take_keys(self, keyboard: Keyboard, keys: Sequence[BindingType]) -> None:
        """Let a game's own keys come before others, and win over all keys of the screen."""
        self.keyboard = keyboard
        own, beside = (BindingsMap(some).key_to_bindings for some in (keyboard.bindings(), keys))
        self._general = self._class_keys | beside
        self._bindings.key_to_bindings = self._class_keys | own | beside | own
        self.set_class(bool(keyboard.hints), "-keyed")

    def listed_choice(self, shown: TableSnapshot, action: Any) -> ListedChoice:
        """The list entry of an action, with its own key if it has one."""
        seat, is_ascii = shown.seen.seat, shown.context.glyphs is Glyphs.ASCII
        mark = "" if seat is None else self.keyboard.mark(str(action), seat, is_ascii)
        label = shown.view.describe(shown.seen, action)
        # The key identifies the action, and space is short.
        return ListedChoice(label.removeprefix(f"{action}: ") if mark else label, mark=mark)

    async def action_press(self, key: str) -> None:
        """Do what a key of the game means; if it means nothing now, what it means everywhere."""
        press = self.keyboard.press(key, self.seat)
        if press is None:
            if key in self._general:
                await self.run_action(self._general[key][0].action)
            else:
                self.refuse()
        elif press[1]:
            self.press(*press)
        else:
            self.redraw()

    def press(self, seat: Seat, text: str) -> None:
        """A seat has chosen an action by a key of the game."""

    def refuse(self) -> None:
        """Say why a key does nothing now."""

    def on_table_panes_settled(self) -> None:
        """Show what there is after the step that has moved."""
        if self.panes.animation.picture is None:  # else another step moves by now
            self.panes.animation.stop()
        self.redraw()

    @abstractmethod
    def help_topic(self) -> HelpTopic:
        """What the help is about."""

    @property
    def common_keys(self) -> list[KeyHint]:
        side = [("tab", "facts", "screen.tab")] if self.has_class("-compact") else []
        return [*side, ("?", "help", "screen.help"), ("q", "close", "screen.leave")]

    def action_tab(self) -> None:
        """In a small window the other pane; else the next choice, where there are some."""
        if self.has_class("-compact"):
            self.panes.turn()
            self.call_after_refresh(self.redraw)
        else:
            self.action_highlight(1)

    def action_highlight(self, by: int, in_rows: bool = False) -> None:
        """Look at another choice: the next or the one before, or below or above."""
        columns = self.choices.columns if in_rows else 1
        self.index = moved(self.index, by, len(self.listed), columns)
        self.redraw()

    def action_help(self, page: str = "keys") -> None:
        self.app.open_help(self, self.help_topic(), page)


class Dialog(ModalScreen[Any], LiveScreen):
    """A box over the screen below."""

    AUTO_FOCUS = ""

    def action_close(self) -> None:
        self.dismiss(None)
