"""Observations as arrays, against those that the reference recorded."""

from __future__ import annotations

import random

import numpy as np
import pytest

from boardgames_cli.core.game import Observation
from boardgames_cli.core.match import Match, play
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.rules.positions import drawn_board
from boardgames_cli.games.pommerman.state import Bomb
from boardgames_cli.registry import make_agent, make_encoder
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


@pytest.mark.parametrize("mode", ["ffa", "radio", "duel"])
def test_who_has_no_agent_has_no_place(mode: str) -> None:
    game = Pommerman(mode=mode)
    start = game.initial_state()
    state = game.apply_chance(start, game.sample_chance(start, random.Random(1)))
    for nobody in (game.observe(state, None), Observation(0, 0, start, ())):
        encoded = make_encoder(game, "playground").encode(nobody)
        assert encoded["position"].tolist() == [-1, -1]


def test_the_playground_s_board_is_the_drawn_one() -> None:
    for mode in ("ffa", "radio", "duel"):
        game = Pommerman(mode=mode)
        encoder = make_encoder(game, "playground")
        match = Match(game, seed=5, max_plies=60)
        play(match, [make_agent("simple", game)] * game.seats)
        for ply in range(1, match.ply, 7):
            for seat in (*range(game.seats), None):
                seen = game.observe(match.state_at(ply), seat, ply)
                drawn = drawn_board(seen.state, game.board_spec.size)
                assert encoder.encode(seen)["board"].ravel().tolist() == drawn


def test_the_usual_arrays_by_hand() -> None:
    game = Pommerman(mode="team")
    start = game.initial_state()
    laid_out = game.apply_chance(start, game.sample_chance(start, random.Random(1)))
    first, *others = laid_out.agents
    state = laid_out._replace(
        agents=(first, *others[:2], others[2]._replace(alive=False)),
        bombs=(Bomb(first.cell, 7, 500, 0, 0),),
        flames=(1 << 13, 0, 1 << 13 | 1 << 14),
        step=9,
    )
    arrays = make_encoder(game).encode(game.observe(state, 0))
    assert arrays["board"].shape == (13, 11, 11)
    assert arrays["board"][5:8, 1].sum(axis=1).tolist() == [1, 0, 2], "flames on one cell"
    assert arrays["board"][9:].sum(axis=(1, 2)).tolist() == [1, 0, 0, 0], "the others are in fog"
    row, column = divmod(first.cell, 11)
    assert arrays["bombs"][:, row, column].tolist() == [7, 121, 0, 1]
    assert arrays["agents"].tolist() == [
        [row, column, 1, 1, 3, 0],
        [-1, -1, 1, -1, -1, -1],
        [-1, -1, 1, -1, -1, -1],
        [-1, -1, 0, -1, -1, -1],
    ]
    assert arrays["step"] == 9
