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


@pytest.mark.parametrize(
    ("mode", "living", "step", "returns", "is_over"),
    [
        ("ffa", (0, 1, 2, 3), 5, (0, 0, 0, 0), False),
        ("ffa", (1, 2), 5, (-1, 0, 0, -1), False),
        ("ffa", (1,), 5, (-1, 1, -1, -1), True),
        ("ffa", (1,), 800, (-1, 1, -1, -1), True),
        ("ffa", (), 5, (-1, -1, -1, -1), True),
        ("ffa", (0, 1), 800, (-1, -1, -1, -1), True),
        ("duel", (0, 1), 5, (0, 0), False),
        ("duel", (1,), 5, (-1, 1), True),
        ("duel", (), 5, (0, 0), True),
        ("duel", (0, 1), 800, (-1, -1), True),
        ("team", (0, 1), 5, (0, 0, 0, 0), False),
        ("team", (2,), 5, (1, -1, 1, -1), True),
        ("team", (1, 3), 5, (-1, 1, -1, 1), True),
        ("radio", (), 5, (-1, -1, -1, -1), True),
        ("radio", (0, 1, 2, 3), 800, (-1, -1, -1, -1), True),
    ],
)
def test_ends_and_rewards(
    mode: str, living: tuple[int, ...], step: int, returns: tuple[int, ...], is_over: bool
) -> None:
    game = Pommerman(mode=mode)
    state = alive(dealt(game), *living, step=step)
    assert game.returns(state) == returns
    assert game.is_over(state) == is_over
    assert game.to_act(state) == (() if is_over else living)


def test_the_start_is_as_the_options_say() -> None:
    game = Pommerman(strength=5, items=25)
    state = dealt(game)
    assert [tuple(agent)[1:] for agent in state.agents] == [(True, 1, 5, False)] * 4
    assert sum(mask.bit_count() for mask in state.hidden) == 9
    assert (state.rigid.bit_count(), state.wood.bit_count()) == (36, 36)
    small = dealt(Pommerman(mode="duel"))
    assert sum(mask.bit_count() for mask in small.hidden) == 8
    assert [agent.cell for agent in small.agents] == [9, 54]


def test_the_collapse_kills_and_is_judged_a_step_later() -> None:
    game = Pommerman(collapse=True, steps=10, first_collapse=2)
    state = alive(dealt(game), 1, 2, step=1)
    agents = tuple(
        agent._replace(cell=cell) for agent, cell in zip(state.agents, (60, 1, 59, 61), strict=True)
    )
    state = PommermanState(rigid=0, agents=agents, step=1)
    after = game.apply(state, {1: MOVES[0], 2: MOVES[0]})
    assert (after.fallen, after.rigid.bit_count()) == ((1,), 40)
    assert game.returns(after) == (-1, 0, 0, -1), "not judged yet"
    assert game.to_act(after) == (2,)
    last = game.apply(after, {2: MOVES[0]})
    assert game.is_over(last)
    assert game.returns(last) == (-1, -1, 1, -1)


def test_the_dead_do_not_act() -> None:
    game = Pommerman()
    match = Match(game, seed=1, start=alive(dealt(game), 0, 1))
    assert match.waiting_for == (0, 1)
    with pytest.raises(IllegalActionError):
        match.submit(2, MOVES[0])
    with pytest.raises(IllegalActionError, match="the dead don't act"):
        game.parse(match.state, 2, "up")


def test_words_are_heard_and_the_dead_are_silent() -> None:
    game = Pommerman(mode="radio")
    state = dealt(game)
    said = {seat: Move(0, (seat + 1, 8)) for seat in range(4)}
    after = game.apply(state, said)
    assert after.words == ((1, 8), (2, 8), (3, 8), (4, 8))
    assert game.redact(after, 2).words == ((1, 8), (0, 0), (3, 8), (0, 0))
    burning = PommermanState(agents=state.agents, flames=(0, 1 << state.agents[1].cell, 0))
    assert game.apply(burning, said).words[1] == (0, 0)
