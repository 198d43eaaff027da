"""The menu: choose a game with its options and players, or continue a save."""

from __future__ import annotations

import contextlib
import datetime
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.widgets import Static

from boardgames_cli.core.background import Background
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.plugins import is_confined
from boardgames_cli.core.text import Picture, Span
from boardgames_cli.evaluation.glicko import PlayerRating, rating_of
from boardgames_cli.registry import find_game, game_ids
from boardgames_cli.session.setup import (
    Settings,
    UntrustedCommandError,
    load_replay,
    remember_choices,
)
from boardgames_cli.storage.listing import SaveSummary
from boardgames_cli.storage.paths import save_folder
from boardgames_cli.storage.played_games import PlayedGame, ResultTally
from boardgames_cli.storage.puzzle_progress import PuzzleProgress, read_progress
from boardgames_cli.storage.store import Store
from boardgames_cli.terminal.streams import printable
from boardgames_cli.tui import menu
from boardgames_cli.tui.form import Field, Form
from boardgames_cli.tui.keys import bindings_of, numbered
from boardgames_cli.tui.screens.frame import Frame
from boardgames_cli.tui.theme import Palette
from boardgames_cli.tui.widgets.bars import Bar, KeyBar
from boardgames_cli.tui.widgets.form import FormView
from boardgames_cli.tui.widgets.picture import PictureView
from boardgames_cli.tui.widgets.preview import Preview

_TODAY_ROWS: Final = 3
"""A blank line and two lines."""


class SavedGames:
    """The saves in a folder.

    Args:
        screen: The screen that shows them.
        settings: Where they are, and how games are shown.
    """

    def __init__(self, screen: Launcher, settings: Settings) -> None:
        self._menu = screen
        self._settings = settings
        self._store = Store(save_folder(settings.save_folder))
        self.unfinished: list[SaveSummary] = []
        """The games that can be continued, most recently used first."""
        self.finished: list[SaveSummary] = []
        """The finished games."""
        self.unreadable = 0
        """The number of unreadable saves."""
        self.today = menu.Today()
        """What there is to do today."""
        self._played: list[PlayedGame] = []
        """The results of people on this machine."""
        self._filling: Background[int] = Background(
            "drill", lambda due: self._menu.from_thread(self._take_due, due)
        )

    def find(self) -> None:
        """Read the folder and the results; called after the first paint."""
        self._played = menu.played_games(self._settings.results_file)
        games = self._settings.games
        found = self._store.summaries()
        found = [save for save in found if _is_offered(save, games)] if games else found
        sound = [save for save in found if not save.problem]
        self.unreadable = len(found) - len(sound)
        self.unfinished = [save for save in sound if save.can_go_on]
        self.finished = [save for save in sound if save.is_finished]
        self._menu.redraw()
        self._menu.call_after_refresh(self._find_today)

    def _find_today(self) -> None:
        """Look up the puzzle of the day, and look through games for the drill."""
        from boardgames_cli.evaluation.puzzles import puzzle_of_the_day, puzzles_of

        file = self._settings.puzzles_file
        with contextlib.suppress(GameError):
            puzzles = puzzles_of(self._settings.games or game_ids())
            if puzzles:
                puzzle = puzzle_of_the_day(puzzles, _now().date())
                progress = PuzzleProgress() if file is None else read_progress(file)
                self.today = replace(
                    self.today,
                    game=find_game(puzzle.game).info.name,
                    is_solved=puzzle.id in progress.solved,
                    streak=progress.streak,
                )
                self._menu.redraw()
        if self._settings.drill_file is not None and not self._filling.is_running:
            from boardgames_cli.session.drilling import FillDeckJob

            self._filling.put(FillDeckJob(self._settings.save_folder, self._settings.drill_file))

    def _take_due(self, due: int) -> None:
        self.today = replace(self.today, due=due)
        self._menu.redraw()

    def stop(self) -> None:
        """Stop what works in the background."""
        self._filling.stop()

    def record(self, game: str) -> tuple[ResultTally | None, PlayerRating | None]:
        """The games that people have won here, and the rating of who played last."""
        tally, player = ResultTally(), ""
        for played in self._played:
            for seat in played.people if played.game == game else ():
                tally.count(played.outcome(seat))
                player = played.names[seat]
        rating = rating_of(self._played, game, player) if player else None
        return (tally if tally.games else None), rating

    def resume(self) -> None:
        """Continue the last game, or ask which."""
        self._choose("Continue which game?", self.unfinished, self.open)

    def replay(self) -> None:
        """Replay the last game, or ask which."""
        if not self.finished:
            self._menu.say("There is no finished game to see again yet.")
        self._choose("See which game again?", self.finished, self._replay)

    def delete(self) -> None:
        """Ask which game to delete, with a confirmation."""
        if self.unfinished:
            self._ask_which("Delete which game?", self.unfinished, self._confirm_deletion)

    def open(self, name: str, *, is_trusted: bool = False) -> None:
        """Continue a game, after a question if it would run a program."""
        with self._menu.telling_errors():
            try:
                self._menu.app.resume(name, is_trusted=is_trusted)
            except UntrustedCommandError as error:
                if is_confined():
                    self._menu.say("This game was saved with an agent that is not for the browser.")
                    return
                run_it = partial(self.open, name, is_trusted=True)
                title = "An agent in this save is a program on this machine. Run it?"
                answers = [("Don't run it", None), ("Run it", run_it)]
                self._ask(title, answers, *map(printable, error.commands))

    def _replay(self, name: str) -> None:
        with self._menu.telling_errors():
            replay = load_replay(name, self._settings)
            replay.is_judged = True
            self._menu.app.open_replay(replay)

    def _confirm_deletion(self, name: str) -> None:
        save = next(save for save in self.unfinished if save.name == name)
        answers = [("Keep it", None), ("Delete it for good", partial(self._delete, name))]
        self._ask("Delete this game?", answers, menu.save_label(save, _now()))

    def _delete(self, name: str) -> None:
        with self._menu.telling_errors():
            self._store.delete(name)
        self.find()

    # -- questions ---------------------------------------------------------------------------

    def _choose(
        self, title: str, saves: Sequence[SaveSummary], follow: Callable[[str], None]
    ) -> None:
        if len(saves) > 1:
            self._ask_which(title, saves, follow)
        elif saves:
            follow(saves[0].name)

    def _ask_which(
        self, title: str, saves: Sequence[SaveSummary], follow: Callable[[str], None]
    ) -> None:
        now = _now()
        self._ask(
            title,
            [(menu.save_label(save, now), partial(follow, save.name)) for save in saves],
        )

    def _ask(
        self, title: str, answers: Sequence[tuple[str, Callable[[], None] | None]], *facts: str
    ) -> None:
        from boardgames_cli.tui.screens.dialogs import ask

        ask(self._menu, title, facts, answers, Palette(self._menu.app.theme))


