"""Random play through environments."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from boardgames_cli.environments.aec import AecEnvironment


def choose(mask: Any, rng: random.Random) -> int:
    """Any action that a mask allows."""
    return int(rng.choice(np.flatnonzero(mask)))


def play_out(env: AecEnvironment, seed: int) -> dict[str, float]:
    """Play an episode at random; what each agent was paid in all."""
    rng = random.Random(seed)
    env.reset(seed=seed)
    paid = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, is_terminated, is_truncated, _ = env.last()
        paid[agent] += reward
        is_done = is_terminated or is_truncated
        assert seen is not None
        env.step(None if is_done else choose(seen["action_mask"], rng))
    return paid
