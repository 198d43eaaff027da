"""The command line with somebody at a terminal."""

from __future__ import annotations

import io
import sys

import pytest

from boardgames_cli.cli.main import run
from tests.conftest import Outcome, Program


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def keyboard(
    program: Program, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Program:
    """`program` with somebody at the keyboard."""

    def call(*words: str, lines: list[str] | None = None) -> Outcome:
        typed = Terminal("".join(f"{line}\n" for line in lines or []))
        monkeypatch.setattr(sys, "stdin", typed)
        return Outcome(run(words), *capsys.readouterr())

    return call
