"""What holds for every table and stack; how they look stands in tests/games/scenes."""

from __future__ import annotations

import pytest

from boardgames_cli.core.presentation.view import RenderContext, Size
from boardgames_cli.core.text import Glyphs
from boardgames_cli.games.kuhn.actions import Action, Deal
from boardgames_cli.games.kuhn.rules import Kuhn
from boardgames_cli.games.kuhn.state import KuhnState
from boardgames_cli.games.kuhn.view import KuhnView
from boardgames_cli.games.kuhn.view.drawing import chip_piles
from tests.games.kuhn.tables import BET, CHECK, JACK, KING


@pytest.mark.parametrize("size", [Size(51, 16), Size(60, 13), Size(77, 30), Size(140, 40)])
def test_in_colour_the_felt_fills_the_room(size: Size) -> None:
    game = Kuhn(hands=20)
    facing = KuhnState((KING, JACK), (CHECK, BET), 0, 6, 3)
    look: RenderContext[Action, Deal] = RenderContext(Glyphs.UNICODE, ("Ann", "Bob"))
    picture = KuhnView(game).picture(game.observe(facing, 0), size, look)
    assert (picture.width, picture.height) == (size.width, size.height)


@pytest.mark.parametrize("chips", [0, 1, 4, 43, 99, 2000])
@pytest.mark.parametrize("highest", [2, 5])
def test_piles_are_worth_what_they_stand_for(chips: int, highest: int) -> None:
    piles = list(chip_piles(chips, highest))
    assert sum(value * count for value, count in piles) == chips
    assert all(1 <= count <= highest for _, count in piles)
