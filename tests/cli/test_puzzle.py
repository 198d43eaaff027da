"""``boardgames puzzle``: asked, listed, made."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from boardgames_cli.evaluation.puzzles import bundled_puzzles, read_puzzles
from boardgames_cli.storage.practice import read_progress
from tests.conftest import Program

PUZZLE = bundled_puzzles("tapnswap")[0]


@pytest.fixture
def progress_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "puzzles.json"
    monkeypatch.setattr("boardgames_cli.cli.puzzle.puzzle_progress_file", lambda: file)
    return file


def test_wrong_answers_say_what_they_cost_and_count(program: Program, progress_file: Path) -> None:
    wrong = next(iter(PUZZLE.losses))
    lines = ["nonsense", "99", "?", "b", wrong, PUZZLE.answer]
    done = program("puzzle", "--id", PUZZLE.id, lines=lines)
    assert done.code == 0
    assert '"nonsense" is not a choice here.' in done.out
    assert f"Not the best: {wrong}: {PUZZLE.verdict(wrong)}. Try again." in done.out
    assert f"Right: {PUZZLE.answer}.\n" in done.out
    assert " ".join(PUZZLE.reason.split()[:6]) in done.out
    for other, words in list(PUZZLE.words.items())[1:]:
        assert f"{other}: {words}" in done.out
    assert "\nFound by random " in done.out
    assert done.out.endswith(f"({PUZZLE.method})\n")
    assert read_progress(progress_file).solved == {PUZZLE.id: 2}


def test_shown_passed_over_and_left(program: Program, progress_file: Path) -> None:
    done = program("puzzle", "tapnswap", lines=["n", "a", "q"])
    assert done.code == 0
    assert done.out.count("Puzzle tapnswap-") == 3
    assert list(read_progress(progress_file).solved.values()) == [0]


def test_a_letter_that_is_a_move_is_the_move(program: Program, progress_file: Path) -> None:
    (puzzle, *_) = (one for one in bundled_puzzles("pommerman") if "bomb" in one.losses)
    done = program("puzzle", "--id", puzzle.id, lines=["?", "b", "board", "q"])
    assert "b, board      show the board (b means the move bomb here)" in done.out
    assert "Not the best: bomb: " in done.out


def test_a_list_tells_what_is_solved(program: Program, progress_file: Path) -> None:
    program("puzzle", "--id", PUZZLE.id, lines=[PUZZLE.answer])
    listed = program("puzzle", "tapnswap", "--list").out
    (line,) = [line for line in listed.splitlines() if line.startswith(f"{PUZZLE.id} ")]
    assert line.endswith("solved at once")
    assert re.match(rf"{PUZZLE.id} +\w+ +[+-]\d+ ", line), "its level, and its rating"
    assert f"Solved: 1 of {len(bundled_puzzles('tapnswap'))}." in listed


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


def test_new_ones_are_made_added_with_other_options_and_asked(
    program: Program, progress_file: Path, tmp_path: Path
) -> None:
    file = tmp_path / "mine.json"
    program("puzzle", "tapnswap", "--make", "2", "--out", str(file), "--gap", "6")
    words = ["--tapnswap-max-plies", "40", "--make", "1", "--out", str(file), "--add"]
    done = program("puzzle", "tapnswap", *words)
    assert (done.code, done.err) == (0, "")
    assert "has 3 puzzles" in done.out
    found = read_puzzles(file)
    assert [puzzle.options["max_plies"] for puzzle in found] == [200, 200, 40]
    assert [puzzle.id for puzzle in found] == ["tapnswap-1", "tapnswap-2", "tapnswap-3"]
    asked = program("puzzle", "--file", str(file), lines=["a", "a", "a"]).out
    assert asked.count("The answer is ") == 3
    assert asked.endswith("\n\nThat was the last one.\n")


def test_an_option_of_the_game_chooses_puzzles_with_it(program: Program) -> None:
    def listed(*words: str) -> set[str]:
        rows = program("puzzle", "senet", "--list", *words).out.splitlines()[1:-1]
        return {row.split()[0] for row in rows}

    kendall, skyruk = listed("--rules", "kendall"), listed("--rules", "skyruk")
    assert kendall and skyruk and not kendall & skyruk  # noqa: PT018
    assert kendall | skyruk == listed()
