"""Reading untrusted JSON within limits, with one clear message for everything that is wrong.

Every problem (too long, not UTF-8, not JSON, a repeated key, huge numbers, deep nesting) is raised
as the caller's type of error, so that callers need not know what a parser may raise.
"""

from __future__ import annotations

import contextlib
import errno
import json
import math
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

from boardgames_cli.core.errors import GameError

STREAM: Final = "-"
"""The file name that stands for standard input."""

LONGEST_NUMBER: Final = 300
"""The maximum number of digits of a whole number; such numbers fit into a float."""

DEEPEST: Final = 100
"""The maximum nesting depth of lists and objects."""

_CHUNK: Final = 1 << 20
FLAGS: Final = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
# Non-blocking: nobody may ever open the other end of a pipe.
_NO_WAIT: Final = getattr(os, "O_NONBLOCK", 0)
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")


class _Flaw(ValueError):
    """What is wrong, to complete a sentence about the file."""


@dataclass(frozen=True, slots=True)
class JsonReader:
    """Reads files of one kind.

    All methods raise ``error(message, remedy)`` and nothing else.
    """

    what: str
    """What the files are called in messages, with its article: ``the position``."""
    limit: int
    """The maximum size in bytes."""
    error: Callable[[str, str], GameError]
    remedy: str = ""
    takes_stream: bool = False
    """Whether the name ``-`` stands for standard input."""

    def read(self, path: str | Path) -> Any:
        """Read the JSON value in a file."""
        return self.parse(self.read_text(path), self.subject(path))

    def read_text(self, path: str | Path, *, is_strict: bool = True) -> str:
        """The text of a regular file, without a byte order mark.

        Devices and pipes may be endless, and are refused. Invalid UTF-8 is refused, too, or becomes
        replacement characters.
        """
        return self.decode(self.read_bytes(path), self.subject(path), is_strict=is_strict)

    def decode(self, content: bytes, subject: str, *, is_strict: bool = True) -> str:
        """The text in the bytes of a file; more as for `read_text`."""
        with self._in_own_words(subject):
            return content.decode("utf-8-sig", "strict" if is_strict else "replace")

    def read_bytes(self, path: str | Path) -> bytes:
        """The content of a regular file, or of standard input."""
        hint = f"; to pipe it in, write {STREAM} for its name" if self.takes_stream else ""
        with self._in_own_words(self.subject(path), hint):
            if self.takes_stream and str(path) == STREAM:
                return _read_stream(self.limit)
            # Path.expanduser may raise errors of other kinds.
            return read_regular(Path(os.path.expanduser(path)), self.limit)  # noqa: PTH111

    def parse(self, text: str, subject: str) -> Any:
        """Parse a JSON document; its name in messages is that of a file, or a line of one."""
        with self._in_own_words(subject):
            data = decode_json(text)
            if _SURROGATE.search(text):
                json.dumps(data, ensure_ascii=False).encode()
            return data

    def read_object(self, path: str | Path) -> dict[str, Any]:
        """Read the JSON object in a file."""
        return self.check_object(self.read(path), self.subject(path))

    def check_object(self, data: Any, subject: str) -> dict[str, Any]:
        """Check that a value is a JSON object, and return it."""
        if not isinstance(data, dict):
            raise self.error(f"{subject} is not a JSON object.", self.remedy)
        return data

    def subject(self, path: str | Path) -> str:
        """The name of a file in messages."""
        return f"{self.what} {path}".strip()

    @contextlib.contextmanager
    def _in_own_words(self, subject: str, hint: str = "") -> Iterator[None]:
        try:
            yield
        except OSError as error:
            hint = hint if error.errno == errno.EINVAL else ""
            message = f"can't be read ({error.strerror or error}{hint})"
            if error.errno == errno.EFBIG:
                message = f"is too large: at most {_size(self.limit)} are read"
        except json.JSONDecodeError as error:
            message = f"is not JSON (line {error.lineno}, column {error.colno}: {error.msg})"
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            message = f"is not UTF-8 text (line {line})"
        except UnicodeEncodeError:
            message = "has half a character (a lone surrogate)"
        except RecursionError:
            message = "is nested too deeply"
        except MemoryError:
            message = "needs more memory than there is"
        except _Flaw as error:
            message = str(error)
        except ValueError as error:  # such as a null byte in the name of a file
            message = f"can't be read ({error})"
        else:
            return
        raise self.error(f"{subject} {message}.", self.remedy) from None


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text that are not blank, each with its number, from 1.

    They end in LF or CR LF; any other separator, such as U+2028, may stand in somebody's name.
    """
    return ((at, line) for at, line in enumerate(text.split("\n"), 1) if line.strip())


def decode_json(text: str) -> Any:
    """The JSON value in a text, which may contain lone surrogates, unlike in `JsonReader.parse`.

    Raises:
        ValueError, RecursionError, MemoryError: It is not JSON, has a repeated key or a number that
            is none, or is nested too deeply.
    """
    data = _DECODER.decode(text)
    if text.count("[") + text.count("{") > DEEPEST:
        _check_depth(data)
    return data


def _read_stream(limit: int) -> bytes:
    stream = sys.stdin
    if stream is None:
        raise _Flaw("can't be read (standard input is closed)")
    if hasattr(stream, "buffer"):
        content: bytes = stream.buffer.read(limit + 1)
    else:
        content = stream.read(limit + 1).encode()
    if len(content) > limit:
        raise OSError(errno.EFBIG, "there is too much of it")
    return content


def open_regular(path: Path, flags: int = os.O_RDONLY) -> int:
    """Open a regular file; devices, which may be endless, and pipes are refused.

    Returns:
        The descriptor.

    Raises:
        OSError: It can't be opened, or is not a regular file.
        ValueError: The name is not valid.
    """
    check_regular(path.stat().st_mode)  # opening a device may already do something
    descriptor = os.open(path, flags | FLAGS | _NO_WAIT)
    try:
        check_regular(os.fstat(descriptor).st_mode)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def check_regular(mode: int) -> None:
    """Raise OSError unless a mode is that of a regular file."""
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is a device or a pipe, not a file")


def read_regular(path: Path, limit: int) -> bytes:
    """Read the content of a regular file.

    Raises:
        OSError: It can't be read, or is larger than the limit; no more than that is read.
        ValueError: The name is not valid.
    """
    descriptor = open_regular(path)
    try:
        return read_at_most(descriptor, limit)
    finally:
        os.close(descriptor)


def read_at_most(descriptor: int, limit: int) -> bytes:
    """Read an open file from its beginning; errors as for `read_regular`."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    chunks, missing = [], limit + 1
    while missing and (chunk := os.read(descriptor, min(missing, _CHUNK))):
        chunks.append(chunk)
        missing -= len(chunk)
    if not missing:
        raise OSError(errno.EFBIG, f"it is larger than {_size(limit)}")
    return b"".join(chunks)


def _size(count: int) -> str:
    return f"{count // 1_000_000} MB" if count >= 1_000_000 else f"{count} bytes"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _Flaw(f"has the key {_short(json.dumps(key))} twice in one object")
            seen.add(key)
    return data


def _whole(text: str) -> int:
    if len(text) > LONGEST_NUMBER:
        raise _Flaw("has a number that is too long")
    return int(text)


def _real(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise _Flaw(f"has the number {_short(text)}, which is too large")
    return value


def _no_number(text: str) -> NoReturn:
    raise _Flaw(f"is not JSON ({text} is not a JSON number)")


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:20]}...{text[-10:]}"


def _check_depth(data: Any) -> None:
    level = [data] if isinstance(data, dict | list) else []
    for _ in range(DEEPEST):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return
    raise _Flaw("is nested too deeply")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_whole, parse_float=_real, parse_constant=_no_number
)
