"""The colours of the seats: told apart by everybody, and read on every ground they appear on."""

from __future__ import annotations

import itertools
import re

import pytest

from boardgames_cli.core.presentation.styles import COMMON_STYLES, DARK, GROUND, LIGHT, SEAT_COLOURS
from tests.colours import SIGHT, contrast, distance
from tests.games.boards import GAMES, Paint, pictures

THEMES = (DARK, LIGHT)
LEAST = {2: 50.0, 3: 24.0, 4: 21.0, 6: 20.0}
"""By number of seats the smallest CIE 1976 difference of any two of them."""


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("theme", THEMES)
def test_seats_are_told_apart(theme: str, sight: str) -> None:
    colours = SEAT_COLOURS[theme]
    assert len(colours) == 6
    for count, least in LEAST.items():
        pairs = itertools.combinations(colours[:count], 2)
        (closest, pair) = min((distance(*pair, sight), pair) for pair in pairs)
        assert closest >= least, f"{count} seats, {sight}: {closest:.1f} between {pair}"


@pytest.mark.parametrize("theme", THEMES)
def test_seats_do_not_look_like_plain_or_muted_text(theme: str) -> None:
    for colour in SEAT_COLOURS[theme]:
        for text in (GROUND[theme][0], COMMON_STYLES[theme]["muted"]):
            assert distance(colour, text) >= 12, (colour, text)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", GAMES)
def test_seats_are_read_on_every_ground_of_a_board(game: str, theme: str) -> None:
    paint, met = Paint(game, theme), set()
    spans = (span for picture in pictures(game) for line in picture.lines for span in line)
    for role in {span.role for span in spans if re.search(r"\bseat\.\d", span.role)}:
        for seat, colour in enumerate(SEAT_COLOURS[theme]):
            # Who sits where changes with every game: each seat can come onto each ground.
            ink, ground = paint.of_role(re.sub(r"\bseat\.\d", f"seat.{seat}", role))
            met.add(ground)
            assert colour in (ink, ground), role
            assert contrast(ink, ground) >= 4.5, (role, ink, ground)
    assert met
