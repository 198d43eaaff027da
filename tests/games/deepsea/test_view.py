"""The trail as text and as a sea, the story, the scoreboard, and what a click means."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from typing import Any

import pytest
from rich.style import Style

from boardgames_cli.core.game import Step
from boardgames_cli.core.presentation.view import Moment, RenderContext, Size
from boardgames_cli.core.text import Glyphs, Picture
from boardgames_cli.games.deepsea.actions import (
    DIVE,
    DROP,
    FACES,
    LEAVE,
    RETURN,
    TAKE,
    Dice,
    Reveal,
    Start,
)
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.games.deepsea.state import DeepSeaState, Phase
from boardgames_cli.games.deepsea.view import DeepSeaView, dice
from boardgames_cli.games.deepsea.view.drawing import PALETTE, SHADES
from boardgames_cli.games.deepsea.view.homecoming import no_return
from tests.colours import contrast, luminance
from tests.games.deepsea.records import DATA, position
from tests.games.deepsea.test_rules import after, sea
from tests.steps import step_by

NAMES = ("Ann", "Ben", "Cid", "Dot", "Eve", "Fay")
RENDERED = json.loads((DATA / "deepsea-render.json").read_text(encoding="utf-8"))["rows"]
SIZES = [Size(51, 18), Size(77, 30), Size(60, 12), Size(40, 10), Size(30, 9)]


def context(**changes: Any) -> RenderContext[Any, Any]:
    return RenderContext(**{"names": NAMES, **changes})


def draw(
    game: DeepSea, state: DeepSeaState, size: Size, seen_look: RenderContext[Any, Any]
) -> Picture:
    seat = state.current if state.phase in (Phase.DIRECTION, Phase.CHIP) else None
    return DeepSeaView(game).picture(game.observe(state, seat), size, seen_look)


def roles(picture: Picture) -> set[str]:
    return {word for line in picture.lines for span in line for word in span.role.split()}


def told(game: DeepSea, state: DeepSeaState, action: Any) -> list[str]:
    (actor,) = game.to_act(state)
    step = step_by(actor, action)
    return DeepSeaView(game).narrate(state, step, game.apply_step(state, step), context())


@pytest.mark.parametrize("row", [row for row in RENDERED if not row["state"]["game_over"]],
                         ids=lambda row: row["kind"])  # fmt: skip
def test_the_line_of_the_source(row: dict[str, Any]) -> None:
    state = row["state"]
    game = DeepSea(players=state["players"])
    data = {key: value for key, value in state.items() if key not in ("turn_order", "game_over")}
    data = position(data)
    if not state["done"][state["current"]]:
        data["phase"] = "dice"
    lines = str(draw(game, game.from_json(data), Size(100, 20), context())).splitlines()
    theirs = row["plain"].splitlines()
    # The order inside the submarine is the order of turns; whoever moves next is at the hatch.
    assert sorted(lines[0][1:7].replace("_", " ")) == sorted(theirs[0][1:7])
    assert lines[0][8:72] == theirs[0][8:72]
    assert lines[1][8:72] == theirs[1][8:72]
    if "phase" in data:
        whose = theirs[0][72:].partition("'s turn")[0].strip()
        assert lines[0][72:].strip() == f"{whose}'s turn."
        assert lines[1][72:].split() == theirs[1][72:].split()


def test_the_line_wraps_where_it_is_narrow() -> None:
    game = DeepSea(players=2)
    state = sea(game, phase="dice", pos=[20, 9], dir=[1, 0], held=[[], [[2]]], blank=[9], gone=[3])
    assert str(draw(game, state, Size(60, 12), context())) == (
        "Player A's turn. Oxygen 25 of 25.\n"
        "[______]                b\n"
        "        1 1 - 1 1 1 1 1 0 2 2 2 2 2 2 2\n"
        "              A\n"
        "        3 3 3 3 3 3 3 3 4 4 4 4 4 4 4 4"
    )


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("players", [2, 6])
def test_the_sea_fits_and_shows_everybody(size: Size, players: int) -> None:
    game = DeepSea(players=players)
    pos = [30, 12, 0, 5, 17, 0][:players]
    state = sea(game, phase="direction", pos=pos, dir=[1, 0, 0, 1, 0, 1][:players])
    picture = draw(game, state, size, context(glyphs=Glyphs.UNICODE))
    assert picture.width <= size.width
    assert picture.height <= size.height
    text = str(picture)
    for seat in range(players):
        letter = "ABCDEF"[seat]
        assert (letter if state.diving[seat] else letter.lower()) in text
    if size.width >= 40 and size.height >= 10:
        assert "25 of 25, full" in text
        assert {f"depth.{step}" for step in (0, SHADES - 1)} <= roles(picture)


def test_the_trail_bends_and_the_divers_arrows_dont() -> None:
    game = DeepSea(players=4)
    state = sea(game, phase="dice", pos=[7, 10, 15, 2], dir=[1, 1, 0, 0], current=3)
    lines = str(draw(game, state, Size(51, 18), context(glyphs=Glyphs.UNICODE))).splitlines()
    text = "\n".join(lines)
    # The first row runs to the right, the second to the left; the arrow says diving or returning.
    assert "A>" in text
    assert "B>" in text
    assert "<c" in text
    assert "<d" in text
    assert text.count("▼") == 3  # at the end of every row but the last
    first = next(line for line in lines if " 8" in line and " 1 " in line)
    second = next(line for line in lines if "16" in line)
    assert first.replace("┊", " ").replace("▼", " ").split() == [
        str(place) for place in range(1, 9)
    ]
    assert second.split()[:2] == ["16", "15"]


def test_chips_show_shape_and_digit_and_grow_brighter() -> None:
    game = DeepSea(players=2, stacks=True)
    data = game.to_json(game.initial_state())
    data["path"][31] = {"dots": [1, 2, 4], "removed": False}
    data["path"][0] = data["path"][9] = {"dots": 0, "removed": True}
    picture = draw(game, game.from_json(data), Size(51, 18), context(glyphs=Glyphs.UNICODE))
    for sign in ("▴1", "◆2", "■3", "●4", "≡7", "·"):
        assert sign in str(picture)
    assert {"chip.1", "chip.2", "chip.3", "chip.4", "chip.stack", "gone"} <= roles(picture)


@pytest.mark.parametrize(
    ("oxygen", "word", "role"),
    [(25, "full", "gauge.full"), (14, "plenty", "gauge.full"), (12, "half used", "gauge.half"),
     (6, "low", "gauge.low"), (6, "low", "gauge.alarm"), (0, "empty", "gauge.alarm")],
)  # fmt: skip
def test_the_gauge_says_it_in_words_too(oxygen: int, word: str, role: str) -> None:
    game = DeepSea(players=2)
    state = sea(game, phase="dice", oxygen=oxygen)
    picture = draw(game, state, Size(51, 18), context(glyphs=Glyphs.UNICODE))
    assert f"{oxygen} of 25, {word}" in str(picture)
    assert role in roles(picture)


def test_clicks_turn_back_take_and_put_down() -> None:
    game = DeepSea(players=2)

    def clicks(state: DeepSeaState) -> set[str]:
        picture = draw(game, state, Size(51, 18), context(glyphs=Glyphs.UNICODE))
        return {span.action for line in picture.lines for span in line} - {""}

    assert clicks(sea(game, phase="direction", pos=[5, 0])) == {"return"}
    assert clicks(sea(game, phase="chip", pos=[5, 0])) == {"take"}
    held = [[[1]], []]
    assert clicks(sea(game, phase="chip", pos=[5, 0], held=held, blank=[5])) == {"drop"}
    assert clicks(sea(game, phase="dice", pos=[5, 0])) == set()


def test_a_highlighted_direction_shows_where_the_dice_can_lead() -> None:
    game = DeepSea(players=2)
    state = sea(game, phase="direction", pos=[12, 0])

    def marked(action: Any) -> set[str]:
        picture = draw(game, state, Size(51, 18), context(glyphs=Glyphs.UNICODE, highlight=action))
        return {
            span.text.strip()
            for line in picture.lines
            for span in line
            if {"target", "number"} <= set(span.role.split())
        }

    assert marked(DIVE) == {"14", "15", "16", "17", "18"}
    assert marked(RETURN) == {"10", "9", "8", "7", "6"}


def test_the_arithmetic_of_a_turn_in_words() -> None:
    game = DeepSea(players=2)
    held = [[[1], [2]], [[1]]]
    state = sea(game, phase="dice", pos=[12, 5], dir=[0, 1], held=held, blank=[1, 5, 12],
                oxygen=16)  # fmt: skip
    assert told(game, state, Dice(2, 3)) == [
        "Dice 2 and 3, minus 2 chips: 3 steps. Ann rose to place 9."
    ]
    assert told(game, state, Dice(1, 1))[0].endswith("no steps. Ann stayed on place 12.")
    landed = after(game, state, Dice(2, 3))
    assert told(game, landed, TAKE) == [
        "Ann took the level-2 chip: 3 held now.",
        "Ben breathed for 1 chip: oxygen 16 > 15.",
    ]
    assert told(game, landed, LEAVE)[0] == "Ann left the level-2 chip."


def test_coming_home_and_the_way_down() -> None:
    game = DeepSea(players=2)
    home = sea(game, phase="dice", pos=[2, 31], dir=[0, 1], held=[[[4], [1]], []], blank=[1, 25])
    assert told(game, home, Dice(3, 2))[0] == (
        "Dice 3 and 2, minus 2 chips: 3 steps. Ann came home with 2 chips."
    )
    down = sea(game, phase="direction", pos=[30, 0])
    assert told(game, down, DIVE) == ["Ann dived on from place 30."]
    assert told(game, down, RETURN) == ["Ann turned back on place 30 with no chips."]
    dived = after(game, down, DIVE)
    assert told(game, dived, Dice(3, 3))[0].endswith("place 32, the end of the trail.")
    assert told(game, game.initial_state(), Start(1)) == ["First to dive: Ben."]


def test_drowning_counting_and_the_next_round() -> None:
    game = DeepSea(players=2)
    state = sea(game, phase="chip", pos=[12, 0], dir=[0, 0], held=[[[1]], [[2]]], blank=[1, 9],
                oxygen=0)  # fmt: skip
    assert told(game, state, TAKE)[1:] == [
        "The oxygen is used up: round 1 ends.",
        "Ann drowned and lost 2 chips.",
    ]
    counting = after(game, state, TAKE)
    assert "a chip that Ben brought home" in DeepSeaView(game).prompt(
        game.observe(counting, None), context()
    )
    text = str(draw(game, counting, Size(60, 20), context()))
    assert "Ann drowned, 2 chips lost" in text
    assert "> Ben [2]" in text
    assert told(game, counting, Reveal(7)) == [
        "Ben turned over a level-2 chip: 7 points, 7 in all.",
        "Points of round 1: Ann 0, Ben 7.",
        "Round 2 begins with Ann and a full tank.",
    ]


def test_a_round_without_any_chip_is_told_too() -> None:
    game = DeepSea(players=2)
    state = sea(game, phase="dice", pos=[2, 0], dir=[0, 0])
    assert told(game, state, Dice(1, 1)) == [
        "Dice 1 and 1: 2 steps. Ann came home with no chips.",
        "All divers are home: round 1 ends.",
        "Points of round 1: Ann 0, Ben 0.",
        "Round 2 begins with Ann and a full tank.",
    ]


def test_nobody_drowns_where_no_place_is_left() -> None:
    game = DeepSea(players=2)
    state = sea(game, phase="dice", pos=[0, 0], dir=[1, 0], gone=range(1, 33))
    assert told(game, state, Dice(1, 1))[:2] == [
        "Dice 1 and 1: 2 steps. Ann stayed in the submarine.",
        "All divers are home: round 1 ends.",
    ]
    step: Step[Any, Any] = Step.of_chance(Dice(1, 1))
    following = game.apply_step(state, step)
    assert not list(DeepSeaView(game).frames(state, step, following, Size(51, 18), context()))


def test_the_end_of_the_game_lists_all_points() -> None:
    game = DeepSea(players=2, rounds=1)
    state = sea(game, phase="reveal", pos=[0, 0], dir=[0, 0], held=[[[1]], []], blank=[1])
    assert told(game, state, Reveal(3))[1:] == [
        "Points of round 1: Ann 3, Ben 0.",
        "Points in all: Ann 3, Ben 0.",
    ]


def test_the_one_who_empties_the_tank_is_told_so() -> None:
    game = DeepSea(players=2)
    state = sea(game, phase="chip", pos=[12, 9], held=[[], [[1]]], blank=[1], oxygen=1, dir=[1, 0])
    assert told(game, state, LEAVE)[1:] == [
        "Ben breathed for 1 chip: oxygen 1 > 0.",
        "The tank is empty: after this turn the round ends.",
    ]


def final(points: list[int]) -> tuple[DeepSea, DeepSeaState]:
    game = DeepSea(players=len(points))
    homes = [0] * len(points)
    by_round = [[share // 3 for share in points] for _ in range(2)]
    by_round.append([total - 2 * (total // 3) for total in points])
    return game, sea(game, phase="over", round=3, pos=homes, dir=homes, points=points,
                     by_round=by_round)  # fmt: skip


@pytest.mark.parametrize(
    ("points", "verdict"),
    [([30, 21, 9], "Ann won with 30 points, 9 ahead of Ben."),
     ([12, 21, 21], "Ben and Cid share the victory with 21 points each."),
     ([0, 0], "Ann and Ben share the victory with no points each.")],
)  # fmt: skip
def test_the_final_scores_say_who_won_and_why(points: list[int], verdict: str) -> None:
    game, state = final(points)
    assert DeepSeaView(game).result(state, context()) == verdict
    for glyphs in Glyphs:
        lines = str(draw(game, state, Size(60, 20), context(glyphs=glyphs))).splitlines()
        if glyphs is not Glyphs.ASCII:
            assert lines[0].startswith("oxygen"), "the board stays"
            lines = [line[1:] for line in lines[lines.index(f" {verdict}") :]]
        assert lines[0] == verdict
        assert lines[2].split() == ["r1", "r2", "r3", "total"]
        totals = [int(line.split()[6 if line.startswith("*") else 5]) for line in
                  lines[3 : 3 + len(points)]]  # fmt: skip
        assert totals == sorted(points, reverse=True)


def test_the_sidebar_counts_loads_and_the_cost_of_a_lap() -> None:
    game = DeepSea(players=3)
    state = sea(game, phase="dice", pos=[9, 4, 0], dir=[0, 1, 0], held=[[[1], [2]], [[1]], [[1]]],
                blank=[1, 2, 3, 9], points=[14, 0, 3], round=1)  # fmt: skip
    lines = str(DeepSeaView(game).sidebar(game.observe(state, 0), 26, context())).splitlines()
    assert lines[1].split() == [">a", "Ann", "2", "14", "99", "%"]
    assert lines[2].split() == ["B", "Ben", "1", "0", "100", "%"]
    assert lines[3].split() == ["c", "Cid", "1", "3", "home"]
    assert [line.split() for line in lines[4:6]] == [
        ["1", "0-3", "pts", "2", "4-7", "pts"],
        ["3", "8-11", "pts", "4", "12-15", "pts"],
    ]
    assert lines[6:] == ["round 2 of 3", "a full lap costs 3 oxygen"]
    assert max(map(len, lines)) <= 26, "the room beside the board on 80 columns"
    wide = str(DeepSeaView(game).sidebar(game.observe(state, 0), 40, context())).splitlines()
    assert [line.split()[2] for line in wide[1:4]] == ["up", "down", "home"]


def test_the_sidebar_and_the_rope_say_from_where_there_is_no_return() -> None:
    game = DeepSea(players=2)
    state = sea(game, phase="direction", pos=[9, 5], held=[[[2], [1]], [[1]]], blank=[9, 2, 3],
                oxygen=16)  # fmt: skip
    limit = no_return(state, 0)
    assert limit == 10, "it moves two places a turn, and will have five after this one"
    seen = game.observe(state, 0)
    assert f"no return beyond place {limit}" in str(DeepSeaView(game).sidebar(seen, 26, context()))
    picture = draw(game, state, Size(51, 16), context(glyphs=Glyphs.UNICODE))
    assert "no-return" in roles(picture)
    marks = [line.index("┃") for line in str(picture).splitlines() if "┃" in line]
    assert marks, "it shows without colour"
    beyond = sea(game, phase="direction", pos=[30, 5], held=[[[2], [1]], [[1]]], blank=[9, 2, 3],
                 oxygen=9)  # fmt: skip
    lines = DeepSeaView(game).sidebar(game.observe(beyond, 0), 26, context()).lines
    assert lines[-1][0].role == "odds.bad"


def thrown(second: int = 3) -> tuple[DeepSea, DeepSeaState, Step[Any, Any]]:
    """A game, the state before a throw, and the throw."""
    game = DeepSea(players=2)
    return game, sea(game, phase="dice", pos=[3, 5], dir=[1, 1]), Step.of_chance(Dice(1, second))


@pytest.mark.parametrize("size", [Size(51, 16), Size(60, 12)])
def test_dice_lie_on_the_water_until_the_next_step(size: Size) -> None:
    game, state, step = thrown()
    following = game.apply_step(state, step)
    calm = context(glyphs=Glyphs.UNICODE)
    rolled = context(glyphs=Glyphs.UNICODE, last=step)
    assert "die" in roles(draw(game, following, size, rolled))
    assert "die" not in roles(draw(game, following, size, calm))
    plain = context(glyphs=Glyphs.UNICODE, last=step, has_colours=False)
    text = str(draw(game, following, size, plain))
    assert "1" in text.splitlines()[2 if size.height > 12 else 1], (
        "numbers where pips have no ground"
    )


def test_dice_that_roll_come_to_rest_on_the_throw() -> None:
    for first, second in itertools.product(FACES, FACES):
        throw = Dice(first, second)
        rolls = [dice.DiceThrow(throw, roll) for roll in range(dice.ROLLS)]
        for die in (0, 1):
            faces = [roll.face(die) for roll in rolls] + [dice.DiceThrow(throw).face(die)]
            assert all(a != b for a, b in itertools.pairwise(faces[: dice.ROLLS - 1 + die]))
            assert rolls[-1].to_go(die) == die
        assert (dice.DiceThrow(throw).face(0), dice.DiceThrow(throw).face(1)) == (first, second)


def test_prompts_and_labels_say_what_a_choice_means() -> None:
    game = DeepSea(players=2)
    state = sea(game, phase="direction", pos=[9, 0], held=[[[2]], []], blank=[9], oxygen=12)
    seen = game.observe(state, 0)
    assert DeepSeaView(game).prompt(seen, context()) == (
        "Ann, place 9, 1 chip, oxygen 12: turn back or dive on?"
    )
    assert DeepSeaView(game).describe(seen, DIVE) == "dive on (up to 5 places deeper)"
    assert DeepSeaView(game).describe(seen, RETURN) == "return (turn back, 9 places from home)"
    state = sea(game, phase="chip", pos=[9, 0], held=[[[2], [1]], []], blank=[9, 1])
    seen = game.observe(state, 0)
    assert DeepSeaView(game).describe(seen, DROP) == "drop (put down a level-1 chip)"
    assert "blank" in DeepSeaView(game).prompt(seen, context())


def test_frames_lead_step_by_step_to_the_next_state() -> None:
    game = DeepSea(players=2)
    state = sea(game, phase="dice", pos=[3, 5], dir=[1, 1])
    step: Step[Any, Any] = Step.of_chance(Dice(1, 3))
    following = game.apply_step(state, step)
    seen_look = context(glyphs=Glyphs.UNICODE)
    frames = list(DeepSeaView(game).frames(state, step, following, Size(51, 18), seen_look))
    assert following.places[0] == 8
    rolls, ways = frames[: dice.ROLLS], frames[dice.ROLLS :]
    assert len({str(roll) for roll in rolls}) == dice.ROLLS
    assert len(ways) == 3, "places 4, 6 and 7; the last step is the next state itself"
    assert len({str(frame) for frame in ways}) == 3
    assert str(draw(game, following, Size(51, 18), seen_look)) not in map(str, frames)


def test_the_last_chip_of_a_round_is_shown_before_the_table_is_cleared() -> None:
    game = DeepSea(players=2)
    state = sea(game, phase="reveal", pos=[0, 0], dir=[0, 0], held=[[[3]], []], blank=[17])
    step: Step[Any, Any] = Step.of_chance(Reveal(9))
    following = game.apply_step(state, step)
    frames = list(DeepSeaView(game).frames(state, step, following, Size(51, 18), context()))
    told = [line for frame in frames for line in str(frame).splitlines() if "Ann" in line]
    assert [line.split("Ann")[1].strip() for line in told] == [
        *("[]  = 0", "[ 9] = 3", "[ 9] = 6", "[ 9] = 9"),
    ]
    assert not list(DeepSeaView(game).frames(following, Step(), following, Size(51, 18), context()))


def test_who_is_not_home_sinks_and_the_board_stays() -> None:
    game = DeepSea(players=2, rounds=2)
    state = sea(game, phase="dice", pos=[3, 9], dir=[1, 1], oxygen=0, held=[[[1]], [[2]]],
                blank=[3, 9])  # fmt: skip
    step: Step[Any, Any] = Step.of_chance(Dice(1, 1))
    following = game.apply_step(state, step)
    size, look = Size(51, 18), context(glyphs=Glyphs.UNICODE)
    if following.phase is Phase.CHIP:
        step = Step({0: LEAVE})
        state, following = following, game.apply_step(following, step)
    frames = list(DeepSeaView(game).frames(state, step, following, size, look))
    rows = [[y for y, line in enumerate(str(one).splitlines()) if "A×" in line] for one in frames]
    sunk = [lines[0] for lines in rows if lines]
    assert len(sunk) == 5
    assert sunk == sorted(sunk)
    assert sunk[0] < sunk[-1]
    told = [line for line in DeepSeaView(game).narrate(state, step, following, look)
            if isinstance(line, Moment)]  # fmt: skip
    assert [(one.kind, one.banner, one.seat) for one in told[:2]] == [
        *(("drowned", "drowned", 0), ("drowned", "drowned", 1)),
    ]
    watched = DeepSeaView(game).narrate(state, step, following, replace(look, people=(0,)))
    banners = [line.banner for line in watched if isinstance(line, Moment)]
    assert banners[:2] == ["drowned", ""], "for the people at the screen only"


@pytest.mark.parametrize("theme", list(PALETTE))
def test_text_stands_out_from_its_ground_at_every_depth(theme: str) -> None:
    styles = PALETTE[theme]
    for step in range(SHADES):
        ground = styles[f"depth.{step}"].split(" on ")[1]
        for over in ("number", "blank", "gone", "rope"):
            assert contrast(styles[over], ground) >= 4.5, (step, over)


def test_the_sea_darkens_with_depth_and_chips_grow_brighter() -> None:
    for theme in PALETTE.values():
        shades = [luminance(theme[f"depth.{step}"].split(" on ")[1]) for step in range(SHADES)]
        assert shades == sorted(shades, reverse=True)
        assert all(Style.parse(style) is not None for style in theme.values())
    grounds = [
        luminance(PALETTE["dark"][f"chip.{level}"].split(" on ")[1]) for level in range(1, 5)
    ]
    assert grounds == sorted(grounds)
