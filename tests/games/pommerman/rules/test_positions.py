"""Positions as JSON: what is written, and that all of it comes back."""

from __future__ import annotations

import json
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from boardgames_cli.core.game import CHANCE
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import PommermanState
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
