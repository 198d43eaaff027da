"""Schedules: every deal is played from all seats, so that luck and the first move cancel.

A *side* is a team, or a seat in games without teams. An entrant plays all seats of its side. In
each game of a deal the line-up rotates by one side, with the same seed.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.tournament.tournament_config import (
    GAUNTLET,
    ONE_AGAINST_MANY,
    ROUND_ROBIN,
    TABLES,
    TournamentConfig,
)

_SEED_BYTES: Final = 6
"""Seeds are below 2**48, which all JSON parsers can represent."""


class Pairing(NamedTuple):
    """A line-up, and its seatings in the games of one deal."""

    lineup: tuple[int, ...]
    """The indices of the entrants that meet: two, or one for each side."""
    options: int
    seatings: tuple[tuple[int, ...], ...]
    """For each game of a deal the entrant on every seat."""


class GameSet(NamedTuple):
    """Games with the same seed, one for each seating of a pairing."""

    number: int
    seed: int
    pairing: Pairing
    turn: int = 0
    """How many deals of the same pairing come before it, which chooses its position."""


class Schedule:
    """All pairings of a tournament, which are independent of results.

    Raises:
        GameError: There are fewer entrants than this needs.
    """

    def __init__(self, config: TournamentConfig, games: Sequence[AnyGame]) -> None:
        self.config = config
        self.games = games
        least = 2
        if config.schedule == TABLES:
            least = max([least, *(len(game.teams) for game in games)])
        if len(config.entrants) < least:
            raise GameError(
                f"{config.schedule} needs {least} entrants; there are {len(config.entrants)}.",
                "Name each with -s, or choose another --format.",
            )

    def pairings(self) -> list[Pairing]:
        return _PAIRINGS[self.config.schedule](self.config, self.games)

    def deals(self) -> Iterator[GameSet]:
        """All deals: first one of every pairing, then the second of every pairing."""
        number, pairings = itertools.count(), self.pairings()
        wanted = [self.deals_of(pairing) for pairing in pairings]
        for turn in range(max(wanted, default=0)):
            for pairing, most in zip(pairings, wanted, strict=True):
                if turn < most:
                    deal = next(number)
                    yield GameSet(deal, seed_of(self.config.seed, deal), pairing, turn)

    def deals_of(self, pairing: Pairing) -> int:
        """The number of deals of a pairing, enough for the requested games."""
        return math.ceil(self.config.games / len(pairing.seatings))

    def total(self) -> int:
        return sum(self.deals_of(pairing) * len(pairing.seatings) for pairing in self.pairings())


def _pair(first: int, second: int, games: Sequence[AnyGame]) -> list[Pairing]:
    found = []
    for options, game in enumerate(games):
        # With more than two sides they alternate, and are exchanged.
        sides = len(game.teams)
        lineup = tuple(itertools.islice(itertools.cycle((first, second)), sides))
        other = tuple(first + second - entrant for entrant in lineup)
        seatings = dict.fromkeys([*rotations(lineup, game), *rotations(other, game)])
        found.append(Pairing((first, second), options, tuple(seatings)))
    return found


def rotations(lineup: Sequence[int], game: AnyGame) -> Iterator[tuple[int, ...]]:
    """The seatings of a line-up, rotated by one side each time."""
    teams = game.teams
    for turn in range(len(teams)):
        seats: dict[Seat, int] = {}
        for side, team in enumerate(teams):
            for seat in team:
                seats[seat] = lineup[(side + turn) % len(teams)]
        yield tuple(seats[seat] for seat in range(game.seats))


def seed_of(seed: int, deal: int) -> int:
    """The seed of a deal's games; tournaments with different seeds share no deals."""
    digest = hashlib.blake2b(b"%d deal %d" % (seed, deal), digest_size=_SEED_BYTES)
    return int.from_bytes(digest.digest(), "big")


def usual_schedule(games: Sequence[AnyGame], entrants: int) -> str:
    """The default schedule, one of `config.SCHEDULES`."""
    sides = [len(game.teams) for game in games]
    return TABLES if min(sides) > 2 and entrants >= max(sides) else ROUND_ROBIN


def _round_robin(config: TournamentConfig, games: Sequence[AnyGame]) -> list[Pairing]:
    pairs = itertools.combinations(range(len(config.entrants)), 2)
    return [pairing for pair in pairs for pairing in _pair(*pair, games)]


def _gauntlet(config: TournamentConfig, games: Sequence[AnyGame]) -> list[Pairing]:
    others = range(1, len(config.entrants))
    return [pairing for other in others for pairing in _pair(0, other, games)]


def _one_against_many(config: TournamentConfig, games: Sequence[AnyGame]) -> list[Pairing]:
    return [
        Pairing((0, other), options, tuple(rotations((0, *[other] * (len(game.teams) - 1)), game)))
        for other in range(1, len(config.entrants))
        for options, game in enumerate(games)
    ]


def _mixed_tables(config: TournamentConfig, games: Sequence[AnyGame]) -> list[Pairing]:
    return [
        Pairing(lineup, options, tuple(rotations(lineup, game)))
        for options, game in enumerate(games)
        for lineup in itertools.combinations(range(len(config.entrants)), len(game.teams))
    ]


_PAIRINGS: Final = {
    ROUND_ROBIN: _round_robin,
    GAUNTLET: _gauntlet,
    ONE_AGAINST_MANY: _one_against_many,
    TABLES: _mixed_tables,
}
