"""The picture of the board: its forms, its layer, its clicks."""

from __future__ import annotations

import itertools
import random

import pytest

from boardgames_cli.core.presentation.view import Size
from boardgames_cli.core.text import Glyphs
from boardgames_cli.games.pommerman.actions import MOVES
from boardgames_cli.games.pommerman.board import BOMB, DOWN, STOP, UP
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import Bomb, Bomber, PommermanState
from tests.games.pommerman.crowds import crowded
from tests.games.pommerman.view.pictures import DUEL, GLYPHS, at, draw, duel, spans_of

FFA, TEAM = Pommerman(), Pommerman(mode="team", view=2)
SIZES = tuple(
    Size(width, height)
    for width in (20, 25, 36, 51, 77, 140, 200)
    for height in (5, 12, 16, 30, 60)
)


# -- forms ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [FFA, TEAM, DUEL], ids=lambda game: str(game.mode))
@pytest.mark.parametrize("glyphs", GLYPHS, ids=lambda glyphs: str(glyphs.value))
def test_no_picture_is_larger_than_its_room_if_the_board_fits_at_all(
    game: Pommerman, glyphs: Glyphs
) -> None:
    state = crowded(game, random.Random(3))
    cells = game.board_spec.size
    for size, shows_layer in itertools.product(SIZES, (True, False)):
        picture = draw(game, state, size, glyphs, shows_layer=shows_layer)
        least = Size(3 + 2 * cells, 1 + cells)
        assert picture.width <= max(size.width, least.width)
        assert picture.height <= max(size.height, least.height)


@pytest.mark.parametrize(
    ("game", "size", "form"),
    [
        (FFA, (20, 5), (2, 1)),
        (FFA, (35, 30), (2, 1)),
        (FFA, (51, 16), (3, 1)),
        (FFA, (77, 22), (3, 1)),
        (FFA, (77, 30), (5, 2)),
        (FFA, (200, 60), (11, 5)),
        (DUEL, (51, 17), (5, 2)),
        (DUEL, (77, 30), (7, 3)),
    ],
)
def test_cells_grow_with_the_room(
    game: Pommerman, size: tuple[int, int], form: tuple[int, int]
) -> None:
    picture = draw(game, crowded(game, random.Random(3)), Size(*size))
    cells = game.board_spec.size
    numbered = [line for line in picture.lines[1:] if line[0].text.strip()]
    assert len(numbered) == cells
    assert sum(len(span.text) for span in numbered[0] if span.role != "number") >= cells * form[0]
    first, second = (picture.lines.index(line) for line in numbered[:2])
    assert second - first == form[1]
    assert len(picture.lines[0][0].text) == 3 + cells * form[0]


def test_all_the_room_is_for_the_board() -> None:
    for size in (Size(51, 16), Size(200, 60)):
        text = str(draw(FFA, crowded(FFA, random.Random(3)), size))
        assert "agent" not in text, "what the signs mean stands in the help"


def test_the_plain_board_keeps_its_lines_short() -> None:
    drawn = str(draw(DUEL, duel(), Size(30, 12), Glyphs.ASCII, shows_layer=False))
    assert drawn == "\n".join(
        [
            "   0 1 2 3 4 5 6 7",
            " 0 # . . . . . . .",
            " 1 . A9. + . . . .",
            " 2 . . . . . . . .",
            " 3 # . . . . . . .",
            " 4 . . . . 3>. . .",
            " 5 . . . . . . . .",
            " 6 ~3~2. . . . B .",
            " 7 b r k . . . . .",
        ]
    )


def test_the_plain_board_has_a_blank_between_cells_with_numbers() -> None:
    drawn = str(draw(DUEL, duel(), Size(30, 12), Glyphs.ASCII))
    assert drawn == "\n".join(
        [
            "   0  1  2  3  4  5  6  7",
            " 0 #  .9 .  .  .  .  .  .",
            " 1 .9 A9 .9 +9 .  .  .  .",
            " 2 .  .9 .  .  .  .  .  .",
            " 3 #  .9 .  .  .  .  .  .3",
            " 4 .  .  .  .  3> .  .3 .3",
            " 5 .  .  .  .  .  .  .  .3",
            " 6 ~3 ~2 .  .  .  .  B  .",
            " 7 b  r  k  .  .  .  .  .",
        ]
    )


# -- the layer -----------------------------------------------------------------------------


