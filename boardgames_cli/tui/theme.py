"""The three themes of the screens, and the roles of pictures as Rich styles.

`core.styles` defines the styles as strings, and how roles are looked up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual import constants
from textual.app import App
from textual.color import Color as TextualColour
from textual.filter import LineFilter
from textual.theme import Theme

from boardgames_cli.core.styles import DARK, GROUND, LIGHT, MONOCHROME, RoleStyles

_BRIGHT: Final = 0.4
"""In the dark theme, a background brighter than this means emphasis."""

_COLOUR_COUNTS: Final = {"256": 256, "standard": 16, "windows": 16}
"""The number of colours, by the name of Rich's colour system."""
_TOO_FEW: Final = 16

_SELECTED: Final = frozenset({"target", "chosen", "changed", "highlight"})
"""Roles of selected items, and of the effect of the selected action."""

THEMES: Final = (
    Theme(
        name=DARK,
        primary="#e8c15a",
        secondary="#6fc7c7",
        accent="#6fc7c7",
        warning="#ff9e57",
        error="#ff9e57",
        success="#6cb6ff",
        foreground=GROUND[DARK][0],
        background=GROUND[DARK][1],
        surface="#1b1a18",
        panel="#26231f",
        dark=True,
        variables={"line": "#4a4436", "muted": "#a39a86", "key": "#e8c15a"},
    ),
    Theme(
        name=LIGHT,
        primary="#7a5200",
        secondary="#135252",
        accent="#135252",
        warning="#a03f00",
        error="#a03f00",
        success="#0b5cad",
        foreground=GROUND[LIGHT][0],
        background=GROUND[LIGHT][1],
        surface="#f4edda",
        panel="#e9dfc4",
        dark=False,
        variables={"line": "#b8a67c", "muted": "#6b5f4a", "key": "#7a5200"},
    ),
    Theme(
        name=MONOCHROME,
        ansi=True,
        primary="ansi_default",
        secondary="ansi_default",
        accent="ansi_default",
        warning="ansi_default",
        error="ansi_default",
        success="ansi_default",
        foreground="ansi_default",
        background="ansi_default",
        surface="ansi_default",
        panel="ansi_default",
        boost="ansi_default",
        # The last ones are required by Textual's own widgets.
        variables=dict.fromkeys(
            (
                "line",
                "muted",
                "key",
                "ansi-background",
                "ansi-foreground",
                "border-blurred",
                "block-cursor-foreground",
                "block-cursor-background",
                "input-cursor-background",
                "input-cursor-foreground",
                "input-selection-background",
                "input-selection-foreground",
                "screen-selection-background",
                "screen-selection-foreground",
            ),
            "ansi_default",
        )
        | {"input-cursor-text-style": "reverse", "block-cursor-text-style": "bold reverse"},
    ),
)
"""All themes; their names are the values of `Settings.theme`."""


class WithoutColour(LineFilter):
    """Removes all colours and greys; bold, underline and reverse stay."""

    _DEFAULT: Final = Style(color="default", bgcolor="default", dim=False)

    def apply(self, segments: list[Segment], background: TextualColour) -> list[Segment]:
        """Remove colours from segments."""
        return [
            Segment(text, None if style is None else style + self._DEFAULT, control)
            for text, style, control in segments
        ]


class Palette:
    """The styles of roles in one theme, for one game.

    Args:
        theme: The name of the theme.
        game: The palette of the game's view, by theme and role.
    """

    def __init__(self, theme: str, game: Mapping[str, Mapping[str, str]] | None = None) -> None:
        self.theme = theme
        game = game or {}
        own = game.get(theme, {})
        if theme == MONOCHROME and not own:
            own = {role: _plain(role, style) for role, style in game.get(DARK, {}).items()}
        self._styles = RoleStyles(theme, own)
        self._known: dict[str, Style] = {"": Style.null()}

    def style(self, role: str) -> Style:
        """The style of one or more roles separated by spaces."""
        if role not in self._known:
            layers = [Style.parse(layer) for layer in self._styles.layers(role)]
            self._known[role] = Style.combine(layers) if layers else Style.null()
        return self._known[role]

    def has(self, role: str) -> bool:
        """Whether the game defines a style for a role."""
        return role in self._styles.own


def colour_count(app: App[Any]) -> int:
    """The number of colours of the terminal; 0 for true colour."""
    if app.is_headless and constants.COLOR_SYSTEM == "auto":
        return 0  # for screenshots, the terminal does not matter
    return _COLOUR_COUNTS.get(app.console.color_system or "", 0)


def tells_grounds(theme: str, app: App[Any]) -> bool:
    """Whether parts of a board can be distinguished by background colour alone."""
    return theme != MONOCHROME and colour_count(app) != _TOO_FEW


def _plain(role: str, style: str) -> str:
    words = without_colour(style).split()
    if role.partition(".")[0] in _SELECTED:
        # Regardless of the background.
        if "reverse" not in words and Style.parse(style).bgcolor is not None:
            words.append("reverse")
    elif "reverse" in words:
        # Reverse is reserved for selection.
        words = ["bold", *(word for word in words if word not in ("bold", "reverse"))]
    return " ".join(words)


def without_colour(style: str) -> str:
    """Express a style of the dark theme with bold, underline and reverse only."""
    parsed = Style.parse(style)
    words = [word for word in ("bold", "underline", "reverse") if getattr(parsed, word)]
    if parsed.bgcolor is not None and luminance(parsed.bgcolor) > _BRIGHT:
        words.append("reverse")
    return " ".join(words)


def luminance(colour: Color) -> float:
    """The relative luminance of a colour, 0 to 1, as defined by WCAG."""
    channels = [value / 255 for value in colour.get_truecolor()]
    red, green, blue = (
        value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4
        for value in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
