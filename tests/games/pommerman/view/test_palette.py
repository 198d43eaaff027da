"""The colours of the board in the themes of the full screen."""

from __future__ import annotations

import itertools
import random

import pytest
from rich.style import Style

from boardgames_cli.core.presentation.styles import DARK, LIGHT, MONOCHROME
from boardgames_cli.core.presentation.view import Size
from boardgames_cli.core.text import Glyphs, Span
from boardgames_cli.games.pommerman.actions import MOVES
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.view.drawing import PALETTE
from boardgames_cli.tui.theme import Palette
from tests.colours import contrast
from tests.games.pommerman.crowds import crowded
from tests.games.pommerman.view.pictures import GLYPHS, draw, spans_of

FFA = Pommerman()
SOLID = str.maketrans("", "", " █▒░·▖▗▙▟▜▛▐▌▄")
"""Texture and parts of drawings: its ground says all that it says."""

_PAPER = {DARK: ("#e9e2d0", "#121212"), LIGHT: ("#2b2118", "#fbf7ec")}
"""Foreground and background of the themes, for what has none of its own."""


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_all_text_stands_out_from_its_ground(theme: str) -> None:
    palette = Palette(theme, PALETTE)
    sizes = (Size(25, 12), Size(51, 16), Size(77, 30), Size(200, 60))
    for seed, size, glyphs in itertools.product(range(4), sizes, GLYPHS):
        state = crowded(FFA, random.Random(seed))
        for highlight in (None, MOVES[0], MOVES[4]):
            for span in spans_of(draw(FFA, state, size, glyphs, highlight=highlight)):
                if is_text(span, glyphs):
                    assert contrast(*colours(palette.style(span.role), theme)) >= 4.5, span


def is_text(span: Span, glyphs: Glyphs) -> bool:
    is_ground = span.role.split(".")[0].split(" ")[0] in ("floor", "rigid", "wood", "fog")
    if is_ground and "danger" not in span.role:
        # Solid cells: the ground is the fact, and the sign serves those without colour.
        return False
    return bool(span.text.translate(SOLID))


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_walls_and_fog_differ_from_the_floor_and_fog_is_solid(theme: str) -> None:
    palette = Palette(theme, PALETTE)
    ink, ground = colours(palette.style("fog"), theme)
    assert ink == ground
    both = [colours(palette.style(role), theme) for role in ("rigid", "fog", "wood", "floor")]
    grounds = [ground for _, ground in both]
    assert len({*grounds, both[0][0]}) == 5, "the two tones of stones are no other ground"
    if theme == DARK:
        assert both[0] == ("#6b7384", "#525967")
        assert grounds[2:] == ["#8a5a2b", "#20242c"]


def test_without_colour_walls_keep_their_signs() -> None:
    palette = Palette(MONOCHROME, PALETTE)
    for role in ("rigid", "wood", "fog", "floor"):
        assert palette.style(role).color is None
        assert palette.style(role).bgcolor is None


def colours(style: Style, theme: str) -> tuple[str, str]:
    """Ink and ground of a style as they are seen."""
    ink, ground = _PAPER[theme]
    if style.color is not None:
        ink = style.color.get_truecolor().hex
    if style.bgcolor is not None:
        ground = style.bgcolor.get_truecolor().hex
    return (ground, ink) if style.reverse else (ink, ground)
