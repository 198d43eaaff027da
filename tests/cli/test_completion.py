"""What the shell is offered."""

from __future__ import annotations

import pytest

from boardgames_cli.cli import completion
from boardgames_cli.cli.main import run
from tests.conftest import Program


@pytest.fixture
def complete(program: Program, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
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
def test_words_are_offered(complete, line: str, offered: str) -> None:
    assert offered in complete(line)


def test_saves_are_offered(complete, program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("_BOARDGAMES_COMPLETE", raising=False)
    program("play", "senet", "--vs", "random")
    assert complete("boardgames resume sen") == ["senet-1"]


def test_broken_agents_and_games_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    from boardgames_cli import registry

    monkeypatch.setitem(registry.BUILT_IN_GAMES, "gone", "no_such_module:GAME")
    assert "human" in dict(completion.holders(""))
