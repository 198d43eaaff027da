"""Results of a tournament: one per game, one line per deal.

The games of a deal share the seed, with exchanged seats. Luck mostly cancels within a deal, so
statistics must treat deals, not games, as independent.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

from boardgames_cli.codec.json_reader import decode_json
from boardgames_cli.core.errors import RecordError

NORMAL: Final = ""
"""The game was played to its end."""
MAX_PLIES: Final = "max plies"
"""It reached the tournament's limit of steps, and counts as a draw."""
FORFEIT: Final = "forfeit"
"""An agent failed, and lost by it: the one with a failure."""
VOID: Final = "void"
"""No worker could play it; it does not count."""
ENDINGS: Final = (NORMAL, MAX_PLIES, FORFEIT, VOID)

_HIGHEST: Final = 10**15
RESTORE: Final = "Restore an older copy, or start a new tournament in another folder."
"""The remedy if a file of a tournament is damaged, or does not belong to it."""


class GameResult(NamedTuple):
    """One game. A named tuple, because there may be millions."""

    deal: int
    """The number of its deal, from 0."""
    options: int
    seed: int
    """The seed of the match, which all games of the deal share."""
    entrants: tuple[int, ...]
    """The index of the entrant on each seat."""
    returns: tuple[float, ...]
    plies: int
    """The number of steps, chance included."""
    decisions: tuple[int, ...] = ()
    """The number of decisions of each seat; empty if not measured."""
    seconds: tuple[float, ...] = ()
    """The total thinking time of each seat's agent; empty if not measured. The only field that is
    not reproducible."""
    failures: tuple[int, ...] = ()
    """The number of each seat's decisions for which the agent failed or returned an illegal action,
    so that a stand-in took them or the game ended; empty if none."""
    late: tuple[int, ...] = ()
    """The number of each seat's answers after the time limit; empty if none."""
    luck: tuple[float, ...] = ()
    """What chance gave each seat, in returns (`luck.luck_of`); empty if not computed."""
    lost: tuple[float, ...] = ()
    """What each seat's decisions gave away (`luck.losses_of`); empty if not computed."""
    judged: tuple[int, ...] = ()
    """The number of each seat's decisions in that sum."""
    ending: str = NORMAL
    """One of `ENDINGS`."""

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat, 0 for the best; ties share a place.

        All seats share the first place in a truncated game.
        """
        is_ranked = self.ending in (NORMAL, FORFEIT)
        return places_of(self.returns) if is_ranked else (0,) * len(self.returns)


GameSetResult: TypeAlias = tuple[GameResult, ...]
"""The games of one deal, in the order in which the seats are exchanged."""


def places_of(returns: tuple[float, ...]) -> tuple[int, ...]:
    """The place of each seat: the number of seats with a higher return."""
    if len(returns) == 2:
        first, second = returns
        return (int(first < second), int(second < first))
    return tuple([sum([other > value for other in returns]) for value in returns])


class GameOutcome(NamedTuple):
    """The part of a game that ratings need."""

    entrants: tuple[int, ...]
    """The index of the entrant on each seat."""
    places: tuple[int, ...]
    """The place of each seat, 0 for the best; ties share a place."""


class GameSetOutcome(NamedTuple):
    """The part of a deal that ratings need; there are few distinct values, which can be counted."""

    options: int
    games: tuple[GameOutcome, ...]
    """Its games in the order of the seatings; void ones are left out."""


def outcome_of(deal: GameSetResult) -> GameSetOutcome:
    """Reduce a deal to what ratings need."""
    games = [GameOutcome(game.entrants, game.places) for game in deal if game.ending != VOID]
    return GameSetOutcome(deal[0].options, tuple(games))


def deal_line(deal: GameSetResult) -> str:
    """The results of a deal as a line of JSON, including the newline."""
    return line_writer(deal)(deal[0].deal, deal[0].seed, [game.plies for game in deal])


def line_writer(deal: GameSetResult) -> Callable[[int, int, Sequence[int]], str]:
    """A function that writes lines of deals that differ only in number, seed and plies.

    Serializing a line from scratch takes as long as a short game.
    """
    returns = [[float(value) for value in game.returns] for game in deal]
    columns = {"entrants": [game.entrants for game in deal], "returns": returns}
    for name in _OPTIONAL:
        values = [getattr(game, name) for game in deal]
        if any(values):
            columns[name] = values
    fixed = "".join([f'"{name}":{_dump(values)},' for name, values in columns.items()])
    options = deal[0].options

    def write(number: int, seed: int, plies: Sequence[int]) -> str:
        lengths = ",".join([str(length) for length in plies])
        return f'{{"deal":{number},"options":{options},"seed":{seed},{fixed}"plies":[{lengths}]}}\n'

    return write


_OPTIONAL: Final = (
    "decisions", "seconds", "failures", "late",
    "luck", "lost", "judged", "ending",
)  # fmt: skip


def _dump(values: object) -> str:
    return json.dumps(values, separators=(",", ":"))


def read_deal(text: str, line: int | None = None) -> GameSetResult:
    """Parse the results of a deal.

    Raises:
        RecordError: The line is not valid.
    """
    try:
        data: dict[str, Any] = decode_json(text)
        common = [data.pop(name) for name in ("deal", "options", "seed")]
        data.pop("luck_to_win", None)  # of 0.2
        columns = {
            name: [tuple(one) if type(one) is list else one for one in values]
            for name, values in data.items()
        }
        rows = zip(*columns.values(), strict=True)
        deal = tuple(GameResult(*common, **dict(zip(columns, row, strict=True))) for row in rows)
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
        raise RecordError("this is not a result of a deal.", RESTORE, line) from None
    if not deal or not all(map(_is_sound, deal)):
        raise RecordError("this is not a possible result of a deal.", RESTORE, line)
    return deal


def _is_sound(result: GameResult) -> bool:
    seats = len(result.entrants) if type(result.entrants) is tuple else 0
    whole = (result.deal, result.options, result.seed, result.plies)
    counts = (result.entrants, result.decisions, result.failures, result.late, result.judged)
    numbers = (result.returns, result.seconds, result.luck, result.lost)
    return (
        seats > 0
        and all(map(_is_count, whole))
        and result.ending in ENDINGS
        and all(_fits(values, seats) and all(map(_is_count, values)) for values in counts)
        and result.returns != ()
        and all(_fits(values, seats) and all(map(_is_number, values)) for values in numbers)
        and all(value >= 0 for value in (*result.seconds, *result.lost))
    )


def _fits(values: object, seats: int) -> bool:
    return values == () or (type(values) is tuple and len(values) == seats)


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value <= _HIGHEST


def _is_number(value: object) -> bool:
    if type(value) is int:
        return abs(value) <= _HIGHEST
    return type(value) is float and math.isfinite(value)


@dataclass(slots=True)
class Totals:
    """Sums over all games of one entrant."""

    games: int = 0
    """The number of games without void ones."""
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
    lost: float = 0.0
    """What its decisions gave away in the games whose decisions were judged, in returns."""
    judged: int = 0
    """The number of those decisions."""
    luck: float = 0.0
    """What chance gave its seats, in returns."""
    gifts: int = 0
    """The number of its seats whose luck was computed."""

    def add(self, other: Totals) -> None:
        """Add the sums of other games."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


