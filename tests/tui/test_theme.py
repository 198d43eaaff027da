from __future__ import annotations

import os

import pytest
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.color import Color as TextualColour
from textual.filter import ANSIToTruecolor

from boardgames_cli.core.presentation.styles import DARK, LIGHT, MONOCHROME, SEAT_COLOURS
from boardgames_cli.games.senet.view.drawing import PALETTE
from boardgames_cli.tui.app import build_app
from boardgames_cli.tui.theme import (
    THEMES,
    Palette,
    WithoutColour,
    with_fewer,
    without_colour,
)
from tests.colours import contrast
from tests.tui.tables import my_turn, settings, table


@pytest.mark.parametrize(
    "theme", [theme for theme in THEMES if not theme.ansi], ids=lambda t: t.name
)
def test_texts_can_be_read(theme) -> None:  # type: ignore[no-untyped-def]
    texts = [theme.foreground, theme.primary, theme.secondary, theme.warning, theme.success]
    for ground in (theme.background, theme.surface, theme.panel):
        for text in [*texts, theme.variables["muted"], theme.variables["key"]]:
            assert contrast(text, ground) >= 4.5, (text, ground)
    for role in ("highlight", "chosen", "card"):
        style = Palette(theme.name).style(role)
        assert style.color is not None
        assert style.bgcolor is not None
        assert contrast(style.color.name, style.bgcolor.name) >= 4.5, role


def test_seat_colours_can_be_read_on_the_ground_of_ux() -> None:
    for colour in SEAT_COLOURS[DARK]:
        assert contrast(colour, "#121212") >= 4.3, colour
    for colour in SEAT_COLOURS[LIGHT]:
        assert contrast(colour, "#ffffff") >= 4.0, colour


def test_roles_fall_back_and_lie_over_each_other() -> None:
    palette = Palette(DARK, {DARK: {"house": "on #102030", "house.water": "on #000080"}})
    assert palette.style("house.special.light") == Style.parse("on #102030")
    assert palette.style("house.water") == Style.parse("on #000080")
    assert palette.style("nothing.known") == Style.null()
    both = palette.style("house seat.0")
    assert both.color == Color.parse(SEAT_COLOURS[DARK][0])
    assert both.bgcolor == Color.parse("#102030")


def test_without_colour_emphasis_stays() -> None:
    assert without_colour("bold #2b2118 on #e8c15a") == "bold reverse"
    assert without_colour("underline") == "underline"
    assert without_colour("#e8d5a3 on #3a3226") == ""
    palette = Palette(MONOCHROME, PALETTE)
    assert palette.style("target").reverse
    for role in ("seat.1", "safe", "highlight", "house.water", "muted"):
        assert palette.style(role).color is None
        assert palette.style(role).bgcolor is None


def test_the_filter_leaves_no_colour() -> None:
    segments = [Segment("x", Style.parse("bold dim red on #102030")), Segment("y", None)]
    first, second = WithoutColour().apply(segments, TextualColour(0, 0, 0))
    assert first.style == Style(color="default", bgcolor="default", dim=False, bold=True)
    assert second.style is None


@pytest.mark.parametrize(("value", "theme"), [("1", MONOCHROME), ("", DARK)])
async def test_no_color_counts_only_with_a_value(
    value: str, theme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", value)
    app = build_app(table(), settings())
    assert "NO_COLOR" not in os.environ
    assert app.theme == theme
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await my_turn(pilot, app)
        assert screen.session.has_colours == (theme != MONOCHROME)


def test_sixteen_colours_come_out_of_a_dialog_as_they_went_in() -> None:
    theme = build_app(None, settings()).ansi_theme
    for number in range(16):
        style = Style(bgcolor=Color.from_ansi(number))
        seen = ANSIToTruecolor(theme).truecolor_style(style, Color.parse("#121212"))
        assert with_fewer(seen, 16).bgcolor == style.bgcolor, number
