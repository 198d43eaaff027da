from __future__ import annotations

import pickle
import random
from typing import Any

import numpy as np
import pytest

from boardgames_cli import Match, aec_env, make, make_encoder
from boardgames_cli.core.game import CHANCE
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.registry import game_ids
from tests.toys import Heap, Pennies, Race

EPISODES: list[tuple[Any, dict[str, Any]]] = [
    *((game, {}) for game in game_ids()),
    (make("senet", rules="skyruk"), {}),
    ("pommerman", {"mode": "team"}),
    ("pommerman", {"rerun_ties": True, "steps": 40, "first_collapse": 20}),
    # Nobody registered these.
    *((game, {}) for game in (Race(), Pennies(), Heap())),
]


@pytest.mark.parametrize(("game", "options"), EPISODES, ids=str)
def test_an_episode_is_the_match_of_its_seed(game: Any, options: dict[str, Any]) -> None:
    fields: Any = aec_env(game, flatten=False, **options)
    vectors: Any = aec_env(game, mask="info", **options)
    encoder, rng = make_encoder(fields.game), random.Random(3)
    for env in (fields, vectors):
        env.reset(seed=11)
    match: AnyMatch = Match(fields.game, seed=11)
    paid = [0.0] * match.game.seats
    for agent in fields.agent_iter():
        while match.waiting_for == (CHANCE,):
            match.resolve_chance()
        shown, reward, is_over, _, info = fields.last()
        seat = fields.possible_agents.index(agent)
        paid[seat] += reward
        id = None
        if not is_over:
            assert seat == match.waiting_for[0]
            known = match.observe(seat)
            assert encoder.encode(known).keys() == shown["observation"].keys()
            for name, array in encoder.encode(known).items():
                assert np.array_equal(shown["observation"][name], array)
            assert np.array_equal(vectors.observe(agent), encoder.flat(known))
            for told in (shown, vectors.infos[agent]):
                assert np.array_equal(told["action_mask"], encoder.mask(known))
            ids = np.flatnonzero(shown["action_mask"]).tolist()
            actions = [match.game.action_of(match.state, id) for id in ids]
            assert info["legal"] == tuple(map(str, actions))
            id = rng.choice(ids)
            match.submit(seat, actions[ids.index(id)])
        for env in (fields, vectors):
            env.step(id)
    assert match.is_over
    assert paid == [*match.returns]


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
    start = Match(env.game, seed=1).observe(0)
    env.step(0)
    env.observe("player_0")
    assert np.array_equal(before["observation"], kept)
    ids = {env.game.action_id(start.state, action): str(action) for action in start.legal}
    assert legal == tuple(ids[id] for id in sorted(ids)), "written now, of its own time"
    assert pickle.loads(pickle.dumps(legal)) == tuple(legal)  # our own


def test_a_dead_bomber_leaves_with_its_loss() -> None:
    env: Any = aec_env("pommerman")
    rng = random.Random(0)
    env.reset(seed=0)
    while not env.terminations["player_0"]:
        env.step(5 if env.agent_selection == "player_0" else rng.choice([0, 1, 2, 3, 4]))
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


def test_names_and_spaces() -> None:
    env = aec_env("deepsea", players=6)
    assert env.possible_agents == [f"player_{seat}" for seat in range(6)]
    assert str(env) == "deepsea_v0"
    assert env.action_space("player_0") is not env.action_space("player_1")
    assert env.max_num_agents == 6


def test_the_state_shows_what_is_hidden() -> None:
    env = aec_env("kuhn", flatten=False)
    env.reset(seed=1)
    cards = env.state()["cards"]
    assert cards.sum(axis=1).tolist() == [1, 1]
    assert not cards[:, 3].any(), "no card is hidden"
    assert env.state_space.contains(env.state())
