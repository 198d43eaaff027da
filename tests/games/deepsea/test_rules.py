"""Turns, chips, ends of rounds, options: cases small enough to check by hand."""

from __future__ import annotations

from typing import Any

import pytest

from boardgames_cli.core.errors import IllegalActionError, OptionError
from boardgames_cli.core.game import CHANCE
from boardgames_cli.games.deepsea.actions import (
    DIVE,
    DROP,
    DROP_CHIP,
    KEEP,
    LEAVE,
    RETURN,
    TAKE,
    Dice,
    Reveal,
    Start,
)
from boardgames_cli.games.deepsea.chips import chip_of, stacked
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.games.deepsea.state import DeepSeaState, Phase
from tests import steps


def sea(game: DeepSea, **changes: Any) -> DeepSeaState:
    """A position; ``blank`` and ``gone`` list places, the rest are keys of the JSON
    object. Without a phase a turn is just about to begin."""
    data = game.to_json(game.initial_state())
    del data["phase"]
    for place in changes.pop("blank", ()):
        data["path"][place - 1] = {"dots": 0, "removed": False}
    for place in changes.pop("gone", ()):
        data["path"][place - 1] = {"dots": 0, "removed": True}
    homes = [
        not place and not way
        for place, way in zip(
            changes.get("pos", data["pos"]), changes.get("dir", data["dir"]), strict=True
        )
    ]
    return game.from_json(data | {"done": homes} | changes)


def after(game: DeepSea, state: DeepSeaState, *actions: Any) -> DeepSeaState:
    for action in actions:
        state = steps.after(game, state, action)
    return state


def test_the_first_starter_is_drawn() -> None:
    game = DeepSea(players=3)
    outcomes = dict(game.chance_outcomes(game.initial_state()))
    assert outcomes == pytest.approx({Start(0): 1 / 3, Start(1): 1 / 3, Start(2): 1 / 3})
    state = after(game, game.initial_state(), Start(2))
    assert (state.current, state.phase, str(Start(2))) == (2, Phase.DICE, "start 3")


def test_nine_throws_show_both_dice() -> None:
    game = DeepSea(players=2)
    throws = game.chance_outcomes(after(game, game.initial_state(), Start(0)))
    assert sorted(str(throw) for throw, _ in throws) == [
        f"dice {first} {second}" for first in (1, 2, 3) for second in (1, 2, 3)
    ]
    assert {chance for _, chance in throws} == {1 / 9}


def test_a_turn_breathes_turns_moves_and_takes() -> None:
    game = DeepSea(players=2)
    state = sea(
        game, phase="direction", pos=[12, 0], held=[[[1], [2]], []], blank=[3, 12], oxygen=20
    )
    state = after(game, state, RETURN, Dice(3, 2))
    assert (state.places[0], state.diving[0]) == (9, False)
    assert game.legal_actions(state, 0) == (TAKE, LEAVE)
    state = after(game, state, TAKE)
    assert state.held[0] == bytes([1, 2, 2])
    assert state.trail[8] == 0
    assert state.current == 1
    state = after(game, state, Dice(1, 1), LEAVE)
    assert (state.current, state.oxygen, state.phase) == (0, 17, Phase.DICE)


def test_divers_and_removed_places_are_leapt_over_and_blanks_are_not() -> None:
    game = DeepSea(players=3)
    state = sea(game, phase="dice", pos=[0, 2, 3], gone=[4], blank=[5], held=[[], [[1]], []])
    assert after(game, state, Dice(1, 1)).places[0] == 5
    assert after(game, state, Dice(1, 2)).places[0] == 6


def test_at_the_end_of_the_trail_a_diver_stops_and_need_not_turn() -> None:
    game = DeepSea(players=2)
    state = sea(game, phase="direction", pos=[31, 32])
    state = after(game, state, DIVE, Dice(3, 3))
    assert (state.places[0], state.diving[0]) == (31, True)


def test_with_no_steps_the_place_still_counts() -> None:
    game = DeepSea(players=2)
    held = [[[1]] * 4, []]
    state = sea(game, phase="dice", pos=[12, 0], dir=[0, 1], held=held, blank=[1, 2, 3, 4])
    state = after(game, state, Dice(1, 2))
    assert state.places[0] == 12
    assert game.legal_actions(state, 0) == (TAKE, LEAVE)


def test_the_lowest_chip_goes_and_of_equals_the_one_taken_first() -> None:
    game = DeepSea(players=2)
    state = sea(game, phase="chip", pos=[9, 0], held=[[[3], [2], [2]], []], blank=[9, 10, 17])
    state = after(game, state, DROP)
    assert state.held[0] == bytes([3, 2])
    assert state.trail[8] == 2


def test_with_choose_any_kind_can_go() -> None:
    game = DeepSea(players=2, drop="choose")
    state = sea(game, phase="chip", pos=[9, 0], held=[[[3], [2], [2]], []], blank=[9, 10, 17])
    assert list(map(str, game.legal_actions(state, 0))) == ["keep", "drop 2", "drop 3"]
    assert after(game, state, DROP_CHIP[3]).held[0] == bytes([2, 2])
    with pytest.raises(IllegalActionError, match="no such chip"):
        game.parse(state, 0, "drop 4")


