"""The board as text, the labels of moves, the story, the danger."""

from __future__ import annotations

import random

import pytest

from boardgames_cli.core.game import CHANCE
from boardgames_cli.core.text import Glyphs
from boardgames_cli.core.view import Look, Size
from boardgames_cli.games.pommerman.actions import ORDERS, PommermanAction, order
from boardgames_cli.games.pommerman.board import grid_of
from boardgames_cli.games.pommerman.danger import burn_times, fires
from boardgames_cli.games.pommerman.palette import PALETTE
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import Bomb, Bomber, PommermanState
from boardgames_cli.games.pommerman.stepping import play_step
from boardgames_cli.games.pommerman.view import PommermanView
from boardgames_cli.testing import check_view
from tests.games.pommerman.crowds import crowded

VIEW = PommermanView()
PLAIN: Look[PommermanAction] = Look(Glyphs.ASCII, ("Ann", "bot", "Cid", "D"))


def at(row: int, column: int) -> int:
    return grid_of(8).cell(row, column)


def duel(**changes: object) -> tuple[Pommerman, PommermanState]:
    game = Pommerman(mode="duel")
    whole: dict[str, object] = {
        "rigid": 1 << at(0, 0) | 1 << at(3, 0),
        "wood": 1 << at(1, 3),
        "agents": (Bomber(at(1, 1), True, 1, 3, False), Bomber(at(6, 6), True, 0, 4, True)),
        "step": 48,
    }
    return game, PommermanState(**(whole | changes))  # type: ignore[arg-type]


def test_the_plain_board() -> None:
    game, state = duel(
        bombs=(Bomb(at(1, 1), 9, 3, 0, 0), Bomb(at(4, 4), 3, 2, 1, 4)),
        flames=(0, 1 << at(6, 1), 1 << at(6, 0)),
        powers=(1 << at(7, 0), 1 << at(7, 1), 1 << at(7, 2)),
    )
    drawn = str(VIEW.picture(game, game.observe(state, 0), Size(30, 12), PLAIN))
    assert drawn == "\n".join(
        [
            "   0 1 2 3 4 5 6 7",
            " 0 # . . . . . . .",
            " 1 . A9. + . . . .",
            " 2 . . . . . . . .",
            " 3 # . . . . . . .",
            " 4 . . . . 3>. . .",
            " 5 . . . . . . . .",
            " 6 ~ ~ . . . . B .",
            " 7 b r k . . . . .",
        ]
    )


def test_fog_is_drawn_and_says_nothing_else() -> None:
    game = Pommerman(mode="team", view=1)
    state = crowded(game, random.Random(2))
    for glyphs, sign in ((Glyphs.ASCII, "?"), (Glyphs.UNICODE, "░░")):
        drawn = str(VIEW.picture(game, game.observe(state, None), Size(25, 12), Look(glyphs)))
        cells = "".join(line[3:] for line in drawn.splitlines()[1:]).replace(" ", "")
        assert set(cells) == set(sign)


@pytest.mark.parametrize(("size", "width"), [((51, 18), 49), ((77, 30), 71), ((300, 100), 93)])
def test_the_board_grows_with_the_room(size: tuple[int, int], width: int) -> None:
    game = Pommerman()
    seen = game.observe(crowded(game, random.Random(2)), 0)
    picture = VIEW.picture(game, seen, Size(*size), Look(Glyphs.UNICODE))
    assert picture.width == width


def test_the_overlay_writes_when_a_cell_burns() -> None:
    game, state = duel(bombs=(Bomb(at(4, 4), 4, 3, 1, 0),))
    look: Look[PommermanAction] = Look(Glyphs.UNICODE)
    picture = VIEW.picture(game, game.observe(state, 0), Size(19, 9), look)
    spans = [span for line in picture.lines for span in line if span.role == "danger.near"]
    assert sum(span.text.count("4") for span in spans) == 8
    bare = PommermanView(overlay=False).picture(game, game.observe(state, 0), Size(19, 9), look)
    assert not any("danger" in span.role for line in bare.lines for span in line)


