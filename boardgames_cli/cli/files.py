"""Files that a command is given by their paths: read as what they are, and written once."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from boardgames_cli.core.errors import RecordError, StorageError
from boardgames_cli.core.record import Record, read_lines
from boardgames_cli.storage.journal import create_file, replace_file

STREAM: Final = "-"
"""Standard input or standard output in the place of a file."""

_MARK: Final = '{"boardgames":'
_JSON: Final = "docs/file-formats.md shows what can be read."


@dataclass(frozen=True, slots=True)
class Source:
    """What was read: one of three."""

    record: Record | None = None
    """A save."""
    files: Mapping[str, dict[str, Any]] | None = None
    """The JSON objects of a folder, by the names of their files."""
    data: dict[str, Any] = field(default_factory=dict)
    """A JSON object."""


def read_source(name: str) -> Source:
    """Read a save, a JSON object, or all JSON objects in a folder.

    Args:
        name: A path; ``-`` is standard input.

    Raises:
        StorageError: It can't be read, or is nothing of the kind.
        RecordError: It is a save that is damaged.
    """
    path = Path(name)
    if name != STREAM and path.is_dir():
        return Source(files=_read_folder(path))
    text = _read_text(name)
    # A save has many lines, each JSON; its first one says what it is.
    if text.lstrip().startswith(_MARK):
        try:
            return Source(record=read_lines(io.StringIO(text, newline="\n")))
        except RecordError as error:
            raise RecordError(f"{name}, {error.message}", error.todo) from error
    return Source(data=_object(name, text))


def write_target(name: str, text: str, *, force: bool) -> None:
    """Write a file, never half of it; ``-`` is standard output.

    Args:
        name: A path.
        text: All that it is to hold.
        force: Whether it may take the place of a file.

    Raises:
        StorageError: There is such a file already, or it can't be written.
    """
    if name == STREAM:
        sys.stdout.write(text)
        return
    path = Path(name)
    todo = "Choose another place, or check the permissions of this one and the free space."
    try:
        if force and path.exists():
            replace_file(path, text)
        else:
            create_file(path, text)
    except FileExistsError:
        raise StorageError(
            f"{path} is there already.", "Choose another name, or overwrite it with --force."
        ) from None
    except StorageError as error:
        raise StorageError(error.message, todo) from error
    except OSError as error:
        raise StorageError(f"{path} can't be written ({error.strerror}).", todo) from error


def _read_folder(folder: Path) -> dict[str, dict[str, Any]]:
    try:
        names = sorted(path.name for path in folder.iterdir() if path.suffix == ".json")
    except OSError as error:
        raise StorageError(f"{folder} can't be read ({error.strerror}).") from error
    return {name: _object(str(folder / name), _read_text(str(folder / name))) for name in names}


def _read_text(name: str) -> str:
    if name == STREAM:
        return sys.stdin.read()
    try:
        # Bytes that are no text become marks that are no JSON; a save can be torn inside a letter.
        return Path(name).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise StorageError(f"{name} can't be read ({error.strerror}).") from error


def _object(name: str, text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except RecursionError:
        raise StorageError(f"{name} is nested too deeply.", _JSON) from None
    except json.JSONDecodeError as error:
        raise StorageError(f"{name} is not JSON ({error}).", _JSON) from None
    except ValueError:
        raise StorageError(f"{name} has a number that is too long.", _JSON) from None
    if not isinstance(data, dict):
        raise StorageError(f"{name} is not a JSON object.", _JSON)
    return data
