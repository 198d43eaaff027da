"""The examples as modules, and as programs that play."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

from boardgames_cli.agents.remote.program import ExternalAgent
from boardgames_cli.agents.remote.seating import released
from boardgames_cli.core.agent import Budget
from boardgames_cli.core.game import AnyGame
from boardgames_cli.testing import check_agent

FOLDER = Path(__file__).parents[2] / "examples"
AGENTS = FOLDER / "agents"


def check(command: str, game: AnyGame) -> None:
    """A program keeps the laws of agents, and says who it is."""
    with released(ExternalAgent(command)) as agent:
        check_agent(agent, game, range(1), max_plies=400, budget=Budget(5.0))
        assert agent.about["name"]


def load(name: str) -> ModuleType:
    """An example as a module, by its place in the folder."""
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
