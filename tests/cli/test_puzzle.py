"""``boardgames puzzle``: asked, listed, made."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardgames_cli.evaluation.puzzles import bundled_puzzles
from tests.conftest import Program

PUZZLE = bundled_puzzles("tapnswap")[0]


@pytest.fixture
def progress_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "puzzles.json"
    monkeypatch.setattr("boardgames_cli.cli.puzzle.puzzle_progress_file", lambda: file)
    return file


def test_no_lines_end_quietly(program: Program, progress_file: Path) -> None:
    done = program("puzzle", "--today", lines=[])
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("End of input.\n")
    assert not progress_file.exists()


def test_progress_that_cannot_be_kept_is_said(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    broken = tmp_path / "file" / "puzzles.json"
    monkeypatch.setattr("boardgames_cli.cli.puzzle.puzzle_progress_file", lambda: broken)
    done = program("puzzle", "--id", PUZZLE.id, lines=[PUZZLE.answer])
    assert done.code == 4
    assert "Your progress is not kept: " in done.err
