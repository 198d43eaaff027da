"""The rulebooks and agents of a tournament in one worker, created on demand and cached."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from boardgames_cli import __version__
from boardgames_cli.agents.remote.seating import seat_agent
from boardgames_cli.core.agent import UNLIMITED, Agent, Budget, RunsElsewhere
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.registry import make
from boardgames_cli.tournament.config import TournamentConfig
from boardgames_cli.tournament.contender import Contender, seat
from boardgames_cli.tournament.schedule import Pairing

_MOST_TABLES: Final = 10_000


class VersionError(GameError):
    """A worker runs another version of this program."""


@dataclass(frozen=True)
class Job:
    """What the games of a tournament have in common."""

    game: str
    option_sets: tuple[Mapping[str, Any], ...]
    agents: tuple[str, ...]
    """The specification of every entrant."""
    seed: int
    max_plies: int | None
    budget: Budget
    records: bool
    key: str
    """Identifies the job among others in the same worker."""
    version: str = __version__

    @classmethod
    def of(cls, config: TournamentConfig) -> Job:
        """The job of a tournament."""
        return cls(
            config.game,
            config.option_sets,
            tuple(entrant.agent for entrant in config.entrants),
            config.seed,
            config.max_plies,
            Budget(config.think),
            config.records,
            config.text(),
        )


class Tables(NamedTuple):
    """The seated agents of a pairing: one table for each game of a deal."""

    game: AnyGame
    agents: tuple[tuple[Agent[Any, Any], ...], ...]
    """For each table the agent on every seat."""
    contenders: tuple[tuple[Contender, ...], ...]
    """The same agents, timed and with stand-ins."""
    is_trusted: bool
    """Whether there is no time limit, and all agents come with this program."""


class Players:
    """Creates and caches the players of a job.

    Args:
        job: The job.

    Raises:
        GameError: The game can't be created here.
    """

    def __init__(self, job: Job) -> None:
        self.job = job
        self._games = tuple(make(job.game, **options) for options in job.option_sets)
        self._contenders: dict[tuple[int, int, int], Contender] = {}
        self._tables: dict[Pairing, Tables] = {}
        _ALL.add(self)

    def tables(self, pairing: Pairing) -> Tables:
        """Seat a pairing.

        Raises:
            GameError: An agent can't be created here.
        """
        tables = self._tables.get(pairing)
        if tables is None:
            if len(self._tables) >= _MOST_TABLES:
                self._tables.clear()
            tables = self._tables[pairing] = self._seat(pairing)
        return tables

    def close(self) -> None:
        """Close agents in other processes. Thread-safe."""
        for contender in list(self._contenders.values()):
            contender.close()
        self._contenders.clear()
        self._tables.clear()

    def _seat(self, pairing: Pairing) -> Tables:
        contenders = tuple(
            tuple(self._contender(pairing.options, *sitting) for sitting in enumerate(seating))
            for seating in pairing.seatings
        )
        agents = tuple(tuple(one.agent for one in seated) for seated in contenders)
        is_trusted = self.job.budget == UNLIMITED and not any(
            isinstance(agent, RunsElsewhere) for seated in agents for agent in seated
        )
        return Tables(self._games[pairing.options], agents, contenders, is_trusted)

    def _contender(self, options: int, place: int, entrant: int) -> Contender:
        # One per seat: an entrant may have several seats, with different knowledge.
        key = (options, entrant, place)
        contender = self._contenders.get(key)
        if contender is None:
            text = self.job.agents[entrant]
            game, seconds = self._games[options], self.job.budget.seconds
            agent = seat_agent(text, game, self.job.seed, place, seconds)
            contender = self._contenders[key] = seat(agent, text)
        return contender


_ALL: weakref.WeakSet[Players] = weakref.WeakSet()
_HERE = threading.local()


def players_of(job: Job) -> Players:
    """The players of a job in this thread; those of an earlier job are closed.

    Raises:
        VersionError: The job comes from another version of this program.
        GameError: The game can't be created here.
    """
    players: Players | None = getattr(_HERE, "players", None)
    if players is None or players.job.key != job.key:
        if job.version != __version__:
            raise VersionError(
                f"a worker runs boardgames {__version__}, this program is {job.version}.",
                "Install the same version on all machines.",
            )
        release_players()
        players = _HERE.players = Players(job)
    return players


def release_players() -> None:
    """Close the agents of this thread's players."""
    players: Players | None = getattr(_HERE, "players", None)
    if players is not None:
        players.close()
        _HERE.players = None


def release_all() -> None:
    """Close the agents of all threads' players."""
    for players in list(_ALL):
        players.close()
