"""Without numba every game is played by the readable rules, and what needs it says so."""

from __future__ import annotations

import subprocess
import sys

import pytest

from boardgames_cli.registry import game_ids

PROGRAM = """
import sys

sys.modules["numba"] = None  # what imports it meets a ModuleNotFoundError

import gymnasium

from boardgames_cli import Match, aec_env, gymnasium_env, make
from boardgames_cli.core.errors import GameError, install_command
from boardgames_cli.core.match import play
from boardgames_cli.environments import gymnasium_id
from boardgames_cli.registry import find_game, make_agent

id = sys.argv[1]
for env in (aec_env(id), gymnasium_env(id)):
    env.reset(seed=1)
try:
    gymnasium.make_vec(gymnasium_id(id), num_envs=2)
except GameError as error:
    assert "vectorization_mode" in str(error), error
    assert install_command("fast") in str(error), error
else:
    raise AssertionError("the vector environment was made")
gymnasium.make_vec(gymnasium_id(id), num_envs=2, vectorization_mode="sync").reset(seed=1)
game = make(id)
easiest = next(iter(find_game(id).levels))
play(Match(game, seed=1), [make_agent(easiest, game) for _ in range(game.seats)])
print("played")
"""


@pytest.mark.parametrize("game", game_ids())
def test_games_are_played_and_environments_are_made(game: str) -> None:
    told = subprocess.run(
        [sys.executable, "-c", PROGRAM, game], capture_output=True, text=True, check=False
    )
    assert told.stdout == "played\n", told.stderr