def test_who_empties_the_tank_finishes_the_turn_and_the_furthest_drowned_begins() -> None:
    game = DeepSea(players=3)
    state = sea(
        game,
        pos=[0, 12, 20],
        dir=[0, 0, 1],
        held=[[[4]], [[1], [1]], [[2]]],
        blank=[1, 2, 12, 25],
        oxygen=1,
        current=1,
    )
    assert (state.phase, state.oxygen) == (Phase.DICE, 0)
    state = after(game, state, Dice(3, 3))
    assert (state.phase, state.current) == (Phase.CHIP, 1)
    state = after(game, state, LEAVE)
    assert (state.phase, state.counting) == (Phase.REVEAL, 0)
    state = after(game, state, Reveal(15))
    assert (state.phase, state.round, state.current, state.oxygen) == (Phase.DICE, 1, 2, 25)
    assert state.points == (15, 0, 0)
    assert [number for number, chip in enumerate(state.trail, 1) if chip == 255] == [1, 2, 12, 25]


def test_the_last_one_home_begins_if_nobody_drowned() -> None:
    game = DeepSea(players=2)
    state = sea(game, phase="dice", pos=[2, 0], dir=[0, 0], current=0)
    assert after(game, state, Dice(1, 1)).current == 0


def test_a_value_can_come_twice_and_no_more() -> None:
    game = DeepSea(players=2)
    state = sea(
        game,
        phase="reveal",
        pos=[0, 0],
        dir=[0, 0],
        held=[[[1]], []],
        points=[6, 0],
        blank=[1, 2, 3, 4],
        revealed=[3, 3, 0],
    )
    chances = {str(outcome): chance for outcome, chance in game.chance_outcomes(state)}
    assert chances == pytest.approx({"chip 0": 1 / 5, "chip 1": 2 / 5, "chip 2": 2 / 5})


def test_drowned_chips_come_back_as_stacks_at_the_end() -> None:
    game = DeepSea(players=2, stacks=True)
    state = sea(
        game, pos=[9, 26], dir=[0, 0], held=[[[1], [2]], [[4], [3]]], blank=[1, 9, 17, 26], oxygen=0
    )
    assert (state.round, state.phase) == (1, Phase.DICE)
    assert len(state.trail) == 32
    assert state.trail[:28] == bytes([1] * 7 + [2] * 7 + [3] * 7 + [4] * 7)
    # The furthest diver's chips lie lowest: 4, 3 and 1 together, the 2 alone.
    assert list(state.trail[28:]) == [chip_of([4, 3, 1]), 2, 255, 255]


def test_a_stack_is_carried_as_one_chip_and_counted_one_by_one() -> None:
    game = DeepSea(players=2, stacks=True)
    state = sea(
        game, phase="reveal", pos=[0, 0], dir=[0, 0], held=[[[1, 4, 4]], []], blank=[1, 25, 26]
    )
    levels = []
    while state.phase is Phase.REVEAL:
        outcome = game.chance_outcomes(state)[-1][0]
        assert isinstance(outcome, Reveal)
        levels.append(outcome.value // 4 + 1)
        state = after(game, state, outcome)
    assert levels == [1, 4, 4]
    assert sum(state.points) == 3 + 15 + 15


def test_stacks_hold_three() -> None:
    assert stacked(bytes([4, 3, 1, 2])) == bytes([chip_of([1, 3, 4]), 2])
    assert stacked(b"") == b""


@pytest.mark.parametrize(
    ("state", "action", "reason"),
    [
        ({"phase": "direction", "pos": [4, 0]}, TAKE, "first you dive on or turn back"),
        ({"phase": "chip", "pos": [4, 0]}, DIVE, "before the dice"),
        ({"phase": "chip", "pos": [4, 0], "dir": [0, 1]}, DIVE, "no way down again"),
        ({"phase": "chip", "pos": [4, 0], "held": [[[1]], []], "blank": [2]}, DROP,
         "a chip lies on place 4"),
        ({"phase": "chip", "pos": [4, 0], "held": [[[1]], []], "blank": [4]}, TAKE,
         "place 4 is blank"),
    ],
)  # fmt: skip
def test_refusals_name_the_rule(state: dict[str, Any], action: Any, reason: str) -> None:
    game = DeepSea(players=2)
    position = sea(game, **state)
    with pytest.raises(IllegalActionError, match=reason):
        game.parse(position, 0, str(action))


def test_tempting_choices_are_shown() -> None:
    game = DeepSea(players=2)
    blank = sea(game, phase="chip", pos=[4, 0], held=[[[1]], []], blank=[4])
    assert list(game.near_misses(blank, 0)) == [TAKE]
    chip = sea(game, phase="chip", pos=[4, 0], held=[[[1]], []], blank=[2])
    assert list(game.near_misses(chip, 0)) == [DROP]


def test_a_beginning_is_enough_and_drop_alone_is_ambiguous() -> None:
    game = DeepSea(players=2)
    state = sea(game, phase="chip", pos=[4, 0], held=[[[1]], []], blank=[4])
    assert game.parse(state, 0, "k") == KEEP


@pytest.mark.parametrize(
    "options",
    [{"players": 1}, {"players": 7}, {"rounds": 0}, {"oxygen": 0}, {"drop": "highest"},
     {"stacks": 1}],
)  # fmt: skip
def test_options_out_of_range_are_named(options: dict[str, Any]) -> None:
    (name,) = options
    with pytest.raises(OptionError, match=name):
        DeepSea(**options)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_seats_follow_the_option(players: int) -> None:
    game = DeepSea(players=players)
    assert game.seats == len(game.returns(game.initial_state())) == players
    assert game.to_act(game.initial_state()) == (CHANCE,)