def test_labels_say_what_comes_of_a_move() -> None:
    game, state = duel(
        bombs=(Bomb(at(1, 2), 4, 3, 1, 0),),
        wood=1 << at(0, 1),
        powers=(1 << at(2, 1), 0, 0),
    )
    seen = game.observe(state, 0)
    assert [VIEW.describe(game, seen, action) for action in seen.legal] == [
        "stop: wait, burns in 4",
        "up: blocked by a wall, burns in 4",
        "down: a power-up",
        "left: free, burns in 4",
        "right: blocked by a bomb, burns in 4",
        "bomb: 1 left, burns in 4",
    ]
    foe = game.observe(state, 1)
    assert VIEW.describe(game, foe, ORDERS[5]) == "bomb: no bomb left"
    assert VIEW.prompt(game, seen, PLAIN) == "Step 48. You are A at r1c1, 1 bomb, range 3."
    assert VIEW.prompt(game, foe, PLAIN) == "Step 48. You are B at r6c6, 0 bombs, range 4, kick."


def test_the_sidebar_knows_what_the_seat_knows() -> None:
    game, state = duel(bombs=(Bomb(at(4, 4), 1, 2, 1, 0),))
    assert str(VIEW.sidebar(game, game.observe(state, 0), PLAIN)).splitlines() == [
        "A Ann  alive am1 rng3 -",
        "B bot  alive",
        "step 48 of 800",
        "burns in 1: r3c4 r4c3 r4c4 r4c5 r5c4",
        "burns in 2: r3c4 r4c3 r4c4 r4c5 r5c4",
        "burns in 3: r3c4 r4c3 r4c4 r4c5 r5c4",
    ]


def test_the_story() -> None:
    game, state = duel(powers=(0, 0, 1 << at(2, 1)))
    after = game.apply(state, {0: ORDERS[2], 1: ORDERS[0]})
    assert VIEW.narrate(game, state, {}, after, PLAIN) == ["Ann took the kick."]
    laid = game.apply(state, {0: ORDERS[5], 1: ORDERS[0]})
    assert VIEW.narrate(game, state, {}, laid, PLAIN) == ["Ann laid a bomb at r1c1."]
    for _ in range(8):
        laid = game.apply(laid, {0: ORDERS[0], 1: ORDERS[0]})
    over = game.apply(laid, {0: ORDERS[0], 1: ORDERS[0]})
    assert VIEW.narrate(game, laid, {}, over, PLAIN) == ["Wood burns at r1c3.", "Ann is dead."]
    assert VIEW.result(game, over, PLAIN) == "bot won after 58 steps."


def test_the_story_does_not_tell_what_others_said() -> None:
    game = Pommerman(mode="radio")
    start = game.initial_state()
    state = game.apply(start, {CHANCE: game.sample_chance(start, random.Random(1))})
    said = {seat: order(0, seat + 1, 8) for seat in range(4)}
    after = game.apply(state, said)
    told = VIEW.narrate(game, game.redact(state, 0), said, game.redact(after, 0), PLAIN)
    assert told == ["Ann says 1 8.", "Cid says 3 8."]
    assert VIEW.narrate(game, game.redact(state, None), said, game.redact(after, None), PLAIN) == []
    assert "C says 3 8" in str(VIEW.sidebar(game, game.observe(after, 0), PLAIN))


def test_danger_is_what_the_rules_burn_when_nobody_moves() -> None:
    game = Pommerman()
    for seed in range(50):
        state = crowded(game, random.Random(seed))
        masks = fires(game.terms, state)
        times = burn_times(game.terms, state)
        for step, mask in enumerate(masks, start=1):
            state = play_step(game.terms, state, [0] * 4)
            assert state.burning == mask
            assert all(times[cell] <= step for cell in range(121) if mask >> cell & 1)
        assert set(times) == {cell for cell in range(121) if any(m >> cell & 1 for m in masks)}


def test_both_themes_know_the_same_roles_and_can_be_read() -> None:
    assert set(PALETTE["dark"]) == set(PALETTE["light"])
    for styles in PALETTE.values():
        for role, style in styles.items():
            words = style.split()
            if "on" in words and words[0].lstrip("bold ").startswith("#"):
                assert contrast(words[words.index("on") - 1], words[-1]) >= 4.5, role


def contrast(ink: str, ground: str) -> float:
    high, low = sorted((luminance(ink), luminance(ground)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize(
    "game",
    [
        Pommerman(),
        Pommerman(mode="team", view=3, collapse=True, steps=30, first_collapse=5),
        Pommerman(mode="duel"),
    ],
    ids=lambda game: game.mode,
)
def test_the_view_keeps_the_contract(game: Pommerman) -> None:
    check_view(game, VIEW, seeds=range(1), max_plies=14)


def test_the_view_keeps_the_contract_by_radio() -> None:
    check_view(Pommerman(mode="radio"), VIEW, seeds=range(1), max_plies=2)
