"""The home screen: go on, choose a game with its options and players, or see how one does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.geometry import Size
from textual.widgets import Static

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.text import Picture, Span
from boardgames_cli.session.settings import Settings, remember_choices
from boardgames_cli.tui import menu
from boardgames_cli.tui.form import Field, Form
from boardgames_cli.tui.keys import bindings_of, numbered
from boardgames_cli.tui.saved_games import SavedGames, now
from boardgames_cli.tui.screens.form_screen import FORM_KEYS, FormScreen, PreferencesScreen
from boardgames_cli.tui.screens.frame import LEAST_ROOM, HelpTopic, KeyHint
from boardgames_cli.tui.theme import Palette
from boardgames_cli.tui.widgets.form import FormView
from boardgames_cli.tui.widgets.picture import Bar, KeyBar, PictureView
from boardgames_cli.tui.widgets.preview import Preview

if TYPE_CHECKING:
    from boardgames_cli.session.questions import QuestionRun

_TODAY_ROWS: Final = (7, 12)
"""On a large screen, the fewest and the most rows of what there is to do, above the form."""
_AROUND_FORM: Final = 4
"""The rows of the form's title, summary and start."""
_LESSON_WIDTH: Final = 30
"""The width at which the lesson stands beside the start."""


class Launcher(FormScreen):
    """The menu, which begins with a game, that of the last time, or the first."""

    CSS_PATH = "home.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_of(
            "menu",
            *numbered("game", "game {}", "game"),
            *FORM_KEYS,
            ("enter", "start", "start the game", "enter"),
            ("s", "start", "start the game", "start"),
            ("c", "open('')", "continue your last game", "continue"),
            ("r", "replay", "saved games: resume, replay, review, rename, delete", "replay"),
            ("d", "drill", "train on the mistakes of your games", "drill"),
            ("o", "puzzles(True)", "puzzle of the day of the game", "today"),
            ("p", "puzzles", "puzzles of the game", "puzzles"),
            ("l", "learn", "learn the game by playing", "learn"),
            ("f", "friend", "play with a friend over a network", "friend"),
            ("v", "profile", "you: record, ratings and what to train", "profile"),
            ("comma", "preferences", "preferences: name, colours, pace and more", "preferences"),
            ("question_mark,f1", "help", "keys and rules", "rules"),
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
        self._pictures = [menu.picture_of(spec, settings.glyphs) for spec in self._specs]
        self._drawn: object = None
        """What the cards of the games were drawn from."""
        self._today_size: Size | None = None
        """The room that what there is to do was drawn for."""
        self._forms: dict[int, Form] = {}
        self.saved = SavedGames(self, settings)
        self.message = settings.preferences_problem or settings.preferences_remark

    @property
    def form(self) -> Form:
        if self._game not in self._forms:
            more = next((form.more for form in self._forms.values()), None)
            self._forms[self._game] = Form(self._specs[self._game], self.settings, more)
        return self._forms[self._game]

    @property
    def fields(self) -> Sequence[Field]:
        return self.form.fields

    def help_of_field(self) -> str:
        return self.form.help_of(self.field)

    def body(self) -> ComposeResult:
        """Wordmark and games, below them what there is to do beside the form, and the command."""
        yield PictureView(centred=True, id="wordmark")
        with Container(id="middle"), Vertical(id="home"):
            with Container(id="games"):
                for number in range(len(self._ids)):
                    yield PictureView(id=f"game{number}", classes="game")
            with Container(id="menu"):
                yield PictureView(id="today")
                yield Preview(id="preview")
                with Vertical(id="choose"):
                    yield PictureView(id="game-title")
                    yield Static(id="summary", markup=False)
                    yield FormView(id="form")
                    with Horizontal(id="start-line"):
                        yield Bar(id="start")
        yield Bar(id="field-help")
        yield Bar(id="command")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        self.call_after_refresh(self.saved.find)
        self.set_timer(0.5, self._show_preview)

    def draw(self) -> None:
        self.show_picture("wordmark", menu.wordmark(self.settings.glyphs))
        self._show_games()
        self._show_today()
        self._show_form()

    def _show_games(self) -> None:
        games = self.query_one("#games")
        is_low = self.has_class("-low")
        is_large = self.has_class("-wide") and self.has_class("-tall")
        room, count = max(LEAST_ROOM, games.size.width), len(self._specs)
        layout = menu.CardLayout.fitting(room, count, is_low=is_low, is_large=is_large)
        notes = [
            self.saved.results.get(one.id) or f"{menu.players(one)}, {one.minutes} min"
            for one in (spec.info for spec in self._specs)
        ]
        form = len(self.form.fields) + _AROUND_FORM
        menu_size = self.query_one("#menu").size
        drawn = (layout, self.app.theme, self._game, self.size, menu_size, notes, form)
        if drawn == self._drawn:
            return
        self._drawn = drawn
        games.styles.grid_size_columns = layout.per_row
        games.styles.grid_columns = str(layout.width)
        games.styles.grid_rows = str(layout.height)
        games.styles.height = layout.rows
        if is_large:
            today = min(max(_TODAY_ROWS[0], menu_size.height - 1 - form), _TODAY_ROWS[1])
            self.query_one("#menu").styles.grid_rows = f"{today} 1fr"
        for number, spec in enumerate(self._specs):
            palette = Palette(self.app.theme, spec.view_class().palette)
            picture, is_chosen = self._pictures[number], number == self._game
            card = menu.game_card(number + 1, spec.info, picture, notes[number], is_chosen, layout)
            if is_chosen:
                note = notes[number] if layout.height == 1 else menu.players(spec.info)
                title = [Span(spec.info.name, "title"), Span(f"  {note}", "muted")]
                self.show_picture("game-title", Picture.of([title]))
                self.query_one("#summary", Static).update(spec.info.summary)
            self.show_picture(f"game{number}", card, palette)

    def _show_today(self) -> None:
        view, saved = self.query_one("#today", PictureView), self.saved
        spec = self._specs[self._game]
        self._today_size = view.size
        width, height = max(LEAST_ROOM, view.size.width), view.size.height
        today = menu.today_lines(spec.info.id, saved.today, width)
        others = menu.other_lines()
        marked = f"{saved.unreadable} unreadable" if saved.unreadable else ""
        room = height - len(today) - len(others) - 1
        saves = menu.save_lines(saved.unfinished, width, room, now())
        first = [menu.heading("CONTINUE", marked, "bad"), *saves]
        self.show_picture("today", menu.home_lines([first, today, others], height))

    def _show_form(self) -> None:
        form, start = self.form, self.query_one("#start", Bar)
        self.draw_lines()
        has_lesson = self._specs[self._game].has_lesson and start.size.width >= _LESSON_WIDTH
        start.show(menu.start_pieces(form.problem, has_lesson=has_lesson), (), self.palette)
        self.query_one("#command").display = not form.more.is_shut
        self.show_bar("command", [Span("$ ", "key"), Span(form.command())])
        self.query_one(KeyBar).show_keys(self.key_hints(), self.palette)

    def key_hints(self) -> Sequence[KeyHint]:
        keys = [("enter", "start", "screen.start"), ("↑↓←→", "change", "screen.field(1)")]
        keys += [("e", "type", "screen.type")] if self.field.takes_text else []
        keys += [("?", "help", "screen.help"), ("ctrl+p", "more", "app.command_palette")]
        return [*keys, ("q", "quit", "screen.leave")]

    def _show_preview(self) -> None:
        game = self.form.game()
        if game is not None:
            palette = Palette(self.app.theme, self._specs[self._game].view_class().palette)
            self.query_one(Preview).play(game, self.settings.glyphs, palette)

    def changed(self) -> None:
        self.form.check()
        super().changed()
        self._show_preview()

    @on(PictureView.Resized)
    def _today_resized(self) -> None:
        # It may be drawn before the layout gives it its new rows.
        if self.query_one("#today").size != self._today_size:
            self.redraw()

    def action_stay(self) -> None:
        self.say("q quits.")

    def action_game(self, number: int) -> None:
        if number <= len(self._ids):
            self._game, self.at = number - 1, 0
            self.changed()

    def action_start(self) -> None:
        form = self.form
        form.check()
        if form.problem:
            self.at = next(i for i, field in enumerate(self.fields) if field.problem)
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

    def action_replay(self) -> None:
        self.saved.show()

    def _ask(self, make: Callable[[], QuestionRun[Any]]) -> None:
        from boardgames_cli.tui.screens.question_screen import QuestionScreen

        with self.telling_errors():
            self.app.push_screen(QuestionScreen(make(), self.settings))

    def action_puzzles(self, is_today: bool = False) -> None:
        from boardgames_cli.evaluation.puzzles import require_puzzles
        from boardgames_cli.session.questions import PuzzleRun

        game, day = self._ids[self._game], now().date() if is_today else None
        file, glyphs = self.settings.puzzles_file, self.settings.glyphs
        self._ask(lambda: PuzzleRun(require_puzzles(game), file, glyphs, day))

    def action_learn(self) -> None:
        from boardgames_cli.session.questions import lesson_run

        self._ask(lambda: lesson_run(self._ids[self._game], self.settings.glyphs))

    def action_drill(self) -> None:
        from boardgames_cli.session.played_reviews import open_drill

        self._ask(lambda: open_drill(self.settings))

    def action_friend(self) -> None:
        from boardgames_cli.tui.screens.friend_screen import FriendScreen

        game = self.form.game()
        if game is not None:
            self.app.push_screen(FriendScreen(game, self.settings))

    def on_screen_resume(self) -> None:
        """Look again what there is to do: puzzles may have been solved meanwhile."""
        if self.saved.is_known:
            self.call_after_refresh(self.saved.find)

    def on_unmount(self) -> None:
        self.saved.stop()

    def action_profile(self) -> None:
        from boardgames_cli.tui.screens.you_screen import YouScreen

        self.app.push_screen(YouScreen(self.settings))

    def action_preferences(self) -> None:
        # What the form has is still chosen when the home screen is there again.
        chosen = self.form.settings().preferences
        self.app.push_screen(PreferencesScreen(replace(self.settings, preferences=chosen)))

    def action_help(self) -> None:
        game = self.form.game()
        if game is not None:
            palette = Palette(self.app.theme, self._specs[self._game].view_class().palette)
            self.app.open_help(self, HelpTopic(game, self.settings.glyphs, palette), "rules")

    def action_open(self, name: str) -> None:
        self.saved.open(name)