_MEASURED: Final = ("decisions", "seconds", "failures", "late", "lost", "judged", "luck")
"""What is summed under the same name in `GameResult` and `Totals`."""


@dataclass(slots=True)
class Tally:
    """Counts of deal outcomes, and the totals of every entrant.

    The tallies of batches sum to the tally of the tournament.
    """

    outcomes: Counter[GameSetOutcome] = field(default_factory=Counter)
    """How often each outcome of a deal has come."""
    sums: dict[tuple[int, int], Totals] = field(default_factory=dict)
    """The totals by the indices of the option set and of the entrant."""
    winnings: dict[int, tuple[float, float]] = field(default_factory=dict)
    """For each option set the least and the highest return of a seat that won alone."""

    @classmethod
    def of(cls, deals: Iterable[GameSetResult]) -> Tally:
        """The tally of some deals."""
        tally = cls()
        for deal in deals:
            tally.add_deal(deal)
        return tally

    @property
    def games(self) -> int:
        """The number of games that count."""
        return sum(count * len(deal.games) for deal, count in self.outcomes.items())

    @property
    def totals(self) -> dict[int, Totals]:
        """The totals of all option sets by the index of the entrant."""
        found: dict[int, Totals] = {}
        for (_, entrant), totals in self.sums.items():
            found.setdefault(entrant, Totals()).add(totals)
        return found

    def part(self, options: int) -> Tally:
        """The tally of the deals with one option set."""
        return Tally(
            Counter({key: count for key, count in self.outcomes.items() if key.options == options}),
            {key: totals for key, totals in self.sums.items() if key[0] == options},
            {key: bounds for key, bounds in self.winnings.items() if key == options},
        )

    @property
    def is_for_stakes(self) -> bool:
        """Whether some games were won higher than others."""
        return any(least < most for least, most in self.winnings.values())

    def add_deal(self, deal: GameSetResult) -> GameSetOutcome:
        """Count a deal and return its outcome."""
        outcome = outcome_of(deal)
        valid = [game for game in deal if game.ending != VOID]
        self.count(outcome, [game.returns for game in valid], sum(game.plies for game in valid))
        for game in deal:
            if game.ending == VOID:
                for entrant in set(game.entrants):
                    self.of_entrant(game.options, entrant).void += 1
            else:
                self._add_measured(game)
        return outcome

    def count(
        self,
        outcome: GameSetOutcome,
        returns: Sequence[Sequence[float]],
        plies: int,
        times: int = 1,
    ) -> None:
        """Count deals with the same outcome and the same returns.

        The returns are those of every seat in every game of a deal, the plies the steps of all
        games of all deals.
        """
        self.outcomes[outcome] += times
        earned: dict[int, float] = {}
        for game, seats in zip(outcome.games, returns, strict=True):
            if game.places.count(0) == 1:
                self._add_winnings(outcome.options, max(seats), max(seats))
            for entrant, value in zip(game.entrants, seats, strict=True):
                earned[entrant] = earned.get(entrant, 0.0) + value
                self.of_entrant(outcome.options, entrant).seats += times
        for entrant, value in earned.items():
            totals = self.sums[outcome.options, entrant]
            totals.games += times * sum(entrant in game.entrants for game in outcome.games)
            totals.deals += times
            totals.plies += plies
            totals.returns += times * value
            totals.squares += times * value * value

    def of_entrant(self, options: int, entrant: int) -> Totals:
        """The mutable totals of an entrant in the games with an option set."""
        return self.sums.setdefault((options, entrant), Totals())

    def add(self, other: Tally) -> None:
        """Add the tally of other deals."""
        self.outcomes.update(other.outcomes)
        for key, totals in other.sums.items():
            self.of_entrant(*key).add(totals)
        for options, (least, most) in other.winnings.items():
            self._add_winnings(options, least, most)

    def _add_winnings(self, options: int, least: float, most: float) -> None:
        known = self.winnings.get(options, (least, most))
        self.winnings[options] = min(least, known[0]), max(most, known[1])

    def _add_measured(self, game: GameResult) -> None:
        """Add what may be measured in a game; an empty tuple was not."""
        for name in _MEASURED:
            for entrant, value in zip(game.entrants, getattr(game, name), strict=False):
                totals = self.of_entrant(game.options, entrant)
                setattr(totals, name, getattr(totals, name) + value)
        for entrant in game.entrants if game.luck else ():
            self.of_entrant(game.options, entrant).gifts += 1
