"""Which puzzles are solved, and the streak."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardgames_cli.core.errors import StorageError
from boardgames_cli.storage.practice import PuzzleProgress, note_progress, read_progress


def test_nothing_is_solved_at_first(tmp_path: Path) -> None:
    assert read_progress(tmp_path / "none" / "puzzles.json") == PuzzleProgress()


def test_only_first_tries_make_a_streak(tmp_path: Path) -> None:
    file = tmp_path / "new" / "puzzles.json"
    for puzzle, tries in (("a", 1), ("b", 1), ("c", 2), ("a", 1), ("d", 0)):
        progress = note_progress(file, puzzle, tries)
    assert progress.solved == {"a": 1, "b": 1, "c": 2, "d": 0}
    assert (progress.streak, progress.longest_streak) == (0, 2)
    assert read_progress(file) == progress


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"solved": {}, "streak": 0}',
        '{"solved": [], "streak": 0, "longest_streak": 0}',
        '{"solved": {"a": -1}, "streak": 0, "longest_streak": 0}',
        '{"solved": {}, "streak": true, "longest_streak": 0}',
    ],
)
def test_a_damaged_file_is_refused_and_kept(text: str, tmp_path: Path) -> None:
    file = tmp_path / "puzzles.json"
    file.write_text(text)
    with pytest.raises(StorageError, match="the progress of puzzles"):
        read_progress(file)
    with pytest.raises(StorageError, match="the progress of puzzles"):
        note_progress(file, "a", 1)
    assert file.read_text() == text
