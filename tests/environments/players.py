"""Random play through environments."""

from __future__ import annotations

import random
from typing import Any

import numpy as np


def choose(mask: Any, rng: random.Random) -> int:
    """Any action that a mask allows."""
    return int(rng.choice(np.flatnonzero(mask)))


def acts(env: Any, action: Any) -> Any:
    """Let one agent do something, the others nothing in particular."""
    if hasattr(env, "agent_selection") or hasattr(env, "action_masks"):
        return env.step(action)
    return env.step(dict.fromkeys(env.agents or env.possible_agents, 0) | {"player_0": action})
