from __future__ import annotations

import pytest

from tests.conftest import Program


@pytest.mark.parametrize(
    "words",
    [["--help"], ["play", "--help"], ["list", "--help"], ["saves", "--help"], ["play", "senet"]],
)
def test_everywhere_options_go_anywhere(program: Program, words: list[str]) -> None:
    lines = ["q"]
    assert program(*words, "--no-color", lines=lines).code == 0
    assert program("--no-color", *words, lines=lines).code == 0


def test_headings_are_bold_only_where_wanted(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b[1mOptions:\x1b[0m" in program("--help").out
    assert "\x1b" not in program("--help", "--no-color").out


def test_game_may_stand_behind_its_options(program: Program) -> None:
    assert "--pieces" in program("play", "--no-color", "senet", "--help").out
