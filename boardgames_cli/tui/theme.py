"""The three themes of the screens, and the roles of pictures as Rich styles.

`core.presentation.styles` defines the styles as strings, and how roles are looked up.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

from rich.cells import cell_len
from rich.color import Color
from rich.color_triplet import ColorTriplet
from rich.segment import Segment
from rich.style import Style
from textual import constants
from textual.app import App
from textual.color import Color as TextualColour
from textual.color import rgb_to_lab
from textual.filter import LineFilter
from textual.theme import BUILTIN_THEMES, Theme

from boardgames_cli.core.presentation.styles import (
    DARK,
    GROUND,
    LIGHT,
    MONOCHROME,
    SEAT_COLOURS,
    RoleStyles,
)
from boardgames_cli.terminal.streams import SUBSTITUTE

_BRIGHT: Final = 0.4
"""In the dark theme, a background brighter than this means emphasis."""

_COLOUR_COUNTS: Final = {"256": 256, "standard": 16, "windows": 16}
"""The number of colours, by the name of Rich's colour system."""
_TOO_FEW: Final = 16

_SELECTED: Final = frozenset({"target", "chosen", "changed", "highlight"})
"""Roles of selected items, and of the effect of the selected action."""

_TERMINAL: Final = BUILTIN_THEMES["ansi-dark"]  # of which `WithoutColour` leaves no colour

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
    replace(
        _TERMINAL,
        name=MONOCHROME,
        variables={
            **_TERMINAL.variables,
            **dict.fromkeys(("line", "muted", "key"), "ansi_default"),
            "input-cursor-text-style": "reverse",
            "block-cursor-text-style": "bold reverse",
        },
    ),
)
"""All themes; their names are the values of `Settings.theme`."""


class WithoutColour(LineFilter):
    """Removes all colours and greys; bold, underline and reverse stay."""

    _DEFAULT: Final = Style(color="default", bgcolor="default", dim=False)

    def restyle(self, style: Style) -> Style:
        """What a style becomes."""
        return style + self._DEFAULT

    def apply(self, segments: list[Segment], background: TextualColour) -> list[Segment]:
        return [
            Segment(text, None if style is None else self.restyle(style), control)
            for text, style, control in segments
        ]


class Palette:
    """The styles of roles in one theme, for the palette of a game by theme and role."""

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


class PrintableOnly(LineFilter):
    """Removes every character that a terminal might interpret, and every link.

    Notes in saves, file names and agents' messages are untrusted. Widgets may draw them unchanged,
    because no line reaches the terminal without this filter. It is the only one of the program,
    because Textual processes and caches lines per filter.
    """

    def __init__(self, before: Sequence[LineFilter] = ()) -> None:
        super().__init__()
        self.before = tuple(before)

    def apply(self, segments: list[Segment], background: TextualColour) -> list[Segment]:
        for line_filter in self.before:
            segments = line_filter.apply(segments, background)
        for text, style, _ in segments:  # every line of every repaint comes through here
            if not text.isprintable() or (style is not None and style.link is not None):
                break
        else:
            return segments
        return [
            Segment(
                _shown(text),
                style.update_link(None) if style is not None and style.link else style,
            )
            for text, style, _ in segments
        ]


@lru_cache(maxsize=1024)
def _shown(text: str) -> str:
    return "".join(
        character if character.isprintable() else SUBSTITUTE * cell_len(character)
        for character in text
    )


SEATS: Final = {
    256: {DARK: (123, 215, 184, 147, 115, 193), LIGHT: (24, 124, 91, 240, 52, 17)},
    16: {DARK: (14, 9, 11, 13, 10, 15), LIGHT: (6, 1, 5, 0, 2, 4)},
}
"""The colour number of each seat, by number of colours and theme."""

_FIXED: Final = 16
"""Colours from this number on are the same on all terminals."""

