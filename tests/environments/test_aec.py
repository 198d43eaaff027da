from __future__ import annotations

import pickle
import random
from typing import Any

import numpy as np
import pytest

from boardgames_cli import Match, aec_env, make, make_encoder
from boardgames_cli.core.game import CHANCE
from boardgames_cli.registry import game_ids
from tests.environments.players import choose, play_out
from tests.toys import Heap, Pennies, Race


@pytest.mark.parametrize("game", game_ids())
def test_rewards_add_up_to_the_returns(game: str) -> None:
    options = {"rerun_ties": True, "steps": 40, "first_collapse": 20} if game == "pommerman" else {}
    env = aec_env(game, **options)
    for seed in range(3):
        paid = play_out(env, seed)
        assert list(paid.values()) == [*env._episodes.now.returns]
        assert env._episodes.now.match.is_over
        assert env.agents == []


@pytest.mark.parametrize("game", game_ids())
def test_an_episode_is_the_match_of_its_seed(game: str) -> None:
    env, rng = aec_env(game, flatten=False), random.Random(3)
    encoder = make_encoder(env.game)
    env.reset(seed=11)
    match = Match(env.game, seed=11)
    for _ in range(25):
        while match.waiting_for == (CHANCE,):
            match.resolve_chance()
        if match.is_over:
            break
        joint = {}
        for seat in match.waiting_for:
            agent = f"player_{seat}"
            while env.terminations[env.agent_selection]:
                env.step(None)
            assert env.agent_selection == agent
            seen, _, _, _, info = env.last()
            known = match.observe(seat)
            assert seen is not None
            arrays = encoder.encode(known)
            fields = seen["observation"]
            assert fields.keys() == arrays.keys()
            assert all(np.array_equal(fields[name], arrays[name]) for name in arrays)
            assert np.array_equal(seen["action_mask"], encoder.mask(known))
            id = choose(seen["action_mask"], rng)
            ids = np.flatnonzero(seen["action_mask"])
            action = env.game.action_of(match.state, id)
            assert info["legal"][[*ids].index(id)] == str(action)
            joint[seat] = action
            env.step(id)
        match.take_checked(joint)


def test_one_vector_holds_all_fields() -> None:
    env = aec_env("senet")
    env.reset(seed=1)
    agent = env.agent_selection
    vector = env.observe(agent)["observation"]
    seen = env._episodes.now.match.observe(env.possible_agents.index(agent))
    assert vector.dtype == np.float32
    assert np.array_equal(vector, make_encoder(env.game).flat(seen))


def test_an_encoding_of_one_field_is_that_array() -> None:
    env = aec_env("senet", encoding="board", flatten=False)
    env.reset(seed=1)
    seen = env.observe("player_0")["observation"]
    assert (seen.shape, seen.dtype) == ((2, 30), np.int8)
    space: Any = env.observation_space("player_0")
    assert space["observation"].shape == (2, 30)


def test_who_is_not_to_act_sees_and_has_no_choice() -> None:
    env = aec_env("tapnswap")
    env.reset(seed=1)
    assert env.agent_selection == "player_0"
    assert not env.observe("player_1")["action_mask"].any()
    assert env.infos["player_1"] == {}


def test_what_is_observed_stays_as_it_was() -> None:
    env = aec_env("tapnswap")
    env.reset(seed=1)
    before = env.observe("player_0")
    assert env.observe("player_0")["observation"] is before["observation"]
    kept = before["observation"].copy()
    legal = env.infos["player_0"]["legal"]
    start = env._episodes.now.match.observe(0)
    env.step(0)
    env.observe("player_0")
    assert np.array_equal(before["observation"], kept)
    ids = {env.game.action_id(start.state, action): str(action) for action in start.legal}
    assert legal == tuple(ids[id] for id in sorted(ids)), "written now, of its own time"
    assert pickle.loads(pickle.dumps(legal)) == tuple(legal)  # our own


def test_those_who_move_at_once_see_nothing_of_each_other() -> None:
    env = aec_env(Pennies())
    env.reset(seed=1)
    state = env._episodes.now.match.state
    before = env.observe("player_1")["observation"].copy()
    env.step(0)
    assert env.agent_selection == "player_1"
    assert env._episodes.now.match.state == state
    assert np.array_equal(env.observe("player_1")["observation"], before)
    assert env.rewards == {"player_0": 0, "player_1": 0}


def bombed(mode: str, seed: int = 0, **options: Any) -> Any:
    """An environment in which the first bomber has died, and the game goes on."""
    env = aec_env("pommerman", mode=mode, **options)
    rng = random.Random(seed)
    env.reset(seed=seed)
    while True:
        assert env.agents, "another seed is needed"
        agent = env.agent_selection
        if not env._episodes.now.match.state.agents[0].alive:
            return env
        env.step(5 if agent == "player_0" else rng.choice([0, 1, 2, 3, 4]))


