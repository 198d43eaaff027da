"""Agents as people wrote them for the original playground."""

from __future__ import annotations

import enum
import json
import urllib.request
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


class ArrayEncoder(json.JSONEncoder):
    """Writes arrays, and whatever has a ``to_json``; refuses all else, as the original's does."""

    def default(self, o: Any) -> Any:
        return o.tolist() if isinstance(o, np.ndarray) else o.to_json()


class Caller:
    """Asks a server for every move, in the words of the original's ``HttpAgent``."""

    def __init__(self, port: int = 8080, host: str = "localhost", timeout: float = 120) -> None:
        self._address, self._timeout = f"http://{host}:{port}", timeout

    def _post(self, path: str, **values: Any) -> Any:
        data = {name: json.dumps(value, cls=ArrayEncoder) for name, value in values.items()}
        request = urllib.request.Request(
            f"{self._address}/{path}",
            json.dumps(data).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=self._timeout) as answer:
            return json.load(answer)

    def init_agent(self, id: int, game_type: Any) -> None:
        self._post("init_agent", id=id, game_type=game_type)

    def act(self, obs: dict[str, Any], action_space: Any) -> Any:
        return self._post("action", obs=obs, action_space=action_space)["action"]

    def episode_end(self, reward: float) -> None:
        self._post("episode_end", reward=reward)


class Needy(Bold):
    """Can't be made without a name."""

    def __init__(self, name: str) -> None:
        self.name = name


class DockerAgent(Bold):
    """Of a name that stands for a container."""


SETTINGS = {"no": "class"}
