"""What holds for every drawing and prompt; how each looks stands in tests/games/scenes."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from boardgames_cli.core.presentation.view import RenderContext
from boardgames_cli.core.text import Glyphs
from boardgames_cli.games.pommerman.board import POWERS
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import Bomb, Bomber, PommermanState
from boardgames_cli.games.pommerman.view import PommermanView, tiles
from boardgames_cli.games.pommerman.view.tiles import Tile, rows_of

FORMS = ((2, 1), (3, 1), (5, 2), (7, 3), (9, 4), (11, 5))
GLYPHS = (Glyphs.ASCII, Glyphs.UNICODE)


def all_tiles(glyphs: Glyphs) -> dict[str, Tile]:
    """A tile for each fact that has a sign of its own."""
    chars = tiles.glyph_set(glyphs, has_colours=False)
    found = {
        "floor": tiles.floor(chars, 0, "floor"),
        "floor that burns": tiles.floor(chars, 4, "floor"),
        "rigid": tiles.wall(chars, chars.rigid, "rigid"),
        "wood": tiles.wall(chars, chars.wood, "wood"),
        "wood that burns": tiles.wall(chars, chars.wood, "wood", 4),
        "fog": tiles.wall(chars, chars.fog, "fog"),
    }
    for kind, steps in itertools.product(POWERS, (0, 4)):
        found[f"power {kind} {steps}"] = tiles.power(chars, kind, steps)
    for life, direction in itertools.product((3, 4, 9), range(5)):
        found[f"bomb {life} {direction}"] = tiles.bomb(chars, Bomb(0, life, 3, 0, direction), 0)
    for life in (1, 2, 3):
        found[f"flames {life}"] = tiles.flames(chars, life)
    for seat, life in itertools.product(range(4), (4, 9)):
        found[f"agent {seat}"] = tiles.agent(chars, seat)
        found[f"agent {seat} on {life}"] = tiles.agent(chars, seat, Bomb(0, life, 3, 0, 0))
    return found


def written(tile: Tile, form: tuple[int, int]) -> str:
    return "/".join("".join(text for text, _ in row) for row in rows_of(tile, *form))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("glyphs", GLYPHS, ids=lambda glyphs: str(glyphs.value))
def test_everything_can_be_told_apart_without_colour(glyphs: Glyphs, form: tuple[int, int]) -> None:
    found = all_tiles(glyphs)
    assert len({written(tile, form) for tile in found.values()}) == len(found)


@pytest.mark.parametrize("form", FORMS)
def test_every_cell_is_as_large_as_its_form(form: tuple[int, int]) -> None:
    wide, high = form
    early = tiles.bomb(tiles.glyph_set(Glyphs.UNICODE), Bomb(0, 9, 12, 0, 0), 2)
    for glyphs in GLYPHS:
        for tile in (*all_tiles(glyphs).values(), early):
            rows = rows_of(tile, wide, high)
            assert len(rows) == high
            assert {sum(len(text) for text, _ in row) for row in rows} == {wide}


def test_the_prompt_fits_into_a_line() -> None:
    agent = Bomber(120, True, 10, 10, True)
    for mode, step, reruns in itertools.product(("ffa", "radio"), (48, 799), (0, 2)):
        game = Pommerman(mode=mode, rerun_ties=True)
        others = tuple(Bomber(cell, True, 1, 3, False) for cell in (0, 5, 10))
        words = ((8, 8),) * 4 if game.has_radio else ()
        bombs = (Bomb(119, 9, 3, 1, 0),)
        state = PommermanState(
            agents=(agent, *others), words=words, step=step, reruns=reruns, bombs=bombs
        )
        for seen in (game.observe(state, 0), game.observe(state, 0)._replace(legal=())):
            for committed in ((), (0,)):
                look: RenderContext[Any, Any] = RenderContext(committed=committed)
                assert len(PommermanView(game).prompt(seen, look)) <= 79