def test_a_dead_bomber_leaves_with_its_loss() -> None:
    env = bombed("ffa")
    assert env.agent_selection == "player_0"
    seen, reward, is_terminated, is_truncated, info = env.last()
    assert (reward, is_terminated, is_truncated, info) == (-1.0, True, False, {})
    assert not seen["action_mask"].any()
    with pytest.raises(ValueError, match="only valid action is None"):
        env.step(0)
    env.step(None)
    assert env.agents == ["player_1", "player_2", "player_3"]
    assert env.agent_selection == "player_1"
    assert (
        env.observe("player_0")["observation"] in env.observation_space("player_0")["observation"]
    )


def test_a_dead_member_of_a_team_stays_for_the_result() -> None:
    env = bombed("team")
    assert env.agents == env.possible_agents
    rng = random.Random(1)
    while env.agents and not any(env.terminations.values()):
        assert env.agent_selection != "player_0"
        env.step(choose(env.observe(env.agent_selection)["action_mask"], rng))
    paid = env._cumulative_rewards
    assert paid["player_0"] == paid["player_2"] != 0


def test_an_episode_can_be_cut_short() -> None:
    env = aec_env("senet", max_cycles=3)
    rng = random.Random(1)
    env.reset(seed=2)
    acted = dict.fromkeys(env.possible_agents, 0)
    while not any(env.truncations.values()):
        acted[env.agent_selection] += 1
        env.step(choose(env.observe(env.agent_selection)["action_mask"], rng))
    assert max(acted.values()) == 3
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    for _ in range(2):
        env.step(None)
    assert env.agents == []


def test_an_illegal_action_can_lose() -> None:
    env = aec_env("senet", illegal="lose")
    env.reset(seed=1)
    loser = env.agent_selection
    mask = env.observe(loser)["action_mask"]
    wrong = int(np.flatnonzero(mask == 0)[0])
    env.step(wrong)
    assert all(env.terminations.values())
    assert env.infos[loser] == {"illegal": wrong}
    assert env.rewards.pop(loser) == -1.0
    assert [*env.rewards.values()] == [1.0]
    assert not env.observe(loser)["action_mask"].any()


def test_others_keep_what_they_have_where_returns_add_up_to_nothing_in_particular() -> None:
    env = aec_env("deepsea", illegal="lose", players=3)
    env.reset(seed=1)
    env.step(99)
    assert all(env.terminations.values())
    assert env.rewards == dict.fromkeys(env.possible_agents, 0.0)
    assert env.game.utility[0] == 0


def test_seeds() -> None:
    env, other = aec_env("kuhn"), aec_env("kuhn")

    def cards(env: Any, seed: int | None = None) -> list[bytes]:
        env.reset(seed=seed)
        return [env.observe(agent)["observation"].tobytes() for agent in env.possible_agents]

    assert cards(env, 5) == cards(other, 5)
    later = [cards(env) for _ in range(8)]
    assert later == [cards(other) for _ in range(8)], "what follows a seed follows from it"
    assert len({tuple(each) for each in later}) > 1
    assert len({tuple(cards(aec_env("kuhn"))) for _ in range(30)}) > 1, "no seed, no repetition"


def test_a_rulebook_serves_as_well_as_a_name() -> None:
    env = aec_env(make("senet", rules="skyruk"))
    assert env.game == make("senet", rules="skyruk")
    play_out(env, 1)


@pytest.mark.parametrize("game", [Race(), Pennies(), Heap()], ids=lambda game: game.info.id)
def test_games_that_nobody_registered_need_nothing_of_their_own(game: Any) -> None:
    env = aec_env(game)
    paid = play_out(env, 1)
    assert list(paid.values()) == [*env._episodes.now.returns]


def test_names_and_spaces() -> None:
    env = aec_env("deepsea", players=6)
    assert env.possible_agents == [f"player_{seat}" for seat in range(6)]
    assert str(env) == "deepsea_v0"
    assert env.action_space("player_0") is not env.action_space("player_1")
    assert env.max_num_agents == 6


def test_masks_can_be_in_the_info() -> None:
    env = aec_env("senet", mask="info")
    env.reset(seed=2)
    observation, _, _, _, info = env.last()
    assert env.observation_space(env.agent_selection).contains(observation)
    assert info["action_mask"].sum() == len(info["legal"])
    env.step(int(info["action_mask"].argmax()))
    assert env.infos[env.agent_selection]["action_mask"].any()


def test_the_state_shows_what_is_hidden() -> None:
    env = aec_env("kuhn", flatten=False)
    env.reset(seed=1)
    cards = env.state()["cards"]
    assert cards.sum(axis=1).tolist() == [1, 1]
    assert not cards[:, 3].any(), "no card is hidden"
    assert env.state_space.contains(env.state())
