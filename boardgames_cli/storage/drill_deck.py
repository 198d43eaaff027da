"""The deck of the drill on this machine: cards made of people's mistakes, and when each is due.

Intervals follow SM-2: P. A. Wozniak, "Optimization of learning" (1990), chapter 3.2. All functions
raise `StorageError` for a file that can't be read or written, or is damaged; it stays as it was.
"""

from __future__ import annotations

import dataclasses
import datetime
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from boardgames_cli.codec.json_reader import JsonReader
from boardgames_cli.core.errors import StorageError
from boardgames_cli.storage.files import change_file
from boardgames_cli.storage.puzzle_progress import is_texts, with_today

_LARGEST: Final = 20_000_000
_REMEDY: Final = "Move it away to start over."
_READER: Final = JsonReader("the deck of the drill", _LARGEST, StorageError, _REMEDY)

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
class DrillCard:
    """One mistake to train on."""

    puzzle: dict[str, Any]
    """The fields of the puzzle that asks it."""
    due: str
    """The day on which it is asked next, in ISO 8601."""
    days: int = 0
    """The current interval in days."""
    ease: float = 2.5
    """The factor of SM-2 by which intervals grow."""
    recalled: int = 0
    """How often in a row it was answered well."""

    def note(self, tries: int, today: datetime.date) -> None:
        """Note an answer and plan the next day.

        The tries are the answers including the correct one; 0 if it was shown.
        """
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
    games: list[str] = field(default_factory=list)
    """The saves that were looked through, each with the time at which its game began."""
    days: list[str] = field(default_factory=list)
    """The days on which cards were answered, in ISO 8601; missing in older files."""

    def due(self, today: datetime.date, game: str = "") -> list[DrillCard]:
        """The cards that are due, the oldest first; by default those of all games."""
        found = [
            card
            for card in self.cards.values()
            if card.due <= today.isoformat() and game in ("", card.puzzle["game"])
        ]
        return sorted(found, key=lambda card: card.due)


def read_deck(path: Path) -> DrillDeck:
    """Read the deck; empty if there is no file yet."""
    return _parsed(_READER.read_text(path) if path.exists() else "", path)


def add_cards(
    path: Path, game: str, puzzles: Sequence[Mapping[str, Any]], today: datetime.date
) -> None:
    """Add the mistakes of one game, due at once; known cards stay as they are."""

    def add(deck: DrillDeck) -> None:
        if game not in deck.games:
            deck.games.append(game)
        for puzzle in puzzles:
            deck.cards.setdefault(puzzle["id"], DrillCard(dict(puzzle), today.isoformat()))

    _change(path, add)


def note_card(path: Path, id: str, tries: int, today: datetime.date) -> None:
    """Note the answer to a card; see `DrillCard.note`."""

    def note(deck: DrillDeck) -> None:
        if id in deck.cards:
            deck.cards[id].note(tries, today)
            deck.days = with_today(deck.days)

    _change(path, note)


def _change(path: Path, change: Callable[[DrillDeck], None]) -> None:
    def rewrite(content: bytes) -> bytes:
        deck = _parsed(content.decode("utf-8", "replace"), path)
        change(deck)
        return f"{json.dumps(dataclasses.asdict(deck))}\n".encode()

    change_file(path, _LARGEST, rewrite)


def _parsed(text: str, path: Path) -> DrillDeck:
    if not text:
        return DrillDeck()
    subject = _READER.subject(path)
    data = _READER.check_object(_READER.parse(text, subject), subject)
    try:
        cards = {id: DrillCard(**card) for id, card in data["cards"].items()}
        days = data.get("days", [])
        if not is_texts(days):
            raise TypeError
        deck = DrillDeck(cards, [str(game) for game in data["games"]], days)
        for card in cards.values():
            datetime.date.fromisoformat(card.due)
            card.days, card.recalled, card.ease = (
                int(card.days),
                int(card.recalled),
                float(card.ease),
            )
            if not isinstance(card.puzzle["game"], str):
                raise TypeError
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
        raise StorageError(f"{subject} is damaged.", _REMEDY) from None
    return deck
