"""Puzzles in a real terminal: a screen that is given back, and lines without an escape byte."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.evaluation.puzzles import bundled_puzzles
from boardgames_cli.session.questions import question_of_puzzle
from boardgames_cli.storage.practice import read_progress
from tests.e2e.screens import Terminal, colours

PUZZLE = bundled_puzzles("tapnswap")[0]
ASK = ("puzzle", "--id", PUZZLE.id)
NUMBER = str(question_of_puzzle(PUZZLE).choices.index(PUZZLE.answer) + 1)


@pytest.mark.parametrize("variables", [{}, {"NO_COLOR": "1"}], ids=["colours", "NO_COLOR"])
def test_the_screen_answers_and_gives_the_terminal_back(
    tmp_path: Path, variables: dict[str, Any]
) -> None:
    terminal = Terminal(tmp_path, *ASK, **variables)
    terminal.wait_for(re.escape(PUZZLE.task))
    terminal.wait_for("q close")
    terminal.send(NUMBER)
    terminal.wait_for(f"Right: {re.escape(PUZZLE.answer)}")
    terminal.wait_for("Choices +exact")
    terminal.send("q")
    assert terminal.end() == 0
    terminal.check_given_back()
    assert bool(colours(terminal.raw)) is not bool(variables)
    assert read_progress(tmp_path / "data" / "boardgames" / "puzzles.json").solved == {PUZZLE.id: 1}
