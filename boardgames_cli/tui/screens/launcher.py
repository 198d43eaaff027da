"""The menu: which game, with which options, who plays; or go on with a save."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.widgets import Static

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.spec import GameSpec
from boardgames_cli.core.text import Picture, Span
from boardgames_cli.registry import find_game, game_ids
from boardgames_cli.session.setup import Settings, load_replay, resume_session
from boardgames_cli.storage.listing import SaveSummary
from boardgames_cli.storage.paths import save_folder
from boardgames_cli.storage.store import Store
from boardgames_cli.tui import menu
from boardgames_cli.tui.form import Field, Form
from boardgames_cli.tui.navigator import PATIENCE_SECONDS, navigator_of
from boardgames_cli.tui.screens.frame import Frame
from boardgames_cli.tui.theme import Palette
from boardgames_cli.tui.widgets.bars import Bar, KeyBar, Piece
from boardgames_cli.tui.widgets.form import FormView
from boardgames_cli.tui.widgets.picture import PictureView
from boardgames_cli.tui.widgets.preview import Preview

_MOST_SAVES = 9
_CARD_WIDTH = 22


def _playable() -> list[GameSpec]:
    """The games of the menu; one whose parts are missing, such as a broken plug-in, is left out."""
    found = []
    for id in game_ids():
        spec = find_game(id)
        try:
            spec.game_class()
            spec.view_class()
        except ImportError:
            continue
        found.append(spec)
    return found


class Launcher(Frame):
    """The menu.

    Args:
        settings: What is chosen already.
        game: The game to begin with; empty for the first.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *[
            Binding(str(n), f"game({n})", f"game {n}", show=False, id=f"menu.game{n}")
            for n in range(1, 10)
        ],
        Binding("up,shift+tab", "field(-1)", "field above", show=False, id="menu.up"),
        Binding("down,tab", "field(1)", "field below", show=False, id="menu.down"),
        Binding("left", "turn(-1)", "choice before", show=False, id="menu.left"),
        Binding("right,space", "turn(1)", "next choice", show=False, id="menu.right"),
        Binding("enter", "start", "start the game", show=False, id="menu.start"),
        Binding("c", "resume", "continue a saved game", show=False, id="menu.continue"),
        Binding("r", "replay", "see a finished game again", show=False, id="menu.replay"),
        Binding("question_mark,f1", "rules", "keys and rules", show=False, id="menu.rules"),
        Binding("q,escape", "leave", "quit", show=False, id="menu.quit"),
    ]

    def __init__(self, settings: Settings, game: str = "") -> None:
        super().__init__()
        self.settings = settings
        self._specs = _playable()
        self._ids = [spec.info.id for spec in self._specs]
        self._game = self._ids.index(game) if game in self._ids else 0
        self._forms: dict[int, Form] = {}
        self._field = 0
        self._saves: list[SaveSummary] = []
        self._finished: list[SaveSummary] = []
        self._unreadable = 0
        self._message = ""

    @property
    def form(self) -> Form:
        """The form of the chosen game; what was chosen stays while another game is looked at."""
        if self._game not in self._forms:
            self._forms[self._game] = Form(self._specs[self._game], self.settings)
        return self._forms[self._game]

    @property
    def field(self) -> Field:
        """The field under the cursor."""
        return self.form.fields[self._field]

    def body(self) -> ComposeResult:
        """Wordmark, games and saves at the left, the form at the right, the command below."""
        yield PictureView(centred=True, id="wordmark")
        with Container(id="menu"):
            with Vertical(id="games"):
                yield PictureView(id="games-title", classes="heading")
                with Container(id="cards"):
                    for number in range(len(self._ids)):
                        yield PictureView(id=f"game{number}", classes="game")
                yield PictureView(id="saves-title", classes="heading")
                yield PictureView(id="saves")
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
        """Look for saves once the menu is painted."""
        self.call_after_refresh(self._find_saves)
        self.set_timer(0.5, self._show_preview)

    def on_resize(self) -> None:
        """Draw for the new size."""
        self.call_after_refresh(self._show)

    def use_theme(self) -> None:
        """Take the colours of the application's theme."""
        self._show()

    def _find_saves(self) -> None:
        store = Store(save_folder(self.settings.save_folder))
        found = store.summaries()
        sound = [save for save in found if not save.problem]
        self._unreadable = len(found) - len(sound)
        self._saves = [save for save in sound if not save.is_finished][:_MOST_SAVES]
        self._finished = [save for save in sound if save.is_finished][:_MOST_SAVES]
        self._show()

    # -- drawing -----------------------------------------------------------------------------

    def _show(self) -> None:
        if not self.is_mounted:
            return
        theme = self.app.theme
        palette = Palette(theme)
        show = self._show_picture
        show("#wordmark", menu.wordmark(self.settings.glyphs), palette)
        show("#games-title", Picture.of([Span("GAMES", "muted")]), palette)
        marked = f"  {self._unreadable} unreadable" if self._unreadable else ""
        title = [Span("CONTINUE", "muted"), Span(marked, "bad")]
        show("#saves-title", Picture.of([title]), palette)
        self._show_games(theme)
        room = self.query_one("#games").content_size
        now = datetime.datetime.now().astimezone()
        lines = max(1, min(len(self._saves), 9 if room.height > 16 else 3))
        show("#saves", menu.save_lines(self._saves[:lines], room.width, now), palette)
        info = self._specs[self._game].info
        show(
            "#game-title",
            Picture.of([[Span(info.name, "title"), Span(f"  {menu.players(info)}", "muted")]]),
            palette,
        )
        self.query_one("#summary", Static).update(info.summary)
        self._show_form(palette)

    def _show_picture(self, selector: str, picture: Picture, palette: Palette) -> None:
        self.query_one(selector, PictureView).show(picture, palette)

    def _show_games(self, theme: str) -> None:
        is_wide = self.has_class("-wide") and self.has_class("-tall")
        width = _CARD_WIDTH if is_wide else self.query_one("#games").content_size.width
        draw = menu.game_card if is_wide else menu.game_line
        for number, spec in enumerate(self._specs):
            palette = Palette(theme, spec.view_class().palette if is_wide else None)
            picture = draw(number + 1, spec.info, number == self._game, width)
            self._show_picture(f"#game{number}", picture, palette)

    def _show_form(self, palette: Palette) -> None:
        form = self.form
        self._field = max(0, min(self._field, len(form.fields) - 1))
        view = self.query_one(FormView)
        view.styles.max_height = len(form.fields)
        view.show(form.fields, self._field, palette)
        problem = form.problem
        start = [Piece("   Start: enter   ", "highlight", "screen.start")]
        if problem:
            start = [Piece("Change what is marked, then enter starts the game.", "bad")]
        self.query_one("#start", Bar).show(start, (), palette)
        help = self._message or self.field.problem or self.field.help
        role = "bad" if self._message or self.field.problem else "muted"
        self.query_one("#field-help", Bar).show(
            [Piece(f"{self.field.label}: " if role == "muted" else "", role), Piece(help, role)],
            (),
            palette,
        )
        self.query_one("#command", Bar).show(
            [Piece("$ ", "key"), Piece(form.command(), "")], (), palette
        )
        self.query_one(KeyBar).show_keys(self._keys(), palette)

    def _keys(self) -> list[tuple[str, str, str]]:
        count = len(self._ids)
        keys = [("enter", "start", "screen.start")]
        if self._saves:
            keys.append(("c", "continue", "screen.resume"))
        if self._finished:
            keys.append(("r", "replay", "screen.replay"))
        if count > 1:
            keys.append((f"1-{min(9, count)}", "game", "screen.game(1)"))
        return [
            *keys,
            ("↑↓", "field", "screen.field(1)"),
            ("←→", "change", "screen.turn(1)"),
            ("?", "rules", "screen.rules"),
            ("q", "quit", "screen.leave"),
        ]

    def _show_preview(self) -> None:
        game = self.form.game()
        if game is not None:
            palette = Palette(self.app.theme, self._specs[self._game].view_class().palette)
            self.query_one(Preview).play(game, self.settings.glyphs, palette)

    def _changed(self) -> None:
        self._message = ""
        self.form.check()
        theme = self.form.value("theme")
        if theme != self.app.theme:
            self.app.theme = theme
        self._show()

    # -- keys and mouse ----------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Type into a field that takes text; other keys keep their meaning."""
        field = self.field
        if not field.takes_text:
            return
        if event.key == "backspace":
            field.value = field.value[:-1]
        elif event.is_printable and event.character:
            field.value += event.character
        else:
            return
        event.stop()
        event.prevent_default()
        self._changed()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Letters and digits go into a field that takes text instead of acting."""
        if action in ("game", "resume", "replay", "rules") and self.field.takes_text:
            return None
        return True

    def action_game(self, number: int) -> None:
        """Choose a game."""
        if number <= len(self._ids):
            self._game, self._field = number - 1, 0
            self._changed()
            self._show_preview()

    def action_field(self, by: int) -> None:
        """Go to another field."""
        self._field = (self._field + by) % len(self.form.fields)
        self._message = ""
        self._show()

    def action_turn(self, by: int) -> None:
        """Change the field."""
        self.field.turn(by)
        self._changed()
        self._show_preview()

    def action_start(self) -> None:
        """Start the game, or say what is wrong."""
        form = self.form
        form.check()
        if form.problem:
            fields = form.fields
            self._field = next(i for i, field in enumerate(fields) if field.problem)
            self._show()
            return
        try:
            navigator_of(self.app).start(form.setup(), form.settings())
        except GameError as error:
            self._message = str(error)
            self._show()

    def action_resume(self) -> None:
        """Continue the last save, or choose among several."""
        self._choose("Continue which game?", self._saves, self._resume)

    def action_replay(self) -> None:
        """See a finished game again."""
        if not self._finished:
            self._message = "There is no finished game to see again yet."
            self._show()
        self._choose("See which game again?", self._finished, self._replay)

    def _choose(
        self, title: str, saves: Sequence[SaveSummary], follow: Callable[[str | None], None]
    ) -> None:
        from boardgames_cli.tui.screens.dialogs import ChoiceDialog

        if len(saves) < 2:
            follow(saves[0].name if saves else None)
            return
        now = datetime.datetime.now().astimezone()
        answers = [(save.name, menu.save_label(save, now)) for save in saves]
        self.app.push_screen(ChoiceDialog(title, [], answers, Palette(self.app.theme)), follow)

    def _replay(self, name: str | None) -> None:
        if name is None:
            return
        try:
            navigator_of(self.app).open_replay(load_replay(name, self.settings))
        except GameError as error:
            self._message = str(error)
            self._show()

    def _resume(self, name: str | None) -> None:
        if name is None:
            return
        try:
            # The tick was chosen for the game of the form, not for this one.
            settings = replace(self.form.settings(), tick=None)
            session = resume_session(name, settings, PATIENCE_SECONDS)
            navigator_of(self.app).open_table(session)
        except GameError as error:
            self._message = str(error)
            self._show()

    def action_rules(self) -> None:
        """Keys and rules of the chosen game."""
        from boardgames_cli.tui.screens.help import game_help

        game = self.form.game()
        if game is not None:
            keys = navigator_of(self.app).key_descriptions(self)
            palette = Palette(self.app.theme, self._specs[self._game].view_class().palette)
            self.app.push_screen(game_help(game, keys, self.settings.glyphs, palette, "rules"))

    def action_leave(self) -> None:
        """Quit."""
        self.app.exit(return_code=0)

    @on(FormView.Picked)
    def _picked(self, event: FormView.Picked) -> None:
        self._field = event.index
        if event.choice:
            self.field.pick(event.choice)
        self._changed()

    @on(PictureView.Clicked)
    def _clicked(self, event: PictureView.Clicked) -> None:
        if event.notation.startswith(menu.GAME):
            self.action_game(int(event.notation.removeprefix(menu.GAME)))
        else:
            self._resume(event.notation)
