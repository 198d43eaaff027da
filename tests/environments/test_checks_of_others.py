"""What PettingZoo and Gymnasium demand, by their own checks, unchanged.

PettingZoo warns of every observation that is a dictionary unless it knows the game by name; the
masks are what dictionaries are for, so these two warnings are let pass, and no others.
"""

from __future__ import annotations

import warnings
from functools import partial
from types import SimpleNamespace
from typing import Any

import gymnasium
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test.state_test import test_state as check_state
from pettingzoo.test.state_test import test_state_space as check_state_space

from boardgames_cli import aec_env, make, parallel_env
from boardgames_cli.environments import gymnasium_id
from boardgames_cli.registry import game_ids, spec_of

with warnings.catch_warnings():  # the module of 1.27 warns of itself when it is imported
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import (
        api_test,
        max_cycles_test,
        parallel_api_test,
        render_test,
        seed_test,
    )

pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]

GAMES = game_ids()
TABLES = [
    *((game, {}) for game in GAMES),
    ("senet", {"rules": "skyruk", "pieces": 7}),
    ("kuhn", {"hands": 3}),
    ("deepsea", {"players": 6}),
    ("pommerman", {"mode": "radio", "collapse": True}),
    ("pommerman", {"mode": "duel", "rerun_ties": True, "steps": 30, "first_collapse": 10}),
]
PARALLEL = [("pommerman", {"mode": mode}) for mode in ("ffa", "team", "radio", "duel")]


@pytest.mark.parametrize(("game", "options"), TABLES, ids=str)
@pytest.mark.parametrize("flatten", [True, False], ids=["flat", "fields"])
def test_pettingzoo_api(game: str, options: dict[str, Any], flatten: bool) -> None:
    api_test(aec_env(game, flatten=flatten, **options), num_cycles=40)


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_api_with_every_encoding(game: str) -> None:
    for encoding in spec_of(make(game)).encodings:
        api_test(aec_env(game, encoding=encoding, flatten=False), num_cycles=20)


@pytest.mark.parametrize(("game", "options"), TABLES, ids=str)
def test_pettingzoo_seeds(game: str, options: dict[str, Any]) -> None:
    seed_test(partial(aec_env, game, **options), num_cycles=20)


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_rendering(game: str) -> None:
    make: Any = partial(aec_env, game)  # its hint names the class of Gymnasium
    render_test(make)


@pytest.mark.parametrize(("game", "options"), PARALLEL, ids=str)
def test_pettingzoo_parallel_api(game: str, options: dict[str, Any]) -> None:
    parallel_api_test(parallel_env(game, **options), num_cycles=60)


def test_pettingzoo_cycles() -> None:
    module = SimpleNamespace(
        env=partial(aec_env, "pommerman"), parallel_env=partial(parallel_env, "pommerman")
    )
    max_cycles_test(module)


@pytest.mark.parametrize(("game", "options"), TABLES, ids=str)
def test_gymnasium_check(game: str, options: dict[str, Any]) -> None:
    # It draws actions without a mask.
    env = gymnasium.make(gymnasium_id(game), seat="random", illegal="lose", **options)
    check_env(env.unwrapped)


@pytest.mark.parametrize(("game", "options"), TABLES, ids=str)
def test_the_state_is_the_whole_position(game: str, options: dict[str, Any]) -> None:
    env = pettingzoo.make("aec", gymnasium_id(game), illegal="lose", **options)
    check_state_space(env)
    check_state(env, 3)
