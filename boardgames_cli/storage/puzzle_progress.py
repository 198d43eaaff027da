"""Which puzzles somebody has solved on this machine, and how many in a row at the first try."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from boardgames_cli.core.errors import StorageError
from boardgames_cli.core.json_reader import JsonReader
from boardgames_cli.storage.files import replace_file

_LARGEST: Final = 10_000_000
_REMEDY: Final = "Move it away to begin anew."
_READER: Final = JsonReader("the progress of puzzles", _LARGEST, StorageError, _REMEDY)


@dataclass(slots=True)
class PuzzleProgress:
    """What has been solved."""

    solved: dict[str, int] = field(default_factory=dict)
    """By puzzle the tries that the first solution took; 0 if the answer was shown first."""
    streak: int = 0
    """Puzzles in a row that were solved at the first try, up to now."""
    longest_streak: int = 0

    def note(self, puzzle: str, tries: int) -> None:
        """Note that a puzzle is done.

        Args:
            puzzle: Its id.
            tries: How many answers were given, the right one included; 0 if it was shown.
        """
        self.solved.setdefault(puzzle, tries)
        self.streak = self.streak + 1 if tries == 1 else 0
        self.longest_streak = max(self.longest_streak, self.streak)


def read_progress(path: Path) -> PuzzleProgress:
    """What a file holds; nothing if there is none yet.

    Raises:
        StorageError: It can't be read, or is damaged.
    """
    if not path.exists():
        return PuzzleProgress()
    data: dict[str, Any] = _READER.read_object(path)
    names = {item.name for item in dataclasses.fields(PuzzleProgress)}
    solved = data.get("solved")
    counts = [data.get("streak"), data.get("longest_streak")]
    if data.keys() != names or not isinstance(solved, dict):
        raise StorageError(f"{_READER.subject(path)} has other fields than it should.", _REMEDY)
    if not all(type(count) is int and count >= 0 for count in [*counts, *solved.values()]):
        raise StorageError(f"{_READER.subject(path)} has a count that is none.", _REMEDY)
    return PuzzleProgress(**data)


def write_progress(path: Path, progress: PuzzleProgress) -> None:
    """Keep the progress.

    Raises:
        StorageError: It can't be written; what was there is unharmed.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"{path.parent} can't be made ({error.strerror}).") from error
    replace_file(path, json.dumps(dataclasses.asdict(progress)) + "\n")
