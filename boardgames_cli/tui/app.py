"""The application: screens, themes, signals, and crash handling."""

from __future__ import annotations

import contextlib
import copy
import itertools
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rich.terminal_theme import DEFAULT_TERMINAL_THEME, TerminalTheme
from rich.text import Text
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual.app import App, ScreenStackError
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.command import Provider
from textual.css.query import NoMatches
from textual.dom import NoScreen
from textual.driver import Driver
from textual.errors import NoWidget
from textual.filter import LineFilter
from textual.screen import Screen
from textual.worker import WorkerFailed

from boardgames_cli.core.errors import (
    EXIT_INTERNAL,
    GameError,
    UnknownNameError,
    gone_keys,
    instead_of,
)
from boardgames_cli.core.options import option_values
from boardgames_cli.core.presentation.styles import MONOCHROME
from boardgames_cli.session.opening import open_session, resume_session
from boardgames_cli.session.parting import closing_message
from boardgames_cli.session.session import Session
from boardgames_cli.session.settings import Settings, Setup
from boardgames_cli.storage.files import reason_of
from boardgames_cli.storage.paths import data_folder
from boardgames_cli.storage.preferences import PreferencesFile
from boardgames_cli.terminal.startup import resume_collection
from boardgames_cli.terminal.streams import printable
from boardgames_cli.tui.command_list import ScreenCommands, SearchableCommands
from boardgames_cli.tui.driver import (
    AppSignals,
    ChangedCells,
    ShownCells,
    crash_report,
    is_taken_away,
)
from boardgames_cli.tui.effects import ReliableTimers
from boardgames_cli.tui.keys import (
    AUDIENCE_BINDINGS,
    COMPANY_BINDINGS,
    GAME_BINDINGS,
    LAYER_BINDINGS,
    bindings_now,
    key_sign,
)
from boardgames_cli.tui.screens.frame import Frame, HelpTopic, LiveScreen
from boardgames_cli.tui.theme import (
    THEMES,
    FewColours,
    Palette,
    PrintableOnly,
    WithoutColour,
    colour_count,
)

if TYPE_CHECKING:
    from boardgames_cli.session.replay import Replay
    from boardgames_cli.tui.review_model import ReviewModel
    from boardgames_cli.tui.screens.dialogs import Answer

_PATIENCE_SECONDS: Final = 1.0
"""How long the screen waits for agents in their own processes, which go on starting after that."""

_INTRODUCTION: Final = (
    "Every choice has a number: type it, click it,",
    "or use the arrows and enter.",
    "",
    "?  explains the keys and the rules, anywhere",
    "i  gives a hint",
    "q  saves and leaves; the menu brings you back",
    "l  teaches a game in two minutes: in the menu",
)


def _with_default_colours(theme: TerminalTheme) -> TerminalTheme:
    theme = copy.copy(theme)
    theme.ansi_colors = DEFAULT_TERMINAL_THEME.ansi_colors
    return theme


_MISSING: Final = (NoMatches, NoScreen, NoWidget, ScreenStackError)
"""What is raised where a widget or a screen is missing."""


