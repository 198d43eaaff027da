"""Environments on compiled rules are the same to the last number as those on the readable ones."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import pytest

pytest.importorskip("numba", reason="the compiled rules need the extra `fast` (numba)")

import numpy as np
from gymnasium.utils.env_checker import data_equivalence
from hypothesis import given, settings
from hypothesis import strategies as st

from boardgames_cli import Match, aec_env, gymnasium_env, make, parallel_env
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.options import every_option_set
from boardgames_cli.core.spec import load
from boardgames_cli.environments import episodes
from boardgames_cli.environments.board_episode import BoardEpisode, find_board
from boardgames_cli.environments.episode import Episode
from boardgames_cli.environments.spaces import Spaces
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.registry import find_game, game_ids
from tests.environments.players import choose, play_out
from tests.toys import Race

for _game in game_ids():
    load(find_game(_game).batch)  # so early that they are compiled once, not by every run of tests

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]

SEEDS = st.integers(0, 2**63 - 1)
WISHES = st.fixed_dictionaries({
    "flatten": st.booleans(),
    "illegal": st.sampled_from(["error", "lose"]),
    "mask": st.sampled_from(["observation", "info"]),
    "max_cycles": st.sampled_from([0, 0, 3, 20]),
})  # fmt: skip
SHORT = {"collapse": True, "first_collapse": 12, "steps": 40}
TABLES: list[tuple[str, dict[str, Any]]] = [
    ("kuhn", {}),
    ("kuhn", {"hands": 7}),
    ("tapnswap", {}),
    ("tapnswap", {"max_plies": 9}),
    ("senet", {}),
    ("senet", {"rules": "skyruk", "pieces": 7}),
    ("deepsea", {}),
    ("deepsea", {"players": 6, "drop": "choose"}),
    ("deepsea", {"players": 2, "rounds": 9, "stacks": False, "oxygen": 9}),
    ("pommerman", {}),
    ("pommerman", {"mode": "team", "caps": True, **SHORT}),
    ("pommerman", {"mode": "duel", "items_block": True, "strength": 5, **SHORT}),
    ("pommerman", SHORT),
]
MOVES_AT_ONCE = [table for table in TABLES if table[0] == "pommerman"]


def compiled_and_readable(make_env: Any, *given: Any, **options: Any) -> tuple[Any, Any]:
    return tuple(make_env(*given, compiled=wish, **options) for wish in ("always", "never"))


def assert_same(one: Any, other: Any) -> None:
    assert data_equivalence(one, other, exact=True), (one, other)


def mask_of(seen: Any, info: Any) -> Any:
    return info["action_mask"] if "action_mask" in info else seen["action_mask"]


@pytest.mark.parametrize(("game", "options"), TABLES, ids=str)
@settings(max_examples=6, deadline=None)
@given(seed=SEEDS, wishes=WISHES)
def test_turns_are_the_same(
    game: str, options: dict[str, Any], seed: int, wishes: dict[str, Any]
) -> None:
    ours, theirs = compiled_and_readable(aec_env, game, **options, **wishes)
    rng = random.Random(seed)
    for number in (seed, None):
        ours.reset(seed=number)
        theirs.reset(seed=number)
        assert isinstance(ours._episodes.now, BoardEpisode)
        assert type(theirs._episodes.now) is Episode
        while theirs.agents:
            found, wanted = ours.last(), theirs.last()
            assert_same(found, wanted)
            for name in ("agents", "agent_selection", "rewards", "terminations", "truncations"):
                assert getattr(ours, name) == getattr(theirs, name)
            assert_same(ours.infos, theirs.infos)
            if rng.random() < 0.1:
                agent = rng.choice(theirs.possible_agents)
                assert_same(ours.observe(agent), theirs.observe(agent))
            act = None
            if not (wanted[2] or wanted[3]):
                mask = mask_of(wanted[0], wanted[4])
                act = choose(mask, rng)
                if wishes["illegal"] == "lose" and not mask.all() and rng.random() < 0.02:
                    act = int(mask.argmin())
            ours.step(act)
            theirs.step(act)
        assert ours.agents == []
        assert ours._episodes.now.returns == theirs._episodes.now.returns
        assert ours._episodes.now.match.state == theirs._episodes.now.match.state


@pytest.mark.parametrize(("game", "options"), MOVES_AT_ONCE, ids=str)
@settings(max_examples=6, deadline=None)
@given(seed=SEEDS, wishes=WISHES)
def test_joint_steps_are_the_same(
    game: str, options: dict[str, Any], seed: int, wishes: dict[str, Any]
) -> None:
    ours, theirs = compiled_and_readable(parallel_env, game, **options, **wishes)
    rng = random.Random(seed)
    assert_same(ours.reset(seed=seed), theirs.reset(seed=seed))
    while theirs.agents:
        joint = {agent: rng.choice((0, 1, 2, 3, 4, 1, 2, 3, 4, 5)) for agent in theirs.agents}
        if wishes["illegal"] == "lose" and rng.random() < 0.02:
            joint[theirs.agents[0]] = 6
        assert_same(ours.step(joint), theirs.step(joint))
        assert ours.agents == theirs.agents
        for agent in theirs.possible_agents:
            assert_same(ours.observe(agent), theirs.observe(agent))


@pytest.mark.parametrize(("game", "options"), TABLES, ids=str)
@settings(max_examples=4, deadline=None)
@given(seed=SEEDS, wishes=WISHES)
def test_one_seat_meets_the_same_opponents(
    game: str, options: dict[str, Any], seed: int, wishes: dict[str, Any]
) -> None:
    ours, theirs = compiled_and_readable(gymnasium_env, game, seat="random", **options, **wishes)
    rng = random.Random(seed)
    for number in (seed, None):
        found, wanted = ours.reset(seed=number), theirs.reset(seed=number)
        assert isinstance(ours._episodes.now, BoardEpisode)
        assert type(theirs._episodes.now) is Episode
        is_over = False
        while not is_over:
            assert_same(found, wanted)
            mask = wanted[-1]["action_mask"]
            act = choose(mask, rng)
            if wishes["illegal"] == "lose" and not mask.all() and rng.random() < 0.02:
                act = int(mask.argmin())
            found, wanted = ours.step(act), theirs.step(act)
            is_over = wanted[2] or wanted[3]
        assert_same(found, wanted)
        assert ours._episodes.now.match.state == theirs._episodes.now.match.state


def test_a_seat_meets_agents_that_look_by_the_readable_rules() -> None:
    env = gymnasium_env("senet", opponents="easy", compiled="always")
    env.reset(seed=1)
    assert type(env._episodes.now) is Episode


@pytest.mark.parametrize("game", game_ids())
def test_every_option_set_plays_the_same_or_is_left_to_the_readable_rules(game: str) -> None:
    for options in every_option_set(find_game(game).game_class()):
        try:
            ours, theirs = compiled_and_readable(aec_env, game, **options)
            ours.reset(seed=3)
        except GameError:
            assert options.get("mode") == "radio" or options.get("rerun_ties")
            env = aec_env(game, compiled="auto", **options)
            env._episodes._played = 10**9
            play_out(env, 3)
            assert type(env._episodes.now) is Episode
            continue
        theirs.reset(seed=3)
        rng = random.Random(4)
        for agent in theirs.agent_iter(30):
            found, wanted = ours.last(), theirs.last()
            assert_same(found, wanted)
            act = None if wanted[2] else choose(wanted[0]["action_mask"], rng)
            assert agent == ours.agent_selection
            ours.step(act)
            theirs.step(act)


def test_what_is_illegal_is_refused_with_the_same_words() -> None:
    ours, theirs = compiled_and_readable(aec_env, "senet")
    ours.reset(seed=1)
    theirs.reset(seed=1)
    before = theirs.last()
    for wrong in (2, 50, -1, 999, 2**70, "3", None, True, 1.0):
        told = []
        for env in (ours, theirs):
            with pytest.raises(GameError) as caught:
                env.step(wrong)
            told.append(str(caught.value))
        assert told[0] == told[1]
        assert_same(ours.last(), before)
    legal = np.flatnonzero(before[0]["action_mask"])[0]
    ours.step(np.int8(legal))


def test_arrays_belong_to_the_caller() -> None:
    env: Any = aec_env("deepsea", compiled="always")
    env.reset(seed=1)
    seen, _, _, _, info = env.last()
    assert env.observe(env.agent_selection)["observation"] is seen["observation"]
    kept, words = copy.deepcopy(seen), [*copy.deepcopy(info["legal"])]
    legal = int(seen["action_mask"].argmax())
    seen["action_mask"][:] = 0
    env.step(legal)
    env.step(int(env.last()[0]["action_mask"].argmax()))
    assert np.array_equal(seen["observation"], kept["observation"])
    assert [*info["legal"]] == words
    assert pickle.loads(pickle.dumps(info["legal"])) == tuple(words)  # our own


def test_what_a_text_says_is_of_its_own_time() -> None:
    env: Any = aec_env("senet", compiled="always")
    env.reset(seed=5)
    match, rng, told = Match(make("senet"), seed=5), random.Random(1), []
    for _ in range(12):
        seen, _, _, _, info = env.last()
        while match.waiting_for == (-1,):
            match.resolve_chance()
        seat = match.waiting_for[0]
        known = match.observe(seat)
        texts = {match.game.action_id(known.state, each): str(each) for each in known.legal}
        told.append((info["legal"], tuple(texts[id] for id in sorted(texts))))
        act = choose(seen["action_mask"], rng)
        match.take_checked({seat: match.game.action_of(known.state, act)})
        env.step(act)
    assert [found for found, _ in reversed(told)] == [wanted for _, wanted in reversed(told)]


def test_compiled_rules_are_loaded_once_that_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(episodes, "_WORTH", 60)
    env, kinds = aec_env("kuhn", hands=4), []
    for seed in range(8):
        play_out(env, seed)
        kinds.append(type(env._episodes.now))
    assert kinds[0] is Episode
    assert kinds[-1] is BoardEpisode
    assert kinds == sorted(kinds, key=[Episode, BoardEpisode].index)


def test_games_that_the_compiled_rules_do_not_know_are_left_to_the_others() -> None:
    class Mine(Senet):
        """With other rules, maybe."""

    for game, encoding in ((Mine(), ""), (Race(), ""), (make("senet"), "board")):
        env = aec_env(game, encoding=encoding, flatten=False)
        env._episodes._played = 10**9
        play_out(env, 1)
        assert type(env._episodes.now) is Episode
    with pytest.raises(GameError, match="Senet has no compiled rules with this encoding"):
        find_board(make("senet"), Spaces(make("senet"), "board"))
    with pytest.raises(GameError, match="Senet has no compiled rules"):
        aec_env("senet", encoding="board", compiled="always").reset(seed=1)
