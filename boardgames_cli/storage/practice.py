"""Progress in puzzles on this machine, and the deck of the drill: cards made of people's mistakes.

Each is a small file of JSON. All functions raise `StorageError` for a file that can't be read or
written, or is damaged; it stays as it was. The intervals between the days of a card follow SM-2:
P. A. Wozniak, "Optimization of learning" (1990), chapter 3.2.
"""

from __future__ import annotations

import dataclasses
import datetime
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final, Generic, TypeVar

from boardgames_cli.codec.derived import read_entries
from boardgames_cli.codec.fields import Whole
from boardgames_cli.codec.json_reader import JsonReader
from boardgames_cli.core.errors import StorageError
from boardgames_cli.storage.files import change_file

_LARGEST: Final = 20_000_000
_REMEDY: Final = "Move it away to start over."
_LATER: Final = {"days"}
"""The fields that older files lack."""
_GONE: Final = {"streak", "longest_streak"}
"""The fields that files of 0.2 hold besides."""
_NEW: Final[dict[str, Any]] = {"question": "", "games": 1}
"""Those that older cards lack."""

_FIRST_DAYS: Final = (1, 6)
"""The first two intervals of SM-2 in days; later ones grow by the card's ease."""
_LEAST_EASE: Final = 1.3
_FAILED: Final = 3
"""The quality of an answer below which a card begins anew."""
_QUALITIES: Final = {1: 5, 2: 3}
"""The quality of an answer, 0 to 5, by the number of tries."""
_POOR: Final = 1
"""The quality after more tries, or if the answer was shown."""


@dataclass(slots=True)
class PuzzleProgress:
    """The solved puzzles."""

    solved: dict[str, Annotated[int, Whole(0)]] = field(default_factory=dict)
    """The number of tries for each solved puzzle; 0 if the answer was shown first."""
    days: tuple[str, ...] = ()
    """The days on which puzzles were done, in ISO 8601; missing in older files."""

    def note(self, puzzle: str, tries: int) -> None:
        """Note that a puzzle is done.

        The tries are the answers including the correct one; 0 if it was shown.
        """
        self.solved.setdefault(puzzle, tries)
        self.days = _with_today(self.days)


@dataclass(slots=True)
class DrillCard:
    """One mistake to train on."""

    puzzle: Mapping[str, Any]
    """The fields of the puzzle that asks it."""
    due: str
    """The day on which it is asked next, in ISO 8601."""
    days: int = 0
    ease: float = 2.5
    """The factor of SM-2 by which intervals grow."""
    recalled: int = 0
    """How often in a row it was answered well."""
    question: str = ""
    """What it asks; the same mistake in another game asks the same. Empty for cards of 0.2."""
    games: Annotated[int, Whole(1)] = 1
    """The number of games in which the mistake was made."""

    def __post_init__(self) -> None:
        datetime.date.fromisoformat(self.due)
        if not isinstance(self.puzzle.get("game"), str):
            raise ValueError("a card names no game")

    def is_due(self, today: datetime.date) -> bool:
        """Whether it is asked: also before its day, if a wrong clock has put that off too far."""
        return not 0 < self._days_left(today) <= self.days

    def _days_left(self, today: datetime.date) -> int:
        return (datetime.date.fromisoformat(self.due) - today).days

    def note(self, tries: int, today: datetime.date) -> None:
        """Note an answer and plan the next day, if it is the first answer today.

        The tries are the answers including the correct one; 0 if it was shown.
        """
        if 0 < self._days_left(today) == self.days:
            return
        quality = _QUALITIES.get(tries, _POOR)
        if quality < _FAILED:
            self.recalled, self.days = 0, _FIRST_DAYS[0]
        else:
            is_young = self.recalled < len(_FIRST_DAYS)
            self.days = (
                _FIRST_DAYS[self.recalled] if is_young else min(9999, round(self.days * self.ease))
            )
            self.recalled += 1
        short = 5 - quality
        self.ease = max(_LEAST_EASE, self.ease + 0.1 - short * (0.08 + short * 0.02))
        self.due = (today + datetime.timedelta(days=self.days)).isoformat()


