"""Agents as people wrote them for the original playground."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np


class Action(enum.Enum):
    Stop, Up, Down, Left, Right, Bomb = range(6)


class Drawing:
    """Draws any action, and keeps a diary."""

    def __init__(self) -> None:
        self.diary: list[Any] = []

    def init_agent(self, id: int, game_type: Any) -> None:
        self.diary.append(("init", id, game_type))

    def act(self, obs: dict[str, Any], action_space: Any) -> Any:
        self.diary.append(obs)
        return action_space.sample()

    def episode_end(self, reward: float) -> None:
        self.diary.append(("end", reward))


class Bold:
    """Lays bombs wherever it is; has nothing but the one method that every agent must have."""

    def act(self, obs: dict[str, Any], action_space: Any) -> Any:
        return Action.Bomb if obs["ammo"] else np.int64(action_space.n - 6)


class Teller(Bold):
    """Says the words 3 and 7."""

    def act(self, obs: dict[str, Any], action_space: Any) -> Any:
        return [4, 3, 7]


class Broken:
    def act(self, obs: dict[str, Any], action_space: Any) -> Any:
        raise RuntimeError("out of ideas")


class Mute:
    """No agent at all."""


SETTINGS = {"no": "class"}
