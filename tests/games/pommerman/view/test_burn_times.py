"""What will burn, against really playing on with everybody standing still."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from boardgames_cli.games.pommerman.actions import MOVES
from boardgames_cli.games.pommerman.board import BOMB_LIFE, bits
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import Bomb, Bomber, PommermanState
from boardgames_cli.games.pommerman.view.moves import HORIZON, burn_times, fires
from tests.games.pommerman.crowds import crowded

GAMES = [Pommerman(), Pommerman(items_block=True, caps=True), Pommerman(mode="duel")]
TEAM = Pommerman(mode="team", view=2)
AWAY = (Bomber(60, True, 1, 2, False),) * 4


@given(st.sampled_from(GAMES), st.integers(0, 2**32))
@settings(max_examples=150, deadline=None)
def test_a_cell_burns_when_it_burns_in_the_game_played_on(game: Pommerman, seed: int) -> None:
    state = crowded(game, random.Random(seed))
    times = burn_times(game.step_rules, state)
    played: dict[Any, Any] = {}
    masks = fires(game.step_rules, state)
    still = dict.fromkeys(range(game.seats), MOVES[0])
    for number in range(1, HORIZON + 1):
        # The rulebook itself, whoever has won meanwhile: the dead may well be given moves.
        state = game.apply(state, still)
        assert masks[number - 1] == state.burning
        for cell in bits(state.burning):
            played.setdefault(cell, number)
    assert times == played


@given(st.integers(0, 2**32), st.integers(0, 3))
@settings(max_examples=100, deadline=None)
def test_what_is_in_the_fog_is_taken_for_free_and_empty(seed: int, seat: int) -> None:
    state = crowded(TEAM, random.Random(seed))
    seen = TEAM.redact(state, seat)
    near = {bomb.cell for bomb in seen.bombs}
    shown = state._replace(
        rigid=seen.rigid,
        wood=seen.wood,
        powers=seen.powers,
        hidden=seen.hidden,
        flames=seen.flames,
        bombs=tuple(bomb for bomb in state.bombs if bomb.cell in near),
        agents=tuple(
            agent._replace(alive=seen.agents[other].cell >= 0)
            for other, agent in enumerate(state.agents)
        ),
    )
    assert burn_times(TEAM.step_rules, seen) == burn_times(TEAM.step_rules, shown)


def test_the_horizon_is_a_bombs_life() -> None:
    for life, wanted in ((1, 1), (9, 9), (BOMB_LIFE, 10), (BOMB_LIFE + 1, None)):
        state = PommermanState(bombs=(Bomb(0, life, 2, 0, 0),), agents=AWAY)
        times = burn_times(GAMES[0].step_rules, state)
        assert times.get(0) == times.get(1) == wanted
        assert 2 not in times
