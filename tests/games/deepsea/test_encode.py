"""The observation vector against the recorded ones, and the ids of decisions."""

from __future__ import annotations

import numpy as np

from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.registry import make_encoder
from tests.games.deepsea.records import load, position

ROWS = load("deepsea-obs.jsonl.gz")


def test_a_hundred_recorded_vectors() -> None:
    assert len(ROWS) == 100
    for row in ROWS:
        game = DeepSea(players=row["state"]["players"])
        # The recorded state lies before the turn, so it must be read without paying for it.
        data = position(row["state"]) | {"phase": "dice"}
        if row["state"]["done"][row["state"]["current"]]:
            data["current"] = row["state"]["done"].index(False)
        seen = game.observe(game.from_json(data), row["player"])
        vector = make_encoder(game, "vector").encode(seen)["vector"]
        assert vector.dtype == np.int64
        assert vector.tolist() == row["obs"]
