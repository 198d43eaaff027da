"""A game that agents in other processes begin, watch and play."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from boardgames_cli.core.agent import Budget, Thinking
from boardgames_cli.core.match import Match, brief
from boardgames_cli.registry import make

Seat = Callable[[Any], Any]
GAME = make("tapnswap")
SEEN = Match(GAME, seed=1).observe(0)
PATIENT = Budget(seconds=20.0)
SHORT = Budget(seconds=0.3)


def thinking(budget: Budget = PATIENT, cancelled: bool = False) -> Thinking:
    return Thinking(random.Random(1), budget, lambda: cancelled)


def take_part(agent: Any, budget: Budget = PATIENT) -> Any:
    """Let it begin a game, watch and act."""
    brief(agent, GAME, 0, [SEEN])
    return agent.act(SEEN, thinking(budget))
