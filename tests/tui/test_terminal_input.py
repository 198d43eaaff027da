"""What a terminal sends besides keys: nothing of it is taken for a key, and no key is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from boardgames_cli.terminal.streams import without_controls
from boardgames_cli.tui.driver import ShownCells, TerminalDriver, TerminalInput

BACKGROUND = "\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\"
SILENCE = None
"""Somebody rests for longer than any answer takes."""

Part = bytes | None

KEYS = {
    "1": "1", "q": "q", "é": "é", "\r": "enter", "\t": "tab", "\x03": "ctrl+c", "\x7f": "backspace",
    "\x1b[A": "up", "\x1bOB": "down", "\x1b[1;5C": "ctrl+right", "\x1b[Z": "shift+tab",
    "\x1bOP": "f1", "\x1b[[A": "f1", "\x1b[15~": "f5", "\x1b[6~": "pagedown", "\x1bOq": "1",
    "\x1ba": "alt+a", "\x1bq": "alt+q", "\x1b[97u": "a", "\x1b[97;5u": "ctrl+a",
    "\x1b[27u": "escape", "\x1b[3$": "shift+delete",
    "\x1b[<35;10;5M": "MouseMove", "\x1b[<0;10;5M": "MouseDown", "\x1b[<0;10;5m": "MouseUp",
    "\x1b[I": "AppFocus", "\x1b[O": "AppBlur", "\x1b[200~a\x1b]1;2\x07b\x1b[201~": "Paste",
    "\x1b[12;40R": "CursorPosition", "\x1b[?2026;2$y": "TerminalSupportsSynchronizedOutput",
    "\x1b[48;24;80;480;800t": "Resize",
}  # fmt: skip
"""What a terminal sends, and what Textual makes of it."""

PAYLOAD = st.text("0123456789;:/?rgbq1 ~[]\\\r\n\té", max_size=40)
STRINGS = st.builds(
    lambda begin, payload, end: begin + payload + end,
    st.sampled_from(["\x1b]", "\x1bP", "\x1b^", "\x1b_", "\x1bX", *"\x9d\x90\x9e\x9f\x98"]),
    PAYLOAD,
    st.sampled_from(["\x1b\\", "\x07", "\x9c"]),
)
SEQUENCES = st.builds(
    lambda begin, parameters, middle, end: f"{begin}?{parameters}{middle}{end}",
    st.sampled_from(["\x1b[", "\x9b"]),
    st.text("0123456789;:<=>?", max_size=40),
    st.text(" !\"#%'()*+,-./", max_size=3),
    st.sampled_from("cnxtlhpq~Yy"),
)
ANSWERS = STRINGS | SEQUENCES
"""What the parser does not know: whole, or cut short and followed by silence."""
SENT = (
    st.sampled_from([[key.encode()] for key in KEYS])
    | st.just([b"\x1b", SILENCE])
    | ANSWERS.map(lambda text: [text.encode()])
    | st.tuples(ANSWERS, st.integers(2, 60)).map(lambda cut: [cut[0][: cut[1]].encode(), SILENCE])
)


def heard(parts: list[Part]) -> list[str]:
    """What follows from input that comes in parts."""
    typed = TerminalInput()
    found: list[Message] = []
    for part in parts:
        if part is SILENCE:
            for _ in range(20):
                found += typed.pause(0.1)
        else:
            found += typed.feed(part)
    return [one.key if isinstance(one, events.Key) else type(one).__name__ for one in found]


@pytest.mark.parametrize(("sent", "name"), KEYS.items())
def test_what_textual_knows_is_heard(sent: str, name: str) -> None:
    assert heard([sent.encode()]) == [name]
    assert heard([bytes([byte]) for byte in sent.encode()]) == [name]


@given(st.lists(SENT, max_size=6), st.data())
def test_keys_are_heard_as_they_were_pressed(sent: list[list[Part]], data: st.DataObject) -> None:
    expected = []
    parts: list[Part] = []
    for pieces in sent:
        first = pieces[0]
        assert first is not None
        if first == b"\x1b":
            expected.append("escape")
        elif first.decode() in KEYS:
            expected.append(KEYS[first.decode()])
        for piece in pieces:
            parts += [SILENCE] if piece is None else [bytes([byte]) for byte in piece]
    joined: list[Part] = []
    for part in parts:
        if joined and joined[-1] and part and data.draw(st.booleans()):
            joined[-1] += part
        else:
            joined.append(part)
    assert heard(joined) == expected


def test_what_never_ends_is_given_up() -> None:
    assert heard([b"\x1b]" + b"1" * 9000, b"2\x1b", b"\\q"]) == ["q"]
    assert heard([b"\x1b[200~lost", SILENCE, SILENCE, SILENCE, b"q"]) == ["Paste", "q"]
    assert heard([b"\x1b]11;1", SILENCE, b"q"]) == ["q"]
    assert heard([b"\x1b]11;1\x1b[A"]) == ["up"]


@given(ANSWERS)
def test_lines_have_only_what_was_typed(answer: str) -> None:
    assert without_controls(f"a{answer}b\n") == "ab\n"


def test_a_line_with_an_answer_that_never_ends_says_nothing() -> None:
    assert without_controls("\x1b]11;rgb:1\n") == ""
    assert without_controls(f"{BACKGROUND}1\n") == "1\n"


def test_what_is_typed_before_anything_is_shown_is_not_meant_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard: list[Message] = []
    monkeypatch.setattr(LinuxDriver, "process_message", lambda _, message: heard.append(message))
    driver = TerminalDriver.__new__(TerminalDriver)
    driver._in_band_window_resize, driver._shown = False, ShownCells()
    one, leave, focus = events.Key("1", "1"), events.Key("ctrl+c", "\x03"), events.AppFocus()
    for message in (one, leave, focus, events.Paste("1")):
        driver.process_message(message)
    assert heard == [leave, focus]
    driver._shown.has_text = True
    driver.process_message(one)
    assert heard[-1] is one
