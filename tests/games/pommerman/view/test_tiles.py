"""The signs of the board: each fact has its own, in every form."""

from __future__ import annotations

import itertools

import pytest

from boardgames_cli.core.presentation.view import Size
from boardgames_cli.core.text import Glyphs
from boardgames_cli.games.pommerman.board import POWERS, grid_of
from boardgames_cli.games.pommerman.state import Bomb
from boardgames_cli.games.pommerman.view import tiles
from boardgames_cli.games.pommerman.view.drawing import key_lines, legend
from boardgames_cli.games.pommerman.view.tiles import Tile, rows_of
from tests.games.pommerman.view.pictures import DUEL, GLYPHS, at, draw, duel

FORMS = ((2, 1), (3, 1), (5, 2), (7, 3), (9, 4), (11, 5))


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


@pytest.mark.parametrize("form", FORMS[1:])
def test_a_bomb_that_another_one_sets_off_is_marked(form: tuple[int, int]) -> None:
    chars, lying = tiles.glyph_set(Glyphs.UNICODE), Bomb(0, 9, 3, 0, 0)
    assert "!" in written(tiles.bomb(chars, lying, 2), form)
    assert "!" not in written(tiles.bomb(chars, lying, 9), form)
    assert tiles.bomb(chars, lying, 2).head[1] == "bomb.now"


@pytest.mark.parametrize("form", FORMS)
def test_a_number_never_hides_what_stands_in_the_cell(form: tuple[int, int]) -> None:
    chars = tiles.glyph_set(Glyphs.UNICODE)
    assert "A" in written(tiles.agent(chars, 0, None, 3, is_own=True), form)
    assert "═" in written(tiles.wall(chars, chars.wood, "wood", 3), form)
    for kind, name in zip(POWERS, ("b", "r", "k"), strict=True):
        power = written(tiles.power(chars, kind, 3), form)
        assert name in power
        assert "3" in power


@pytest.mark.parametrize("form", FORMS[1:])
def test_heat_tells_distant_danger_and_numbers_what_is_near(form: tuple[int, int]) -> None:
    chars = tiles.glyph_set(Glyphs.UNICODE)
    for steps, number in ((1, "1"), (3, "3"), (4, ""), (9, "")):
        for tile in (
            tiles.floor(chars, steps, "floor"),
            tiles.wall(chars, chars.wood, "wood", steps),
            tiles.agent(chars, 0, None, steps),
        ):
            rows = rows_of(tile, *form)
            assert any("danger" in role for row in rows for _, role in row)
            shown = "".join(text for row in rows for text, role in row if "danger" in role)
            assert shown.strip("·▒ ") == number


def test_large_cells_have_sprites_with_all_facts() -> None:
    chars = tiles.glyph_set(Glyphs.UNICODE)
    for form in FORMS[2:]:
        bomb = written(tiles.bomb(chars, Bomb(0, 7, 4, 0, 3), 0), form)
        assert all(fact in bomb for fact in ("7", "r4", "←", "▜7▛"))
        assert all(fact in written(tiles.agent(chars, 2), form) for fact in ("• •", " C "))
        assert "2" in written(tiles.flames(chars, 2), form)
        assert "kick" in written(tiles.power(chars, POWERS[2], 0), form)


def test_the_own_agent_is_marked() -> None:
    text = str(draw(DUEL, duel(bombs=()), Size(51, 9)))
    assert "›A‹" in text
    assert " B " in text


# -- the key and names ---------------------------------------------------------------------


@pytest.mark.parametrize("glyphs", GLYPHS, ids=lambda glyphs: str(glyphs.value))
def test_the_legend_shows_the_signs_of_the_board(glyphs: Glyphs) -> None:
    lines = str(legend(glyphs)).splitlines()
    assert len(lines) == len(key_lines(glyphs)) + (2 if glyphs is Glyphs.UNICODE else 0)
    assert all(len(line) <= 60 for line in lines)
    chars = tiles.glyph_set(glyphs)
    flame = "█3█" if chars.is_solid else f"{chars.flame}3"
    for sign in (chars.rigid, chars.wood, chars.fog, flame):
        assert any(line.startswith(sign) for line in lines)


@pytest.mark.parametrize("form", FORMS)
def test_bands_tell_the_teams_apart_and_hide_nothing(form: tuple[int, int]) -> None:
    chars = tiles.glyph_set(Glyphs.UNICODE)
    bomb = Bomb(0, 4, 3, 0, 0)
    looks = set()
    for seat in range(4):
        for plain in (
            tiles.agent(chars, seat),
            tiles.agent(chars, seat, is_own=True),
            tiles.agent(chars, seat, bomb),
            tiles.agent(chars, seat, None, 3),
        ):
            shown = tiles.banded(plain, seat)
            for text in written(plain, form).replace("/", " ").split():
                assert text.strip("›‹") in written(shown, form), "nothing is hidden"
            rows = rows_of(shown, *form)
            assert {sum(len(text) for text, _ in row) for row in rows} == {form[0]}
        looks.add(written(tiles.banded(tiles.agent(chars, seat), seat), form))
    assert len(looks) == 4
    ends = {look.rstrip("/ ")[-1] for look in looks}
    assert ends == {"]", ")"}, "also without colour"


def test_cells_are_named_up_to_a_number() -> None:
    mask = 1 << at(1, 2) | 1 << at(7, 7) | 1 << at(3, 0)
    assert grid_of(8).names(mask, 3) == "r1c2 r3c0 r7c7"
    assert grid_of(8).names(mask, 2) == "r1c2 r3c0 ..."
