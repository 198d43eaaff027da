"""What the shell is offered."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

from boardgames_cli.cli import completion
from boardgames_cli.cli.command import Command
from boardgames_cli.cli.main import run
from tests.conftest import Program

Complete = Callable[[str], list[str]]


@pytest.fixture
def complete(
    program: Program, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Complete:
    def call(line: str) -> list[str]:
        words = line.split(" ")
        monkeypatch.setenv("_BOARDGAMES_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
        assert run([]) == 0
        return capsys.readouterr().out.split()

    return call


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("boardgames pl", "play"),
        ("boardgames play se", "senet"),
        ("boardgames rules se", "senet"),
        ("boardgames play senet --ru", "--rules"),
        ("boardgames play senet --rules sky", "skyruk"),
        ("boardgames play senet --vs expecti", "expectimax"),
        ("boardgames play senet -s hu", "human"),
        ("boardgames saves de", "delete"),
    ],
)
def test_words_are_offered(complete: Complete, line: str, offered: str) -> None:
    assert offered in complete(line)


def test_a_game_that_is_unknown_is_no_failure(complete: Complete) -> None:
    assert complete("boardgames play chess --se") == []


def test_a_level_with_the_name_of_an_agent_is_offered_once(complete: Complete) -> None:
    assert complete("boardgames play pommerman -s ha") == ["hard"]


@pytest.mark.parametrize("between", [" ", "="])
@pytest.mark.parametrize(("shell", "file"), [("zsh", ".zfunc/_boardgames"), ("fish", ".config/")])
def test_completion_is_installed_for_the_shell_that_is_named(
    tmp_path: Path, shell: str, file: str, between: str
) -> None:
    home = {**os.environ, "HOME": str(tmp_path)}
    option = f"--install-completion{between}{shell}".split()
    words = [sys.executable, "-m", "boardgames_cli", *option]
    done = subprocess.run(words, env=home, capture_output=True, text=True, check=True)
    assert f"{shell} completion installed" in done.stdout
    assert any(str(path.relative_to(tmp_path)).startswith(file) for path in tmp_path.rglob("*"))
    assert not (tmp_path / ".bashrc").exists()


def test_saves_are_offered(
    complete: Complete, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("_BOARDGAMES_COMPLETE", raising=False)
    program("play", "senet", "--vs", "random")
    assert complete("boardgames resume sen") == ["senet-1"]


def test_broken_agents_and_games_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    from boardgames_cli import registry

    monkeypatch.setitem(registry.BUILT_IN_GAMES, "gone", "no_such_module:GAME")
    context = typer.Context(Command("play"))
    assert "human" in dict(completion.holders(context, ""))
