"""What came of the games of a tournament: one result a game, one line a result.

Games that share a deal share the seed, with the seats exchanged. Luck mostly cancels within a deal,
so deals, not games, are what statistics may count as independent.
"""

from __future__ import annotations

import json
import math
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
    decisions: tuple[int, ...]
    """How many actions each seat was asked for."""
    seconds: tuple[float, ...]
    """How long the agent of each seat thought altogether. The only field that differs when the
    same game is played again."""
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

    def line(self) -> str:
        """The result as a line of JSON, without the end of the line."""
        # Written out, because a general writer takes as long as a short game.
        seconds = ",".join([f"{value:.6f}" for value in self.seconds])
        text = (
            f'{{"deal":{self.deal},"options":{self.options},"seed":{self.seed},'
            f'"entrants":{_numbers(self.entrants)},"returns":{_numbers(self.returns)},'
            f'"plies":{self.plies},"decisions":{_numbers(self.decisions)},"seconds":[{seconds}]'
        )
        if self.failures:
            text += f',"failures":{_numbers(self.failures)}'
        if self.late:
            text += f',"late":{_numbers(self.late)}'
        if self.ending:
            text += f',"ending":{json.dumps(self.ending)}'
        return text + "}"


def places_of(returns: tuple[float, ...]) -> tuple[int, ...]:
    """The place of each seat by its return: how many others have more."""
    if len(returns) == 2:
        first, second = returns
        return (int(first < second), int(second < first))
    return tuple([sum([other > value for other in returns]) for value in returns])


def _numbers(values: tuple[float, ...]) -> str:
    return str(list(values)).replace(" ", "")


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


DealResult: TypeAlias = tuple[GameResult, ...]
"""The games of one deal."""


def outcome_of(deal: DealResult) -> DealOutcome:
    """What ratings need of a deal."""
    games = [GameOutcome(game.entrants, game.places) for game in deal if game.ending != VOID]
    return DealOutcome(deal[0].options, tuple(games))


def read_result(text: str, line: int | None = None) -> GameResult:
    """The result that a line of JSON holds.

    Args:
        text: The line.
        line: Its number, for messages.

    Raises:
        RecordError: It is no such line.
    """
    try:
        data: dict[str, Any] = json.loads(text)
        for name, value in data.items():
            if type(value) is list:
                data[name] = tuple(value)
        result = GameResult(**data)
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise RecordError("this is no result of a game.", _DAMAGED, line) from None
    if not _is_sound(result):
        raise RecordError("this is no possible result of a game.", _DAMAGED, line)
    return result


def _is_sound(result: GameResult) -> bool:
    seats = len(result.entrants) if type(result.entrants) is tuple else 0
    whole = (result.deal, result.options, result.seed, result.plies)
    by_seat: tuple[tuple[Any, ...], ...] = (result.entrants, result.decisions)
    optional = (result.failures, result.late)
    return (
        seats > 0
        and all(map(_is_count, whole))
        and result.ending in ENDINGS
        and all(_fits(counts, seats) and all(map(_is_count, counts)) for counts in by_seat)
        and all(counts == () or _fits(counts, seats) for counts in optional)
        and all(all(map(_is_count, counts)) for counts in optional)
        and _fits(result.returns, seats)
        and all(map(_is_number, result.returns))
        and _fits(result.seconds, seats)
        and all(_is_number(value) and value >= 0 for value in result.seconds)
    )


def _fits(values: object, seats: int) -> bool:
    return type(values) is tuple and len(values) == seats


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value <= _HIGHEST


def _is_number(value: object) -> bool:
    if type(value) is int:
        return abs(value) <= _HIGHEST
    return type(value) is float and math.isfinite(value)
