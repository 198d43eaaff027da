from __future__ import annotations

import errno
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from boardgames_cli.cli import errors
from boardgames_cli.cli.command import Subcommand
from boardgames_cli.core.plugins import GAME_GROUP
from tests.conftest import Program
from tests.plugins import Plugins


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:

    def load(*_: object) -> object:
        raise KeyError("who")

    monkeypatch.setattr(Subcommand, "load", load)


def test_unexpected_error_is_one_line_and_a_log(
    program: Program, broken: None, clean_environment: Path
) -> None:
    outcome = program("list")
    assert outcome.code == 1
    assert outcome.err.startswith("Internal error (KeyError: 'who').   Details: ")
    assert outcome.err.count("\n") == 1
    log = Path(outcome.err.split("Details: ")[1].strip())
    assert log.is_relative_to(clean_environment)
    assert "Traceback" in log.read_text()


def test_log_that_cannot_be_written_is_no_second_error(
    program: Program, broken: None, clean_environment: Path
) -> None:
    (clean_environment / "state").write_text("a file where the folder should be")
    outcome = program("list")
    assert outcome.code == 1
    assert "--debug" in outcome.err


def test_debug_shows_the_traceback(program: Program, broken: None) -> None:
    assert "Traceback" in program("list", "--debug").err
    assert "Traceback" in program("play", "sennet", "--debug").err
    assert "Traceback" not in program("list", "--", "--debug").err


@pytest.mark.skipif(os.name != "posix", reason="pipes break otherwise on Windows")
@pytest.mark.parametrize("words", [("rules", "senet"), ("list",), ("--help",)])
def test_a_closed_pipe_ends_the_program_quietly(words: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "boardgames_cli", *words],
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


def test_plugin_warning_is_one_line(program: Program, plugins: Plugins) -> None:
    plugins.add(GAME_GROUP, "x", "no_such_module:GAME")
    told = program("list").err
    assert told.startswith("note: ")
    assert told.count("\n") == 1


def test_empty_no_color_is_taken_away(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "")
    assert program("--version").code == 0
    assert "NO_COLOR" not in os.environ
    monkeypatch.setenv("NO_COLOR", "1")
    program("--version")
    assert os.environ["NO_COLOR"] == "1"


@pytest.mark.parametrize(
    "words",
    [
        ("resume", "{}"),
        ("replay", "./{}.jsonl"),
        ("saves", "show", "/{}"),
        ("saves", "delete", "/{}", "--yes"),
        ("play", "senet", "--position", "{}"),
        ("play", "senet", "--plain", "--save-dir", "/{}"),
        ("train", "kuhn", "--iterations", "1", "--out", "{}"),
        ("train", "tapnswap", "--resume", "--out", "/{}"),
        ("watch", "kuhn", "--json", "-s", "cfr:file={}", "-s", "random"),
    ],
)
def test_endless_path_is_one_message(program: Program, words: tuple[str, ...]) -> None:
    outcome = program(*(word.format("a" * 5000) for word in words))
    assert outcome.code in (2, 4)
    assert outcome.err.count("\n") == 1
    assert "Internal error" not in outcome.err
    assert len(outcome.err) < 700


def test_a_terminal_that_is_gone_is_a_hang_up() -> None:
    assert errors.report(OSError(errno.EIO, "Input/output error")) == 129
    assert errors.report(OSError(errno.EIO, "Input/output error", "a file")) == 4


def test_a_closed_standard_output_is_told() -> None:
    words = f"{shlex.quote(sys.executable)} -m boardgames_cli list >&-"
    done = subprocess.run(words, shell=True, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr.count("\n")) == (4, 1)
    assert "The output can't be written" in done.stderr
