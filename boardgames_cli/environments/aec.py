"""Any game as a PettingZoo AEC environment: agents act one after the other.

J. K. Terry et al., "PettingZoo: Gym for multi-agent reinforcement learning", 2021.
"""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv
from pettingzoo.utils.env import AECIterable

from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.environments.episode import Episode
from boardgames_cli.environments.episodes import AgentObservation, NamedSeats
from boardgames_cli.environments.rendering import HUMAN, Frame


class AecEnvironment(NamedSeats, AECEnv[str, AgentObservation, Any]):
    """A game as an AEC environment; agent ``player_N`` has seat N, counted from 0.

    An observation is a dictionary of ``observation``, an element of the encoder's space, and
    ``action_mask``, of shape [number of actions] and type int8: 1 at the ids of legal actions, all
    0 for agents that are not to act. The info of an agent to act has ``legal``, the notations of
    its legal actions in the order of their ids. A reward is the difference between two returns.

    In a joint step each seat is selected in turn, without seeing the choices of the others, and the
    step is taken after the last choice. Chance acts automatically. Methods raise `ResetNeededError`
    if no episode is running, and `ClosedError` once the environment is closed.

    Args:
        game: The id of a game, or a rulebook.
        **options: Options of the environment (`EnvironmentOptions`) and of the game.

    Raises:
        UnknownNameError: There is no such game, option or encoding.
        OptionError: An option has an invalid value.
    """

    def __init__(self, game: str | AnyGame, **options: Any) -> None:
        super().__init__(game, options)
        self.metadata["is_parallelizable"] = False
        self.rewards: dict[str, float] = {}
        self.terminations: dict[str, bool] = {}
        self.truncations: dict[str, bool] = {}
        self.infos: dict[str, dict[str, Any]] = {}
        self._cumulative_rewards: dict[str, float] = {}
        self._chosen: dict[Seat, Any] = {}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start an episode.

        Args:
            seed: The seed: the game is that of ``Match(game, seed=seed)``. Without it every episode
                differs; episodes after a seeded one derive from that seed.
            options: Ignored.
        """
        episode = self._episodes.begin(self._episodes.draw_seed(seed))
        agents = self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = self.rewards.copy()
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = self.terminations.copy()
        self.infos = {agent: {} for agent in agents}
        self._skip_agent_selection = None  # type: ignore[assignment]  # set by PettingZoo in the last episode
        self._chosen = {}
        self._select(episode)
        if self.render_mode == HUMAN:
            self.render()

    def step(self, action: Any) -> None:
        """Let the selected agent act; the action of an agent that is done is None.

        Args:
            action: The id of a legal action, of any integer type.

        Raises:
            InvalidActionError: The action is not an id, or illegal in an environment where that is
                an error. Nothing has changed.
            ValueError: An agent that is done got an action.
        """
        episode, agent = self._episodes.running(self.agents), self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat = self._episodes.seat_of(agent)
        chosen = episode.action(seat, action)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if chosen is None:
            self.infos[agent] = {"illegal": action}
        else:
            self.infos[agent] = {}
            self._chosen[seat] = chosen
            if len(self._chosen) < len(episode.acting):
                self._select(episode)
                return
            joint, self._chosen = self._chosen, {}
            episode.take(joint)
        self._pay(episode)
        self._select(episode)
        if self.render_mode == HUMAN:
            self.render()

    def _pay(self, episode: Episode) -> None:
        earned = episode.rewards()
        if any(earned):
            for agent in self.agents:
                reward = self.rewards[agent] = earned[self._episodes.seat_of(agent)]
                self._cumulative_rewards[agent] += reward
        if episode.is_truncated:
            self.truncations = dict.fromkeys(self.agents, True)
        elif not episode.acting:
            self.terminations = dict.fromkeys(self.agents, True)
        elif episode.may_be_settled:
            for agent in self.agents:
                self.terminations[agent] = episode.is_settled(self._episodes.seat_of(agent))

    def _select(self, episode: Episode) -> None:
        for seat in episode.acting:
            if seat not in self._chosen:
                agent = self.agent_selection = self.possible_agents[seat]
                self.infos[agent] = self._info(episode, seat)
                break
        if episode.may_be_settled and len(episode.acting) < len(self.agents) and not self._chosen:
            self._deads_step_first()

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[str, AgentObservation, Any]:
        """Iterate over the selected agents until all are done."""
        _ = self._episodes.now
        return super().agent_iter(max_iter)

    def last(
        self, observe: bool = True
    ) -> tuple[AgentObservation | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward, terminated, truncated and info of the next agent."""
        episode, agent = self._episodes.running(self.agents), self.agent_selection
        return (
            self._observation(episode, self._episodes.seat_of(agent)) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def render(self) -> Frame:
        """Draw the view of the selected agent, or once all are done, the public view.

        See `Episodes.draw`.
        """
        agent = self.agent_selection if self.agents else None
        return self._episodes.draw(None if agent is None else self._episodes.seat_of(agent))
