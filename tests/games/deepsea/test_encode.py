"""The observation vector against the recorded ones, and the ids of decisions."""

from __future__ import annotations

import numpy as np
import pytest

from boardgames_cli.core.errors import UnknownActionError
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.games.deepsea.state import Phase
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


def test_the_vector_starts_with_the_seat_itself() -> None:
    game = DeepSea(players=2)
    vector = make_encoder(game, "vector").encode(game.observe(game.initial_state(), 1))["vector"]
    assert vector.shape == (83,)
    assert vector[:4].tolist() == [25, 0, 0, 1]
    assert vector[19:51].tolist() == [1] * 8 + [2] * 8 + [3] * 8 + [4] * 8
    assert not vector[51:].any()


def test_a_stack_counts_all_its_dots() -> None:
    game = DeepSea(players=2, stacks=True)
    data = game.to_json(game.initial_state())
    data["path"][31] = {"dots": [1, 3, 4], "removed": False}
    data["path"][0] = data["path"][16] = {"dots": 0, "removed": True}
    vector = make_encoder(game, "vector").encode(game.observe(game.from_json(data), 0))["vector"]
    assert vector[19 + 31] == 8
    assert vector[51:].nonzero()[0].tolist() == [0, 16]


def test_the_usual_arrays_know_what_is_in_a_stack_and_a_load() -> None:
    game = DeepSea(players=3, stacks=True, rounds=2)
    data = game.to_json(game.initial_state())
    data["path"][31] = {"dots": [1, 3, 3], "removed": False}
    for place in (0, 17, 18):
        data["path"][place] = {"dots": 0, "removed": True}
    data["path"][4] = data["path"][16] = {"dots": 0, "removed": False}
    data |= {"phase": "chip", "current": 1, "pos": [0, 5, 9], "held": [[], [[1], [3]], []]}
    state = game.from_json(data)
    arrays = make_encoder(game).encode(game.observe(state, 2))
    shown = {name: array.tolist() for name, array in arrays.items()}
    assert shown["phase"] == [0, 0, 0, 1, 0, 0]
    assert (shown["turn"], shown["place"], shown["load"]) == ([0, 0, 1], [9, 0, 5], [0, 0, 2])
    assert shown["held"][2][:3] == [[1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]]
    assert shown["trail"][31] == [1, 0, 2, 0]
    assert (shown["trail"][0], shown["trail"][4]) == ([0, 0, 0, 0], [0, 0, 0, 0])
    assert arrays["gone"].nonzero()[0].tolist() == [0, 17, 18]
    assert arrays["won"].shape == (2, 3)


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        ({}, {"drop": 1, "keep": 0}),
        ({"drop": "choose"}, {"drop 1": 1, "drop 3": 3, "keep": 0}),
    ],
)
def test_every_decision_has_an_id_and_back(options: dict[str, str], ids: dict[str, int]) -> None:
    game = DeepSea(players=2, **options)  # type: ignore[arg-type]  # a table of options
    data = game.to_json(game.initial_state())
    data |= {"phase": "chip", "pos": [5, 0], "held": [[[1], [3]], []]}
    data["path"][4] = data["path"][16] = {"dots": 0, "removed": False}
    state = game.from_json(data)
    assert state.phase is Phase.CHIP
    legal = game.legal_actions(state, 0)
    assert {str(action): game.action_id(state, action) for action in legal} == ids
    assert [game.action_of(state, game.action_id(state, action)) for action in legal] == list(legal)
    with pytest.raises(UnknownActionError, match="Ids"):
        game.action_of(state, 2)