@dataclass(slots=True)
class DrillDeck:
    """All cards, and the games of which they were made."""

    cards: dict[str, DrillCard] = field(default_factory=dict)
    """The cards by the ids of their puzzles."""
    games: tuple[str, ...] = ()
    """The saves that were looked through, each with the time at which its game began."""
    days: tuple[str, ...] = ()
    """The days on which cards were answered, in ISO 8601; missing in older files."""

    def due(self, today: datetime.date, game: str = "") -> list[DrillCard]:
        """The cards that are due, the oldest first; by default those of all games."""
        found = [
            card
            for card in self.cards.values()
            if card.is_due(today) and game in ("", card.puzzle["game"])
        ]
        return sorted(found, key=lambda card: card.due)


T = TypeVar("T", PuzzleProgress, DrillDeck)


@dataclass(frozen=True, slots=True)
class _Keeper(Generic[T]):
    kind: type[T]
    what: str
    """What the file is called in messages, with its article."""

    def read(self, path: Path) -> T:
        return self._parsed(self._reader.read_bytes(path) if path.exists() else b"", path)

    def change(self, path: Path, change: Callable[[T], None]) -> T:
        """Change the data, whatever other windows have done since; return them."""
        data = self.kind()

        def rewrite(content: bytes) -> bytes:
            nonlocal data
            data = self._parsed(content, path)
            change(data)
            return f"{json.dumps(dataclasses.asdict(data))}\n".encode()

        change_file(path, _LARGEST, rewrite)
        return data

    @property
    def _reader(self) -> JsonReader:
        return JsonReader(self.what, _LARGEST, StorageError, _REMEDY)

    def _parsed(self, content: bytes, path: Path) -> T:
        if not content:
            return self.kind()
        subject = self._reader.subject(path)
        text = self._reader.decode(content, subject)
        entries = self._reader.check_object(self._reader.parse(text, subject), subject)
        if isinstance(cards := entries.get("cards"), dict):
            cards = {id: _NEW | one if isinstance(one, dict) else one for id, one in cards.items()}
            entries = {**entries, "cards": cards}
        names = {item.name for item in dataclasses.fields(self.kind)}
        if not names - _LATER <= entries.keys() <= names | _GONE:
            raise StorageError(f"{subject} has other fields than it should.", _REMEDY)

        def wrong(name: str) -> StorageError:
            return StorageError(f"{subject} is damaged: {name} is wrong.", _REMEDY)

        try:
            return read_entries(self.kind, entries, wrong)
        except ValueError as error:
            raise StorageError(f"{subject} is damaged: {error}.", _REMEDY) from None


_PROGRESS: Final = _Keeper(PuzzleProgress, "the progress of puzzles")
_DECK: Final = _Keeper(DrillDeck, "the deck of the drill")
read_progress: Final = _PROGRESS.read
read_deck: Final = _DECK.read


def note_progress(path: Path, puzzle: str, tries: int) -> PuzzleProgress:
    """Note that a puzzle is done; return the progress. See `PuzzleProgress.note`."""
    return _PROGRESS.change(path, lambda progress: progress.note(puzzle, tries))


def add_cards(
    path: Path, game: str, puzzles: Mapping[str, Mapping[str, Any]], today: datetime.date
) -> None:
    """Add the mistakes of one game by what they ask, due at once.

    Known cards stay as they are, but for the number of their games.
    """

    def add(deck: DrillDeck) -> None:
        if game in deck.games:
            return
        deck.games = (*deck.games, game)
        known = {card.question: card for card in deck.cards.values()}
        for question, puzzle in puzzles.items():
            if question in known:
                known[question].games += 1
                continue
            id = puzzle["id"]
            while id in deck.cards:  # of a game of the same name that is gone
                id += "*"
            data = {**puzzle, "id": id}
            deck.cards[id] = DrillCard(data, today.isoformat(), question=question)

    _DECK.change(path, add)


def note_card(path: Path, id: str, tries: int, today: datetime.date) -> int:
    """Note the answer to a card, see `DrillCard.note`; return the days until the next time."""
    days = 0

    def note(deck: DrillDeck) -> None:
        nonlocal days
        if id in deck.cards:
            deck.cards[id].note(tries, today)
            days, deck.days = deck.cards[id].days, _with_today(deck.days)

    _DECK.change(path, note)
    return days


def _with_today(days: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*days, datetime.date.today().isoformat()]))
