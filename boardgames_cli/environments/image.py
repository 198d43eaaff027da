"""Renders pictures as images, with Pillow and a bundled font; no screen is needed."""

from __future__ import annotations

import functools
import io
from importlib import resources
from typing import Final

import numpy as np
import numpy.typing as npt
from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont
from rich.color import Color
from rich.style import Style

from boardgames_cli.core.presentation.styles import GROUND, RoleStyles
from boardgames_cli.core.text import Picture, columns

_WIDTH: Final = 8
_HEIGHT: Final = 16
_FONT_SIZE: Final = 14
_FONTS: Final = {False: "DejaVuSansMono.ttf", True: "DejaVuSansMono-Bold.ttf"}

_JOINED: Final = ("\u2500", "\u259f")
"""The range of box-drawing and block characters, which must fill their cells to the edges."""
_JOINED_FONT_SIZE: Final = 64
"""The font size at which these are drawn before scaling down."""

Ink = npt.NDArray[np.float32]
Rgb = npt.NDArray[np.float32]


class Image:
    """A grid of cells in the colours of a theme, turned into an array at the end."""

    def __init__(self, columns: int, rows: int, styles: RoleStyles) -> None:
        self._columns = columns
        self._rows = rows
        self._styles = styles
        self._front, self._back = (_rgb(Color.parse(colour)) for colour in GROUND[styles.theme])
        self._pixels = np.empty((rows * _HEIGHT, columns * _WIDTH, 3), np.float32)
        self._pixels[:] = self._back

    def put(self, x: int, y: int, picture: Picture) -> None:
        """Draw a picture with its upper left corner at a cell."""
        for row, spans in enumerate(picture.lines[: self._rows - y], start=y):
            column = x
            for span in spans:
                style = sum(map(Style.parse, self._styles.layers(span.role)), Style.null())
                for sign in span.text:
                    # The second column of a wide character is empty.
                    for part in (sign, " ")[: columns(sign)]:
                        if column < self._columns:
                            self._put_sign(column, row, part, style)
                        column += 1

    def pixels(self) -> npt.NDArray[np.uint8]:
        """The image: [16 * rows, 8 * columns, 3] of type uint8, red, green and blue."""
        return np.rint(self._pixels).astype(np.uint8)

    def as_pillow(self) -> PillowImage.Image:
        """The image for Pillow, in red, green and blue."""
        return PillowImage.fromarray(self.pixels())

    def _put_sign(self, column: int, row: int, sign: str, style: Style) -> None:
        front = _rgb(style.color) if style.color else self._front
        back = _rgb(style.bgcolor) if style.bgcolor else self._back
        if style.reverse:
            front, back = back, front
        top, left = row * _HEIGHT, column * _WIDTH
        cell = self._pixels[top : top + _HEIGHT, left : left + _WIDTH]
        cell[:] = back + _ink(sign, bool(style.bold), bool(style.underline)) * (front - back)


@functools.cache
def _ink(sign: str, is_bold: bool, is_underlined: bool) -> Ink:
    if _JOINED[0] <= sign <= _JOINED[1]:
        whole = _glyph(sign, _font(False, _JOINED_FONT_SIZE))
        image = whole.resize((_WIDTH, _HEIGHT), PillowImage.Resampling.BOX)
    else:
        image = PillowImage.new("L", (_WIDTH, _HEIGHT))
        glyph = _glyph(sign, _font(is_bold, _FONT_SIZE))
        image.paste(glyph, ((_WIDTH - glyph.width) // 2, (_HEIGHT - glyph.height) // 2))
    if is_underlined:
        ImageDraw.Draw(image).line((0, _HEIGHT - 2, _WIDTH, _HEIGHT - 2), fill=255)
    ink: Ink = np.asarray(image, np.float32)[..., None] / np.float32(255)
    return ink


def _glyph(sign: str, font: ImageFont.FreeTypeFont) -> PillowImage.Image:
    image = PillowImage.new("L", (int(font.getlength("x")), sum(font.getmetrics())))
    ImageDraw.Draw(image).text((0, 0), sign, fill=255, font=font)
    return image


@functools.cache
def _font(is_bold: bool, size: int) -> ImageFont.FreeTypeFont:
    file = resources.files("boardgames_cli.environments") / "fonts" / _FONTS[is_bold]
    return ImageFont.truetype(io.BytesIO(file.read_bytes()), size)


@functools.cache
def _rgb(colour: Color) -> Rgb:
    return np.array(colour.get_truecolor(), np.float32)
