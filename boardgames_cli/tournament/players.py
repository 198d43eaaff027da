"""The rulebooks and agents of a tournament in one worker, created on demand and cached."""

from __future__ import annotations

import json
import threading
import time
import weakref
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple, NoReturn

from boardgames_cli import __version__
from boardgames_cli.agents.remote.seating import close, prepare, seat_agent
from boardgames_cli.core.agent import (
    GRACE_SECONDS,
    UNLIMITED,
    Agent,
    Budget,
    RunsElsewhere,
    Thinking,
    comes_with_program,
)
from boardgames_cli.core.clock import TimeControl, read_time_control
from boardgames_cli.core.errors import AgentError, GameError
from boardgames_cli.core.game import AnyGame, Observation, PassesTime, Seat
from boardgames_cli.core.match import ask, brief
from boardgames_cli.registry import make
from boardgames_cli.tournament.schedule import Pairing
from boardgames_cli.tournament.tournament_config import Entrant, TournamentConfig

PATIENCE_SECONDS: Final = 60.0
"""The time limit of agents in their own processes if the tournament has none, so that hanging ones
are killed."""

_NO_CLOCK: Final = TimeControl()


class Contender(Agent[Any, Any]):
    """Times an agent's decisions; one that fails, or is far too late, forfeits the game."""

    decisions: int
    seconds: float
    failures: int
    late: int

    def __init__(self, agent: Agent[Any, Any], name: str, control: TimeControl = _NO_CLOCK) -> None:
        self._control = control
        self.agent = agent
        self.has_forfeited = False
        self._name = name
        self._is_elsewhere = isinstance(agent, RunsElsewhere)
        self._is_waited_for = comes_with_program(agent) and not control
        self._game: AnyGame | None = None
        self._seat: Seat = 0
        self._is_lost = False
        self.begin()

    def begin(self) -> None:
        """Reset the counters for a new game."""
        self.decisions = self.failures = self.late = 0
        self.seconds = self._taken = 0.0
        self._left = self._control.base
        self.has_forfeited = False

    def reset(self, game: AnyGame, seat: Seat) -> None:
        self._game, self._seat, self._is_lost = game, seat, False
        self._brief(game)

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        """The agent's action, or the null action if it is late; the only legal one is no decision.

        Raises:
            AgentError: It failed or was far too late, and forfeits.
        """
        if len(seen.legal) == 1:
            return seen.legal[0]
        if self.decisions:
            self._left = max(0.0, self._left) + self._control.increment
        self.decisions += 1
        if self._is_elsewhere and thinking.budget.seconds is None:
            thinking.cancelled = lambda: thinking.elapsed > PATIENCE_SECONDS
        try:
            action = self._answer(seen, thinking)
        except GameError:
            self.late += self._is_late(thinking, GRACE_SECONDS)
            self._forfeit()
        if self._is_late(thinking):
            self.late += 1
            if self._is_waited_for:
                return action
            if self._is_late(thinking, GRACE_SECONDS):
                self._forfeit()
            instead = self._default(seen)
            return action if instead is None else instead
        return action

    def _answer(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        """The agent's answer, for which it has no more time than its clock shows."""
        budget = thinking.budget
        if self._control:
            usual = self._left if budget.seconds is None else budget.seconds
            thinking.budget = replace(budget, seconds=min(self._left, usual))
        started = time.perf_counter()
        try:
            if self._is_lost:
                raise AgentError(f'agent "{self._name}" can\'t begin the game.')
            return ask(self.agent, seen, thinking, self._name)
        finally:
            self._taken = time.perf_counter() - started
            self.seconds += self._taken
            self._left -= self._taken
            thinking.budget = budget

    def close(self) -> None:
        """Close the agent, if it runs in another process."""
        if isinstance(self.agent, RunsElsewhere):
            self.agent.close()

    def _brief(self, game: AnyGame | None, *seen: Observation[Any, Any]) -> None:
        try:
            brief(self.agent, game, self._seat, seen, self._name)
        except GameError:
            self._is_lost = True

    def _is_late(self, thinking: Thinking, grace: float = 0.0) -> bool:
        limit = thinking.budget.seconds
        if self._control and self._left < 0:
            return True
        return limit is not None and self._taken > limit + grace

    def _default(self, seen: Observation[Any, Any]) -> Any:
        game = self._game
        return game.default_action(seen.state, self._seat) if isinstance(game, PassesTime) else None

    def _forfeit(self) -> NoReturn:
        self.failures += 1
        self.has_forfeited = True
        raise AgentError(f'agent "{self._name}" forfeits the game.')


class WatchingContender(Contender):
    """The same for an agent that watches every step."""

    def watch(self, seen: Observation[Any, Any]) -> None:
        if not self._is_lost:
            self._brief(None, seen)


def seat(agent: Agent[Any, Any], name: str, control: TimeControl = _NO_CLOCK) -> Contender:
    """Wrap an agent for a tournament."""
    watches = type(agent).watch is not Agent.watch
    return (WatchingContender if watches else Contender)(agent, name, control)


class Tables(NamedTuple):
    """The seated agents of a pairing: one table for each game of a game set."""

    game: AnyGame
    agents: tuple[tuple[Agent[Any, Any], ...], ...]
    """For each table the agent on every seat."""
    contenders: tuple[tuple[Contender, ...], ...]
    """The same agents, timed and with stand-ins."""
    is_trusted: bool
    """Whether there is no time limit, and all agents come with this program."""


class Players:
    """Creates and caches the players of a tournament.

    Raises:
        GameError: The game can't be created here.
    """

    def __init__(self, config: TournamentConfig) -> None:
        self.config = config
        self.budget = Budget(config.think)
        self._control = read_time_control(config.clock) if config.clock else _NO_CLOCK
        self._games = tuple(make(config.game, **options) for options in config.option_sets)
        self._contenders: dict[tuple[int, int, int], Contender] = {}
        self._starts: dict[tuple[AnyGame, int], Any] = {}
        _ALL.add(self)

    def tables(self, pairing: Pairing) -> Tables:
        """Seat a pairing.

        Raises:
            GameError: An agent can't be created here.
        """
        contenders = tuple(
            tuple(self._contender(pairing.options, *sitting) for sitting in enumerate(seating))
            for seating in pairing.seatings
        )
        agents = tuple(tuple(one.agent for one in seated) for seated in contenders)
        is_trusted = (
            self.budget == UNLIMITED
            and not self._control
            and not any(isinstance(agent, RunsElsewhere) for seated in agents for agent in seated)
        )
        return Tables(self._games[pairing.options], agents, contenders, is_trusted)

    def start(self, game: AnyGame, turn: int) -> Any:
        """The position from which a pairing's deal starts; None for the game's own start."""
        positions = self.config.positions
        if not positions:
            return None
        key = game, turn % len(positions)
        if key not in self._starts:
            self._starts[key] = game.from_json(json.loads(positions[key[1]]))
        return self._starts[key]

    def close(self) -> None:
        for contender in list(self._contenders.values()):
            contender.close()
        self._contenders.clear()

    def _contender(self, options: int, place: int, entrant: int) -> Contender:
        # One per seat: an entrant may have several seats, with different knowledge.
        key = (options, entrant, place)
        contender = self._contenders.get(key)
        if contender is None:
            text = self.config.entrants[entrant].agent
            game = self._games[options]
            agent = seat_agent(text, game, self.config.seed, place, self.config.think)
            contender = self._contenders[key] = seat(agent, text, self._control)
        return contender


_ALL: weakref.WeakSet[Players] = weakref.WeakSet()
_HERE = threading.local()


def players_of(config: TournamentConfig, version: str) -> Players:
    """The players of a tournament in this thread; those of an earlier one are closed.

    Raises:
        GameError: The game can't be created here, or another version of this program asks.
    """
    if version != __version__:
        raise GameError(
            f"a worker runs boardgames {__version__}, this program is {version}.",
            "Install the same version on all machines.",
        )
    players: Players | None = getattr(_HERE, "players", None)
    if players is None or players.config != config:
        release_players()
        players = _HERE.players = Players(config)
    return players


def release_players() -> None:
    """Close the agents of this thread's players; other threads may be playing."""
    players: Players | None = getattr(_HERE, "players", None)
    if players is not None:
        players.close()
        _HERE.players = None


def release_all() -> None:
    """Close the agents of all threads' players."""
    for players in list(_ALL):
        players.close()


def name_entrants(agents: Iterable[str]) -> tuple[Entrant, ...]:
    """Make entrants from specifications; repeated ones are numbered."""
    agents = list(agents)
    times = Counter(agents)
    seen: Counter[str] = Counter()
    found = []
    for agent in agents:
        seen[agent] += 1
        name = f"{agent} #{seen[agent]}" if times[agent] > 1 else agent
        found.append(Entrant(name, agent))
    return tuple(found)


def check_entrants(entrants: Sequence[Entrant], games: Sequence[AnyGame], seed: int) -> None:
    """Create every agent for every rulebook once, to find problems before the start.

    Raises:
        GameError: An agent is unknown, can't be started, or can't play.
    """
    made = []
    try:
        for agent in dict.fromkeys(entrant.agent for entrant in entrants):
            made += [seat_agent(agent, game, seed) for game in games]
        prepare(made)
    finally:
        close(made)
