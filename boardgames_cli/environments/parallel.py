"""A game in which seats move at once, as a PettingZoo parallel environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from pettingzoo import ParallelEnv

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame, Traits
from boardgames_cli.core.presentation.view import KeyedView
from boardgames_cli.environments.episode import Episode, InvalidActionError
from boardgames_cli.environments.episodes import AgentObservation, NamedSeats
from boardgames_cli.environments.rendering import HUMAN, Frame
from boardgames_cli.registry import spec_of

Observations: TypeAlias = "dict[str, AgentObservation]"
Infos: TypeAlias = "dict[str, dict[str, Any]]"


class ParallelEnvironment(NamedSeats, ParallelEnv[str, AgentObservation, Any]):
    """A game as a parallel environment; agent ``player_N`` has seat N, counted from 0.

    Observations, infos, rewards and arguments are those of `AecEnvironment`. An agent is done when
    its seat is settled. An agent that remains without being to act, such as a dead member of a
    team, has a mask of zeros, and its action is ignored and may be missing.

    Raises:
        GameError: With these options, seats move in turn; or as for `AecEnvironment`.
    """

    def __init__(self, game: str | AnyGame, **options: Any) -> None:
        super().__init__(game, options)
        if Traits.SIMULTANEOUS not in self.game.traits:
            raise GameError(
                f"{self.game.info.name} is not a parallel environment: "
                "its seats never move at once.",
                "Use aec_env, where agents act one after the other.",
            )

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, Infos]:
        """Start an episode, and return all observations and infos; see `AecEnvironment.reset`."""
        self._episodes.begin(self._episodes.draw_seed(seed))
        self.agents = [*self.possible_agents]
        return self._tell()

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[Observations, dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Let all agents act at once.

        Args:
            actions: The id of a legal action for every agent that is to act.

        Returns:
            Observations, rewards, terminations, truncations and infos of all agents that were in
            the game before the step.

        Raises:
            InvalidActionError: An action is missing, no id, or not legal, and the environment does
                not let it lose. Nothing has happened.
            UnknownNameError: There is no such agent.
        """
        episode = self._episodes.running(self.agents)
        seats = {agent: self._episodes.seat_of(agent) for agent in self.agents}
        illegal = self._act(episode, actions)
        earned, is_truncated = episode.rewards(), episode.is_truncated
        rewards = {agent: earned[seat] for agent, seat in seats.items()}
        truncations = dict.fromkeys(seats, is_truncated)
        terminations = {
            agent: not is_truncated and episode.is_settled(seat) for agent, seat in seats.items()
        }
        observations, infos = self._tell()
        for agent in illegal:
            infos[agent]["illegal"] = actions[agent]
        self.agents = [agent for agent in seats if not (is_truncated or terminations[agent])]
        return observations, rewards, terminations, truncations, infos

    def _act(self, episode: Episode, actions: Mapping[str, Any]) -> list[str]:
        for agent in actions:
            self._episodes.seat_of(agent)
        joint = {}
        for seat in episode.acting:
            agent = self.possible_agents[seat]
            if agent not in actions:
                raise InvalidActionError(
                    f"{agent} is to act, but no action was given for it.",
                    "Give one for every agent in env.agents.",
                )
            joint[seat] = episode.action(seat, actions[agent])
            if joint[seat] is None:
                return [agent]
        episode.take(joint)
        return []

    def _tell(self) -> tuple[Observations, Infos]:
        if self.render_mode == HUMAN:
            self.render()
        episode, agents = self._episodes.now, self.agents
        infos = {agent: self._info(episode, self._episodes.seat_of(agent)) for agent in agents}
        return {agent: self.observe(agent) for agent in agents}, infos

    def render(self) -> Frame:
        """Draw the public view. See `Episodes.draw`."""
        view = spec_of(self.game).make_view(self.game)
        seat = view.audience_viewpoint() if isinstance(view, KeyedView) else None
        return self._episodes.draw(seat)
