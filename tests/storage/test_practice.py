"""Which puzzles are solved."""

from __future__ import annotations

from pathlib import Path

from boardgames_cli.storage.practice import PuzzleProgress, note_progress, read_progress


def test_nothing_is_solved_at_first(tmp_path: Path) -> None:
    assert read_progress(tmp_path / "none" / "puzzles.json") == PuzzleProgress()


def test_the_first_tries_of_a_puzzle_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "new" / "puzzles.json"
    for puzzle, tries in (("a", 1), ("b", 1), ("c", 2), ("a", 1), ("d", 0)):
        progress = note_progress(file, puzzle, tries)
    assert progress.solved == {"a": 1, "b": 1, "c": 2, "d": 0}
    assert read_progress(file) == progress


def test_a_file_of_0_2_with_its_streaks_is_read(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.json"
    file.write_text('{"solved": {"a": 1}, "streak": 4, "longest_streak": 9, "days": []}')
    assert read_progress(file) == PuzzleProgress({"a": 1})
    assert note_progress(file, "b", 2).solved == {"a": 1, "b": 2}
