"""Our agents in an engine of the original's kind."""

from __future__ import annotations

import importlib
import random
import sys
from typing import Any

import pytest

from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.errors import GameError, UnknownNameError, install_command
from boardgames_cli.core.match import Match, brief
from boardgames_cli.games.pommerman.playground import RULES, Agent
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.registry import make_agent
from tests.games.pommerman.playground import arena


def at_our_table(game: Pommerman, luck: list[random.Random], seed: int, most: int) -> Any:
    """The same game, played by the same agents without any translation."""
    match: Any = Match(game, seed=seed, max_plies=most)
    match.resolve_chance()
    agents = [make_agent("simple", game) for _ in range(game.seats)]
    for seat, agent in enumerate(agents):
        brief(agent, game, seat, ())
    while waiting := match.waiting_for:
        match.take_checked({s: agents[s].act(match.observe(s), Thinking(luck[s])) for s in waiting})
    return match


def test_without_numpy_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "boardgames_cli.games.pommerman.playground"
    monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(GameError) as caught:
        importlib.import_module(name)
    assert install_command("numpy") in str(caught.value)


@pytest.mark.parametrize("mode", ["ffa", "team", "radio", "duel"])
def test_it_plays_there_as_at_our_table(mode: str) -> None:
    game = Pommerman(**RULES, mode=mode)
    agents = [Agent("simple", seed=seat) for seat in range(game.seats)]
    luck = [random.Random(seat) for seat in range(game.seats)]
    # Of the first game, which is not played to its end, the second must remember nothing.
    for seed, most in ((1, 30), (5, 150)):
        played = arena.run(game, agents, seed, most, is_first=seed == 1)
        wanted = at_our_table(game, luck, seed, most)
        assert played.ply > 20
        assert [step.joint for step in played.steps] == [step.joint for step in wanted.steps]
    assert not agents[0].has_user_input()
    agents[0].shutdown()


@pytest.mark.slow
def test_the_hard_one_beats_those_who_slip() -> None:
    game = Pommerman(**RULES, mode="duel")
    agents = [Agent("hard", seconds=30), Agent("simple:slips=0.5", seed=1)]
    wins = [arena.run(game, agents, seed=seed).returns[0] for seed in range(3)]
    assert wins.count(1.0) >= 2


def test_it_is_one_of_the_originals_agents_where_the_original_is_in_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert not isinstance(Agent("simple"), arena.BaseAgent)
    for name, module in arena.modules().items():
        monkeypatch.setitem(sys.modules, name, module)
    agents = [Agent("simple", seed=seat) for seat in range(2)]
    assert all(isinstance(agent, arena.BaseAgent | Agent) for agent in agents)
    assert isinstance(agents[0], arena.BaseAgent)
    assert isinstance(agents[0], Agent)
    arena.run(Pommerman(**RULES, mode="duel"), agents, seed=1, most=12)
    assert agents[1].agent_id == 1  # type: ignore[attr-defined]  # the engine's own data


def test_an_unknown_agent_is_refused_at_once() -> None:
    with pytest.raises(UnknownNameError, match='unknown agent "hrad"'):
        Agent("hrad")
