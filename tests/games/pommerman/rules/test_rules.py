"""Modes, options, returns, who acts: what is not the step itself."""

from __future__ import annotations

import random

import pytest

from boardgames_cli.core.errors import IllegalActionError
from boardgames_cli.core.match import Match
from boardgames_cli.games.pommerman.actions import MOVES, Move
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import PommermanState


def dealt(game: Pommerman, seed: int = 1) -> PommermanState:
    return game.apply_chance(
        game.initial_state(), game.sample_chance(game.initial_state(), random.Random(seed))
    )


def alive(state: PommermanState, *living: int, step: int = 0) -> PommermanState:
    agents = tuple(agent._replace(alive=seat in living) for seat, agent in enumerate(state.agents))
    return PommermanState(rigid=state.rigid, wood=state.wood, agents=agents, step=step)


def test_the_start_is_as_the_options_say() -> None:
    game = Pommerman(strength=5, items=25)
    state = dealt(game)
    assert [tuple(agent)[1:] for agent in state.agents] == [(True, 1, 5, False)] * 4
    assert sum(mask.bit_count() for mask in state.hidden) == 9
    assert (state.rigid.bit_count(), state.wood.bit_count()) == (36, 36)
    small = dealt(Pommerman(mode="duel"))
    assert sum(mask.bit_count() for mask in small.hidden) == 8
    assert [agent.cell for agent in small.agents] == [9, 54]


def test_the_dead_do_not_act() -> None:
    game = Pommerman()
    match = Match(game, seed=1, start=alive(dealt(game), 0, 1))
    assert match.waiting_for == (0, 1)
    with pytest.raises(IllegalActionError):
        match.submit(2, MOVES[0])
    with pytest.raises(IllegalActionError, match="the dead don't act"):
        game.parse(match.state, 2, "up")


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
