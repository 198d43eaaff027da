"""The colours of every game: what is written can be read, in every theme."""

from __future__ import annotations

import pytest
from rich.style import Style

from boardgames_cli.registry import find_game, game_ids
from tests.colours import contrast
from tests.games.boards import GAMES, Paint, pictures

GROUNDS = {"dark": "#121212", "light": "#ffffff"}
LINES = {
    "felt.line",
    "slot",
    "face.edge",
    "back",
    "frame",
    "line",
    "stick.round",
    "stick.flat",
    "gauge.used",
    "sub",
    "fire.1",
    "fire.2",
    "fire.3",
}
"""What is drawn and not read: lines, and parts of figures."""

SOLID = {
    "pommerman": {
        *("floor", "floor.other", "rigid", "wood", "fog", "team.0", "team.1"),
    },
    "kuhn": {"shadow", "chip.1.pair", "chip.5.pair", "chip.25.pair", "chip.100.pair"},
}
"""Cells whose ground says it all; their signs are for terminals without colours, and what is
written on them has a role of its own."""

CASES = [
    (game, theme) for game in game_ids() for theme in find_game(game).view_class().palette
]  # fmt: skip


def styles_of(game: str, theme: str) -> dict[str, Style]:
    palette = find_game(game).view_class().palette
    return {role: Style.parse(style) for role, style in palette[theme].items()}


def colour(style: Style, is_ground: bool = False) -> str | None:
    found = style.bgcolor if is_ground else style.color
    return None if found is None else found.get_truecolor().hex


@pytest.mark.parametrize(("game", "theme"), CASES)
def test_text_stands_out_from_its_own_ground(game: str, theme: str) -> None:
    for role, style in styles_of(game, theme).items():
        ink, ground = colour(style), colour(style, is_ground=True)
        is_read = role not in SOLID.get(game, ())
        if ink is not None and ground is not None and is_read:
            assert contrast(ink, ground) >= (3.0 if role in LINES else 4.5), role


@pytest.mark.parametrize("theme", list(GROUNDS))
@pytest.mark.parametrize("game", GAMES)
def test_what_is_written_on_a_board_stands_out_from_where_it_stands(game: str, theme: str) -> None:
    paint = Paint(game, theme)
    spans = {span for picture in pictures(game) for line in picture.lines for span in line}
    for span in spans:
        if any(letter.isalnum() for letter in span.text):
            assert contrast(*paint.of_role(span.role)) >= 4.5, span


@pytest.mark.parametrize("theme", list(GROUNDS))
def test_the_words_beside_the_sea_stand_out_from_the_screen(theme: str) -> None:
    styles = styles_of("deepsea", theme)
    odds = ("odds.good", "odds.even", "odds.bad")
    for role in ("gauge.full", "gauge.half", "gauge.low", "winner", "drowned", *odds):
        ink = colour(styles[role])
        assert ink is not None
        assert contrast(ink, GROUNDS[theme]) >= 4.5, role


@pytest.mark.parametrize("theme", list(GROUNDS))
@pytest.mark.parametrize("game", game_ids())
def test_cards_of_the_menu_have_their_colours(game: str, theme: str) -> None:
    styles = styles_of(game, theme)
    for role in ("card", "card.title", "card.number"):
        assert colour(styles[role]) is not None
        assert colour(styles[role], is_ground=True) is not None
