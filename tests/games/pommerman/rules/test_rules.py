"""Modes, options, returns, who acts: what is not the step itself."""

from __future__ import annotations

import itertools
import random

import pytest

from boardgames_cli.core.errors import IllegalActionError
from boardgames_cli.games.pommerman.actions import MOVES, Move
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import PommermanState
from tests.games.pommerman.crowds import living


def dealt(game: Pommerman, seed: int = 1) -> PommermanState:
    return game.apply_chance(
        game.initial_state(), game.sample_chance(game.initial_state(), random.Random(seed))
    )


def test_the_start_is_as_the_options_say() -> None:
    game = Pommerman(strength=5, items=25)
    state = dealt(game)
    assert [tuple(agent)[1:] for agent in state.agents] == [(True, 1, 5, False)] * 4
    assert sum(mask.bit_count() for mask in state.hidden) == 9
    assert (state.rigid.bit_count(), state.wood.bit_count()) == (36, 36)
    small = dealt(Pommerman(mode="duel"))
    assert sum(mask.bit_count() for mask in small.hidden) == 8
    assert [agent.cell for agent in small.agents] == [9, 54]


@pytest.mark.parametrize(
    ("seat", "why"),
    [(-2, "there is no seat -2"), (4, "there is no seat 4"), (2, "the dead don't act")],
)
def test_who_is_not_to_act_is_told_why(seat: int, why: str) -> None:
    game = Pommerman()
    state = living(dealt(game), 0, 1)
    assert game.to_act(state) == (0, 1)
    with pytest.raises(IllegalActionError, match=why):
        game.parse(state, seat, "up")


def test_ids_are_those_of_learners() -> None:
    game, radio = Pommerman(), Pommerman(mode="radio")
    state, heard = dealt(game), dealt(radio)
    assert [game.action_id(state, action) for action in game.actions] == list(range(6))
    assert (game.action_count, radio.action_count) == (6, 390)
    for first, second, move in itertools.product(range(1, 9), range(1, 9), range(6)):
        id = move + 6 * (8 * (first - 1) + (second - 1))
        assert radio.action_id(heard, Move(move, (first, second))) == id
    assert [radio.action_id(heard, silent) for silent in MOVES] == list(range(384, 390))


@pytest.mark.parametrize(("first", "steps"), [(5, 8), (1, 2)])
def test_where_the_time_is_short_a_ring_falls_in_every_step(first: int, steps: int) -> None:
    # Recorded games have all other intervals.
    for collapse, wanted in ((True, tuple(range(first, steps))), (False, ())):
        game = Pommerman(collapse=collapse, first_collapse=first, steps=steps)
        assert game.collapses_in(game.initial_state()) == wanted


def test_words_are_heard_and_the_dead_are_silent() -> None:
    game = Pommerman(mode="radio")
    state = dealt(game)
    said = {seat: Move(0, (seat + 1, 8)) for seat in range(4)}
    after = game.apply(state, said)
    assert after.words == ((1, 8), (2, 8), (3, 8), (4, 8))
    assert game.redact(after, 2).words == ((1, 8), (0, 0), (3, 8), (0, 0))
    burning = PommermanState(agents=state.agents, flames=(0, 1 << state.agents[1].cell, 0))
    assert game.apply(burning, said).words[1] == (0, 0)
