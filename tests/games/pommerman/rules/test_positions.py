"""Positions as JSON: what is written, and that all of it comes back."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardgames_cli.core.game import CHANCE
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.rules.positions import drawn_board
from boardgames_cli.games.pommerman.state import Bomb, Bomber, PommermanState
from tests.games.pommerman.crowds import crowded

GAMES = {mode: Pommerman(mode=mode, rerun_ties=True) for mode in ("ffa", "team", "radio", "duel")}
SEEDS = st.integers(0, 2**32)


def lived(mode: str, seed: int) -> PommermanState:
    """A crowded position after some steps, in which somebody may be dead and somebody speaks."""
    game, rng = GAMES[mode], random.Random(seed)
    state = crowded(game, rng)._replace(reruns=rng.randrange(3))
    for _ in range(rng.randrange(4)):
        seats = game.to_act(state)
        if not seats or seats == (CHANCE,):
            break
        state = game.apply(state, {seat: rng.choice(game.actions) for seat in seats})
    return state


@given(st.sampled_from(sorted(GAMES)), SEEDS)
@settings(max_examples=300, deadline=None)
def test_every_position_comes_back_from_its_text(mode: str, seed: int) -> None:
    game, state = GAMES[mode], lived(mode, seed)
    assert game.from_json(json.loads(json.dumps(game.to_json(state)))) == state


@given(st.sampled_from(sorted(GAMES)), SEEDS)
@settings(max_examples=100, deadline=None)
def test_what_a_seat_sees_can_be_written(mode: str, seed: int) -> None:
    game, state = GAMES[mode], lived(mode, seed)
    for seat in (0, game.seats - 1, None):
        seen = game.to_json(game.redact(state, seat))
        assert json.loads(json.dumps(seen)) == seen
        assert not [item for item in seen["items"] if state.wood >> _cell(item[0], game) & 1]


def _cell(place: list[int], game: Pommerman) -> int:
    return place[0] * game.board_spec.size + place[1]


def test_the_keys_are_written_only_when_they_say_something() -> None:
    usual = ["board", "agents", "bombs", "flames", "items", "step"]
    for game, extra in ((GAMES["ffa"], []), (GAMES["radio"], ["messages"])):
        start = game.initial_state()
        assert list(game.to_json(start)) == usual
        state = game.apply_chance(start, game.sample_chance(start, random.Random(1)))
        assert list(game.to_json(state)) == usual + extra
        late = state._replace(fallen=(1,), reruns=2)
        assert list(game.to_json(late)) == [*usual, *extra, "fallen", "reruns"]
        assert game.to_json(late)["reruns"] == 2


def test_what_lies_on_top_is_drawn() -> None:
    agents = (Bomber(9, True, 1, 3, False), Bomber(3, False, 1, 3, False))
    state = PommermanState(
        rigid=1 << 0,
        wood=1 << 1,
        powers=(1 << 2, 1 << 4, 1 << 5),
        flames=(1 << 6, 0, 1 << 6),
        bombs=(Bomb(4, 5, 3, 0, 0), Bomb(9, 5, 3, 0, 0)),
        agents=agents,
        fog=1 << 7,
    )
    board = drawn_board(state, 8)
    assert board[:10] == [1, 2, 6, 0, 3, 8, 4, 5, 0, 10]


@pytest.mark.parametrize(
    ("state", "items"),
    [
        (PommermanState(wood=0b10, hidden=(0, 0b10, 0)), [[[0, 1], 7]]),
        (PommermanState(flames=(0b10, 0, 0), hidden=(0b10, 0, 0)), [[[0, 1], 6]]),
        (PommermanState(powers=(0, 0, 0b10), bombs=(Bomb(1, 5, 3, 0, 0),)), [[[0, 1], 8]]),
        (PommermanState(powers=(0, 0, 0b10)), []),
    ],
    ids=["under wood", "under flames", "under a bomb", "in the open"],
)
def test_items_are_the_power_ups_that_are_not_drawn(
    state: PommermanState, items: list[list[object]]
) -> None:
    agents = (Bomber(9, True, 1, 3, False), Bomber(54, True, 1, 3, False))
    assert GAMES["duel"].to_json(state._replace(agents=agents))["items"] == items


def test_null_stands_for_what_is_not_known() -> None:
    game = GAMES["team"]
    agents = tuple(Bomber(cell, True, 1, 3, True) for cell in (12, 16, 108, 20))
    state = PommermanState(agents=agents, bombs=(Bomb(13, 5, 3, 1, 0),))
    seen = game.to_json(game.redact(state, 0))
    assert seen["agents"][0]["ammo"] == 1
    assert seen["agents"][1] == {
        "id": 1, "alive": True, "pos": [1, 5], "ammo": None, "blast_strength": None,
        "can_kick": None,
    }  # fmt: skip
    assert seen["agents"][2]["pos"] is None
    assert seen["bombs"][0]["bomber"] is None
