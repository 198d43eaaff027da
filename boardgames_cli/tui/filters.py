"""Filters applied to every line before it is written to the terminal.

For terminals with 256 or 16 colours, the libraries' own reduction turns dark browns into olive and
makes seats indistinguishable. Here the seats' colours are chosen by hand, a background maps to the
nearest colour that keeps its hue, and text to the nearest colour that is readable on it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from rich.cells import cell_len
from rich.color import Color
from rich.color_triplet import ColorTriplet
from rich.segment import Segment
from rich.style import Style
from rich.terminal_theme import DEFAULT_TERMINAL_THEME
from textual.color import Color as TextualColour
from textual.filter import LineFilter

from boardgames_cli.core.styles import DARK, LIGHT, SEAT_COLOURS
from boardgames_cli.terminal.streams import SUBSTITUTE
from boardgames_cli.tui.theme import luminance


class Chain(LineFilter):
    """Combines several filters into one, because Textual processes and caches lines per filter.

    Args:
        filters: Applied in this order.
    """

    def __init__(self, filters: Sequence[LineFilter] = ()) -> None:
        super().__init__()
        self.filters = tuple(filters)

    def apply(self, segments: list[Segment], background: TextualColour) -> list[Segment]:
        """Apply all filters in order."""
        for line_filter in self.filters:
            segments = line_filter.apply(segments, background)
        return segments


class PrintableOnly(LineFilter):
    """Removes every character that a terminal might interpret, and every link.

    Notes in saves, file names and agents' messages are untrusted. Widgets may draw them unchanged,
    because no line reaches the terminal without this filter.
    """

    def apply(
        self,
        segments: list[Segment],
        background: TextualColour,  # part of the interface
    ) -> list[Segment]:
        """Replace unprintable characters, keeping the width."""
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
    """The text with substitutes for unprintable characters, of the same width."""
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
_LEVELS: Final = (0, 95, 135, 175, 215, 255)
_GREYS: Final = range(8, 248, 10)

_READ: Final = 4.5
_DARK_GROUND, _LIGHT_GROUND = 0.06, 0.58
"""Luminances below and above which a background belongs to the dark or light theme."""
_STILL_DARK: Final = 0.11
_HUED, _PALE, _VIVID = 14.0, 10.0, 40.0
"""The chroma above which the hue of a dark or light background is kept; the third is for light
backgrounds with 16 colours."""
_SAME_HUE: Final = math.radians(60)


class FewColours(LineFilter):
    """Draws with 256 or 16 colours.

    Args:
        count: The number of colours.
    """

    def __init__(self, count: int) -> None:
        super().__init__()
        self._count = count

    def apply(self, segments: list[Segment], background: TextualColour) -> list[Segment]:
        """Replace colours by available ones."""
        return [
            Segment(text, None if style is None else with_fewer(style, self._count), control)
            for text, style, control in segments
        ]


class _Tone(NamedTuple):
    """A terminal colour with its appearance."""

    number: int
    luminance: float
    lab: tuple[float, float, float]

    @property
    def chroma(self) -> float:
        return math.hypot(*self.lab[1:])

    def turn(self, other: _Tone) -> float:
        """The angle between the hues, in radians."""
        turn = math.atan2(*self.lab[1:]) - math.atan2(*other.lab[1:])
        return abs(math.remainder(turn, math.tau))

    def distance(self, other: _Tone) -> float:
        """The CIE 1976 colour difference."""
        return math.dist(self.lab, other.lab)

    def far_from(self, other: _Tone) -> float:
        """The difference as dark backgrounds: hue counts most, chroma least."""
        light, strength = self.lab[0] - other.lab[0], self.chroma - other.chroma
        return math.hypot(2 * light, 0.3 * strength, 60 * self.turn(other))

    def reads_on(self, ground: _Tone) -> bool:
        """Whether text in this colour is readable on a background."""
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
    """The hand-picked colour numbers, by the true colours of the seats."""
    return {
        Color.parse(colour).get_truecolor(): number
        for theme, numbers in SEATS[count].items()
        for colour, number in zip(SEAT_COLOURS[theme], numbers, strict=True)
    }


@cache
def _tones(count: int) -> dict[int, _Tone]:
    """The terminal's colours by number; of 256 only those that are the same everywhere."""
    numbered = enumerate(_basic()) if count <= _FIXED else enumerate(_cube(), start=_FIXED)
    return {number: _tone(colour, number) for number, colour in numbered}


def _basic() -> Iterator[ColorTriplet]:
    for number in range(_FIXED):
        yield DEFAULT_TERMINAL_THEME.ansi_colors[number]


def _cube() -> Iterator[ColorTriplet]:
    for red in _LEVELS:
        for green in _LEVELS:
            for blue in _LEVELS:
                yield ColorTriplet(red, green, blue)
    for grey in _GREYS:
        yield ColorTriplet(grey, grey, grey)


def _tone(colour: ColorTriplet, number: int = -1) -> _Tone:
    return _Tone(number, luminance(Color.from_triplet(colour)), _lab(colour))


def _contrast(first: float, second: float) -> float:
    """The contrast of two luminances, as WCAG defines it."""
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)


def _lab(colour: ColorTriplet) -> tuple[float, float, float]:
    """CIE L*a*b* for the white of screens, D65."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in colour.normalized
    )
    x, y, z = (
        share ** (1 / 3) if share > 0.008856 else 7.787 * share + 4 / 29
        for share in (
            (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
            0.2126 * red + 0.7152 * green + 0.0722 * blue,
            (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
        )
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)
