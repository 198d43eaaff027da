"""The games of a tournament: one row each, and what the rows come to.

The games of a deal share the seed, with exchanged seats. Luck mostly cancels within a deal, so
statistics must treat deals, not games, as independent.
"""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Final, NamedTuple, TypeAlias

from boardgames_cli.codec.derived import object_codec
from boardgames_cli.codec.fields import Whole
from boardgames_cli.codec.json_reader import decode_json
from boardgames_cli.core.errors import PositionError, RecordError

NORMAL: Final = ""
"""The game was played to its end."""
MAX_PLIES: Final = "max plies"
"""It reached the tournament's limit of steps, and counts as a draw."""
FORFEIT: Final = "forfeit"
"""An agent failed, and lost by it: the one with a failure."""
VOID: Final = "void"
"""No worker could play it; it does not count."""
ENDINGS: Final = (NORMAL, MAX_PLIES, FORFEIT, VOID)

_Count: TypeAlias = Annotated[int, Whole(0, 10**15)]
RESTORE: Final = "Restore an older copy, or start a new tournament in another folder."
"""The remedy if a file of a tournament is damaged, or does not belong to it."""

Teams: TypeAlias = tuple[tuple[int, ...], ...]
"""The seats of every side."""
Sides: TypeAlias = tuple[tuple[int, int], ...]
"""A game as ratings see it: the place of every side, 0 for the best, with its entrant, in rising
order. Ties share a place."""


class DealOutcome(NamedTuple):
    """The part of a deal that ratings need; there are few distinct values, which can be counted."""

    options: int
    games: tuple[Sides, ...]
    """Its games in rising order; void ones are left out."""


class GameRow(NamedTuple):
    """One game. A named tuple, because there may be millions."""

    deal: _Count
    """The number of its deal, from 0."""
    options: _Count
    seed: _Count
    """The seed of the match, which all games of the deal share."""
    entrants: tuple[_Count, ...]
    """The index of the entrant on each seat."""
    returns: tuple[float, ...]
    plies: _Count
    """The number of steps, chance included."""
    decisions: tuple[_Count, ...] = ()
    """The number of decisions of each seat; empty if not measured."""
    seconds: tuple[float, ...] = ()
    """The total thinking time of each seat's agent; empty if not measured. The only field that is
    not reproducible."""
    failures: tuple[_Count, ...] = ()
    """The number of each seat's decisions for which the agent failed or returned an illegal action,
    so that a stand-in took them or the game ended; empty if none."""
    late: tuple[_Count, ...] = ()
    """The number of each seat's answers after the time limit; empty if none."""
    luck: tuple[float, ...] = ()
    """What chance gave each seat, in returns (`worker.luck_of`); empty if not computed."""
    ending: str = NORMAL
    """One of `ENDINGS`."""

    def sides(self, teams: Teams) -> Sides:
        """The place and the entrant of every side; all share the first in a game cut short."""
        best = [max([self.returns[seat] for seat in team]) for team in teams]
        if self.ending not in (NORMAL, FORFEIT):
            best = [0.0] * len(best)
        return tuple(
            sorted(
                (sum([other > value for other in best]), self.entrants[team[0]])
                for team, value in zip(teams, best, strict=True)
            )
        )


Rows: TypeAlias = tuple[GameRow, ...]
"""The games of one deal, in the order in which the seats are exchanged."""


def meetings(sides: Sides, *, winners_only: bool = False) -> Iterator[tuple[int, int, float]]:
    """The points of one entrant against another in a game, wherever the one has any.

    1 for finishing above, half a point each for a tie. With ``winners_only`` losers don't meet.
    """
    for (place, one), (other, two) in itertools.combinations(sides, 2):
        if one == two or (winners_only and 0 < place == other):
            continue
        # Sides are in the order of places, so the first is never the worse one.
        yield one, two, 1.0 if place < other else 0.5
        if place == other:
            yield two, one, 0.5


_REST: Final = ("entrants", "returns", *GameRow._fields[6:])


def line_template(row: GameRow) -> str:
    """The line of rows that differ only in what is left open: number, seed and plies.

    Serializing a line from scratch takes as long as a short game.
    """
    row = row._replace(returns=tuple(map(float, row.returns)))
    rest = {name: value for name in _REST if (value := getattr(row, name))}
    fixed = json.dumps(rest, separators=(",", ":"))[1:].replace("%", "%%")
    return f'{{"deal":%d,"options":{row.options},"seed":%d,"plies":%d,{fixed}\n'


def row_line(row: GameRow) -> str:
    """A row as a line of JSON, including the newline."""
    return line_template(row) % (row.deal, row.seed, row.plies)


def read_row(text: str, line: int | None = None) -> GameRow:
    """Parse the row of a game.

    Raises:
        RecordError: The line is not valid.
    """
    try:
        row = _ROW.read(decode_json(text), "row")
    except (PositionError, ValueError, TypeError, AttributeError, KeyError, RecursionError):
        raise RecordError("this is not a result of a game.", RESTORE, line) from None
    if not _is_sound(row):
        raise RecordError("this is not a possible result of a game.", RESTORE, line)
    return row


_ROW: Final = object_codec(GameRow)


def _is_sound(row: GameRow) -> bool:
    seats = len(row.entrants)
    measured = (row.decisions, row.seconds, row.failures, row.late, row.luck)
    return (
        len(row.returns) == seats > 0
        and all(len(values) in (0, seats) for values in measured)
        and all(0 <= value < math.inf for value in row.seconds)
        and row.ending in ENDINGS
    )


