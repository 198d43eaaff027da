from __future__ import annotations

import random
from typing import Any

import gymnasium
import numpy as np
import pytest

from boardgames_cli import parallel_env
from boardgames_cli.core.errors import GameError
from boardgames_cli.registry import game_ids
from tests.environments.players import choose
from tests.toys import Pennies


def play(env: Any, seed: int, bomber: str = "") -> dict[str, float]:
    """Play an episode: one lays bombs and stays, the others go anywhere."""
    rng = random.Random(seed)
    seen, _ = env.reset(seed=seed)
    paid = dict.fromkeys(env.possible_agents, 0.0)
    while env.agents:
        actions = {
            agent: 5 if agent == bomber else rng.randrange(5)
            for agent in env.agents
            if seen[agent]["action_mask"].any()
        }
        before = list(env.agents)
        seen, rewards, terminations, truncations, infos = env.step(actions)
        for given in (seen, rewards, terminations, truncations, infos):
            assert list(given) == before
        for agent, reward in rewards.items():
            paid[agent] += reward
    return paid


def test_rewards_add_up_to_the_returns() -> None:
    for mode in ("ffa", "team", "radio", "duel"):
        env = parallel_env("pommerman", mode=mode, steps=60)
        paid = play(env, seed=1, bomber="player_1")
        assert list(paid.values()) == [*env._episodes.now.returns]


def test_the_dead_leave_unless_they_share_a_result() -> None:
    for mode, leaves in (("ffa", True), ("team", False)):
        env = parallel_env("pommerman", mode=mode)
        rng = random.Random(1)
        env.reset(seed=1)
        while env._episodes.now.match.state.agents[0].alive:
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
