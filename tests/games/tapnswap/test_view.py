from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from boardgames_cli.core.game import Observation, Seat, Step
from boardgames_cli.core.presentation.view import RenderContext, Size
from boardgames_cli.core.text import Glyphs, Picture
from boardgames_cli.games.tapnswap.rules import TapnSwap
from boardgames_cli.games.tapnswap.state import TapnSwapState
from boardgames_cli.games.tapnswap.view import TapnSwapView

GAME = TapnSwap()
NAMES = ("Ann", "Q-table")
SMALL = Size(80, 20)
STATE = TapnSwapState(((3, 2), (4, 1)), 0)


def draw(
    state: TapnSwapState = STATE,
    seat: Seat | None = 0,
    highlight: str = "",
    glyphs: Glyphs = Glyphs.ASCII,
    size: Size = SMALL,
    last: Step[Any, Any] | None = None,
) -> Picture:
    seen = GAME.observe(state, seat)
    chosen = GAME.parse(state, 0 if seat is None else seat, highlight) if highlight else None
    return TapnSwapView(GAME).picture(seen, size, RenderContext(glyphs, NAMES, chosen, last))


def lines(picture: Picture) -> list[str]:
    return str(picture).splitlines()


def roles(picture: Picture, role: str) -> str:
    """All the text that has a role, or one of several."""
    return "".join(
        span.text for line in picture.lines for span in line if role in span.role.split()
    )


def clicks(picture: Picture) -> set[str]:
    return {span.action for line in picture.lines for span in line if span.action}


def test_the_picture_of_the_source() -> None:
    assert lines(draw()) == [
        "            Q-table (seat 2)",
        "    ||||                        |",
        "L ------------------------------------ R",
        "    |||                         ||",
        "         Ann (seat 1, to move)",
    ]


def test_who_looks_sits_below() -> None:
    picture = lines(draw(seat=1))
    assert "Ann" in picture[0]
    assert "||||" in picture[3]
    assert "Q-table" in picture[4]
    assert draw(seat=None) != draw(seat=1)


@pytest.mark.parametrize(
    ("highlight", "row", "shown"),
    [
        ("tap L>L", 1, "    xxxx                        |"),
        ("tap L>R", 1, "    ||||                        |+++"),
        ("tap R>R", 1, "    ||||                        |++"),
        ("swap 4-1", 3, "    |||+                        |x"),
        ("swap 1-4", 3, "    |xx                         ||++"),
    ],
)
def test_a_highlighted_move_shows_what_it_changes(highlight: str, row: int, shown: str) -> None:
    picture = draw(highlight=highlight)
    assert lines(picture)[row] == shown
    assert roles(picture, "added") == "+" * shown.count("+")
    assert roles(picture, "removed") == "x" * shown.count("x")


def test_a_dead_hand_says_so() -> None:
    picture = draw(TapnSwapState(((0, 2), (4, 1)), 0), highlight="swap 1-1")
    assert lines(picture)[3] == "    +                           |x"
    assert roles(draw(TapnSwapState(((0, 2), (4, 1)), 0)), "dead") == "dead"


@pytest.mark.parametrize(
    ("glyphs", "size", "expected"),
    [
        (Glyphs.ASCII, Size(80, 24), (40, 5)),
        (Glyphs.UNICODE, Size(41, 14), (40, 5)),
        (Glyphs.UNICODE, Size(51, 16), (51, 16)),
        (Glyphs.UNICODE, Size(60, 13), (60, 13)),
        (Glyphs.UNICODE, Size(77, 30), (77, 30)),
        (Glyphs.UNICODE, Size(140, 40), (140, 40)),
        (Glyphs.ASCII, Size(120, 60), (72, 27)),
    ],
)
def test_the_largest_picture_that_fits(
    glyphs: Glyphs, size: Size, expected: tuple[int, int]
) -> None:
    picture = draw(glyphs=glyphs, size=size)
    assert (picture.width, picture.height) == expected


