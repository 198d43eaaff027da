"""The reader of other people's JSON: one clear message for whatever a file may hold."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardgames_cli.codec.json_reader import DEEPEST, LONGEST_NUMBER, JsonReader, lines_of
from boardgames_cli.core.errors import PositionError

LIMIT = 1000
READER = JsonReader("the thing", LIMIT, PositionError, "Choose another.")
STREAM_READER = JsonReader("the thing", LIMIT, PositionError, takes_stream=True)


def refusal(text: str) -> str:
    with pytest.raises(PositionError) as caught:
        READER.parse(text, "this")
    assert caught.value.todo == "Choose another."
    return caught.value.message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "this is not JSON (line 1, column 1: Expecting value)."),
        ('{"a": 1,\n "b" 2}', "this is not JSON (line 2, column 6: Expecting ':' delimiter)."),
        ('{"a": 1, "a": 2}', 'this has the key "a" twice in one object.'),
        ('[{"x": {"c": 1, "b": 2, "b": 1}}]', 'this has the key "b" twice in one object.'),
        ("NaN", "this is not JSON (NaN is not a JSON number)."),
        ("[-Infinity]", "this is not JSON (-Infinity is not a JSON number)."),
        ("[1e999]", "this has the number 1e999, which is too large."),
        ("[-1e400]", "this has the number -1e400, which is too large."),
        ("9" * (LONGEST_NUMBER + 1), "this has a number that is too long."),
        ("9" * 5000, "this has a number that is too long."),
        ("[" * 100_000, "this is nested too deeply."),
        ('{"a":' * 100_000, "this is nested too deeply."),
        ("[" * 101 + "]" * 101, "this is nested too deeply."),
        (r'"\ud800"', "this has half a character (a lone surrogate)."),
        (r'{"\uDfff": 1}', "this has half a character (a lone surrogate)."),
    ],
    ids=lambda text: text[:20],
)
def test_what_is_wrong_is_said(text: str, message: str) -> None:
    assert refusal(text) == message


@pytest.mark.parametrize(
    "text",
    [
        "9" * LONGEST_NUMBER,
        "1.5e300",
        "[" * DEEPEST + "]" * DEEPEST,
        '{"a":' * (DEEPEST - 1) + "[1]" + "}" * (DEEPEST - 1),
        r'"\ud83d\ude00"',
        '[{"a": 1}, {"a": 1}]',
        json.dumps("[" * 500),
    ],
    ids=lambda text: text[:20],
)
def test_what_is_right_is_read(text: str) -> None:
    assert READER.parse(text, "this") == json.loads(text)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(
        st.characters(exclude_categories=["Cs"])), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip


@given(value=json_values)
@settings(max_examples=200, derandomize=True, deadline=None)
def test_all_that_can_be_written_is_read_again(value: Any) -> None:
    assert READER.parse(json.dumps(value), "this") == value


@given(value=json_values, data=st.data())
@settings(max_examples=400, derandomize=True, deadline=None)
def test_damaged_texts_are_read_as_json_does_or_refused(value: Any, data: st.DataObject) -> None:
    text = json.dumps(value)
    place = data.draw(st.integers(0, len(text)))
    junk = data.draw(st.sampled_from(["", "[", "}", '"', "\\ud800", "e999", "9" * 310, "\0", ","]))
    text = text[:place] + junk + text[place + data.draw(st.integers(0, 3)) :]
    try:
        found = READER.parse(text, "this")
    except PositionError:
        return
    assert found == json.loads(text)


def test_files_are_read_up_to_their_limit(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(json.dumps("x" * (LIMIT - 2)))
    assert READER.read(path) == "x" * (LIMIT - 2)
    path.write_text(json.dumps("x" * (LIMIT - 1)))
    with pytest.raises(PositionError, match="file is too large: at most 1000 bytes are read"):
        READER.read(path)


def test_a_byte_order_mark_is_no_damage(tmp_path: Path) -> None:
    assert [*lines_of("a\n\nb")] == [(1, "a"), (3, "b")]
    path = tmp_path / "notepad.json"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}')
    assert READER.read_object(path) == {"a": 1}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"a":\n"\xe9"}', r"is not UTF-8 text \(line 2\)"),
        (b"[1]", "is not a JSON object"),
        (b"\xed\xa0\x80", "is not UTF-8 text"),
    ],
)
def test_files_that_are_no_objects(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(PositionError, match=f"the thing .*file {message}"):
        READER.read_object(path)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gone", "can't be read .No such file"),
        ("~nobody-of-that-name/x", "can't be read .No such file"),
        (".", "can't be read .Is a directory"),
        ("x" * 5000, "can't be read .File name too long"),
        ("a\0b", "can't be read .*embedded null"),
        ("\udcff", "can't be read .No such file"),
        ("/dev/zero", "it is a device or a pipe"),
        ("fifo", "it is a device or a pipe"),
    ],
)
def test_what_is_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("fifo")
    with pytest.raises(PositionError, match=message):
        READER.read(name)


def test_a_file_of_terabytes_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge"
    with path.open("wb") as file:
        file.truncate(10**12)
    with pytest.raises(PositionError, match="is too large"):
        READER.read(path)


class Endless(io.RawIOBase):
    """Standard input that never ends."""

    count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self.count += len(buffer)
        buffer[:] = b"[" * len(buffer)
        return len(buffer)


def test_standard_input_is_limited_too(monkeypatch: pytest.MonkeyPatch) -> None:
    endless = Endless()
    for stream, message in (
        (io.TextIOWrapper(io.BufferedReader(endless)), "is too large"),
        (io.StringIO('{"a": 1'), "is not JSON .line 1, column 8"),
        (None, "can't be read .standard input is closed"),
    ):
        monkeypatch.setattr(sys, "stdin", stream)
        with pytest.raises(PositionError, match=f"the thing - {message}"):
            STREAM_READER.read("-")
    assert endless.count <= 2**17  # one buffer of Python's, which 3.14 made larger


class Greedy(str):
    """A text that takes all memory when it is looked through."""

    __slots__ = ()

    def count(self, *_: object) -> int:
        raise MemoryError


def test_a_lack_of_memory_is_no_crash() -> None:
    assert refusal(Greedy("1")) == "this needs more memory than there is."