_READ: Final = 4.5
_DARK_GROUND, _LIGHT_GROUND = 0.06, 0.58
"""Luminances below and above which a background belongs to the dark or light theme."""
_STILL_DARK: Final = 0.11
_HUED, _PALE, _VIVID = 14.0, 10.0, 40.0
"""The chroma above which the hue of a dark or light background is kept; the third is for light
backgrounds with 16 colours."""
_SAME_HUE: Final = math.radians(60)


class FewColours(WithoutColour):
    """Draws with 256 or 16 colours."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self._count = count

    def restyle(self, style: Style) -> Style:
        return with_fewer(style, self._count)


class _Tone(NamedTuple):
    number: int
    luminance: float
    lab: tuple[float, float, float]

    @property
    def chroma(self) -> float:
        return math.hypot(*self.lab[1:])

    def turn(self, other: _Tone) -> float:
        turn = math.atan2(*self.lab[1:]) - math.atan2(*other.lab[1:])
        return abs(math.remainder(turn, math.tau))

    def distance(self, other: _Tone) -> float:
        return math.dist(self.lab, other.lab)

    def far_from(self, other: _Tone) -> float:
        light, strength = self.lab[0] - other.lab[0], self.chroma - other.chroma
        return math.hypot(2 * light, 0.3 * strength, 60 * self.turn(other))

    def reads_on(self, ground: _Tone) -> bool:
        return _contrast(self.luminance, ground.luminance) >= _READ


@lru_cache(maxsize=4096)
def with_fewer(style: Style, count: int) -> Style:
    """Reduce a style to ``count`` colours."""
    under = None if style.bgcolor is None else style.bgcolor.get_truecolor()
    ground = None if under is None else _ground(under, count)
    ink = None if style.color is None else _ink(style.color.get_truecolor(), under, count)
    return style + Style(color=_colour(ink), bgcolor=_colour(ground))


def _colour(tone: _Tone | None) -> Color | None:
    return None if tone is None else Color.from_ansi(tone.number)


@cache
def _ground(colour: ColorTriplet, count: int) -> _Tone:
    if colour in _seats(count):
        return _tones(count)[_seats(count)[colour]]
    wanted, fitting = _tone(colour), list(_tones(count).values())
    least, far = _HUED, wanted.distance
    if wanted.luminance <= _DARK_GROUND:
        far = wanted.far_from
        fitting = [tone for tone in fitting if tone.luminance <= _STILL_DARK]
    elif wanted.luminance >= _LIGHT_GROUND:
        fitting = [tone for tone in fitting if tone.luminance >= _LIGHT_GROUND]
        least = _VIVID if count <= _FIXED else _PALE
    if wanted.chroma >= least:
        hued = [t for t in fitting if t.chroma >= least and t.turn(wanted) < _SAME_HUE]
        if hued:
            return min(hued, key=far)
    return min((tone for tone in fitting if tone.chroma < least), key=wanted.distance)


@cache
def _ink(colour: ColorTriplet, under: ColorTriplet | None, count: int) -> _Tone:
    tones, wanted = _tones(count), _tone(colour)
    number = _seats(count).get(colour)
    nearest = sorted(tones.values(), key=wanted.distance)
    best = nearest[0] if number is None else tones[number]
    if under is None or not wanted.reads_on(_tone(under)):
        return best
    ground = _ground(under, count)
    return next((tone for tone in (best, *nearest) if tone.reads_on(ground)), best)


@cache
def _seats(count: int) -> dict[ColorTriplet, int]:
    return {
        Color.parse(colour).get_truecolor(): number
        for theme, numbers in SEATS[count].items()
        for colour, number in zip(SEAT_COLOURS[theme], numbers, strict=True)
    }


@cache
def _tones(count: int) -> dict[int, _Tone]:
    numbers = range(_FIXED) if count <= _FIXED else range(_FIXED, 256)
    return {n: _tone(Color.from_ansi(n).get_truecolor(), n) for n in numbers}


def _tone(colour: ColorTriplet, number: int = -1) -> _Tone:
    lab = rgb_to_lab(TextualColour(*colour))
    return _Tone(number, luminance(Color.from_triplet(colour)), (lab.L, lab.a, lab.b))


def _contrast(first: float, second: float) -> float:
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)