class BoardgamesApp(ReliableTimers, App[None], inherit_bindings=False):
    """The full-screen front end: a session, another screen alone, or else the menu."""

    TITLE = "boardgames"
    CSS_PATH = Path(__file__).with_name("style.tcss")
    ENABLE_COMMAND_PALETTE = True
    ALLOW_SELECT = False  # terminals select text themselves, and ctrl+c leaves
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {ScreenCommands}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "leave", "save and quit, or stay", show=False, priority=True,
                id="app.leave"),
        Binding("ctrl+z", "suspend_process", "stop until the shell's fg", show=False,
                priority=True, id="app.stop"),
    ]  # fmt: skip

    def __init__(
        self, session: Session | None, settings: Settings, only: LiveScreen | None = None
    ) -> None:
        # Textual obeys even an empty NO_COLOR, and then draws in greys; here it selects a theme.
        if os.environ.pop("NO_COLOR", ""):
            settings = replace(settings, theme=MONOCHROME)
        super().__init__()
        self.settings = settings
        self.session = session
        self._only = only
        self.crash_message = ""
        self.signals = AppSignals(self)
        self.shown = ShownCells()
        if settings.reduced_motion:
            self.animation_level = "none"  # all animations check this, including Textual's own
        self._no_colour = WithoutColour()
        self._filter = PrintableOnly()
        # What Textual takes the terminal's colours for where a dialog lies over them.
        self.ansi_theme_dark = _with_default_colours(self.ansi_theme_dark)
        self.ansi_theme_light = _with_default_colours(self.ansi_theme_light)
        for theme in THEMES:
            self.register_theme(theme)
        known = {theme.name for theme in THEMES}
        self.theme = settings.theme if settings.theme in known else THEMES[0].name

    def get_line_filters(self) -> Sequence[LineFilter]:
        few = [self._no_colour] if self.theme == MONOCHROME else self._few_colours
        filters = (*super().get_line_filters(), *few)
        if filters != self._filter.before:
            self._filter = PrintableOnly(filters)
        return (self._filter,)

    @cached_property
    def _few_colours(self) -> list[LineFilter]:
        count = colour_count(self)
        return [FewColours(count)] if count else []

    async def on_mount(self) -> None:
        """Open the first screen, then let signals in."""
        if self._only is not None:
            await self._show_only(self._only)
        elif self.session is not None:
            await self.open_table(self.session)
        else:
            await self.open_menu()
        self.signals.let_in()
        self.call_after_refresh(resume_collection)
        self._use_keymap()
        # The introduction is about games: puzzles have no hints, and q does not save them.
        if self._only is None:
            self._introduce()

    def watch_app_focus(self, has_focus: bool) -> None:
        """Tell the screens; watching it themselves would keep them from being garbage-collected."""
        if has_focus and self.is_running:  # what others wrote over it goes
            self.draw_all()
        for screen in self.screen_stack if self.is_running else ():
            if isinstance(screen, Frame):
                screen.follow_focus(has_focus)

    def _use_keymap(self) -> None:
        wanted = self.settings.preferences.keymap
        kept = {id: keys for id, keys in wanted.items() if not instead_of("id", id)}
        problem = keymap_problem(kept)
        if not problem:
            self.set_keymap(kept)
            problem = gone_keys(wanted)
        if problem and self.session is not None:
            self.session.remark(problem)
        elif problem and isinstance(self.screen, Frame):
            self.screen.say(problem)

    def _introduce(self) -> None:
        known, path = self.settings.preferences, self.settings.config_file
        if path is None or known.is_introduced:
            return
        from boardgames_cli.tui.screens.dialogs import ChoiceDialog

        with contextlib.suppress(GameError):  # it is then shown again next time
            PreferencesFile(path).remember(is_introduced=True)
        self.settings = replace(self.settings, preferences=replace(known, is_introduced=True))
        is_watched = self.session is not None and not self.session.humans
        answers: list[Answer] = [("Watch" if is_watched else "Play", None)]
        title = "Welcome to boardgames"
        self.push_screen(ChoiceDialog(title, _INTRODUCTION, answers, Palette(self.theme)))

    def get_driver_class(self) -> type[Driver]:
        if os.name != "posix" or os.environ.get("TEXTUAL_DRIVER"):
            return super().get_driver_class()
        from boardgames_cli.tui.driver import TerminalDriver

        return TerminalDriver

    @property
    def is_on_screen(self) -> bool:
        return bool(getattr(self._driver, "is_on_screen", False))

    def _display(self, screen: Screen[Any], renderable: Any) -> None:
        if isinstance(renderable, LayoutUpdate | ChopsUpdate):
            renderable = ChangedCells(renderable, self.shown, self.size)
        super()._display(screen, renderable)

    def on_resize(self) -> None:
        """Draw everything: a terminal that changes its size may rearrange what it shows."""
        self.draw_all()

    def draw_all(self) -> None:
        """Send everything that is shown, whatever the terminal shows now."""
        self.shown.forget()
        if self.screen_stack:
            self.screen.refresh()

    def open_table(self, session: Session) -> Awaitable[object]:
        from boardgames_cli.tui.screens.table import GameScreen

        self.session = session
        return self._show_only(GameScreen(session, self.settings))

    def open_replay(
        self, replay: Replay, started: ReviewModel | None = None, ply: int = 0
    ) -> Awaitable[object]:
        """Show a replay on top of the current screen, perhaps with a review that has begun."""
        from boardgames_cli.tui.screens.replay_screen import ReplayScreen

        return self.push_screen(ReplayScreen(replay, self.settings, ply, started))

    def open_menu(self) -> Awaitable[object]:
        """Show the menu; the open session is saved and closed."""
        from boardgames_cli.tui.screens.launcher import Launcher

        game = self.session.game.info.id if self.session is not None else ""
        screen: Screen[None] = Launcher(self.settings, game)
        self.settings = replace(self.settings, preferences_remark="")
        return self._show_only(screen)

    def open_help(
        self, screen: Screen[Any], topic: HelpTopic, page: str = "keys"
    ) -> Awaitable[object]:
        """Show the keys of a screen with its details, and the rules and the legend of a game."""
        # Imported late: Markdown is slow to import, and the first board should not wait for it.
        from boardgames_cli.tui.screens.help import HelpScreen

        return self.push_screen(HelpScreen(self.key_descriptions(screen), topic, page))

    def open_notice(self, message: str) -> Awaitable[object]:
        """Show a message that is too long for a line."""
        from boardgames_cli.tui.screens.dialogs import notice

        return self.push_screen(notice(message, Palette(self.theme)))

    def _show_only(self, screen: Screen[Any]) -> Awaitable[object]:
        while len(self.screen_stack) > 1:
            super().pop_screen()
        stands: Awaitable[object] = self.push_screen(screen)
        return stands

    def pop_screen(self) -> AwaitComplete:
        """Go back to the screen below; the last one stays."""
        return super().pop_screen() if len(self.screen_stack) > 2 else AwaitComplete()

    def start(self, setup: Setup, settings: Settings) -> Session:
        """Set up a session, show it and return it.

        Raises:
            GameError: A choice is invalid, or the save can't be written.
        """
        session = open_session(setup, settings, _PATIENCE_SECONDS)
        self.settings = settings
        self.open_table(session)
        return session

    def resume(self, name: str, *, is_trusted: bool) -> None:
        """Continue a saved game, replacing all screens.

        Raises:
            UntrustedCommandError: It names programs that may not be run.
            GameError: It can't be continued.
        """
        # The tick of the settings was chosen for another game.
        settings = replace(self.settings, tick=None)
        self.open_table(resume_session(name, settings, _PATIENCE_SECONDS, is_trusted))

    def play_on(self, setup: Setup) -> None:
        """Replace all screens by a new game, once the open session is saved.

        Raises:
            GameError: The open game can't be saved, or the new one can't begin.
        """
        for screen in self.screen_stack:
            table = getattr(screen, "session", None)
            if isinstance(table, Session) and not table.saving.retry():
                raise GameError(table.saving.warning, "Close this to save it elsewhere.")
        self.start(setup, replace(self.settings, tick=None))

    def rematch(self, session: Session, *, swap: bool, rival: str = "") -> None:
        """Play the same game again with a new seed; against another rival a new score begins.

        Raises:
            GameError: The save can't be written.
        """
        seats, won = [holder.spec for holder in session.holders], session.games_won
        if rival:
            seats = [one.spec if one.is_human else rival for one in session.holders]
            won = [0] * len(seats)
        if swap:
            seats, won = [*seats[1:], seats[0]], [*won[1:], won[0]]
        options = option_values(session.game)
        setup = Setup(session.game.info.id, options=options, seats=tuple(seats))
        self.start(setup, replace(self.settings, tick=session.tick)).won_before = tuple(won)

    def action_leave(self) -> None:
        """Leave the way the screen defines; from a dialog at once, with everything saved."""
        if isinstance(self.screen, Frame):
            self.screen.action_leave()
        else:
            self.exit()

    def action_command_palette(self) -> None:
        if not isinstance(self.screen, SearchableCommands):
            self.push_screen(SearchableCommands())

    def action_use_theme(self, name: str) -> None:
        self.use_settings(replace(self.settings, theme=name))

    def use_settings(self, settings: Settings) -> None:
        """Show everything like this from now on."""
        self.settings, self.theme = settings, settings.theme
        self.animation_level = "none" if settings.reduced_motion else "full"

    def action_save_picture(self) -> None:
        """Write what is shown to a file, and say where it is."""
        folder = data_folder() / "pictures"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            said = f"Saved as {self.save_screenshot(path=str(folder))}"
        except OSError as error:
            said = f"There is no picture: {folder} can't be written ({reason_of(error)})."
        if isinstance(self.screen, Frame):
            self.screen.say(said)

    def key_descriptions(self, screen: Screen[Any]) -> list[tuple[str, str]]:
        """The current key bindings of a screen with their descriptions."""
        rows: dict[str, tuple[list[str], str]] = {}
        for binding in (*bindings_now(screen), *bindings_now(self)):
            # Keys with the same description share a line.
            keys, _ = rows.setdefault(binding.description, ([], binding.description))
            keys += [key_sign(binding.key)] if key_sign(binding.key) not in keys else []
        rows[""] = ([self.COMMAND_PALETTE_BINDING], "all commands, searchable")
        return [(" ".join(keys), text) for keys, text in rows.values()]

    def action_suspend_process(self) -> None:
        """Stop with all processes of the job, where a shell can continue them."""
        if self._driver is not None and self._driver.can_suspend:
            os.killpg(0, signal.SIGTSTP)

    def _handle_exception(self, error: Exception) -> None:
        # A key or signal may remove a screen before its layout: Textual then mounts it without
        # children, and the missing widgets are not an error.
        is_away = self._exit or not self.is_running or is_taken_away(error)
        cause = error.error if isinstance(error, WorkerFailed) else error
        if not (is_away and isinstance(cause, _MISSING)):
            super()._handle_exception(error)

    def _fatal_error(self) -> None:
        # Textual would print a traceback with the values of all variables; people get one
        # sentence, and the details go to a file.
        if self._exception is not None and not self.crash_message:
            self.crash_message = crash_report(self._exception, self.session)
            self.panic(Text(printable(self.crash_message)))


