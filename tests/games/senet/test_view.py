"""The board as pictures, and the story of the game."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from boardgames_cli.core.game import Observation, Step
from boardgames_cli.core.match import Match
from boardgames_cli.core.presentation.view import RenderContext, Size
from boardgames_cli.core.text import Glyphs, Picture
from boardgames_cli.games.senet.actions import MOVE, PASS, THROWS, SenetMove, Throw
from boardgames_cli.games.senet.board import OFF
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState
from boardgames_cli.games.senet.view import SenetView, journey
from boardgames_cli.games.senet.view.drawing import PALETTE
from tests.colours import contrast
from tests.games.senet.positions import position

NAMES = ("Ann", "Ben")

MIDGAME = """\
+----+----+----+----+----+----+----+----+----+----+
|1   |2   |3   |4   |5   |6   |7   |8   |9   |10 C|
+----+----+----+----+----+----+----+----+----+-|--+
|20 S=19 S=18 S|17  |16  |15*C|14 <|13  |12  |11 C|
+----+----+----+----+----+----+----+----+----+----+
|21  |22  |23  |24  |25  |26HC|27~ |28 S|29 2|30 1|
+----+----+----+----+----+----+----+----+----+----+"""


def state_of(
    cones: list[int], spools: list[int], steps: int | None = 3, player: int = 0
) -> SenetState:
    """A position given by the houses as people count them."""
    return position(cones, spools, player, steps)


def context(**changes: Any) -> RenderContext[Any, Any]:
    return RenderContext(**{"names": NAMES, **changes})


def draw(state: SenetState, size: Size, seen_look: RenderContext[Any, Any]) -> Picture:
    game = Senet()
    return SenetView(game).picture(game.observe(state, state.player), size, seen_look)


def test_the_framed_board() -> None:
    state = state_of([10, 11, 15, 26], [18, 19, 20, 28])
    assert str(draw(state, Size(51, 18), context(highlight=MOVE[11][14]))) == MIDGAME


@pytest.mark.parametrize("glyphs", list(Glyphs))
@pytest.mark.parametrize(
    "size", [(30, 3), (51, 7), (51, 18), (60, 12), (71, 10), (77, 30), (110, 36)]
)
def test_the_board_fits_and_names_every_house(glyphs: Glyphs, size: tuple[int, int]) -> None:
    state = state_of([10, 11, 15, 26], [18, 19, 20, 28])
    picture = draw(state, Size(*size), context(glyphs=glyphs))
    assert picture.width <= size[0]
    assert picture.height <= size[1]
    if size[0] >= 51:
        text = str(picture)
        assert all(str(house) in text for house in range(1, 31))


def test_the_path_bends_like_an_s() -> None:
    lines = str(draw(state_of([1], [2]), Size(40, 5), context())).splitlines()
    assert [line[:7] for line in lines] == [" 1-10 >", "11-20 <", "21-30 >"]
    # House 11 is the last of its line, house 20 the first.
    turned = str(draw(state_of([11], [20]), Size(40, 5), context())).splitlines()[1]
    assert turned.split()[2:] == ["S", ".", ".", ".", ".", "*", ".", ".", ".", "C"]


def test_a_click_on_a_dancer_or_a_free_end_is_its_move() -> None:
    state = state_of([10, 14], [18], steps=2)
    clicks = {span.action for line in draw(state, Size(51, 18), context()).lines for span in line}
    assert clicks == {"", "10>12", "14>16"}


def test_the_highlighted_move_is_marked_at_both_ends() -> None:
    seen_look = context(glyphs=Glyphs.UNICODE, highlight=MOVE[10][13])
    picture = draw(state_of([10], [18]), Size(60, 15), seen_look)
    roles = {span.role for line in picture.lines for span in line}
    assert any("target" in role.split() for role in roles)
    assert any("chosen" in role.split() for role in roles)


def test_groups_are_joined_and_corners_too() -> None:
    text = str(draw(state_of([10, 11], [3, 4, 5]), Size(51, 18), context())).splitlines()
    assert "3  S=4  S=5  S" in text[1]
    assert text[2][47] == "|", "10 and 11 are neighbours round the corner"


@pytest.mark.parametrize(
    ("before", "action", "told"),
    [
        (state_of([1], [2], steps=None), THROWS[3], ["Ann threw 4."]),
        (state_of([1], [4]), MOVE[1][4], ["Ann 1>4 swaps with the spool."]),
        (state_of([10], [4]), MOVE[10][13], ["Ann 10>13."]),
        (state_of([26, 3], [4], steps=5), MOVE[26][OFF], ["Ann 26>off bears off."]),
        (
            state_of([26, 3], [4], steps=1),
            MOVE[26][15],
            ["Ann 26>15 falls into the Water and is reborn."],
        ),
        (
            state_of([28], [4]),
            MOVE[28][OFF],
            ["Ann 28>off bears off.", "Ann bore off the last of the cones and won."],
        ),
        (state_of([29], [4]), PASS, ["Ann could not move: pass."]),
    ],
)
def test_the_story_of_a_step(before: SenetState, action: Any, told: list[str]) -> None:
    game = Senet()
    step: Step[Any, Any] = Step({0: action})
    if isinstance(action, Throw):
        step = Step.of_chance(action)
    after = game.apply_step(before, step)
    assert SenetView(game).narrate(before, step, after, context()) == told


def test_skyruk_tells_of_the_extra_throw() -> None:
    game = Senet(rules="skyruk")
    before = game.from_json({"cones": [22], "spools": [3], "player": 0, "steps": 3, "pieces": 5})
    step: Step[Any, Any] = Step({0: MOVE[23][26]})
    told = SenetView(game).narrate(before, step, game.apply_step(before, step), context())
    assert told[-1] == "Ann reached the House of Happiness: another throw."


def test_sidebar_counts_dancers_and_names_groups() -> None:
    game = Senet()
    state = state_of([10, 11], [3, 4, 5], steps=2)
    text = str(SenetView(game).sidebar(game.observe(state, 0), 40, context()))
    assert "> C Ann  off 3/5" in text
    assert "S Ben  off 2/5" in text
    assert "[ ][ ][#][#] = 2" in text
    assert "protected C 10-11" in text
    assert "blockade S 3-5" in text


def test_prompt_says_what_the_throw_means() -> None:
    game = Senet()

    def prompt(state: SenetState) -> str:
        seen: Observation[Any, Any] = game.observe(state, state.player)
        return SenetView(game).prompt(seen, context())

    assert prompt(state_of([1], [2], steps=2)) == "Ann threw 2 (then the turn passes)."
    assert prompt(state_of([1], [2], steps=4)) == "Ann threw 4 (and will throw again)."
    assert prompt(state_of([1], [2], steps=None)) == "Ann to throw the sticks."
    assert prompt(state_of([], [2])) == "Ann won."


@pytest.mark.parametrize("theme", list(PALETTE))
def test_text_stands_out_from_every_ground(theme: str) -> None:
    styles = PALETTE[theme]
    grounds = {role: style.split(" on ")[1] for role, style in styles.items() if " on #" in style}
    for role, ground in grounds.items():
        own = styles[role].split(" on ")[0].split()[-1]
        assert contrast(own, ground) >= 4.5, role
        if role.startswith("house"):
            for over in ("number", "sign"):
                assert contrast(styles[over].split()[-1], ground) >= 4.5, (role, over)


THROWN: Step[Any, Any] = Step.of_chance(THROWS[1])


@pytest.mark.parametrize("size", [(51, 13), (51, 16), (51, 18), (77, 30)])
def test_thrown_sticks_tumble_and_come_to_rest(size: tuple[int, int]) -> None:
    before, after = state_of([1], [2], steps=None), state_of([1], [2], steps=2)
    seen_look = context(glyphs=Glyphs.UNICODE, last=THROWN)
    frames = list(SenetView(Senet()).frames(before, THROWN, after, Size(*size), seen_look))
    still = SenetView(Senet()).picture(Observation(None, 1, after, ()), Size(*size), seen_look)
    assert len(frames) == 6
    assert all(one != next for one, next in pairwise(frames))
    assert still not in frames
    assert {(frame.width, frame.height) for frame in frames} == {(still.width, still.height)}
    text = str(still)
    assert "Ann" in text
    assert "= 2" in text
    assert text.count("▕▏") == (2 if size[1] > 15 else 0)
    assert not any("= 2" in str(frame) for frame in frames), "not before they lie still"


def test_a_throw_of_five_shows_no_flat_side() -> None:
    state = state_of([1], [2], steps=5)
    text = str(draw(state, Size(51, 18), context(glyphs=Glyphs.UNICODE)))
    assert "= 5, again" in text
    assert "▕▏" not in text


@pytest.mark.parametrize(
    ("step", "size", "glyphs"),
    [
        (THROWN, (51, 18), Glyphs.ASCII),
        (THROWN, (51, 12), Glyphs.UNICODE),
        (THROWN, (40, 20), Glyphs.UNICODE),
        (Step({0: PASS}), (77, 30), Glyphs.UNICODE),
    ],
)
def test_nothing_moves_without_sticks(step: Any, size: tuple[int, int], glyphs: Glyphs) -> None:
    before, after = state_of([1], [2], steps=None), state_of([1], [2], steps=2)
    frames = SenetView(Senet()).frames(before, step, after, Size(*size), context(glyphs=glyphs))
    assert list(frames) == []


@pytest.mark.parametrize(
    ("cones", "spools", "move", "marks"),
    [
        ([1], [9], MOVE[1][4], [{2: 0}, {3: 0}]),
        ([9, 5], [6], MOVE[5][6], [{6: "clash"}, {6: "blow"}, {6: "clash"}]),
        (
            *([9], [12], MOVE[9][12]),
            [{10: 0}, {11: 0}, {12: "clash"}, {12: "blow"}, {12: "clash"}, {10: 1}],
        ),
        ([25], [9], MOVE[25][27], [{26: 0}, {27: "drop"}, {27: "splash"}, {27: "rings"}]),
        (
            *([26], [9], MOVE[26][15]),
            [{27: "drop"}, {27: "splash"}, {27: "rings"}, {15: "spark"}],
        ),
        ([30], [9], MOVE[30][OFF], [{30: "spark"}, {30: "sparks"}, {30: "fading"}]),
        ([7], [9], MOVE[7][5], [{6: 0}]),
    ],
)
def test_a_move_looks_like_what_it_is(
    cones: list[int], spools: list[int], move: SenetMove, marks: list[dict[int, str | int]]
) -> None:
    before = state_of(cones, spools)
    after = Senet().apply(before, {0: move})
    assert [shown for _, shown in journey((before.cones, before.spools), 0, move)] == marks
    look = context(glyphs=Glyphs.UNICODE)
    for size in (Size(51, 16), Size(77, 30)):
        frames = list(SenetView(Senet()).frames(before, Step({0: move}), after, size, look))
        still = SenetView(Senet()).picture(Observation(None, 1, after, ()), size, look)
        assert len(frames) == len(marks)
        assert {(frame.width, frame.height) for frame in frames} == {(still.width, still.height)}
        assert still not in frames
        first = SenetView(Senet()).picture(Observation(None, 0, before, ()), size, look)
        assert {str(frame).splitlines()[-1] for frame in frames} == {str(first).splitlines()[-1]}


def test_the_last_houses_show_their_signs_and_what_bears_off() -> None:
    game = Senet()
    seen = Match(game, seed=1).observe(0)
    context: RenderContext[Any, Any] = RenderContext(Glyphs.HIEROGLYPH, ("Ann", "Ben"))
    wide = str(SenetView(game).picture(seen, Size(80, 30), context))
    for sign in ("\U00013217", "\U00013162", "\U00013050 \U00013050", "\U0001314a"):
        assert sign in wide
    small = str(SenetView(game).picture(seen, Size(51, 18), context))
    assert "III" in small
    assert "\U00013162" not in small
    for name in ("Rebirth", "Joy", "Water", "off3", "off2", "off1"):
        assert name in wide
        assert name in small, "a house has one name in all sizes"
