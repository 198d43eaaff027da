"""Progress in puzzles on this machine: which were solved, and the current streak."""

from __future__ import annotations

import dataclasses
import datetime
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from boardgames_cli.codec.json_reader import JsonReader
from boardgames_cli.core.errors import StorageError
from boardgames_cli.storage.files import change_file

_LARGEST: Final = 10_000_000
_REMEDY: Final = "Move it away to start over."
_READER: Final = JsonReader("the progress of puzzles", _LARGEST, StorageError, _REMEDY)


@dataclass(slots=True)
class PuzzleProgress:
    """The solved puzzles and the streak."""

    solved: dict[str, int] = field(default_factory=dict)
    """The number of tries for each solved puzzle; 0 if the answer was shown first."""
    streak: int = 0
    """The current number of puzzles in a row solved at the first try."""
    longest_streak: int = 0
    days: list[str] = field(default_factory=list)
    """The days on which puzzles were done, in ISO 8601; missing in older files."""

    def note(self, puzzle: str, tries: int) -> None:
        """Note that a puzzle is done.

        The tries are the answers including the correct one; 0 if it was shown.
        """
        self.solved.setdefault(puzzle, tries)
        self.streak = self.streak + 1 if tries == 1 else 0
        self.longest_streak = max(self.longest_streak, self.streak)
        self.days = with_today(self.days)


def with_today(days: Sequence[str]) -> list[str]:
    """Days in ISO 8601 with the present day, without repeats."""
    return list(dict.fromkeys([*days, datetime.date.today().isoformat()]))


def is_texts(data: Any) -> bool:
    """Whether a JSON value is a list of texts."""
    return isinstance(data, list) and all(isinstance(text, str) for text in data)


def read_progress(path: Path) -> PuzzleProgress:
    """Read the progress; empty if there is no file yet."""
    return _parsed(_READER.read_text(path) if path.exists() else "", path)


def _parsed(text: str, path: Path) -> PuzzleProgress:
    if not text:
        return PuzzleProgress()
    subject = _READER.subject(path)
    data: dict[str, Any] = _READER.check_object(_READER.parse(text, subject), subject)
    names = {item.name for item in dataclasses.fields(PuzzleProgress)}
    solved, days = data.get("solved"), data.setdefault("days", [])
    counts = [data.get("streak"), data.get("longest_streak")]
    if data.keys() != names or not isinstance(solved, dict) or not is_texts(days):
        raise StorageError(f"{subject} has other fields than it should.", _REMEDY)
    if not all(type(count) is int and count >= 0 for count in [*counts, *solved.values()]):
        raise StorageError(f"{subject} has an invalid count.", _REMEDY)
    return PuzzleProgress(**data)


def note_progress(path: Path, puzzle: str, tries: int) -> PuzzleProgress:
    """Note that a puzzle is done, whatever other windows have noted since; return the progress.

    Raises:
        StorageError: The file can't be read or written, or is damaged; it stays as it was.
    """
    progress = PuzzleProgress()

    def note(content: bytes) -> bytes:
        nonlocal progress
        progress = _parsed(content.decode("utf-8", "replace"), path)
        progress.note(puzzle, tries)
        return f"{json.dumps(dataclasses.asdict(progress))}\n".encode()

    change_file(path, _LARGEST, note)
    return progress
