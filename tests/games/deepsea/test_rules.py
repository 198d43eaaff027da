"""What is refused, and why; and positions for other tests."""

from __future__ import annotations

from typing import Any

import pytest

from boardgames_cli.games.deepsea.actions import DROP, TAKE
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.games.deepsea.state import DeepSeaState


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


def test_where_chips_are_chosen_each_kind_has_an_id_beside_that_of_no() -> None:
    counts = [DeepSea(drop="choose", stacks=stacks).action_count for stacks in (False, True)]
    assert DeepSea(drop="lowest").action_count == 2
    assert counts == [4 + 1, 4 + 10 + 20 + 1], "one, two or three dots of four kinds"


def test_chances_follow_what_has_not_been_turned_over() -> None:
    game = DeepSea(players=2)
    throws = game.chance_outcomes(sea(game, phase="dice"))
    faces = (1, 2, 3)
    assert {str(throw): chance for throw, chance in throws} == pytest.approx(
        {f"dice {one} {two}": 1 / 9 for one in faces for two in faces}
    )
    home = {"phase": "reveal", "pos": [0, 0], "dir": [0, 0], "held": [[[2]], []], "blank": [9]}
    seen = sea(game, **home, gone=[10, 11, 12], points=[14, 0], revealed=[4, 5, 5])
    chances = {str(chip): chance for chip, chance in game.chance_outcomes(seen)}
    assert chances == pytest.approx({"chip 4": 1 / 5, "chip 6": 2 / 5, "chip 7": 2 / 5})


def test_tempting_choices_are_shown() -> None:
    game = DeepSea(players=2)
    blank = sea(game, phase="chip", pos=[4, 0], held=[[[1]], []], blank=[4])
    assert list(game.near_misses(blank, 0)) == [TAKE]
    chip = sea(game, phase="chip", pos=[4, 0], held=[[[1]], []], blank=[2])
    assert list(game.near_misses(chip, 0)) == [DROP]
