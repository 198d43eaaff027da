"""What seats see, and that guesses fit what they see."""

from __future__ import annotations

import random

import pytest

from boardgames_cli.games.pommerman.actions import MOVES
from boardgames_cli.games.pommerman.board import UNKNOWN
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import PommermanState


def middle(game: Pommerman, seed: int, plies: int = 15) -> PommermanState:
    rng = random.Random(seed)
    state = game.apply_chance(game.initial_state(), draw(game, rng))
    for _ in range(plies):
        seats = game.to_act(state)
        state = game.apply(state, {seat: rng.choice(MOVES) for seat in seats})
    return state


def draw(game: Pommerman, rng: random.Random):  # type: ignore[no-untyped-def]
    return game.sample_chance(game.initial_state(), rng)


@pytest.mark.parametrize("mode", ["ffa", "duel", "team", "radio"])
def test_what_is_under_wood_and_in_pockets_is_hidden_in_every_mode(mode: str) -> None:
    game = Pommerman(mode=mode)
    state = middle(game, 3, plies=2)
    assert any(state.hidden)
    for seat in (*range(game.seats), None):
        seen = game.redact(state, seat)
        assert seen.hidden == (0, 0, 0)
        for other, agent in enumerate(seen.agents):
            assert (agent == state.agents[other]) == (other == seat)
            if other != seat:
                assert (agent.ammo, agent.strength, agent.kicks) == (UNKNOWN, UNKNOWN, False)


def test_fog_hides_what_is_far() -> None:
    game = Pommerman(mode="radio")
    state = middle(game, 3, plies=1)
    seen = game.redact(state, 0)  # at about (1, 1): sees rows and columns up to 5 or 6
    hidden = seen.fog
    assert hidden >> 120 & 1
    assert not (seen.rigid | seen.wood | seen.burning) & hidden
    assert seen.rigid == state.rigid & ~hidden
    assert seen.agents[2].cell == UNKNOWN
    assert all(bomb.owner in (0, UNKNOWN) for bomb in seen.bombs)
    spectator = game.redact(state, None)
    assert spectator.fog.bit_count() == 121
    assert (spectator.bombs, spectator.rigid) == ((), 0)


def test_guesses_are_full_and_varied() -> None:
    game = Pommerman(mode="team", collapse=True, steps=40, first_collapse=5)
    state = middle(game, 8, plies=9)
    seen = game.observe(state, 1)
    guesses = [game.determinize(seen, random.Random(seed)) for seed in range(20)]
    assert len(set(guesses)) == 20
    for guess in guesses:
        assert guess.fog == 0
        assert game.observe(guess, 1) == seen
        cells = [agent.cell for agent in guess.agents if agent.alive]
        assert len(set(cells)) == len(cells)
        assert min(cells) >= 0
        # The ring that has fallen is known to be rigid, seen or not.
        assert guess.rigid & game.step_rules.grid.ring(0) == game.step_rules.grid.ring(0)
        game.from_json(game.to_json(guess))


def test_guesses_hide_as_many_power_ups_as_the_options_say() -> None:
    for items in (0, 100):
        game = Pommerman(items=items)
        state = middle(game, 1, plies=1)
        guess = game.determinize(game.observe(state, 0), random.Random(1))
        hidden = sum(mask.bit_count() for mask in guess.hidden)
        assert hidden == (state.wood.bit_count() if items else 0)
