"""Colours: the three themes, and what the roles of pictures look like in each.

Views speak of roles ("seat.0", "safe"), never of colours. A role is looked up in the game's own
palette, then here; one that is unknown takes the style of the part before its last dot. Several
roles in one string are laid over each other, the later on top.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.color import Color as TextualColour
from textual.filter import LineFilter
from textual.theme import Theme

DARK: Final = "dark"
LIGHT: Final = "light"
MONOCHROME: Final = "monochrome"

SEAT_COLOURS: Final[Mapping[str, tuple[str, ...]]] = {
    # xterm-256 colours 159 165 196 67 227 216 and 160 17 129 131 24 52: the largest distances for
    # people with any kind of colour blindness, each at least 4.5:1 against the background.
    DARK: ("#afffff", "#d700ff", "#ff0000", "#5f87af", "#ffff5f", "#ffaf87"),
    LIGHT: ("#d70000", "#00005f", "#af00ff", "#af5f5f", "#005f87", "#5f0000"),
}

_COMMON: Final[Mapping[str, Mapping[str, str]]] = {
    DARK: {
        "muted": "#a39a86",
        "title": "bold #e8c15a",
        "key": "bold #e8c15a",
        "good": "#6cb6ff",
        "bad": "#ff9e57",
        "safe": "bold #6fc7c7",
        "illegal": "#8f8775",
        "highlight": "bold #121212 on #e8c15a",
        "chosen": "bold #f4e3b5 on #4a4436",
        "last-move": "underline",
        "hint": "bold #6fc7c7",
        "bar.full": "#e8c15a",
        "bar.empty": "#4a4436",
        "card": "#e9e2d0 on #26231f",
    },
    LIGHT: {
        "muted": "#6b5f4a",
        "title": "bold #7a5200",
        "key": "bold #7a5200",
        "good": "#0b5cad",
        "bad": "#a03f00",
        "safe": "bold #135252",
        "illegal": "#75694f",
        "highlight": "bold #fbf7ec on #7a5200",
        "chosen": "bold #2b2118 on #dccfa9",
        "last-move": "underline",
        "hint": "bold #135252",
        "bar.full": "#7a5200",
        "bar.empty": "#d6c8a4",
        "card": "#2b2118 on #e9dfc4",
    },
    MONOCHROME: {
        "title": "bold",
        "key": "bold",
        "safe": "bold",
        "bad": "bold",
        "highlight": "bold reverse",
        "chosen": "bold underline",
        "last-move": "underline",
        "hint": "bold underline",
        "seat": "bold",
    },
}

_BRIGHT: Final = 0.4
"""A ground of more luminance than this means emphasis in the dark theme."""

THEMES: Final = (
    Theme(
        name=DARK,
        primary="#e8c15a",
        secondary="#6fc7c7",
        accent="#6fc7c7",
        warning="#ff9e57",
        error="#ff9e57",
        success="#6cb6ff",
        foreground="#e9e2d0",
        background="#121212",
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
        foreground="#2b2118",
        background="#fbf7ec",
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
        # The last ones are what Textual's own widgets ask for in such a theme.
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
"""All that the program has; their names are the values of `Settings.theme`."""


class WithoutColour(LineFilter):
    """Takes away every colour and grey; bold, underline and reverse stay."""

    _DEFAULT: Final = Style(color="default", bgcolor="default", dim=False)

    def apply(self, segments: list[Segment], background: TextualColour) -> list[Segment]:
        """The same texts without colours."""
        return [
            Segment(text, None if style is None else style + self._DEFAULT, control)
            for text, style, control in segments
        ]


class Palette:
    """What roles look like in one theme, for one game.

    Args:
        theme: The name of the theme.
        game: The palette of the game's view, by theme and role.
    """

    def __init__(self, theme: str, game: Mapping[str, Mapping[str, str]] | None = None) -> None:
        self.theme = theme
        game = game or {}
        self._own = game.get(theme, {})
        if theme == MONOCHROME and not self._own:
            self._own = {role: without_colour(style) for role, style in game.get(DARK, {}).items()}
        self._known: dict[str, Style] = {"": Style.null()}

    def style(self, role: str) -> Style:
        """How a role, or several with blanks between them, is drawn."""
        if role not in self._known:
            layers = [self._one(word) for word in role.split()]
            self._known[role] = Style.combine(layers) if layers else Style.null()
        return self._known[role]

    def has(self, role: str) -> bool:
        """Whether the game itself says how a role is drawn."""
        return role in self._own

    def _one(self, word: str) -> Style:
        while word:
            found = self._own.get(word) or self._seat(word) or _COMMON[self.theme].get(word)
            if found is not None:
                return Style.parse(found)
            word = word.rpartition(".")[0]
        return Style.null()

    def _seat(self, word: str) -> str | None:
        name, _, number = word.partition(".")
        colours = SEAT_COLOURS.get(self.theme, ())
        if name != "seat" or not number.isdigit() or not colours:
            return None
        return f"bold {colours[int(number) % len(colours)]}"


def without_colour(style: str) -> str:
    """A style of the dark theme said with bold, underline and reverse alone."""
    parsed = Style.parse(style)
    words = [word for word in ("bold", "underline", "reverse") if getattr(parsed, word)]
    if parsed.bgcolor is not None and luminance(parsed.bgcolor) > _BRIGHT:
        words.append("reverse")
    return " ".join(words)


def luminance(colour: Color) -> float:
    """How bright a colour is, from 0 to 1, as WCAG defines it."""
    channels = [value / 255 for value in colour.get_truecolor()]
    red, green, blue = (
        value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4
        for value in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
