"""Results of people's games, one line of JSON per game, and statistics over them.

The file stays on this machine. Deleting a save keeps its result; a game that was continued after
its end replaces its earlier result.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final

from boardgames_cli.codec.derived import read_entries
from boardgames_cli.codec.fields import Whole
from boardgames_cli.codec.json_reader import JsonReader, lines_of
from boardgames_cli.core.errors import StorageError
from boardgames_cli.core.game import DRAWN, LOST, OVER, WON, winners
from boardgames_cli.storage.files import append_line

_LARGEST: Final = 100_000_000
_REMEDY: Final = "Move it away to start over."
_READER: Final = JsonReader("the result", _LARGEST, StorageError, _REMEDY)


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game with people."""

    id: str
    """A unique id; a later line with the same id replaces the former."""
    game: str
    ended: str
    """When it ended, in ISO 8601."""
    people: tuple[Annotated[int, Whole(0)], ...]
    names: tuple[str, ...]
    returns: tuple[float, ...]
    hints: int = 0
    agents: tuple[str, ...] = ()
    """For each seat the agent with its options, if its name does not tell it, else an empty text;
    missing in older lines."""
    reason: str = OVER
    """Why it ended, as `core.game.Ending` tells it."""
    outcomes: tuple[str, ...] = ()
    """What each seat has reached; missing in older lines, where the returns tell it."""

    def outcome(self, seat: int) -> str:
        if self.outcomes:
            return self.outcomes[seat]
        best = winners(self.returns)
        if not best:
            return DRAWN
        return WON if seat in best else LOST

    def line(self) -> str:
        """The game as a line of the file, without the newline."""
        return json.dumps(dataclasses.asdict(self), separators=(",", ":"))


@dataclass(slots=True)
class ResultTally:
    """Counts of games by outcome."""

    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0

    def count(self, outcome: str) -> None:
        self.games += 1
        setattr(self, outcome, getattr(self, outcome) + 1)

    def __str__(self) -> str:
        drawn = f", {self.drawn} drawn" if self.drawn else ""
        return f"{self.won} of {self.games} won{drawn}"


@dataclass(slots=True)
class PlayerStatistics:
    """The statistics of one person in one game."""

    game: str
    player: str
    total: ResultTally = field(default_factory=ResultTally)
    opponents: dict[str, ResultTally] = field(default_factory=dict)
    """Counts by opponent; everybody with another result is an opponent."""
    best: float | None = None
    assisted: int = 0

    def count(self, played: PlayedGame, seat: int) -> None:
        """Count one game that the person played at a seat."""
        outcome = played.outcome(seat)
        self.total.count(outcome)
        own = played.returns[seat]
        if played.reason == OVER:  # else the returns are not the end
            self.best = own if self.best is None else max(self.best, own)
        self.assisted += played.hints > 0
        rivals = {
            played.names[other]
            for other, value in enumerate(played.returns)
            if other != seat
            and (value != own or outcome == DRAWN or played.outcome(other) != outcome)
        }
        for rival in rivals:
            self.opponents.setdefault(rival, ResultTally()).count(outcome)


def add_result(path: Path, played: PlayedGame) -> None:
    """Add a game to the file of results; `StorageError` if it can't be written."""
    append_line(path, played.line())


def read_results(path: Path) -> tuple[list[PlayedGame], int]:
    """All games without repeats, in the order they ended, and the count of unreadable lines.

    The file may not exist; `StorageError` if it can't be read.
    """
    if not path.exists():
        return [], 0
    games: dict[str, PlayedGame] = {}
    unreadable = 0
    for _, line in lines_of(_READER.read_text(path, is_strict=False)):
        played = _read(line)
        if played is None:
            unreadable += 1
        else:
            games.pop(played.id, None)
            games[played.id] = played
    return list(games.values()), unreadable


def played_games(path: Path | None) -> list[PlayedGame]:
    """All games in a file of results; empty without one, or if it can't be read."""
    with contextlib.suppress(StorageError):
        return read_results(path)[0] if path is not None else []
    return []


def statistics(games: Iterable[PlayedGame]) -> list[PlayerStatistics]:
    """Statistics of every person in every game, in the order of their first games."""
    found: dict[tuple[str, str], PlayerStatistics] = {}
    for played in games:
        for seat in played.people:
            key = played.game, played.names[seat]
            found.setdefault(key, PlayerStatistics(*key)).count(played, seat)
    return list(found.values())


def _read(line: str) -> PlayedGame | None:
    try:
        data = _READER.check_object(_READER.parse(line, "a result"), "a result")
        played = read_entries(PlayedGame, data, lambda key: StorageError(key))
    except StorageError:
        return None
    seats = len(played.names)
    is_sound = (
        seats > 0
        and len(played.returns) == seats
        and len(played.agents) in (0, seats)
        and len(played.outcomes) in (0, seats)
        and {WON, DRAWN, LOST}.issuperset(played.outcomes)
        and all(seat < seats for seat in played.people)
    )
    return played if is_sound else None
