"""Agents that fail in ways of their own; tests register them as agents of this program."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import pytest

from boardgames_cli import registry
from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.game import Observation
from boardgames_cli.core.options import option
from boardgames_cli.core.spec import AgentSpec


@dataclass
class Faulty(Agent[Any, Any]):
    """Takes the first action, but fails or is late at some plies."""

    every: int = option(5, "fails where the ply is a multiple of this", low=1)
    way: str = option("error", "how", choices=("error", "illegal", "late", "tired"))
    asked: int = field(init=False, default=0)

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        self.asked += 1
        if self.way == "tired" and self.asked == self.every:
            raise ValueError("out of ideas")
        if self.way == "tired" or seen.ply % self.every:
            return seen.legal[0]
        if self.way == "error":
            raise ValueError("out of ideas")
        if self.way == "late":
            time.sleep(0.02)
        return "nonsense" if self.way == "illegal" else seen.legal[0]


@dataclass
class Witness(Agent[Any, Any]):
    """Fails once in a while, and checks that it has seen everything whenever it is asked."""

    plies: list[int] = field(init=False, default_factory=list)

    def reset(self, game: Any, seat: int) -> None:
        self.plies = []

    def watch(self, seen: Observation[Any, Any]) -> None:
        self.plies.append(seen.ply)

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        if self.plies != list(range(seen.ply + 1)):
            return "I missed something"
        if thinking.rng.random() < 0.2:
            raise ValueError("out of ideas")
        return seen.legal[-1]


def register(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = (
        AgentSpec("faulty", "tests.tournament.agents:Faulty", "fails"),
        AgentSpec("witness", "tests.tournament.agents:Witness", "watches"),
    )
    monkeypatch.setattr(registry, "BUILT_IN_AGENTS", (*registry.BUILT_IN_AGENTS, *ours))
