from __future__ import annotations

from collections.abc import Iterator

import pytest

from boardgames_cli import registry
from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.core.spec import AgentSpec
from boardgames_cli.tui import keys
from tests.foreign import POISON
from tests.tui.tables import Hanging, Time

GAMES = {
    "senet": "boardgames_cli.games.senet:GAME",
    "race": "tests.toys:RACE",
    "cards": "tests.tui.tables:CARDS",
    "pennies": "tests.tui.tables:PENNIES",
}


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Games and agents that don't change when the program grows."""
    # Another dictionary: one put together again would list the games in another order.
    monkeypatch.setattr(registry, "BUILT_IN_GAMES", dict(GAMES))
    odd = tuple(
        AgentSpec(name.lower(), f"tests.tui.tables:{name}", f"odd {POISON}")
        for name in ("Failing", "Hanging", "Poisonous", "Slow")
    )
    monkeypatch.setattr(registry, "BUILT_IN_AGENTS", (*registry.BUILT_IN_AGENTS, *odd))
    registry._general_agents.cache_clear()
    analyst_for.cache_clear()
    monkeypatch.delenv("NO_COLOR", raising=False)
    yield
    Hanging.let_go.set()
    Hanging.let_go = type(Hanging.let_go)()
    registry._general_agents.cache_clear()
    analyst_for.cache_clear()


@pytest.fixture
def more_games(few_games: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other games of the program, behind those few."""
    for game in ("pommerman", "kuhn", "tapnswap", "deepsea"):
        monkeypatch.setitem(registry.BUILT_IN_GAMES, game, f"boardgames_cli.games.{game}:GAME")


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    """The clock of whoever waits for keys to rest."""
    clock = Time()
    monkeypatch.setattr(keys, "time", clock)
    return clock