@dataclass(slots=True)
class Sums:
    """Sums over all games of one entrant, without void ones."""

    sides: int = 0
    """The number of games, counting each of its sides."""
    wins: int = 0
    """Those in which its side was the only first."""
    draws: int = 0
    """Those in which it shared the first place."""
    shared: Fraction = Fraction(0)
    """Its points in those: one per game, split among all sides in first place."""
    games: int = 0
    seats: int = 0
    """The number of its seats in them, possibly several per game."""
    deals: int = 0
    plies: int = 0
    """The number of steps in all its games."""
    returns: float = 0.0
    squares: float = 0.0
    """The sum, over deals, of the square of its returns in the deal."""
    failures: int = 0
    """Decisions taken by a stand-in."""
    late: int = 0
    """Answers after the time limit."""
    decisions: int = 0
    """The number of decisions in timed games."""
    seconds: float = 0.0
    """The time of those decisions."""
    void: int = 0
    luck: float = 0.0
    """What chance gave its seats, in returns."""
    gifts: int = 0
    """The number of its seats whose luck was computed."""

    @property
    def losses(self) -> int:
        return self.sides - self.wins - self.draws

    @property
    def points(self) -> Fraction:
        """One per game, split among all sides in first place."""
        return self.wins + self.shared

    @property
    def score(self) -> float | None:
        return float(self.points / self.sides) if self.sides else None

    @property
    def mean_return(self) -> float | None:
        return self.returns / self.seats if self.seats else None

    @property
    def mean_luck(self) -> float | None:
        """What chance gave a seat in a game on average, in returns; None if not computed."""
        return self.luck / self.gifts if self.gifts else None

    @property
    def pace(self) -> float | None:
        """Seconds per decision; None without decisions. Depends on the machine."""
        return self.seconds / self.decisions if self.decisions else None

    def add(self, other: Sums) -> None:
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


_MEASURED: Final = ("decisions", "seconds", "failures", "late", "luck")
"""What is summed under the same name in `GameRow` and `Sums`."""


@dataclass(slots=True)
class Tally:
    """What rows come to, which does not grow with their number.

    The tallies of batches sum to the tally of the tournament.
    """

    deals: Counter[DealOutcome] = field(default_factory=Counter)
    """How often each outcome of a deal has come."""
    sums: dict[tuple[int, int], Sums] = field(default_factory=dict)
    """By the indices of the option set and of the entrant."""
    stakes: set[tuple[int, float]] = field(default_factory=set)
    """The returns of seats that won alone, each with its option set."""

    @property
    def games(self) -> int:
        return sum(count * len(deal.games) for deal, count in self.deals.items())

    @property
    def is_for_stakes(self) -> bool:
        return len(self.stakes) > len({options for options, _ in self.stakes})

    def totals(self, entrants: int) -> list[Sums]:
        """The sums of every entrant over all option sets."""
        found = [Sums() for _ in range(entrants)]
        for (_, entrant), sums in self.sums.items():
            found[entrant].add(sums)
        return found

    def part(self, options: int) -> Tally:
        """The tally of the deals with one option set."""
        return Tally(
            Counter({deal: count for deal, count in self.deals.items() if deal.options == options}),
            {key: sums for key, sums in self.sums.items() if key[0] == options},
            {stake for stake in self.stakes if stake[0] == options},
        )

    def update(self, other: Tally) -> None:
        self.deals.update(other.deals)
        for key, sums in other.sums.items():
            self._of(*key).add(sums)
        self.stakes |= other.stakes

    def add(self, rows: Rows, teams: Teams, times: int = 1, plies: int | None = None) -> None:
        """Count deals that have nothing but the rows of the first, apart from their lengths.

        Args:
            rows: The games of the deal.
            teams: The seats of every side.
            times: How often it came.
            plies: The steps of all games of all these deals; by default those of the rows.
        """
        valid = [row for row in rows if row.ending != VOID]
        games = [row.sides(teams) for row in valid]
        deal = DealOutcome(rows[0].options, tuple(sorted(games)))
        self.deals[deal] += times
        for row in rows:
            for entrant in set(row.entrants) if row.ending == VOID else ():
                self._of(row.options, entrant).void += times
        for row, sides in zip(valid, games, strict=True):
            self._add_places(row, sides, times)
            self._add_measured(row)
        for entrant in {entrant for row in valid for entrant in row.entrants}:
            earned = [
                value
                for row in valid
                for one, value in zip(row.entrants, row.returns, strict=True)
                if one == entrant
            ]
            sums = self._of(deal.options, entrant)
            sums.games += times * sum([entrant in row.entrants for row in valid])
            sums.seats += times * len(earned)
            sums.deals += times
            sums.plies += sum([row.plies for row in valid]) if plies is None else plies
            sums.returns += times * sum(earned)
            sums.squares += times * sum(earned) ** 2

    def _of(self, options: int, entrant: int) -> Sums:
        key = options, entrant
        if key not in self.sums:
            self.sums[key] = Sums()
        return self.sums[key]

    def _add_places(self, row: GameRow, sides: Sides, times: int) -> None:
        sharing = sum([place == 0 for place, _ in sides])
        if sharing == 1:
            self.stakes.add((row.options, float(max(row.returns))))
        for place, entrant in sides:
            sums = self._of(row.options, entrant)
            sums.sides += times
            if place == 0:
                sums.wins += times * (sharing == 1)
                sums.draws += times * (sharing > 1)
                sums.shared += Fraction(times, sharing) if sharing > 1 else 0

    def _add_measured(self, row: GameRow) -> None:
        for name in _MEASURED:
            for entrant, value in zip(row.entrants, getattr(row, name), strict=False):
                sums = self._of(row.options, entrant)
                setattr(sums, name, getattr(sums, name) + value)
        for entrant in row.entrants if row.luck else ():
            self._of(row.options, entrant).gifts += 1
