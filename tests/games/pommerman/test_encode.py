"""Observations as arrays, against those that the reference recorded."""

from __future__ import annotations

import numpy as np
import pytest

from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.registry import make_encoder
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
    return make_encoder(game, "playground").encode(game.observe(state, row["agent"]))


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