def test_figures_raise_as_many_fingers_as_there_are() -> None:
    size = Size(51, 16)
    for own in range(5):
        state = TapnSwapState(((own, 1), (2, 4)), 0)
        picture = lines(draw(state, glyphs=Glyphs.UNICODE, size=size))
        # Row 11 cuts through the raised fingers of the lower left hand.
        assert picture[11][:20].count("███") == own
        assert f"L {own or 'dead'}" in picture[13]


def test_at_60_columns_hands_are_five_rows_high() -> None:
    picture = draw(glyphs=Glyphs.UNICODE, size=Size(60, 13))
    hands = [row for row, line in enumerate(lines(picture)) if set("▟█▙▜▛") & set(line)]
    assert hands == [1, 2, 3, 4, 5, 7, 8, 9, 10, 11]


def frames(state: TapnSwapState, text: str, viewer: Seat = 0, **changes: Any) -> list[Picture]:
    action = GAME.parse(state, state.player, text)
    after = GAME.apply(state, {state.player: action})
    step: Step[Any, Any] = Step({state.player: action})
    look: RenderContext[Any, Any] = RenderContext(Glyphs.UNICODE, NAMES, last=step, viewer=viewer)
    look = replace(look, **changes)
    made = list(TapnSwapView(GAME).frames(state, step, after, Size(51, 16), look))
    still = TapnSwapView(GAME).picture(Observation(viewer, 1, after, ()), Size(51, 16), look)
    assert still not in made
    assert {(frame.width, frame.height) for frame in made} <= {(still.width, still.height)}
    return made


def test_a_hand_that_is_killed_strikes_counts_and_breaks() -> None:
    made = frames(STATE, "tap L>L")
    assert "L 3" in roles(made[0], "struck"), "who strikes"
    assert "L 7" in roles(made[3], "struck"), "what it makes together"
    assert [set("▒░") & set(roles(frame, "struck")) for frame in made[:6]] == [set()] * 6
    assert "▒" in roles(made[-2], "struck"), "it breaks"
    assert roles(made[-1], "struck") == ""
    assert "▒" in roles(made[-1], "seat.1")


def test_a_hand_that_is_killed_shakes() -> None:
    dying = [frame for frame in frames(STATE, "tap L>L") if "▒" in str(frame)]
    columns = [min(line.find("▒") for line in lines(frame) if "▒" in line) for frame in dying]
    assert [column - columns[-1] for column in columns] == [1, -1, 1, 0]


def test_hands_that_can_be_killed_glow_and_say_so() -> None:
    hands = draw(TapnSwapState(((4, 1), (1, 3)), 0), glyphs=Glyphs.UNICODE, size=Size(51, 16))
    assert re.findall(r"[LR] \d!?", str(hands)) == ["L 1!", "R 3!", "L 4", "R 1"]
    assert roles(hands, "glow")
    calm = draw(TapnSwapState(((1, 1), (1, 1)), 0), glyphs=Glyphs.UNICODE, size=Size(51, 16))
    assert not roles(calm, "glow")


def test_a_hand_that_lives_does_not_break() -> None:
    made = frames(STATE, "tap L>R")
    assert len(made) == 6
    assert "R 4" in roles(made[-1], "struck")
    assert not set("▒░") & set("".join(map(str, made)))


