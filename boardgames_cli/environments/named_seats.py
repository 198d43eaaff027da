"""The common base of both PettingZoo environments: named agents with spaces."""

from __future__ import annotations

from typing import Any, TypeAlias

from gymnasium import spaces

from boardgames_cli.core.game import AnyGame
from boardgames_cli.environments.episodes import Episodes
from boardgames_cli.environments.rendering import RENDER_MODES

AgentObservation: TypeAlias = "dict[str, Any]"
"""``observation`` and ``action_mask``."""


class NamedSeats:
    """The seats of a game as agents ``player_N``, counted from 0.

    Args:
        game: The id of a game, or a rulebook.
        options: Options of the environment and of the game.

    Raises:
        UnknownNameError: There is no such game, option or encoding.
        OptionError: An option has an invalid value.
    """

    def __init__(self, game: str | AnyGame, options: dict[str, Any]) -> None:
        episodes = self._episodes = Episodes(game, options)
        self.game = episodes.game
        self.render_mode = episodes.render_mode
        self.metadata: dict[str, Any] = {
            "name": f"{self.game.info.id}_v0",
            "render_modes": list(RENDER_MODES),
            "render_fps": 4,
        }
        self.possible_agents = [*episodes.agents]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces: dict[str, spaces.Space[AgentObservation]] = {
            agent: episodes.spaces.masked() for agent in self._seats
        }
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            agent: episodes.spaces.actions() for agent in self._seats
        }
        self._returns: tuple[float, ...] = ()

    def observation_space(self, agent: str) -> spaces.Space[AgentObservation]:
        """The space of an agent's observations.

        Raises:
            UnknownNameError: There is no such agent.
        """
        self._episodes.seat_of(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's actions: their ids.

        Raises:
            UnknownNameError: There is no such agent.
        """
        self._episodes.seat_of(agent)
        return self.action_spaces[agent]

    def close(self) -> None:
        """End the episode; no new one can be started."""
        self._episodes.close()
