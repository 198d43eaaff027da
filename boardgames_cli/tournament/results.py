"""What came of the games of a tournament: one result a game, one line a deal.

Games that share a deal share the seed, with the seats exchanged. Luck mostly cancels within a deal,
so deals, not games, are what statistics may count as independent.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from boardgames_cli.core.errors import RecordError

NORMAL: Final = ""
"""The game was played to its end."""
MAX_PLIES: Final = "max plies"
"""It was cut short after so many steps as the tournament allows, and counts as a draw."""
VOID: Final = "void"
"""No worker could play it; it counts for nobody."""
ENDINGS: Final = (NORMAL, MAX_PLIES, VOID)

_HIGHEST: Final = 10**15
_DAMAGED: Final = "Restore an older copy, or begin a new tournament in another folder."


class GameResult(NamedTuple):
    """One game. A named tuple: millions of them are made."""

    deal: int
    """The number of its deal, from 0 on."""
    options: int
    """The index of the option set it was played with."""
    seed: int
    """The seed of the match, which all games of the deal share."""
    entrants: tuple[int, ...]
    """The index of the entrant on each seat."""
    returns: tuple[float, ...]
    """The final return of each seat."""
    plies: int
    """How many steps it took, chance included."""
    decisions: tuple[int, ...] = ()
    """How many actions each seat was asked for; empty if nobody measured."""
    seconds: tuple[float, ...] = ()
    """How long the agent of each seat thought altogether; empty if nobody measured. The only field
    that differs when the same game is played again."""
    failures: tuple[int, ...] = ()
    """How many decisions of each seat had to be taken by a stand-in, because the agent failed or
    answered with something illegal; empty if none."""
    late: tuple[int, ...] = ()
    """How many answers of each seat came after the time limit; empty if none."""
    ending: str = NORMAL
    """One of `ENDINGS`."""

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat: 0 is the best, and equals share a place.

        All share the first place in a game that was cut short.
        """
        return places_of(self.returns) if self.ending == NORMAL else (0,) * len(self.returns)


DealResult: TypeAlias = tuple[GameResult, ...]
"""The games of one deal, in the order in which the seats are exchanged."""


def places_of(returns: tuple[float, ...]) -> tuple[int, ...]:
    """The place of each seat by its return: how many others have more."""
    if len(returns) == 2:
        first, second = returns
        return (int(first < second), int(second < first))
    return tuple([sum([other > value for other in returns]) for value in returns])


class GameOutcome(NamedTuple):
    """All that ratings need of a game."""

    entrants: tuple[int, ...]
    """The index of the entrant on each seat."""
    places: tuple[int, ...]
    """The place of each seat, 0 the best; equals share a place."""


class DealOutcome(NamedTuple):
    """All that ratings need of a deal: it can be counted, and few differ."""

    options: int
    """The index of the option set."""
    games: tuple[GameOutcome, ...]
    """Its games, in the order in which the seats are exchanged; void ones are left out."""


def outcome_of(deal: DealResult) -> DealOutcome:
    """What ratings need of a deal."""
    games = [GameOutcome(game.entrants, game.places) for game in deal if game.ending != VOID]
    return DealOutcome(deal[0].options, tuple(games))


def deal_line(deal: DealResult) -> str:
    """The results of a deal as a line of JSON, with its end."""
    return line_writer(deal)(deal[0].deal, deal[0].seed, [game.plies for game in deal])


def line_writer(deal: DealResult) -> Callable[[int, int, Sequence[int]], str]:
    """What writes the lines of deals that differ in nothing but number, seed and plies.

    Writing a line anew takes as long as a short game.
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


_OPTIONAL: Final = ("decisions", "seconds", "failures", "late", "ending")


def _dump(values: object) -> str:
    return json.dumps(values, separators=(",", ":"))


def read_deal(text: str, line: int | None = None) -> DealResult:
    """The results that a line of JSON holds.

    Args:
        text: The line.
        line: Its number, for messages.

    Raises:
        RecordError: It is no such line.
    """
    try:
        data: dict[str, Any] = json.loads(text)
        common = [data.pop(name) for name in ("deal", "options", "seed")]
        columns = {
            name: [tuple(one) if type(one) is list else one for one in values]
            for name, values in data.items()
        }
        rows = zip(*columns.values(), strict=True)
        deal = tuple(GameResult(*common, **dict(zip(columns, row, strict=True))) for row in rows)
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
        raise RecordError("this is not a result of a deal.", _DAMAGED, line) from None
    if not deal or not all(map(_is_sound, deal)):
        raise RecordError("this is not a possible result of a deal.", _DAMAGED, line)
    return deal


def _is_sound(result: GameResult) -> bool:
    seats = len(result.entrants) if type(result.entrants) is tuple else 0
    whole = (result.deal, result.options, result.seed, result.plies)
    counts = (result.entrants, result.decisions, result.failures, result.late)
    return (
        seats > 0
        and all(map(_is_count, whole))
        and result.ending in ENDINGS
        and all(_fits(values, seats) and all(map(_is_count, values)) for values in counts)
        and result.returns != ()
        and all(_fits(values, seats) for values in (result.returns, result.seconds))
        and all(map(_is_number, result.returns))
        and all(_is_number(value) and value >= 0 for value in result.seconds)
    )


def _fits(values: object, seats: int) -> bool:
    return values == () or (type(values) is tuple and len(values) == seats)


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value <= _HIGHEST


def _is_number(value: object) -> bool:
    if type(value) is int:
        return abs(value) <= _HIGHEST
    return type(value) is float and math.isfinite(value)