def test_the_layer_can_be_taken_off() -> None:
    narrow, broad, tall = Size(19, 9), Size(27, 9), Size(43, 17)
    asked = [(glyphs, size) for glyphs in GLYPHS for size in (narrow, broad)]
    for glyphs, size in (*asked, (Glyphs.UNICODE, tall), (Glyphs.UNICODE, Size(59, 25))):
        bare = draw(DUEL, duel(), size, glyphs, shows_layer=False)
        assert not any("danger" in span.role for span in spans_of(bare))
        shown = draw(DUEL, duel(), size, glyphs)
        assert sum("danger" in span.role for span in spans_of(shown)) > 8


def test_the_number_is_the_steps_until_the_cell_burns() -> None:
    for life, text in ((3, " 3"), (4, " ·")):
        state = duel(bombs=(Bomb(at(4, 4), life, 3, 1, 0),), flames=(0, 0, 0))
        picture = draw(DUEL, state, Size(19, 9))
        near = [span for span in spans_of(picture) if span.role == "danger.near"]
        assert [span.text for span in near] == [text] * 8
    plain = draw(DUEL, state, Size(19, 9), Glyphs.ASCII)
    assert sum(span.role == "danger.near" for span in spans_of(plain)) == 8
    assert str(plain).count("4") > 8


def test_fog_hides_everything_and_is_drawn_flat() -> None:
    game = Pommerman(mode="team", view=1)
    state = crowded(game, random.Random(2))
    for glyphs, sign in ((Glyphs.ASCII, "?"), (Glyphs.UNICODE, "░")):
        picture = draw(game, state, Size(25, 12), glyphs, seat=None, shows_layer=False)
        cells = [span for line in picture.lines[1:] for span in line[1:]]
        assert {span.text.strip() for span in cells} <= {sign, sign * 2}
        assert {span.role for span in cells} == {"fog"}


def test_a_board_that_is_not_laid_out_yet_is_empty() -> None:
    picture = draw(DUEL, PommermanState(), Size(19, 9))
    assert {span.role for line in picture.lines[1:] for span in line[1:]} == {
        "floor",
        "floor.other",
    }


def test_the_dead_are_not_drawn() -> None:
    state = duel()._replace(agents=_with_dead(1))
    assert "B" not in "".join(str(draw(DUEL, state, Size(19, 9))).splitlines()[1:])


# -- clicks and the highlight --------------------------------------------------------------


@pytest.mark.parametrize("size", [(19, 9), (27, 9), (51, 17), (77, 30)])
def test_a_click_on_any_part_of_a_cell_means_its_order(size: tuple[int, int]) -> None:
    picture = draw(DUEL, duel(bombs=(), wood=1 << at(0, 1)), Size(*size))
    found: dict[str, int] = {}
    for span in spans_of(picture):
        if span.action:
            found[span.action] = found.get(span.action, 0) + len(span.text)
    assert set(found) == {"down", "left", "right", "bomb"}
    assert len(set(found.values())) == 1


def test_the_own_cell_means_a_stop_where_no_bomb_can_be_laid() -> None:
    on_a_bomb = draw(DUEL, duel(), Size(19, 9))
    assert {span.action for span in spans_of(on_a_bomb) if "seat.0" in span.role} == {"stop"}
    empty = draw(DUEL, duel(bombs=()), Size(19, 9), seat=1)
    assert {span.action for span in spans_of(empty) if "seat.1" in span.role} == {"stop"}


def test_nobody_else_can_click() -> None:
    for state, seat in ((duel(), None), (duel(agents=_with_dead(0)), 0)):
        assert not any(span.action for span in spans_of(draw(DUEL, state, Size(51, 17), seat=seat)))


def _with_dead(seat: int) -> tuple[Bomber, ...]:
    agents = list(duel().agents)
    agents[seat] = agents[seat]._replace(alive=False)
    return tuple(agents)


@pytest.mark.parametrize(
    ("move", "role"),
    [(DOWN, "target"), (UP, "target"), (STOP, "target.own"), (BOMB, "target.own")],
)
def test_the_highlight_shows_where_an_order_leads(move: int, role: str) -> None:
    picture = draw(DUEL, duel(bombs=()), Size(27, 9), highlight=MOVES[move])
    marked = [span.role.split()[-1] for span in spans_of(picture) if "target" in span.role]
    assert set(marked) == {role}


def test_a_highlight_against_a_wall_stays_on_the_own_cell() -> None:
    state = duel(bombs=(), wood=1 << at(0, 1))
    picture = draw(DUEL, state, Size(27, 9), highlight=MOVES[UP])
    (marked,) = (span for span in spans_of(picture) if "target" in span.role)
    assert "seat.0" in marked.role