@pytest.mark.parametrize("viewer", [0, 1])
@pytest.mark.parametrize("notation", ["tap L>L", "tap L>R", "tap R>L"])
def test_a_hand_goes_over_to_the_hand_that_it_taps(notation: str, viewer: int) -> None:
    label = f"{notation[4]} {STATE.hands[0][notation[4] == 'R']}"
    made = [lines(frame) for frame in frames(STATE, notation, viewer)]
    (row, _), (nearer, column) = (
        next((row, line.index(label)) for row, line in enumerate(rows) if label in line)
        for rows in (made[0], made[2])
    )
    assert nearer > row if viewer else nearer < row, "towards the other side"
    assert (column > len(made[2][row]) // 2) == (notation[6] == "R")


def test_fingers_are_swapped_one_by_one() -> None:
    made = frames(TapnSwapState(((4, 1), (1, 1)), 0), "swap 2-3")
    counts = [
        re.findall(r"[LR] (\d(?:>\d)?)", roles(f, "changed") + roles(f, "struck")) for f in made
    ]
    assert counts == [["4>3", "1>2"], ["3", "2"], ["3>2", "2>3"], ["2", "3"]]


def test_who_looks_sits_below_while_hands_move() -> None:
    for viewer, name in enumerate(NAMES):
        assert all(name in lines(frame)[-1] for frame in frames(STATE, "tap L>L", viewer))


def test_strokes_do_not_move() -> None:
    assert frames(STATE, "tap L>L", glyphs=Glyphs.ASCII) == []


def test_figures_show_the_highlighted_move_on_both_sides() -> None:
    size = Size(77, 30)
    killed = draw(highlight="tap L>L", glyphs=Glyphs.UNICODE, size=size)
    assert "L 4>dead" in str(killed)
    assert "░" in roles(killed, "removed")
    assert roles(killed, "added") == ""
    swapped = draw(highlight="swap 4-1", glyphs=Glyphs.UNICODE, size=size)
    assert set(roles(swapped, "added")) == {"▒"}
    assert set(roles(swapped, "removed")) == {"░"}
    assert roles(swapped, "changed").split() == ["L", "3>4!", "R", "2>1!"], "both are in danger"
    calm = TapnSwapState(((1, 2), (1, 1)), 0)
    calm_swap = draw(calm, highlight="swap 3-0", glyphs=Glyphs.UNICODE, size=size)
    assert roles(calm_swap, "changed").split() == ["L", "1>3", "R", "2>dead"]


def test_thumbs_point_to_each_other_and_palms_are_rounded() -> None:
    hands = lines(draw(glyphs=Glyphs.UNICODE, size=Size(51, 16)))[12:15]
    assert hands == [
        "    ███████████████ ▟█▙    ▟█▙ ███████████████",
        "    █████ L 3 █████▟██▛    ▜██▙█████ R 2 █████",
        "    ▜████████████████▛      ▜████████████████▛",
    ]


def test_the_last_move_is_underlined() -> None:
    size = Size(77, 30)
    tapped = draw(last=Step({1: GAME.actions[1]}), glyphs=Glyphs.UNICODE, size=size)
    assert roles(tapped, "last-move").split() == ["R", "2"]
    swap = GAME.parse(STATE, 0, "swap 4-1")
    swapped = draw(TapnSwapState(((4, 1), (4, 1)), 1), last=Step({0: swap}), glyphs=Glyphs.UNICODE,
                   size=size)  # fmt: skip
    assert roles(swapped, "last-move").split() == ["L", "4!", "R", "1!"]


def test_a_click_means_a_move_only_where_there_is_no_doubt() -> None:
    assert clicks(draw()) == set()
    one_hand = TapnSwapState(((3, 0), (4, 1)), 0)
    assert clicks(draw(one_hand)) == {"tap L>L", "tap L>R"}
    assert clicks(draw(highlight="tap L>L")) == {"tap L>L", "tap L>R", "tap R>L"}
    assert clicks(draw(one_hand, seat=1)) == set()


@pytest.mark.parametrize(
    ("hands", "expected"),
    [
        (
            ((3, 2), (4, 1)),
            ["tap L>L kills 4", "tap L>R makes 4", "tap R>L kills 4", "tap R>R makes 3",
             "swap 1-4", "swap 4-1"],
        ),
        (((0, 2), (1, 0)), ["tap R>L makes 3", "swap 1-1 revives L"]),
        (((2, 1), (1, 0)), ["tap L>L makes 3", "tap R>L makes 2", "swap 0-3 empties L",
                            "swap 3-0 empties R"]),
    ],
)  # fmt: skip
def test_every_action_says_what_it_does(hands: Any, expected: list[str]) -> None:
    seen = GAME.observe(TapnSwapState(hands, 0), 0)
    assert [TapnSwapView(GAME).describe(seen, action) for action in seen.legal] == expected


@pytest.mark.parametrize(
    ("hands", "text", "expected"),
    [
        (((3, 2), (4, 1)), "tap L>L", ["Ann tapped L>L: 3 + 4, Q-table's left hand is dead."]),
        (((3, 2), (4, 1)), "tap R>R", ["Ann tapped R>R: 2 + 1, Q-table's right hand has 3."]),
        (((3, 2), (4, 1)), "swap 4-1", ["Ann swapped 3-2 to 4-1."]),
        (
            ((3, 2), (4, 0)),
            "tap L>L",
            [
                "Ann tapped L>L: 3 + 4, Q-table's left hand is dead.",
                "Both hands of Q-table are dead: Ann won.",
            ],
        ),
    ],
)
def test_the_story(hands: Any, text: str, expected: list[str]) -> None:
    state = TapnSwapState(hands, 0)
    step: Step[Any, Any] = Step({0: GAME.parse(state, 0, text)})
    after = GAME.apply_step(state, step)
    assert TapnSwapView(GAME).narrate(state, step, after, RenderContext(names=NAMES)) == expected


def test_a_person_without_a_name_is_told_in_english() -> None:
    context: RenderContext[Any, Any] = RenderContext(names=("random", "You"))
    for hands, told in (
        (((3, 2), (1, 1)), ["random tapped L>L: 3 + 1, your left hand has 4."]),
        (((3, 2), (4, 0)), ["random tapped L>L: 3 + 4, your left hand is dead.",
                            "Both your hands are dead: random won."]),
    ):  # fmt: skip
        state = TapnSwapState(hands, 0)
        step: Step[Any, Any] = Step({0: GAME.parse(state, 0, "tap L>L")})
        after = GAME.apply_step(state, step)
        assert TapnSwapView(GAME).narrate(state, step, after, context) == told


def test_the_story_of_a_draw() -> None:
    game = TapnSwap(max_plies=1)
    step: Step[Any, Any] = Step({0: game.parse(STATE, 0, "swap 4-1")})
    told = TapnSwapView(game).narrate(
        STATE, step, game.apply_step(STATE, step), RenderContext(names=NAMES)
    )
    assert told[-1] == "1 moves have been made: the game is a draw."


def test_the_sidebar_has_the_facts() -> None:
    text = str(
        TapnSwapView(GAME).sidebar(
            GAME.observe(TapnSwapState(STATE.hands, 0, 40), 0), 40, RenderContext()
        )
    )
    assert text.splitlines() == [
        "> Seat 1",
        "    L 3, R 2",
        "  Seat 2",
        "    L 4, R 1",
        "can be killed now: L",
        "160 moves until a draw",
    ]


def test_the_question_names_all_hands() -> None:
    seen = GAME.observe(STATE, 0)
    assert TapnSwapView(GAME).prompt(seen, RenderContext(names=NAMES)) == (
        "Ann to move: L 3, R 2. Q-table: L 4, R 1."
    )
    over = GAME.observe(TapnSwapState(((3, 2), (0, 0)), 1), 0)
    assert TapnSwapView(GAME).prompt(over, RenderContext(names=NAMES)) == TapnSwapView(GAME).result(
        over.state, RenderContext(names=NAMES)
    )


@pytest.mark.parametrize("glyphs", Glyphs)
def test_the_legend_names_every_sign_of_a_highlighted_move(glyphs: Glyphs) -> None:
    legend = TapnSwapView(GAME).legend(glyphs)
    for size in (SMALL, Size(120, 60)):
        picture = draw(highlight="swap 4-1", glyphs=glyphs, size=size)
        for role in ("added", "removed"):
            assert set(roles(picture, role)) <= set(roles(legend, role))
