"""Wraps agents for tournaments: timed, with stand-ins for failures."""

from __future__ import annotations

import random
import time
from typing import Any, Final

from boardgames_cli.core.agent import GRACE_SECONDS, Agent, RunsElsewhere, Thinking
from boardgames_cli.core.errors import AgentError, GameError
from boardgames_cli.core.game import AnyGame, Observation, Seat
from boardgames_cli.core.play import ask, brief

PATIENCE_SECONDS: Final = 60.0
"""The time limit of agents in their own processes if the tournament has none, so that hanging ones
are killed."""

_MOST_FAILURES: Final = 3
"""After this many failures in a game an agent is not asked again in it."""


class Contender(Agent[Any, Any]):
    """Times an agent's decisions, and plays a legal action for it if it fails.

    Args:
        agent: The agent.
        name: Its name in messages.
    """

    decisions: int
    seconds: float
    failures: int
    late: int

    def __init__(self, agent: Agent[Any, Any], name: str) -> None:
        self.agent = agent
        """The agent."""
        self._name = name
        self._is_elsewhere = isinstance(agent, RunsElsewhere)
        self._game: AnyGame | None = None
        self._seat: Seat = 0
        self._seed = 0
        self._is_lost = False
        self.begin(0)

    def begin(self, seed: int) -> None:
        """Reset the counters for a new game.

        Args:
            seed: The game's seed, for stand-ins.
        """
        self._seed = seed
        self.decisions = self.failures = self.late = 0
        self.seconds = 0.0

    def reset(self, game: AnyGame, seat: Seat) -> None:
        """Let the agent begin a game."""
        self._game, self._seat, self._is_lost = game, seat, False
        self._brief(game)

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        """The agent's action, or a stand-in's."""
        self.decisions += 1
        if self._is_elsewhere and thinking.budget.seconds is None:
            thinking.cancelled = lambda: thinking.elapsed > PATIENCE_SECONDS
        started = time.perf_counter()
        try:
            if self._is_lost:
                self._restart_and_replay()
            action = ask(self.agent, seen, thinking, self._name)
        except GameError:
            taken = time.perf_counter() - started
            self.seconds += taken
            self._is_lost = True
            return self._stand_in(seen, is_late=self._is_late(thinking, taken, GRACE_SECONDS))
        taken = time.perf_counter() - started
        self.seconds += taken
        if thinking.budget.seconds is not None and self._is_late(thinking, taken, 0.0):
            if self._lets_time_pass(seen) or self._is_late(thinking, taken, GRACE_SECONDS):
                return self._stand_in(seen, is_late=True)
            self.late += 1
        return action

    def close(self) -> None:
        """Close the agent, if it runs in another process."""
        if isinstance(self.agent, RunsElsewhere):
            self.agent.close()

    def _restart_and_replay(self) -> None:
        """Reset the agent and replay the game to it after a failure.

        Raises:
            AgentError: It fails again, or has failed too often.
        """
        if self.failures >= _MOST_FAILURES:
            raise AgentError(f'agent "{self._name}" has failed {_MOST_FAILURES} times.')
        self._is_lost = False
        self._brief(self._game)
        if self._is_lost:
            raise AgentError(f'agent "{self._name}" can\'t begin the game.')

    def _brief(self, game: AnyGame | None, *seen: Observation[Any, Any]) -> None:
        try:
            brief(self.agent, game, self._seat, seen, self._name)
        except GameError:
            self._is_lost = True

    def _is_late(self, thinking: Thinking, taken: float, grace: float) -> bool:
        limit = thinking.budget.seconds
        return limit is not None and taken > limit + grace

    def _lets_time_pass(self, seen: Observation[Any, Any]) -> bool:
        return self._default(seen) is not None

    def _default(self, seen: Observation[Any, Any]) -> Any:
        return None if self._game is None else self._game.default_action(seen.state, self._seat)

    def _stand_in(self, seen: Observation[Any, Any], is_late: bool) -> Any:
        if is_late:
            self.late += 1
        else:
            self.failures += 1
        action = self._default(seen)
        if action is not None:
            return action
        # Not the agent's own generator, whose state may depend on the clock.
        return random.Random(f"{self._seed} {self._seat} {seen.ply}").choice(seen.legal)


class WatchingContender(Contender):
    """The same for an agent that watches every step."""

    def begin(self, seed: int) -> None:
        """Reset for a new game."""
        super().begin(seed)
        self._seen: list[Observation[Any, Any]] = []

    def watch(self, seen: Observation[Any, Any]) -> None:
        """Pass the observation to the agent."""
        self._seen.append(seen)
        if not self._is_lost:
            self._brief(None, seen)

    def _restart_and_replay(self) -> None:
        super()._restart_and_replay()
        self._brief(None, *self._seen)
        if self._is_lost:
            raise AgentError(f'agent "{self._name}" can\'t watch the game.')


def seat(agent: Agent[Any, Any], name: str) -> Contender:
    """Wrap an agent for a tournament."""
    watches = type(agent).watch is not Agent.watch
    return WatchingContender(agent, name) if watches else Contender(agent, name)
