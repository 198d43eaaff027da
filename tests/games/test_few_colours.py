"""Terminals with 256 and with 16 colours: seats are told apart there, and texts can be read."""

from __future__ import annotations

import itertools

import pytest
from rich.color import Color
from rich.color_triplet import ColorTriplet
from rich.segment import Segment
from rich.style import Style
from rich.terminal_theme import DEFAULT_TERMINAL_THEME
from textual.color import Color as TextualColour
from textual.geometry import Region

from boardgames_cli.core.presentation.styles import DARK, GROUND, LIGHT, SEAT_COLOURS
from boardgames_cli.registry import find_game
from boardgames_cli.tui.app import build_app
from boardgames_cli.tui.theme import SEATS, FewColours, with_fewer
from tests.colours import SIGHT, contrast, distance, luminance
from tests.games.boards import GAMES, Paint, pictures
from tests.tui.tables import my_turn, settings, table

THEMES = (DARK, LIGHT)
COUNTS = (256, 16)
LEAST = {256: 18.0, 16: 25.0}
"""The smallest CIE 1976 difference of two seats; with 16 colours of the first four."""


def hex_of(number: int) -> str:
    """A colour of a terminal as Rich takes it to be."""
    if number < 16:
        return ColorTriplet(*DEFAULT_TERMINAL_THEME.ansi_colors[number]).hex
    return Color.from_ansi(number).get_truecolor().hex


def fewer(ink: str, ground: str, count: int) -> tuple[int, int]:
    style = with_fewer(Style.parse(f"{ink} on {ground}"), count)
    assert style.color is not None
    assert style.bgcolor is not None
    assert style.color.number is not None
    assert style.bgcolor.number is not None
    return style.color.number, style.bgcolor.number


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("theme", THEMES)
def test_of_256_colours_those_of_the_seats_are_told_apart(theme: str, sight: str) -> None:
    for pair in itertools.combinations(SEATS[256][theme], 2):
        assert distance(hex_of(pair[0]), hex_of(pair[1]), sight) >= LEAST[256], pair


@pytest.mark.parametrize("theme", THEMES)
def test_of_16_colours_every_seat_has_its_own(theme: str) -> None:
    numbers = SEATS[16][theme]
    assert len(set(numbers)) == 6
    for first, second in itertools.combinations(numbers[:4], 2):
        for sight in SIGHT:
            assert distance(hex_of(first), hex_of(second), sight) >= LEAST[16], (first, second)


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("theme", THEMES)
def test_seats_are_read_on_every_ground_of_the_boards(theme: str, count: int) -> None:
    grounds = {GROUND[theme][1]}
    for game in GAMES:
        paint = Paint(game, theme)
        roles = {s.role for picture in pictures(game) for line in picture.lines for s in line}
        grounds |= {paint.of_role(role)[1] for role in roles if "seat." in role}
    for ground, colour in itertools.product(grounds - {*SEAT_COLOURS[theme]}, SEAT_COLOURS[theme]):
        ink, under = fewer(colour, ground, count)
        assert contrast(hex_of(ink), hex_of(under)) >= 4.5, (colour, ground)


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", GAMES)
def test_what_can_be_read_can_be_read_with_fewer_colours(game: str, theme: str, count: int) -> None:
    for style in find_game(game).view_class().palette[theme].values():
        front, _, ground = style.partition(" on ")
        ink = front.split()[-1] if "#" in front else ""
        if ink and ground and contrast(ink, ground) >= 4.5:
            seen = fewer(ink, ground, count)
            assert contrast(*map(hex_of, seen)) >= 4.5, style


@pytest.mark.parametrize("count", COUNTS)
def test_grounds_keep_their_side_and_their_hue(count: int) -> None:
    for ground in ("#2b2118", "#0d472a", "#0e4367", "#164747"):
        _, number = fewer("#ffffff", ground, count)
        assert luminance(hex_of(number)) <= 0.11, ground
    for ground in ("#e2cf9f", "#c6e4c2", "#a9d3ec"):
        _, number = fewer("#000000", ground, count)
        assert luminance(hex_of(number)) >= 0.58, ground
    _, sea = fewer("#ffffff", "#0e4367", count)
    red, _, blue = (int(hex_of(sea)[i : i + 2], 16) for i in (1, 3, 5))
    assert blue > red, "the sea is blue"


def test_the_rest_of_a_style_stays() -> None:
    style = Style.parse("bold underline #77e4f5 on #121212")
    (segment, plain) = FewColours(256).apply(
        [Segment("x", style), Segment("y")], TextualColour(0, 0, 0)
    )
    assert segment.style == Style.parse("bold underline color(123) on color(233)")
    assert plain.style is None


@pytest.mark.parametrize(("system", "count"), [("standard", 16), ("256", 256)])
async def test_the_screen_has_no_other_colours(
    system: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("textual.constants.COLOR_SYSTEM", system)
    app = build_app(table(), settings())
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await my_turn(pilot, app)
        assert screen.session.has_colours == (count == 256)
        segments = [
            part
            for widget in screen.query("*").results()
            for line in widget.render_lines(Region(0, 0, *widget.size))
            for part in line
        ]
        colours = {
            colour
            for part in segments
            if part.style is not None
            for colour in (part.style.color, part.style.bgcolor)
            if colour is not None
        }
        numbers = {colour.number for colour in colours}
        assert None not in numbers
        assert len(numbers) > 4
        assert all(number is not None and number < count for number in numbers)
