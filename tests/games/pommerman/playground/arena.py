"""An engine and agents as the original playground has them, in words of our own.

The engine deals out the original's observations and calls its agents as the original does; what
happens on the board is left to our rules, which other tests hold to recorded games of the original.
"""

from __future__ import annotations

import enum
import types
from collections.abc import Sequence
from typing import Any

from boardgames_cli.core.match import Match
from boardgames_cli.games.pommerman.actions import Move
from boardgames_cli.games.pommerman.encode import PlaygroundEncoder
from boardgames_cli.games.pommerman.playground import GAME_TYPES, as_original
from boardgames_cli.games.pommerman.rules import Pommerman


class Character:
    """What the original's engine keeps about an agent, inside the agent itself."""

    def __init__(self, agent_id: int, game_type: Any) -> None:
        self.agent_id, self.game_type = agent_id, game_type


class BaseAgent:
    """The base of all agents there: it passes on what it does not know to its character."""

    def __init__(self, character: Any = Character) -> None:
        self._character = character

    def __getattr__(self, name: str) -> Any:
        return getattr(self._character, name)

    def act(self, obs: Any, action_space: Any) -> Any:
        raise NotImplementedError

    def episode_end(self, reward: float) -> None:
        pass

    def init_agent(self, id: int, game_type: Any) -> None:
        self._character = self._character(id, game_type)

    @staticmethod
    def has_user_input() -> bool:
        return False


class GameType(enum.Enum):
    FFA, Team, TeamRadio, OneVsOne = 1, 2, 3, 4


class Item(enum.Enum):
    Passage, Rigid, Wood, Bomb, Flames, Fog, ExtraBomb, IncrRange, Kick, AgentDummy = range(10)
    Agent0, Agent1, Agent2, Agent3 = range(10, 14)


def modules() -> dict[str, types.ModuleType]:
    """The modules of the original that agents import."""
    agents, constants = (types.ModuleType(f"pommerman.{name}") for name in ("agents", "constants"))
    agents.BaseAgent = BaseAgent  # type: ignore[attr-defined]
    constants.GameType, constants.Item = GameType, Item  # type: ignore[attr-defined]
    return {module.__name__: module for module in (agents, constants)}


def run(
    game: Pommerman, agents: Sequence[Any], seed: int, most: int = 10_000, is_first: bool = True
) -> Any:
    """Play a game among agents of the original's kind, and give the match.

    A game that is left after so many steps is not announced as over.
    """
    match: Any = Match(game, seed=seed, max_plies=most)
    match.resolve_chance()
    encoder = PlaygroundEncoder(game)
    for seat, agent in enumerate(agents if is_first else ()):
        agent.init_agent(seat, GameType(GAME_TYPES[game.mode]))
    while waiting := match.waiting_for:
        joint = {}
        for seat in waiting:
            answer = agents[seat].act(as_original(encoder, match.observe(seat)), None)
            code, *words = answer if isinstance(answer, list) else [answer, 0, 0]
            joint[seat] = Move(code, tuple(words))
        match.take_checked(joint)
    for seat, agent in enumerate(agents if match.is_over else ()):
        agent.episode_end(match.returns[seat])
    return match
