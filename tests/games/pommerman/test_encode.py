"""Observations as arrays, against those that the reference recorded."""

from __future__ import annotations

import random

import numpy as np
import pytest

from boardgames_cli.core.game import Observation
from boardgames_cli.games.pommerman.encode import encode
from boardgames_cli.games.pommerman.rules import Pommerman
from tests.games.pommerman.records import Row, rows


def observe(row: Row) -> dict[str, np.ndarray]:
    game = Pommerman(mode=row["mode"], view=row["view_size"])
    data = dict(row["state"])
    alive = [agent["alive"] for agent in data["agents"]]
    if "sent" in row:
        data["messages"] = [
            said if is_alive else [0, 0] for said, is_alive in zip(row["sent"], alive, strict=True)
        ]
    state = game.from_json(data)
    return encode(game, game.observe(state, row["agent"]))


@pytest.mark.parametrize("name", ["pommerman-obs", "pommerman-obs-deviations"])
def test_recorded_observations(name: str) -> None:
    for number, row in enumerate(rows(name)):
        ours, theirs = observe(row), dict(row["obs"])
        living = [10 + seat for seat, is_alive in enumerate(ours.pop("alive")) if is_alive]
        assert living == theirs.pop("alive"), number
        if name.endswith("deviations"):
            # The teammate died in this step: we give 0 0, as the written rules say.
            assert theirs.pop("message") != [0, 0]
            assert ours.pop("message").tolist() == [0, 0]
        assert set(ours) == set(theirs), number
        for key, wanted in theirs.items():
            assert ours[key].tolist() == wanted, f"row {number}: {key}"


def test_shapes_and_types_are_those_documented() -> None:
    for mode, size, seats in (("ffa", 11, 4), ("radio", 11, 4), ("duel", 8, 2)):
        game = Pommerman(mode=mode)
        start = game.initial_state()
        state = game.apply_chance(start, game.sample_chance(start, random.Random(1)))
        arrays = encode(game, game.observe(state, 1))
        wanted = {
            "board": ((size, size), "int8"),
            "bomb_blast_strength": ((size, size), "int16"),
            "bomb_life": ((size, size), "int16"),
            "bomb_moving_direction": ((size, size), "int8"),
            "flame_life": ((size, size), "int8"),
            "position": ((2,), "int8"),
            "ammo": ((), "int32"),
            "blast_strength": ((), "int32"),
            "can_kick": ((), "int8"),
            "teammate": ((), "int8"),
            "enemies": ((3,), "int8"),
            "alive": ((seats,), "int8"),
        }
        if mode == "radio":
            wanted["message"] = ((2,), "int8")
        assert {key: (value.shape, str(value.dtype)) for key, value in arrays.items()} == wanted
        for nobody in (game.observe(state, None), Observation(0, 0, start, ())):
            with pytest.raises(ValueError, match="only a seat"):
                encode(game, nobody)
