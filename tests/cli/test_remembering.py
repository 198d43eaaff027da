"""What the program remembers: preferences and results."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.conftest import Outcome, Program

ALWAYS_FIRST = ["1"] * 60


@pytest.fixture
def config_file(clean_environment: Path) -> Path:
    return clean_environment / "config.toml"


def play(program: Program, *words: str) -> Outcome:
    words = ("play", "kuhn", "--plain", "--hands", "3", "--pace", "instant", *words)
    return program(*words, lines=ALWAYS_FIRST)


def test_a_result_that_can_not_be_noted_is_said(program: Program, clean_environment: Path) -> None:
    (clean_environment / "data").write_text("no folder")
    outcome = play(program)
    assert outcome.code == 0
    assert "Your statistics miss this game" in outcome.out


def test_names_are_remembered(program: Program, config_file: Path) -> None:
    config_file.write_text('names = ["Ann", "Ben"]')
    play(program)
    shown = program("saves", "show", "kuhn-1").out
    assert "human:name=Ann" in shown
    play(program, "-s", "human", "-s", "human:Cleo", "--shared-screen")
    shown = program("saves", "show", "kuhn-2").out
    assert "human:name=Ann" in shown
    assert "human:name=Cleo" in shown


def test_a_damaged_file_is_named_and_left_alone(program: Program, config_file: Path) -> None:
    config_file.write_text("theme = [")
    outcome = play(program)
    assert outcome.code == 0
    assert "config.toml is not TOML" in outcome.err
    assert config_file.read_text() == "theme = ["
    assert program("config").code == 4
    script = program("watch", "kuhn", "--json")
    assert (script.code, script.err) == (0, ""), "scripts get the same on every machine"


def test_the_editor_is_the_users_own(
    program: Program, keyboard: Program, config_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "needs a terminal" in program("config", "edit").err
    script = f"{sys.executable} -c \"import sys; open(sys.argv[1], 'a').write('pace = 1')\""
    monkeypatch.setenv("VISUAL", script)
    outcome = keyboard("config", "edit")
    assert outcome.code == 4
    assert "pace is none of" in outcome.err
    assert config_file.read_text().startswith("# What boardgames remembers")
    monkeypatch.setenv("VISUAL", "no-such-editor --wait")
    assert 'The editor "no-such-editor --wait" can\'t be started' in keyboard("config", "edit").err
