"""Reading and writing lines: widths, streams that are missing, and what may not get through."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardgames_cli.core.presentation.view import Size
from boardgames_cli.plain.console import Console, EndOfInput
from boardgames_cli.terminal.signals import SignalWatch
from boardgames_cli.terminal.streams import is_terminal, printable, reflow, wrap_lines
from tests.games.tables import Screen


@pytest.fixture
def interrupts() -> Iterator[SignalWatch]:
    with SignalWatch() as found:
        yield found


def console(
    interrupts: SignalWatch, lines: str | None = "", terminal: bool = False
) -> tuple[Console, io.StringIO, io.StringIO]:
    out, notices = (Screen(), Screen()) if terminal else (io.StringIO(), io.StringIO())
    source = None if lines is None else io.StringIO(lines)
    return Console(interrupts, source, out, notices), out, notices


def test_a_pipe_shows_what_was_read_so_that_it_reads_as_a_dialogue(interrupts: SignalWatch) -> None:
    talk, out, _ = console(interrupts, "  5>7  \n")
    assert talk.ask("You> ") == "5>7"
    assert out.getvalue() == "You>   5>7  \n"


def test_escapes_that_are_typed_are_not_sent_back(interrupts: SignalWatch) -> None:
    talk, out, _ = console(interrupts, "\x1b[2J\n")
    assert talk.ask("You> ") == "\x1b[2J"
    assert out.getvalue() == "You> ?[2J\n"


@pytest.mark.parametrize("lines", ["", None])
def test_the_end_of_input_ends_the_line(interrupts: SignalWatch, lines: str | None) -> None:
    talk, out, _ = console(interrupts, lines)
    with pytest.raises(EndOfInput):
        talk.ask("You> ")
    assert out.getvalue() == "You> \n"


def test_what_is_overheard_in_a_pipe_can_answer_the_next_question(interrupts: SignalWatch) -> None:
    read, write = os.pipe()
    with os.fdopen(read, encoding="utf-8") as source, os.fdopen(write, "w") as sink:
        talk = Console(interrupts, source, io.StringIO(), io.StringIO())
        assert talk.overhear() is None
        sink.write("say hi\n5>7\nlast")
        sink.flush()
        assert talk.overhear() == "say hi"
        assert talk.overhear() == "5>7"
        talk.keep("5>7")
        assert talk.overhear() is None
        assert talk.ask("You> ") == "5>7"
        assert talk.ask_until("You> ", lambda: True) is None, "its end was not typed"
        sink.close()
        assert talk.ask("You> ") == "last"
        assert talk.overhear() is None, "the end of a pipe is no wish to leave"
        with pytest.raises(EndOfInput):
            talk.ask("You> ")


@pytest.mark.parametrize("columns", [20, 60, 80])
def test_only_a_terminal_gets_broken_lines(
    interrupts: SignalWatch, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    text = "word " * 40
    for terminal in (False, True):
        talk, out, _ = console(interrupts, terminal=terminal)
        talk.say(text.strip())
        longest = max(map(len, out.getvalue().splitlines()))
        assert longest <= columns if terminal else longest == len(text) - 1
        assert out.getvalue().split() == text.split()
        talk.put(text)
        assert max(map(len, out.getvalue().splitlines())) == len(text), "data stays whole"


def test_notices_are_for_people_who_wait(interrupts: SignalWatch) -> None:
    for terminal in (False, True):
        talk, out, notices = console(interrupts, terminal=terminal)
        talk.notice("Ann is \x07thinking.")
        assert notices.getvalue() == ("Ann is ?thinking.\n" if terminal else "")
        assert out.getvalue() == ""
        assert not talk.is_live, "nobody types into a pipe"


@pytest.mark.parametrize(("lines", "rows"), [(10, 18), (24, 18), (25, 19), (40, 34)])
def test_a_page_has_room_for_a_board_and_some_text(
    interrupts: SignalWatch, monkeypatch: pytest.MonkeyPatch, lines: int, rows: int
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", str(lines))
    talk, _, _ = console(interrupts)
    assert talk.size == Size(80, rows)


@given(st.text())
def test_nothing_that_a_terminal_obeys_gets_through(text: str) -> None:
    shown = printable(text)
    assert shown.replace("\n", "").isprintable()
    assert printable(shown) == shown
    if text.isprintable():
        assert shown == text


@given(st.lists(st.sampled_from(["a", "bbb", "word", "longer-word", "x" * 15]), min_size=1),
       st.integers(20, 90))  # fmt: skip
def test_breaking_loses_no_word_and_keeps_to_the_width(words: list[str], width: int) -> None:
    text = " ".join(words)
    for broken in (wrap_lines(text, width), reflow(text, width)):
        assert broken.split() == words
        assert all(len(line) <= width for line in broken.splitlines())
    assert wrap_lines(wrap_lines(text, width), width) == wrap_lines(text, width)


def test_a_stream_that_is_closed_or_missing_is_no_terminal() -> None:
    closed = io.StringIO()
    closed.close()
    assert is_terminal(Screen())
    assert not is_terminal(closed)
    assert not is_terminal(None)
    assert not is_terminal(io.StringIO())
    assert not is_terminal(io.TextIOWrapper(io.BytesIO()))
