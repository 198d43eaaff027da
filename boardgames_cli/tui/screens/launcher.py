"""The home screen: go on, choose a game with its options and players, or see how one does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.geometry import Size
from textual.widgets import Static

from boardgames_cli.core.agent import split_agent
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.presentation.home_page import Opponent
from boardgames_cli.core.text import Span
from boardgames_cli.session.seats import HUMAN
from boardgames_cli.session.settings import Settings, remember_choices
from boardgames_cli.storage.played_games import ResultTally
from boardgames_cli.tui import menu
from boardgames_cli.tui.form import Field, Form
from boardgames_cli.tui.keys import bindings_of, numbered
from boardgames_cli.tui.saved_games import SavedGames, now
from boardgames_cli.tui.screens.frame import LEAST_ROOM, Frame, HelpTopic, KeyHint
from boardgames_cli.tui.theme import Palette
from boardgames_cli.tui.widgets.form import FormView
from boardgames_cli.tui.widgets.picture import Bar, KeyBar, PictureView
from boardgames_cli.tui.widgets.preview import Preview

_LEAST_TODAY: Final = 9
"""On a large screen, the rows of what there is to do; on a high one, all that the form leaves."""
_AROUND_FORM: Final = 4
"""The rows of the form's title, summary and start."""


class Launcher(Frame):
    """The menu, which begins with a game, that of the last time, or the first."""

    CSS_PATH = "home.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_of(
            "menu",
            *numbered("game", "game {}", "game"),
            ("up,shift+tab", "field(-1)", "field above", "up"),
            ("down,tab", "field(1)", "field below", "down"),
            ("left", "turn(-1)", "choice before", "left"),
            ("right,space", "turn(1)", "next choice", "right"),
            ("enter", "start", "start the game", "enter"),
            ("s", "start", "start the game", "start"),
            ("e", "type", "type the text of the field", "type"),
            ("c", "resume", "continue a saved game", "continue"),
            ("D", "delete", "delete a saved game", "delete"),
            ("r", "replay", "see a finished game again", "replay"),
            ("d", "drill", "train on the mistakes of your games", "drill"),
            ("o", "puzzles(True)", "puzzle of the day of the game", "today"),
            ("p", "puzzles", "puzzles of the game", "puzzles"),
            ("l", "learn", "learn the game by playing", "learn"),
            ("f", "friend", "play with a friend over a network", "friend"),
            ("n", "ladder", "ladder: the next opponent of the game", "ladder"),
            ("v", "profile", "you: record, ratings and what to train", "profile"),
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
        self._pictures = [menu.picture_of(spec, settings.glyphs) for spec in self._specs]
        self._drawn: object = None
        """What the cards of the games were drawn from."""
        self._today_size: Size | None = None
        """The room that what there is to do was drawn for."""
        self._tells_records = False
        """Whether the cards are large enough to tell a person's results."""
        self._forms: dict[int, Form] = {}
        self._field = 0
        self.saved = SavedGames(self, settings)
        self.message = settings.preferences_problem

    @property
    def form(self) -> Form:
        if self._game not in self._forms:
            self._forms[self._game] = Form(self._specs[self._game], self.settings)
        return self._forms[self._game]

    @property
    def field(self) -> Field:
        return self.form.fields[self._field]

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
        spec = self._specs[self._game]
        standing = self.saved.standing(spec.info.id)
        self._show_today(standing)
        tally = ResultTally() if self._tells_records else standing.tally
        self.show_picture("game-title", menu.title_line(spec.info, tally))
        summary = self.query_one("#summary", Static)
        summary.set_class(standing.is_new, "-new")
        summary.update(menu.standing_line(spec, standing))
        self._show_form()

    def _show_games(self) -> None:
        games = self.query_one("#games")
        is_low = self.has_class("-low")
        is_large = self.has_class("-wide") and self.has_class("-tall")
        room, count = max(LEAST_ROOM, games.size.width), len(self._specs)
        layout = menu.CardLayout.fitting(room, count, is_low=is_low, is_large=is_large)
        self._tells_records = layout.height > 1
        records = [self.saved.standing(id) for id in self._ids]
        form = len(self.form.fields) + _AROUND_FORM
        menu_size = self.query_one("#menu").size
        drawn = (layout, self.app.theme, self._game, self.size, menu_size, records, form)
        if drawn == self._drawn:
            return
        self._drawn = drawn
        games.styles.grid_size_columns = layout.per_row
        games.styles.grid_columns = str(layout.width)
        games.styles.grid_rows = str(layout.height)
        games.styles.height = layout.rows
        if is_large:
            today = max(_LEAST_TODAY, menu_size.height - 1 - form)
            self.query_one("#menu").styles.grid_rows = f"{today} 1fr"
        for number, spec in enumerate(self._specs):
            palette = Palette(self.app.theme, spec.view_class().palette)
            picture, is_chosen = self._pictures[number], number == self._game
            note = menu.card_note(spec.info, records[number])
            card = menu.game_card(number + 1, spec.info, picture, note, is_chosen, layout)
            self.show_picture(f"game{number}", card, palette)

    def _show_today(self, standing: menu.PersonalRecord) -> None:
        view, saved = self.query_one("#today", PictureView), self.saved
        spec = self._specs[self._game]
        self._today_size = view.size
        width, height = max(LEAST_ROOM, view.size.width), view.size.height
        today = menu.today_lines(spec.info.id, saved.today, standing, width)
        others = menu.other_lines(width)
        if saved.is_new:
            first = menu.welcome_lines(spec, width)
        else:
            marked = f"{saved.unreadable} unreadable" if saved.unreadable else ""
            room = height - len(today) - len(others) - 1
            saves = menu.save_lines(saved.unfinished, width, room, now())
            first = [menu.heading("CONTINUE", marked, "bad"), *saves]
        parts = [first, today, others]
        ladder = menu.ladder_lines(standing.climb, width)
        if sum(map(len, (*parts, ladder))) < height:
            parts.insert(2, ladder)
        self.show_picture("today", menu.home_lines(parts, height))

    def _show_form(self) -> None:
        form = self.form
        self._field = max(0, min(self._field, len(form.fields) - 1))
        view = self.query_one(FormView)
        view.styles.max_height = len(form.fields)
        view.show(form.fields, self._field, self.palette)
        problem = form.problem
        spec, start = self._specs[self._game], self.query_one("#start", Bar)
        pieces = menu.start_pieces(spec, is_wrong=bool(problem), width=start.size.width)
        start.show(pieces, (), self.palette)
        help = self.message or self.field.problem or form.help_of(self.field)
        role = "bad" if self.message or self.field.problem else "muted"
        label = f"{self.field.label}: " if role == "muted" else ""
        self.show_bar("field-help", [Span(label, role), Span(help, role)])
        self.show_bar("command", [Span("$ ", "key"), Span(form.command())])
        self.query_one(KeyBar).show_keys(self.key_hints(), self.palette)

    def key_hints(self) -> Sequence[KeyHint]:
        keys = [("enter", "start", "screen.start")]
        keys += [("e", "type", "screen.type")] if self.field.takes_text else []
        keys += [("c", "continue", "screen.resume")] if self.saved.unfinished else []
        keys += [("↑↓", "field", "screen.field(1)"), ("←→", "change", "screen.turn(1)")]
        keys += [("?", "rules", "screen.rules"), ("q", "quit", "screen.leave")]
        keys += [("r", "replay", "screen.replay")] if self.saved.finished else []
        # The digits are shown next to the games anyway.
        games = len(self._ids)
        return [*keys, (f"1-{min(9, games)}", "game", "screen.game(1)")] if games > 1 else keys

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

    @on(PictureView.Resized)
    def _today_resized(self) -> None:
        # It may be drawn before the layout gives it its new rows.
        if self.query_one("#today").size != self._today_size:
            self.redraw()

    def action_type(self) -> None:
        from boardgames_cli.tui.screens.dialogs import NameDialog

        field = self.field

        def follow(text: str | None) -> None:
            if text is not None:
                field.value = text
                self._changed()
                self._show_preview()

        if field.takes_text:
            hint = "enter takes it, esc goes back"
            self.app.push_screen(NameDialog(field.label.strip(), field.value, hint), follow)
        else:
            self.say("← and → change this field.")

    def action_stay(self) -> None:
        self.say("q quits.")

    def action_game(self, number: int) -> None:
        if number <= len(self._ids):
            self._game, self._field = number - 1, 0
            self._changed()
            self._show_preview()

    def action_field(self, by: int) -> None:
        self._field = (self._field + by) % len(self.form.fields)
        self.message = ""
        self.redraw()

    def action_turn(self, by: int) -> None:
        self.field.turn(by)
        self._changed()
        self._show_preview()

    def action_start(self) -> None:
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
        self.saved.resume()

    def action_replay(self) -> None:
        self.saved.replay()

    def action_delete(self) -> None:
        self.saved.delete()

    def action_puzzles(self, is_today: bool = False) -> None:
        from boardgames_cli.evaluation.puzzles import require_puzzles
        from boardgames_cli.session.questions import PuzzleRun
        from boardgames_cli.tui.screens.question_screen import QuestionScreen

        file, glyphs = self.settings.puzzles_file, self.settings.glyphs
        try:
            puzzles = require_puzzles(self._ids[self._game])
            run = PuzzleRun(puzzles, file, glyphs, now().date() if is_today else None)
        except GameError as error:
            self.say(error.message)
            return
        self.app.push_screen(QuestionScreen(run, self.settings))

    def action_learn(self) -> None:
        from boardgames_cli.session.questions import lesson_run
        from boardgames_cli.tui.screens.question_screen import QuestionScreen

        with self.telling_errors():
            run = lesson_run(self._ids[self._game], self.settings.glyphs)
            self.app.push_screen(QuestionScreen(run, self.settings))

    def action_friend(self) -> None:
        from boardgames_cli.tui.screens.friend_screen import FriendScreen

        game = self.form.game()
        if game is not None:
            self.app.push_screen(FriendScreen(game, self.settings))

    def action_drill(self) -> None:
        from boardgames_cli.session.played_reviews import open_drill
        from boardgames_cli.tui.screens.question_screen import QuestionScreen

        with self.telling_errors():
            self.app.push_screen(QuestionScreen(open_drill(self.settings), self.settings))

    def on_screen_resume(self) -> None:
        """Look again what there is to do: puzzles may have been solved meanwhile."""
        if self.saved.is_known:
            self.call_after_refresh(self.saved.find)

    def on_unmount(self) -> None:
        self.saved.stop()

    def action_ladder(self) -> None:
        from boardgames_cli.tui.screens.dialogs import ask

        spec = self._specs[self._game]
        standing, name = self.saved.standing(spec.info.id), spec.info.name
        climb = standing.climb
        if climb is None:
            self.say(f"{name} has no ladder.")
            return
        facts = [climb.rule]
        if standing.rating is not None:
            facts.append(f"Your rating: {standing.rating.beside(spec)}.")
        opponents = climb.ladder.opponents
        labels = menu.ladder_labels(climb, self.size.width)
        answers = [
            (label, partial(self._climb, one)) for label, one in zip(labels, opponents, strict=True)
        ]
        start = min(climb.beaten, len(opponents) - 1)
        ask(self, f"Ladder of {name}", [*facts, ""], answers, start=start)

    def _climb(self, opponent: Opponent) -> None:
        setup, settings = self.form.setup(), self.form.settings()
        person = next((one for one in setup.seats if split_agent(one)[0] == HUMAN), HUMAN)
        with self.telling_errors():
            self.app.start(replace(setup, seats=(person,), rest=opponent.seat), settings)

    def action_profile(self) -> None:
        from boardgames_cli.tui.screens.you_screen import YouScreen

        self.app.push_screen(YouScreen(self.settings))

    def action_rules(self) -> None:
        game = self.form.game()
        if game is not None:
            palette = Palette(self.app.theme, self._specs[self._game].view_class().palette)
            self.app.open_help(self, HelpTopic(game, self.settings.glyphs, palette), "rules")

    def action_leave(self) -> None:
        self.app.exit(return_code=0)

    @on(FormView.Picked)
    def _picked(self, event: FormView.Picked) -> None:
        self._field = event.index
        if event.choice:
            self.field.pick(event.choice)
        self._changed()

    def action_open(self, name: str) -> None:
        self.saved.open(name)