def build_app(session: Session | None, settings: Settings) -> BoardgamesApp:
    """Build the application, for users and tests alike."""
    return BoardgamesApp(session, settings)


def run_game(session: Session, settings: Settings) -> int:
    """Play one session; return the exit code."""
    return run_app(build_app(session, settings))


def run_screen(settings: Settings, screen: Frame | None = None) -> int:
    """Show a screen, by default the menu; return the exit code."""
    return run_app(BoardgamesApp(None, settings, screen))


def run_app(app: BoardgamesApp) -> int:
    """Run the application to its end; return the exit code."""
    with app.signals:
        app.run()
        code = EXIT_INTERNAL if app.crash_message else app.return_code or 0
        return code if app.session is None else _close(app.session, app.settings, code)


def _close(session: Session, settings: Settings, code: int) -> int:
    session.close()
    if session.journal is not None or not session.saving.is_complete:
        # After SIGHUP standard output may be gone.
        with contextlib.suppress(OSError):
            sys.stdout.write(printable(f"{closing_message(session, settings)}\n"))
            sys.stdout.flush()
    return session.saving.exit_code(code)


def remappable() -> Iterator[Binding]:
    """Every binding of the table, the menu and the other screens that has an id."""
    from boardgames_cli.tui.screens.friend_screen import FriendScreen
    from boardgames_cli.tui.screens.launcher import Launcher
    from boardgames_cli.tui.screens.question_screen import LESSON_BINDINGS, PUZZLE_BINDINGS
    from boardgames_cli.tui.screens.replay_screen import ReplayScreen
    from boardgames_cli.tui.screens.waiting_screen import WaitingScreen

    lists = [GAME_BINDINGS, LAYER_BINDINGS, AUDIENCE_BINDINGS, COMPANY_BINDINGS]
    lists += [Launcher.BINDINGS, ReplayScreen.BINDINGS, PUZZLE_BINDINGS, LESSON_BINDINGS]
    lists += [FriendScreen.BINDINGS, WaitingScreen.BINDINGS]
    for binding in itertools.chain.from_iterable(lists):
        if isinstance(binding, Binding) and binding.id:
            yield binding


def keymap_problem(keymap: Mapping[str, str]) -> str:
    """What is wrong with a keymap; empty if it is valid."""
    known = [binding.id or "" for binding in remappable()] if keymap else []
    for id, keys in keymap.items():
        if id not in known:
            unknown = UnknownNameError("id", id, known).message
            return f"[keymap]: {unknown} List: boardgames config keys"
        if not keys.strip():
            return f"[keymap]: {id} has no key."
    return ""
