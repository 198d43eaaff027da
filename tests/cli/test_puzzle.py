"""``boardgames puzzle``: asked, listed, made."""

from __future__ import annotations

from pathlib import Path

from boardgames_cli.evaluation.puzzles import bundled_puzzles
from boardgames_cli.storage.paths import puzzle_progress_file
from tests.conftest import Program

PUZZLE = bundled_puzzles("tapnswap")[0]


def test_no_lines_end_quietly(program: Program) -> None:
    done = program("puzzle", "--today", lines=[])
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("End of input.\n")
    assert not puzzle_progress_file().exists()


def test_progress_that_cannot_be_kept_is_said(program: Program, clean_environment: Path) -> None:
    (clean_environment / "data").write_text("no folder")
    done = program("puzzle", "--id", PUZZLE.id, lines=[PUZZLE.answer])
    assert done.code == 4
    assert "Your progress is not kept: " in done.err
