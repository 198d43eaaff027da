from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import gymnasium
import numpy as np
import pytest

from boardgames_cli import Match, gymnasium_env, make, make_agent, play
from boardgames_cli.agents.random import RandomAgent
from boardgames_cli.core.agent import Agent
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.environments import gymnasium_id, register_all
from boardgames_cli.registry import game_ids
from tests.environments.players import choose
from tests.toys import Pennies


def play_out(env: Any, seed: int, rng: random.Random) -> tuple[float, list[int]]:
    """Play an episode at random; what it paid, and the actions."""
    _, info = env.reset(seed=seed)
    paid, actions = 0.0, []
    is_over = False
    while not is_over:
        assert np.array_equal(env.action_masks(), info["action_mask"])
        assert len(info["legal"]) == info["action_mask"].sum() > 0
        actions.append(choose(info["action_mask"], rng))
        seen, reward, is_terminated, is_truncated, info = env.step(actions[-1])
        assert seen in env.observation_space
        paid += reward
        is_over = is_terminated or is_truncated
    return paid, actions


@dataclass
class Told(Agent[Any, Any]):
    """Does what it was told, by ids."""

    ids: list[int]
    _game: Any = field(init=False, default=None)

    def reset(self, game: Any, seat: int) -> None:
        self._game = game

    def act(self, seen: Any, thinking: Any) -> Any:
        wanted = self.ids.pop(0)
        return next(a for a in seen.legal if self._game.action_id(seen.state, a) == wanted)


@pytest.mark.parametrize("game", game_ids())
@pytest.mark.parametrize("seat", [0, 1])
def test_it_is_the_match_that_the_same_agents_play(game: str, seat: int) -> None:
    env = gymnasium_env(game, seat=seat, opponents="easy")
    paid, actions = play_out(env, 7, random.Random(7))
    agents: list[Any] = [make_agent("easy", env.game) for _ in range(env.game.seats)]
    agents[seat] = Told(actions)
    assert play(Match(make(game), seed=7), agents)[seat] == paid


def test_the_seat_can_be_drawn() -> None:
    env = gymnasium_env("deepsea", seat="random", opponents=["random", "easy", "random"])
    seats = [env.reset(seed=seed)[1]["seat"] for seed in range(40)]
    assert set(seats) == {0, 1, 2, 3}
    assert seats == [env.reset(seed=seed)[1]["seat"] for seed in range(40)]


class Watcher(RandomAgent[Any, Any]):
    """Notes which plies it was shown."""

    def __init__(self) -> None:
        self.plies: list[int] = []

    def watch(self, seen: Any) -> None:
        assert seen.seat == 1
        self.plies.append(seen.ply)


def test_opponents_that_watch_see_every_step() -> None:
    here, there = Watcher(), Watcher()
    env = gymnasium_env("senet", opponents=[here])
    _, actions = play_out(env, 5, random.Random(5))
    match: AnyMatch = Match(env.game, seed=5)
    play(match, [Told(actions), there])
    assert here.plies == there.plies == list(range(match.ply + 1))


@pytest.mark.parametrize(("mode", "is_done_early"), [("ffa", True), ("team", False)])
def test_the_dead_are_done_unless_they_share_a_result(mode: str, is_done_early: bool) -> None:
    env = gymnasium_env("pommerman", mode=mode, opponents="random", render_mode="ansi")
    _, info = env.reset(seed=1)
    reward, is_terminated, acted = 0.0, False, 0
    while not is_terminated:
        _, reward, is_terminated, is_truncated, info = env.step(5)
        acted += 1
        assert not is_truncated
    assert not info["action_mask"].any()
    match: AnyMatch = Match(env.game, seed=1)
    agents = [Told([5] * acted), *(RandomAgent[Any, Any]() for _ in range(3))]
    play(match, agents)
    assert reward == match.returns[0]
    is_last = f"step {match.state.step} of 800" in str(env.render())
    assert is_last is not is_done_early


class Alone(Pennies):
    """Only the first seat acts, so that whoever sits second never does."""

    def to_act(self, state: Any) -> tuple[int, ...]:
        return (0,) if super().to_act(state) else ()

    def apply(self, state: Any, joint: Any) -> Any:
        return super().apply(state, {0: joint[0], 1: "heads"})


def test_a_seat_that_never_acts_is_no_environment() -> None:
    env = gymnasium_env(Alone(), seat=1, opponents=[RandomAgent()])
    with pytest.raises(GameError, match="was over before seat 1 could act"):
        env.reset(seed=1)


class Sometimes(Alone):
    """The second seat acts in every other game."""

    games = 0

    def initial_state(self) -> Any:
        type(self).games += 1
        return super().initial_state()

    def to_act(self, state: Any) -> tuple[int, ...]:
        seats = super().to_act(state)
        return (1,) if seats and self.games % 2 else seats

    def apply(self, state: Any, joint: Any) -> Any:
        return super().apply(state, {0: "heads", 1: "heads"} | dict(joint))


def test_a_game_that_is_over_before_the_seat_acts_does_not_count() -> None:
    env = gymnasium_env(Sometimes(), seat=1, opponents=[RandomAgent()])
    for _ in range(4):
        _, info = env.reset(seed=1)
        assert info["action_mask"].any()


def test_ids() -> None:
    assert gymnasium_id("senet") == "boardgames/Senet-v0"
    assert gymnasium_id("connect-four") == "boardgames/ConnectFour-v0"
    register_all()  # again: what is known is left alone
    assert gymnasium.make(gymnasium_id("kuhn")).get_wrapper_attr("seat") == 0


def test_a_spec_makes_the_same_again() -> None:
    env = gymnasium.make("boardgames/Senet-v0", rules="skyruk", opponents=["easy"], seat="random")
    assert env.spec is not None
    again = gymnasium.make(env.spec).unwrapped
    assert again.game == make("senet", rules="skyruk")  # type: ignore[attr-defined]
    gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json()).make()
