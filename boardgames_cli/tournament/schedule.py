"""Schedules: every deal is played from all seats, so that luck and the first move cancel.

A *side* is a team, or a seat in games without teams. An entrant plays all seats of its side. In
each game of a deal the line-up rotates by one side, with the same seed.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import random
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.tournament.results import GameSetOutcome
from boardgames_cli.tournament.tournament_config import (
    GAUNTLET,
    ONE_AGAINST_MANY,
    ROUND_ROBIN,
    SWISS,
    TABLES,
    TournamentConfig,
)

_SEED_BYTES: Final = 6
"""Seeds are below 2**48, which all JSON parsers can represent."""

_BYE_POINTS: Final = 1.0
"""The points per game for an entrant with a bye."""

_MOST_TRIES: Final = 10_000


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
    """Pairings in one round, which are independent of results.

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

    def round(self, number: int, points: Sequence[float]) -> list[Pairing]:
        """The pairings of a round; empty after the last one.

        Rounds count from 0 and must be requested in order; points are those of each entrant so far.
        """
        return [] if number else _ONE_ROUND[self.config.schedule](self.config, self.games)

    def is_known(self) -> bool:
        """Whether the pairings are independent of results."""
        return True

    def deals(self, pairings: Sequence[Pairing], first: int) -> Iterator[GameSet]:
        """The deals of a round: first one of every pairing, then the second of every pairing."""
        number = itertools.count(first)
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
        """The total number of games."""
        return sum(self.games_of(pairing) for pairing in self.round(0, ()))

    def games_of(self, pairing: Pairing) -> int:
        """The number of games of a pairing."""
        return self.deals_of(pairing) * len(pairing.seatings)


def _pair(first: int, second: int, games: Sequence[AnyGame]) -> list[Pairing]:
    """Two entrants against each other, with every option set."""
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


def points_of(deal: GameSetOutcome) -> dict[int, float]:
    """The points of the entrants in a deal.

    In a game each seat gets the share of other entrants' seats that it beat, with half for ties. An
    entrant with several seats gets their mean.
    """
    won: dict[int, float] = {}
    for entrants, places in deal.games:
        for entrant in set(entrants):
            own = [place for one, place in zip(entrants, places, strict=True) if one == entrant]
            rest = [place for one, place in zip(entrants, places, strict=True) if one != entrant]
            beaten = sum((a < b) + 0.5 * (a == b) for a in own for b in rest)
            won[entrant] = won.get(entrant, 0.0) + beaten / max(1, len(own) * len(rest))
    return won


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
        for lineup in _lineups(config, len(game.teams))
    ]


def _lineups(config: TournamentConfig, sides: int) -> list[tuple[int, ...]]:
    entrants = range(len(config.entrants))
    most = config.lineups
    if most is None or math.comb(len(entrants), sides) <= most:
        return list(itertools.combinations(entrants, sides))
    # Entrants with the fewest tables are drawn first, so that the numbers differ by at most one.
    rng = random.Random(config.seed)
    sat = dict.fromkeys(entrants, 0)
    found = []
    for _ in range(most):
        drawn = sorted(entrants, key=lambda entrant: (sat[entrant], rng.random()))[:sides]
        for entrant in drawn:
            sat[entrant] += 1
        found.append(tuple(sorted(drawn)))
    return found


_ONE_ROUND: Final = {
    ROUND_ROBIN: _round_robin,
    GAUNTLET: _gauntlet,
    ONE_AGAINST_MANY: _one_against_many,
    TABLES: _mixed_tables,
}


class Swiss(Schedule):
    """Each round pairs entrants with similar points that have not met yet."""

    def __init__(self, config: TournamentConfig, games: Sequence[AnyGame]) -> None:
        super().__init__(config, games)
        self._met: set[frozenset[int]] = set()
        self._byes: dict[int, int] = dict.fromkeys(range(len(config.entrants)), 0)

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return self.config.rounds or math.ceil(math.log2(len(self.config.entrants)))

    def total(self) -> int:
        """The total number of games."""
        pairs = len(self.config.entrants) // 2
        return self.rounds * pairs * sum(map(self.games_of, _pair(0, 1, self.games)))

    def is_known(self) -> bool:
        """False: pairings depend on the results of earlier rounds."""
        return False

    def round(self, number: int, points: Sequence[float]) -> list[Pairing]:
        """The pairs of a round; with an odd number of entrants one has a bye."""
        if number >= self.rounds:
            return []
        if not number:
            self._met.clear()
            self._byes = dict.fromkeys(self._byes, 0)
        worth = sum(map(self.games_of, _pair(0, 1, self.games)))
        free = {entrant: _BYE_POINTS * times * worth for entrant, times in self._byes.items()}
        order = sorted(self._byes, key=lambda entrant: (-points[entrant] - free[entrant], entrant))
        if len(order) % 2:
            # No second bye before everybody has had one.
            left_out = min(reversed(order), key=lambda entrant: self._byes[entrant])
            order.remove(left_out)
            self._byes[left_out] += 1
        pairs = _Neighbours(self._met).pairs(order)
        self._met.update(map(frozenset, pairs))
        return [pairing for pair in pairs for pairing in _pair(*pair, self.games)]


class _Neighbours:
    """Pairs neighbours in an order that have not met yet."""

    def __init__(self, met: set[frozenset[int]]) -> None:
        self._met = met
        self._tries = 0

    def pairs(self, order: Sequence[int]) -> list[tuple[int, int]]:
        """The pairs; if no new pairs are found quickly, some meet again."""
        found = self._search(list(order))
        return found if found is not None else list(zip(order[::2], order[1::2], strict=True))

    def _search(self, order: list[int]) -> list[tuple[int, int]] | None:
        if not order:
            return []
        first, *rest = order
        for place, other in enumerate(rest):
            self._tries += 1
            if self._tries > _MOST_TRIES:
                return None
            if frozenset((first, other)) not in self._met:
                found = self._search(rest[:place] + rest[place + 1 :])
                if found is not None:
                    return [(first, other), *found]
        return None


def make_schedule(config: TournamentConfig, games: Sequence[AnyGame]) -> Schedule:
    """The schedule of a tournament.

    Raises:
        GameError: There are too few entrants.
    """
    return (Swiss if config.schedule == SWISS else Schedule)(config, games)
