from __future__ import annotations

import json
from contextlib import redirect_stdout

import pytest

from boardgames_cli.cli import output
from tests.games.tables import Screen

ROWS = [("a", "1", "words and more words and still more"), ("bcd", "22", "few")]


def test_columns_are_as_wide_as_they_must_be(capsys: pytest.CaptureFixture[str]) -> None:
    output.say_table(("x", "n", "about"), ROWS)
    assert capsys.readouterr().out == (
        "x    n   about\na    1   words and more words and still more\nbcd  22  few\n"
    )


def test_last_column_hangs_in_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    with redirect_stdout(Screen()) as shown:
        output.say_table(("x", "n", "about"), ROWS)
    assert shown.getvalue() == (
        "x    n   about\na    1   words and more words\n         and still more\nbcd  22  few\n"
    )


def test_text_of_a_terminal_is_broken_between_words(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    output.say("word " * 10)
    assert capsys.readouterr().out.count("\n") == 1
    monkeypatch.setenv("COLUMNS", "20")
    with redirect_stdout(Screen()) as shown:
        output.say("word " * 10)
    assert shown.getvalue().count("\n") > 2


def test_what_others_wrote_is_not_obeyed(capsys: pytest.CaptureFixture[str]) -> None:
    output.say("\x1b[31mred")
    output.say_table(("a",), [("\x07",)])
    output.say_json({"name": "\x1b[31m\u202e"})
    out = capsys.readouterr().out
    assert out.replace("\n", "").isprintable()
    assert json.loads(out[out.index("{") :]) == {"name": "\x1b[31m\u202e"}
