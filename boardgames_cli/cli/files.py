"""Files that a command is given by their paths: read as what they are, and written once."""

from __future__ import annotations

import io
import itertools
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from boardgames_cli.core.errors import RecordError, StorageError
from boardgames_cli.core.json_reader import STREAM, JsonReader
from boardgames_cli.core.record import Record, read_lines
from boardgames_cli.storage.files import create_file, replace_file
from boardgames_cli.terminal.streams import is_terminal, printable

_MARK: Final = '{"boardgames":'
_MOST_FILES: Final = 10_000

FILES: Final = JsonReader(
    what="",
    limit=64_000_000,
    error=StorageError,
    remedy="docs/file-formats.md shows what can be read.",
)


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
    if name != STREAM and os.path.isdir(name):  # noqa: PTH112  # Path's fails for long names
        return Source(files=_read_folder(Path(name)))
    # Not strictly: a save can be torn inside a letter.
    text = FILES.read_text(name, allow_stream=True, is_strict=False)
    # A save has many lines, each JSON; its first one says what it is.
    if text.lstrip().startswith(_MARK):
        try:
            return Source(record=read_lines(io.StringIO(text, newline="\n")))
        except RecordError as error:
            raise RecordError(f"{name}, {error.message}", error.todo) from error
    return Source(data=FILES.check_object(FILES.parse(text, name), name))


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
        # A program gets the bytes as they are, a person nothing that a terminal would obey.
        sys.stdout.write(printable(text) if is_terminal(sys.stdout) else text)
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
        listed = (path for path in folder.iterdir() if path.suffix == ".json")
        paths = sorted(itertools.islice(listed, _MOST_FILES + 1))
    except OSError as error:
        raise StorageError(f"{folder} can't be read ({error.strerror}).") from error
    if len(paths) > _MOST_FILES:
        raise StorageError(f"{folder} has more than {_MOST_FILES} JSON files.", FILES.remedy)
    files, left = {}, FILES.limit
    for path in paths:
        text = replace(FILES, limit=left).read_text(path)
        files[path.name] = FILES.check_object(FILES.parse(text, str(path)), str(path))
        left -= len(text)
    return files
