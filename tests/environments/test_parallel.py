from __future__ import annotations

import random

import gymnasium
import numpy as np
import pytest

from boardgames_cli import Match, parallel_env
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import CHANCE
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.registry import game_ids
from tests.environments.players import choose
from tests.toys import Pennies


@pytest.mark.parametrize("mode", ["ffa", "team", "radio", "duel"])
def test_an_episode_is_the_match_of_its_seed(mode: str) -> None:
    env, rng = parallel_env("pommerman", mode=mode, steps=60), random.Random(1)
    match: AnyMatch = Match(env.game, seed=1)
    env.reset(seed=1)
    paid = dict.fromkeys(env.possible_agents, 0.0)
    while env.agents:
        while match.waiting_for == (CHANCE,):
            match.resolve_chance()
        acting, before = match.waiting_for, list(env.agents)
        # One lays bombs and stays, the others go anywhere.
        ids = {seat: 5 if seat == 1 else rng.randrange(5) for seat in acting}
        match.take_checked({seat: env.game.action_of(match.state, ids[seat]) for seat in acting})
        given = env.step({f"player_{seat}": id for seat, id in ids.items()})
        assert all(list(one) == before for one in given)
        for agent, reward in given[1].items():
            paid[agent] += reward
    assert match.is_over
    assert list(paid.values()) == [*match.returns]


def test_the_dead_leave_unless_they_share_a_result() -> None:
    for mode, leaves in (("ffa", True), ("team", False)):
        env = parallel_env("pommerman", mode=mode)
        rng = random.Random(1)
        seen, _ = env.reset(seed=1)
        while seen["player_0"]["action_mask"].any():
            actions = {agent: rng.randrange(5) for agent in env.agents} | {"player_0": 5}
            seen, rewards, terminations, _, infos = env.step(actions)
        assert terminations["player_0"] == leaves
        assert ("player_0" not in env.agents) == leaves
        assert rewards["player_0"] == (-1.0 if leaves else 0.0)
        assert not seen["player_0"]["action_mask"].any()
        assert infos["player_0"]["legal"] == ()
        env.step({agent: 0 for agent in env.agents if agent != "player_0"})
        env.step(dict.fromkeys(env.possible_agents, 0))  # who is out may act and changes nothing


def test_an_illegal_action_can_lose() -> None:
    env = parallel_env(Pennies(), illegal="lose")
    seen, _ = env.reset(seed=1)
    legal = {agent: choose(seen[agent]["action_mask"], random.Random(1)) for agent in env.agents}
    _, rewards, terminations, truncations, infos = env.step(legal | {"player_1": 77})
    assert all(terminations.values())
    assert not any(truncations.values())
    assert infos["player_1"]["illegal"] == 77
    assert rewards["player_1"] == env.game.utility[0]
    assert env.agents == []


def test_it_can_be_cut_short() -> None:
    env = parallel_env("pommerman", max_cycles=2)
    env.reset(seed=1)
    env.step(dict.fromkeys(env.agents, 0))
    _, _, terminations, truncations, _ = env.step(dict.fromkeys(env.agents, 0))
    assert all(truncations.values())
    assert not any(terminations.values())
    assert env.agents == []


@pytest.mark.parametrize("game", [game for game in game_ids() if game != "pommerman"])
def test_games_in_turns_refuse_with_the_reason(game: str) -> None:
    with pytest.raises(GameError, match=r"never move at once\.   Use aec_env"):
        parallel_env(game)


def test_masks_can_be_in_the_info_so_that_wrappers_see_plain_boxes() -> None:
    plain, masked = parallel_env("pommerman", mask="info"), parallel_env("pommerman")
    (observations, infos), (twins, _) = plain.reset(seed=3), masked.reset(seed=3)
    for agent in plain.agents:
        space = plain.observation_space(agent)
        assert isinstance(space, gymnasium.spaces.Box)
        assert space.contains(observations[agent])
        assert np.array_equal(observations[agent], twins[agent]["observation"])
        assert np.array_equal(infos[agent]["action_mask"], twins[agent]["action_mask"])
