"""Strategies that damage documents: the values in JSON, the lines of a file, or its bytes."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from tests.mutations import damaged

_RAW = "@raw{}@"
"""Stands in a document for text that `json.dumps` would never write."""

RAW_VALUES = (
    "NaN",
    "-Infinity",
    "1e999",
    "-1e999",
    "9" * 309,
    "9" * 5000,
    "-" + "9" * 400,
    "1e-999",
    "0.1e400",
    "[" * 2000 + "]" * 2000,
    '{"a":' * 1500 + "1" + "}" * 1500,
    '"\\ud800"',
    '"\\u0000"',
    "01",
    "'x'",
    "",
    "null null",
    "\x00",
    "1,",
    "// no comment",
    '"\x1b]0;title\x07"',
    "18446744073709551616",
    "-9223372036854775809",
)
PLAIN_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 31, 2**31, 2**63, 10**30, 0.5, -0.0, 1e308, 5e-324, "", " ",
    "human", "random", "0", "null", "\x1b[2J\x07", "é\u202e\u200b", "x" * 5000, "../../etc", "\r",
    [], {}, [[]], [None], [0] * 500, {"": ""}, {"0": 0}, {"chance": 1}, [[1, 2], [3]], "NaN",
    math.pi, "human:name=\x1b[31m", "ai:level=", "q-table:file=/dev/null", "2026-13-45T99:99",
)  # fmt: skip

texts = st.text(max_size=12) | st.sampled_from(
    ["\x1b[31m", "\x9b2J", "\x00", "\u202eabc", "\ud7ff", "\uffff", "😀" * 3, "a\nb", "\r\n", "\t"]
)
values: st.SearchStrategy[Any] = (
    st.sampled_from(PLAIN_VALUES)
    | st.sampled_from([_RAW.format(number) for number in range(len(RAW_VALUES))])
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
)
byte_edits = st.tuples(
    st.sampled_from(("replace", "insert", "cut", "flip", "double")),
    st.integers(0, 10**6),
    st.binary(min_size=1, max_size=8) | st.sampled_from([b"\x00", b"\xff\xfe", b"\r", b"\x1b[2J"]),
)


def write(document: Any) -> str:
    """A document as JSON on one line, with the raw values put in."""
    text = json.dumps(document, ensure_ascii=False)
    for number, raw in enumerate(RAW_VALUES):
        text = text.replace(json.dumps(_RAW.format(number)), raw)
    return text


def damage_bytes(data: bytes, changes: list[tuple[str, int, bytes]]) -> bytes:
    """Bytes with some of them changed."""
    for kind, where, new in changes:
        at = where % (len(data) + 1)
        match kind:
            case "replace":
                data = data[:at] + new + data[at + len(new) :]
            case "insert":
                data = data[:at] + new + data[at:]
            case "cut":
                data = data[:at]
            case "flip":
                data = data[:at] + bytes(255 - byte for byte in data[at : at + 1]) + data[at + 1 :]
            case _:
                data = data[:at] + data[at // 2 :]
    return data


def documents(bases: list[Any], form: Callable[[Any], str] = write) -> st.SearchStrategy[bytes]:
    """Files like these documents, with values or bytes changed.

    Args:
        bases: Documents that are right.
        form: How one is written.
    """
    changed = damaged(st.sampled_from(bases), values).map(
        lambda document: form(document).encode("utf-8", "surrogatepass")
    )
    torn = st.builds(
        lambda base, changes: damage_bytes(form(base).encode(), changes),
        st.sampled_from(bases),
        st.lists(byte_edits, min_size=1, max_size=3),
    )
    return changed | changed | torn


def lines(document: Any) -> str:
    """A list of documents as JSON lines."""
    items = document if isinstance(document, list) else [document]
    return "".join(f"{write(item)}\n" for item in items)
