"""Screens with a form, whose fields keys and the mouse change; one has the preferences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from typing import Any, ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.text import Span
from boardgames_cli.session.seats import checked_name
from boardgames_cli.session.settings import Settings
from boardgames_cli.storage.preferences import GLYPHS, PACES, THEMES, PreferencesFile
from boardgames_cli.tui.form import Field, problem_of
from boardgames_cli.tui.keys import bindings_of
from boardgames_cli.tui.screens.frame import Frame, KeyHint
from boardgames_cli.tui.widgets.form import FormView
from boardgames_cli.tui.widgets.picture import Bar, KeyBar, Sides

FORM_KEYS: Final = (
    ("up,shift+tab", "field(-1)", "field above", "up"),
    ("down,tab", "field(1)", "field below", "down"),
    ("left", "turn(-1)", "choice before", "left"),
    ("right,space", "turn(1)", "next choice", "right"),
    ("e", "type", "type the text of the field", "type"),
)


_SWITCH: Final = ("off", "on")
_FIELDS: Final = (
    ("names", "Name", "what games call you; empty means You", ()),
    ("theme", "Colours", "the colours of all screens", THEMES),
    ("glyphs", "Characters", "ascii works everywhere; hieroglyph needs Egyptian signs", GLYPHS),
    ("pace", "Pace", "how fast agents' steps are shown", PACES),
    ("calm", "Calm", "nothing moves: no animations, no banners, no countdown", _SWITCH),
    ("bell", "Bell", "the terminal's bell rings when there is a banner", _SWITCH),
    ("auto_forced", "Forced", "forced actions are taken without a key", _SWITCH),
    ("tutor", "Tutor", "in games of the menu: asks before a mistake whether you mean it", _SWITCH),
)


class FormScreen(Frame):
    """Has a `FormView`, and a line for what the field in it is about."""

    at = 0
    """The place of the field that keys change."""
    _fields: Sequence[Field] = ()

    @property
    def fields(self) -> Sequence[Field]:
        """The fields that are shown."""
        return self._fields

    @property
    def field(self) -> Field:
        return self.fields[self.at]

    def changed(self) -> None:
        """A field has another value."""
        self.message = ""
        self.redraw()

    def help_of_field(self) -> str:
        """What the field that keys change is about."""
        return self.field.help

    def draw_lines(self) -> None:
        """Draw the form, and what its field is about or what there is to say."""
        self.at = max(0, min(self.at, len(self.fields) - 1))
        view, field = self.query_one(FormView), self.field
        view.styles.max_height = len(self.fields)
        view.show(self.fields, self.at, self.palette)
        said = self.message or field.problem
        label = "" if said else f"{field.label.strip()}: "
        role = "bad" if said else "muted"
        self.show_bar("field-help", [Span(label + (said or self.help_of_field()), role)])

    def action_field(self, by: int) -> None:
        self.at = (self.at + by) % len(self.fields)
        self.message = ""
        self.redraw()

    def action_turn(self, by: int) -> None:
        self.field.turn(by)
        self.changed()

    def action_type(self) -> None:
        from boardgames_cli.tui.screens.dialogs import NameDialog

        field = self.field

        def follow(text: str | None) -> None:
            if text is not None:
                field.value = text
                self.changed()

        if field.takes_text:
            hint = "enter takes it, esc goes back"
            self.app.push_screen(NameDialog(field.label.strip(), field.value, hint), follow)
        else:
            self.say("← and → change this field.")

    @on(FormView.Picked)
    def _picked(self, event: FormView.Picked) -> None:
        self.at = event.index
        if event.by:
            self.field.turn(event.by)
        elif event.choice:
            self.field.pick(event.choice)
        self.changed()


class PreferencesScreen(FormScreen):
    """The preferences of the person at this keyboard."""

    CSS_PATH = "home.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings_of(
        "preferences", *FORM_KEYS, ("escape,q,enter", "leave", "go back", "leave")
    )

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._fields = [
            Field(key, label, _text(settings, key), help, choices)
            for key, label, help, choices in _FIELDS
        ]
        self.message = settings.preferences_problem

    def body(self) -> ComposeResult:
        yield Bar(id="title")
        with Vertical():
            yield FormView(id="form")
        yield Bar(id="field-help")
        yield KeyBar(id="keys")

    def title_bar(self) -> Sides:
        kept = str(self._settings.config_file or "until you quit")
        return [Span("Preferences", "title")], [Span(kept, "muted")]

    def key_hints(self) -> Sequence[KeyHint]:
        keys = [("↑↓←→", "change", "screen.field(1)"), ("ctrl+p", "more", "app.command_palette")]
        keys += [("e", "type", "screen.type")] if self.field.takes_text else []
        return [*keys, ("q", "back", "screen.leave")]

    def changed(self) -> None:
        field, before = self.field, self._settings.preferences
        field.problem = problem_of(lambda: checked_name(field.value)) if field.takes_text else ""
        super().changed()
        value: Any = field.value == "on" if field.choices == _SWITCH else field.value
        if field.key == "names":
            value = tuple(filter(None, (value.strip(), *before.names[1:])))
        if field.problem or getattr(before, field.key) == value:
            return
        now = replace(self._settings, preferences=replace(before, **{field.key: value}))
        if field.key != "names":  # for the games that begin from now on
            name = "reduced_motion" if field.key == "calm" else field.key
            now = replace(now, **{name: type(getattr(now, name))(value)})
        self._settings = now
        self.app.use_settings(now)
        if now.config_file is not None:
            try:
                PreferencesFile(now.config_file).remember(**{field.key: value})
            except GameError as error:
                self._settings = replace(now, config_file=None)  # which is said once
                self.say(f"It counts until you quit, but is not kept: {error}")

    def action_leave(self) -> None:
        self.app.open_menu()


def _text(settings: Settings, key: str) -> str:
    preferred = getattr(settings.preferences, key)
    if key == "names":
        return next(iter(preferred), "")
    if isinstance(preferred, bool):
        return _SWITCH[preferred]
    shown = getattr(settings, key)
    return str(shown.value if isinstance(shown, Enum) else shown)