def _is_offered(save: SaveSummary, games: Sequence[str]) -> bool:
    return save.header is not None and save.header.game in games


def _now() -> datetime.datetime:
    return datetime.datetime.now().astimezone()


_LEAVES_FIELD = ("enter", "escape", "up", "down", "tab", "shift+tab", "ctrl+c", "ctrl+q")
"""Keys that are not text while a field is open."""


class Launcher(Frame):
    """The menu.

    Args:
        settings: The initial settings.
        game: The game selected initially; empty for the first.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_of(
            "menu",
            *numbered("game", "game {}", "game"),
            ("up,shift+tab", "field(-1)", "field above", "up"),
            ("down,tab", "field(1)", "field below", "down"),
            ("left", "turn(-1)", "choice before", "left"),
            ("right,space", "turn(1)", "next choice", "right"),
            ("enter", "enter", "start the game; in an open field: done", "enter"),
            ("s", "start", "start the game", "start"),
            ("e", "type", "type into the field", "type"),
            ("c", "resume", "continue a saved game", "continue"),
            ("D", "delete", "delete a saved game", "delete"),
            ("r", "replay", "see a finished game again", "replay"),
            ("d", "drill", "train on the mistakes of your games", "drill"),
            ("o", "today", "puzzle of the day", "today"),
            ("p", "puzzles", "puzzles of the game", "puzzles"),
            ("l", "learn", "learn the game by playing", "learn"),
            ("f", "friend", "play with a friend over a network", "friend"),
            ("t", "tournament", "tournament of agents", "tournament"),
            ("question_mark,f1", "rules", "keys and rules", "rules"),
            ("q", "leave", "quit", "quit"),
        ),
        Binding("escape", "stay", "nothing", show=False),
    ]

    def __init__(self, settings: Settings, game: str = "") -> None:
        super().__init__()
        self.settings = settings
        self._specs = menu.playable_games(settings.games)
        self._ids = [spec.info.id for spec in self._specs]
        game = game or settings.preferences.last_game
        self._game = self._ids.index(game) if game in self._ids else 0
        self._forms: dict[int, Form] = {}
        self._field = 0
        self._before_typing: str | None = None
        """The field's value before typing started; None while it is closed."""
        self.saved = SavedGames(self, settings)
        self.message = settings.preferences_problem

    @property
    def form(self) -> Form:
        """The form of the selected game; each game keeps its choices."""
        if self._game not in self._forms:
            self._forms[self._game] = Form(self._specs[self._game], self.settings)
        return self._forms[self._game]

    @property
    def field(self) -> Field:
        """The field under the cursor."""
        return self.form.fields[self._field]

    def body(self) -> ComposeResult:
        """Wordmark, games and saves on the left, the form on the right, the command below."""
        yield PictureView(centred=True, id="wordmark")
        with Container(id="middle"), Container(id="menu"):
            with Vertical(id="games"):
                yield PictureView(id="games-title", classes="heading")
                with Container(id="cards"):
                    for number in range(len(self._ids)):
                        yield PictureView(id=f"game{number}", classes="game")
                yield PictureView(id="saves-title", classes="heading")
                yield PictureView(id="saves")
                yield PictureView(id="today")
            with Vertical(id="choose"):
                yield PictureView(id="game-title")
                yield Static(id="summary", markup=False)
                yield FormView(id="form")
                with Horizontal(id="start-line"):
                    yield Bar(id="start")
            yield Preview(id="preview")
        yield Bar(id="field-help")
        yield Bar(id="command")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Read the saves after the first paint."""
        self.call_after_refresh(self.saved.find)
        self.set_timer(0.5, self._show_preview)

    # -- drawing -----------------------------------------------------------------------------

    def say(self, message: str) -> None:
        """Show a message below the form, or in a dialog if it is too long."""
        if len(message) + 2 > self.size.width:
            from boardgames_cli.tui.screens.dialogs import notice

            self.app.push_screen(notice(message, Palette(self.app.theme)))
            return
        super().say(message)

    def redraw(self) -> None:
        """Redraw everything."""
        if not self.is_mounted:
            return
        palette = Palette(self.app.theme)
        show = self._show_picture
        show("#wordmark", menu.wordmark(self.settings.glyphs), palette)
        show("#games-title", Picture.of([Span("GAMES", "muted")]), palette)
        marked = f"  {self.saved.unreadable} unreadable" if self.saved.unreadable else ""
        title = [Span("CONTINUE", "muted"), Span(marked, "bad")]
        show("#saves-title", Picture.of([title]), palette)
        self._show_games(self.app.theme)
        saves = menu.save_lines(self.saved.unfinished, *self._room_for_saves(), _now())
        show("#saves", saves, palette)
        show("#today", menu.today_lines(self.saved.today, is_wide=self._has_cards), palette)
        info = self._specs[self._game].info
        show("#game-title", menu.title_line(info, *self.saved.record(info.id)), palette)
        self.query_one("#summary", Static).update(info.summary)
        self._show_form(palette)

    def _room_for_saves(self) -> tuple[int, int]:
        """Columns and rows; with cards the height grows with the saves."""
        games, is_wide = self.query_one("#games"), self._has_cards
        # Two headings, a blank line, a line a game, and what there is to do today.
        used = 3 + len(self._specs) + (0 if self.has_class("-low") else _TODAY_ROWS)
        return games.content_size.width, 3 if is_wide else games.content_size.height - used

    @property
    def _has_cards(self) -> bool:
        return self.has_class("-wide") and self.has_class("-tall")

    def _show_picture(self, selector: str, picture: Picture, palette: Palette) -> None:
        self.query_one(selector, PictureView).show(picture, palette)

    def _show_games(self, theme: str) -> None:
        is_wide, room = self._has_cards, self.query_one("#games").content_size.width
        width = menu.card_width(room, len(self._specs)) if is_wide else room
        draw = menu.game_card if is_wide else menu.game_line
        for number, spec in enumerate(self._specs):
            self.query_one(f"#game{number}").styles.width = width if is_wide else "1fr"
            palette = Palette(theme, spec.view_class().palette if is_wide else None)
            card = draw(number + 1, spec.info, number == self._game, width)
            self._show_picture(f"#game{number}", card, palette)

    def _show_form(self, palette: Palette) -> None:
        form = self.form
        self._field = max(0, min(self._field, len(form.fields) - 1))
        view = self.query_one(FormView)
        view.styles.max_height = len(form.fields)
        view.show(form.fields, self._field, palette, self.is_typing)
        problem = form.problem
        spec, start = self._specs[self._game], self.query_one("#start", Bar)
        pieces = menu.start_pieces(spec, is_wrong=bool(problem), width=start.size.width)
        start.show(pieces, (), palette)
        help = self.message or self.field.problem or form.help_of(self.field)
        role = "bad" if self.message or self.field.problem else "muted"
        self.query_one("#field-help", Bar).show(
            [Span(f"{self.field.label}: " if role == "muted" else "", role), Span(help, role)],
            (),
            palette,
        )
        self.query_one("#command", Bar).show(
            [Span("$ ", "key"), Span(form.command(), "")], (), palette
        )
        keys = (
            menu.field_keys()
            if self.is_typing
            else menu.footer_keys(
                takes_text=self.field.takes_text,
                can_continue=bool(self.saved.unfinished),
                can_replay=bool(self.saved.finished),
                games=len(self._ids),
            )
        )
        self.query_one(KeyBar).show_keys(keys, palette)

    def _show_preview(self) -> None:
        game = self.form.game()
        if game is not None:
            palette = Palette(self.app.theme, self._specs[self._game].view_class().palette)
            self.query_one(Preview).play(game, self.settings.glyphs, palette)

    def _changed(self) -> None:
        self.message = ""
        self.form.check()
        theme = self.form.value("theme")
        if theme != self.app.theme:
            self.app.theme = theme
        self.redraw()

    # -- keys and mouse ----------------------------------------------------------------------

    @property
    def is_typing(self) -> bool:
        """Whether the field under the cursor is open for typing."""
        return self._before_typing is not None

    def on_key(self, event: events.Key) -> None:
        """Type into the field while it is open; otherwise keys keep their meaning."""
        if not self.is_typing or event.key in _LEAVES_FIELD:
            return
        if event.key == "backspace":
            self.field.value = self.field.value[:-1]
        elif event.key == "ctrl+u":
            self.field.value = ""
        elif event.is_printable and event.character:
            self.field.value += event.character
        event.stop()
        event.prevent_default()
        self._changed()

    def on_paste(self, event: events.Paste) -> None:
        """Take a pasted text into the field while it is open."""
        if self.is_typing:
            event.stop()
            self.field.value += " ".join(event.text.split())
            self._changed()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While a field is open, keys go into it instead of acting."""
        if self.is_typing and action not in ("enter", "stay", "stop_typing", "empty", "field"):
            return None
        return True

    def action_enter(self) -> None:
        """Start the game, or close the field."""
        if self.is_typing:
            self.action_stop_typing(True)
        else:
            self.action_start()

    def action_type(self) -> None:
        """Open the field for typing."""
        if self.field.takes_text:
            self._before_typing = self.field.value
            self.redraw()
        else:
            self.say("← and → change this field.")

    def action_stop_typing(self, keeps: bool) -> None:
        """Close the field.

        Args:
            keeps: Whether to keep the typed text.
        """
        if self._before_typing is not None and not keeps:
            self.field.value = self._before_typing
        self._before_typing = None
        self._changed()
        self._show_preview()

    def action_empty(self) -> None:
        """Clear the field."""
        self.field.value = ""
        self._changed()

    def action_stay(self) -> None:
        """Close the field without changes; never leaves the menu."""
        if self.is_typing:
            self.action_stop_typing(False)
        else:
            self.say("q quits.")

    def action_game(self, number: int) -> None:
        """Choose a game."""
        if number <= len(self._ids):
            self._before_typing = None
            self._game, self._field = number - 1, 0
            self._changed()
            self._show_preview()

    def action_field(self, by: int) -> None:
        """Go to another field; an open field keeps the typed text."""
        if self.is_typing:
            self.action_stop_typing(True)
        self._field = (self._field + by) % len(self.form.fields)
        self.message = ""
        self.redraw()

    def action_turn(self, by: int) -> None:
        """Change the field."""
        self.field.turn(by)
        self._changed()
        self._show_preview()

    def action_start(self) -> None:
        """Start the game, or show the problem."""
        form = self.form
        form.check()
        if form.problem:
            fields = form.fields
            self._field = next(i for i, field in enumerate(fields) if field.problem)
            self.redraw()
            return
        settings = form.settings()
        try:
            session = self.app.start(form.setup(), settings)
        except GameError as error:
            self.say(str(error))
            return
        try:
            remember_choices(settings, self.settings.preferences, self._ids[self._game])
        except GameError as error:
            session.remark(f"What you chose is not remembered: {error}")

    def action_resume(self) -> None:
        """Continue the last save, or choose among several."""
        self.saved.resume()

    def action_replay(self) -> None:
        """See a finished game again."""
        self.saved.replay()

    def action_delete(self) -> None:
        """Delete an unfinished game, after a question."""
        self.saved.delete()

    def action_puzzles(self) -> None:
        """Ask puzzles of the chosen game."""
        from boardgames_cli.evaluation.puzzle_run import run_of_game

        file, glyphs = self.settings.puzzles_file, self.settings.glyphs
        try:
            run = run_of_game(self._ids[self._game], self._ids, file, glyphs)
        except GameError as error:
            self.say(error.message)
            return
        self.app.open_puzzles(run)

    def action_learn(self) -> None:
        """Give the lesson of the chosen game."""
        from boardgames_cli.session.lesson_run import LessonRun

        with self.telling_errors():
            self.app.open_lesson(LessonRun(self._ids[self._game], self.settings.glyphs))

    def action_friend(self) -> None:
        """Open a table for a friend, or join one."""
        from boardgames_cli.tui.screens.friend_screen import FriendScreen

        game = self.form.game()
        if game is not None:
            self.app.push_screen(FriendScreen(game, self.settings))

    def action_today(self) -> None:
        """Ask the puzzle of the day, of any game."""
        from boardgames_cli.evaluation.puzzle_run import PuzzleRun
        from boardgames_cli.evaluation.puzzles import puzzles_of

        with self.telling_errors():
            puzzles = puzzles_of(self._ids)
            if not puzzles:
                self.say("There are no puzzles here.")
                return
            run = PuzzleRun(puzzles, self.settings.puzzles_file, self.settings.glyphs)
            run.go_to_today(_now().date())
            self.app.open_puzzles(run)

    def action_drill(self) -> None:
        """Ask the mistakes that are due, of all games."""
        from boardgames_cli.session.drilling import open_drill

        with self.telling_errors():
            self.app.open_puzzles(open_drill(self.settings))

    def on_screen_resume(self) -> None:
        """Look again what there is to do: puzzles may have been solved meanwhile."""
        if self.saved.today.game:
            self.call_after_refresh(self.saved.find)

    def on_unmount(self) -> None:
        """Stop what works in the background."""
        self.saved.stop()

    def action_tournament(self) -> None:
        """Open a tournament of agents for the chosen game and options."""
        from boardgames_cli.tui.screens.tournament_screen import TournamentScreen

        game = self.form.game()
        problem = menu.tournament_problem(game)
        if game is None or problem:
            self.say(problem)
        else:
            self.app.push_screen(TournamentScreen(game, self.settings))

    def action_rules(self) -> None:
        """Keys and rules of the chosen game."""
        game = self.form.game()
        if game is not None:
            palette = Palette(self.app.theme, self._specs[self._game].view_class().palette)
            self.show_help(game, self.settings.glyphs, palette, "rules")

    def action_leave(self) -> None:
        """Quit."""
        self.app.exit(return_code=0)

    @on(FormView.Picked)
    def _picked(self, event: FormView.Picked) -> None:
        self._before_typing = None
        self._field = event.index
        if event.choice:
            self.field.pick(event.choice)
        self._changed()

    @on(PictureView.Clicked)
    def _clicked(self, event: PictureView.Clicked) -> None:
        if event.notation.startswith(menu.GAME):
            self.action_game(int(event.notation.removeprefix(menu.GAME)))
        elif event.notation == menu.MORE:
            self.saved.resume()
        else:
            self.saved.open(event.notation)
