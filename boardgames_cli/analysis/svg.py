"""Pictures and curves as SVG, for pages that need nothing from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from boardgames_cli.core.styles import GROUND, RoleStyles
from boardgames_cli.core.text import Picture

_WIDTH: Final = 8.4
_HEIGHT: Final = 17
"""The size of a cell."""
_BASELINE: Final = 13
_FONT: Final = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"
_COLOUR: Final = re.compile(r"#[0-9a-fA-F]{6}$")
_CURVE: Final = (720, 150)
"""The size of a curve."""
_MARGIN: Final = 24


@dataclass(frozen=True, slots=True)
class _Look:
    """How a span is drawn."""

    front: str
    back: str
    bold: bool = False
    underline: bool = False


def picture_svg(picture: Picture, styles: RoleStyles, label: str) -> str:
    """A picture as an element of HTML.

    Args:
        picture: The picture.
        styles: The styles of its roles, of a theme with colours.
        label: What it shows, for people who can't see it.
    """
    front, back = GROUND[styles.theme]
    width, height = picture.width * _WIDTH, picture.height * _HEIGHT
    parts = [
        f'<svg role="img" aria-label="{escape(label, quote=True)}" '
        f'viewBox="0 0 {width:g} {height}" width="{width:g}" height="{height}" '
        f'xmlns="http://www.w3.org/2000/svg" font-family="{_FONT}" font-size="14" '
        f'xml:space="preserve">',
        f'<rect width="100%" height="100%" fill="{back}"/>',
    ]
    texts = []  # above all grounds: a sign may be a little wider than its cell
    for row, spans in enumerate(picture.lines):
        column = 0
        for span in spans:
            look = _look(span.role, styles, front, back)
            x, y = column * _WIDTH, row * _HEIGHT
            long = len(span.text) * _WIDTH
            if look.back != back:
                parts.append(
                    f'<rect x="{x:g}" y="{y}" width="{long:g}" height="{_HEIGHT}" '
                    f'fill="{look.back}"/>'
                )
            if span.text.strip():
                texts.append(_text(span.text, x, y + _BASELINE, long, look))
            column += len(span.text)
    return "".join([*parts, *texts, "</svg>"])


def _text(text: str, x: float, y: float, long: float, look: _Look) -> str:
    weight = ' font-weight="bold"' if look.bold else ""
    line = ' text-decoration="underline"' if look.underline else ""
    # The length is given, so that columns stay columns whatever font the reader has.
    return (
        f'<text x="{x:g}" y="{y:g}" textLength="{long:g}" lengthAdjust="spacingAndGlyphs" '
        f'fill="{look.front}"{weight}{line}>{escape(text)}</text>'
    )


def _look(role: str, styles: RoleStyles, front: str, back: str) -> _Look:
    bold = underline = reverse = False
    for layer in styles.layers(role):
        words = layer.split()
        for at, word in enumerate(words):
            if _COLOUR.match(word):
                if at and words[at - 1] == "on":
                    back = word
                else:
                    front = word
            bold |= word == "bold"
            underline |= word == "underline"
            reverse |= word == "reverse"
    if reverse:
        front, back = back, front
    return _Look(front, back, bold, underline)


def curve_svg(
    lines: Sequence[tuple[str, str, Sequence[float]]],
    marks: Sequence[tuple[float, int, str]],
    label: str,
) -> str:
    """Curves over a whole game as an element of HTML.

    Args:
        lines: Name, colour and heights from 0 to 1 of each.
        marks: Mistakes: where, 0 to 1; on which line; and what they are called.
        label: What it shows.
    """
    width, height = _CURVE
    inner = height - _MARGIN

    def point(at: float, value: float) -> str:
        return f"{at * width:.1f},{4 + (1 - value) * (inner - 8):.1f}"

    parts = [
        f'<svg class="curve" role="img" aria-label="{escape(label, quote=True)}" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{inner}" fill="#fffdf7" stroke="#d8cdb0"/>',
        f'<line x1="0" y1="{inner / 2}" x2="{width}" y2="{inner / 2}" stroke="#d8cdb0"/>',
    ]
    for _, colour, heights in lines:
        count = max(1, len(heights) - 1)
        points = " ".join(point(at / count, value) for at, value in enumerate(heights))
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )
    for at, line, name in marks:
        colour, heights = lines[line][1:]
        value = heights[min(len(heights) - 1, round(at * (len(heights) - 1)))]
        x, _, y = point(at, value).partition(",")
        parts.append(
            f'<circle cx="{x}" cy="{y}" r="4" fill="{colour}"><title>{escape(name)}</title>'
            "</circle>"
        )
    for number, (name, colour, _) in enumerate(lines):
        parts.append(
            f'<text x="{number * width / max(1, len(lines)):.0f}" y="{height - 7}" '
            f'fill="{colour}" font-weight="bold">{escape(name)}</text>'
        )
    return "".join([*parts, "</svg>"])
