"""Reads saves from untrusted files and replays them through the rules."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from boardgames_cli.codec.json_reader import read_regular
from boardgames_cli.core.errors import GameError, RecordError, StorageError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.record import Header, Record, check_rules_version, read_lines
from boardgames_cli.registry import make
from boardgames_cli.storage.files import reason_of

LARGEST_SAVE: Final = 64_000_000


def read_bytes(path: Path) -> bytes:
    """The content of a save."""
    try:
        return read_regular(path, LARGEST_SAVE)
    except (OSError, ValueError) as error:  # the name has a null byte
        raise unreadable(path, error) from error


def parse(data: bytes, path: Path) -> Record:
    """Read a record; errors name the file and the line."""
    # Invalid UTF-8 becomes replacement characters, which are invalid JSON, or at worst part of a
    # player's name.
    text = data.decode("utf-8-sig", "replace")
    with _named(path):
        return read_lines(io.StringIO(text, newline="\n"))


def load_record(path: str | Path) -> Record:
    """Read a saved or recorded game from a file.

    Args:
        path: A JSON-lines file written by boardgames.

    Returns:
        The record; ``record.restore(game)`` replays it.

    Raises:
        StorageError: The file can't be read.
        RecordError: It is damaged, not a save, or from a newer version.
    """
    path = Path(path)
    return parse(read_bytes(path), path)


def restore(record: Record, path: Path | None = None) -> AnyMatch:
    """Replay a record with the game it names.

    Raises:
        RecordError: The game or its options are unknown, or a step is illegal.
    """
    with _named(path):
        return record.restore(make_game(record.header))


@contextlib.contextmanager
def _named(path: Path | None) -> Iterator[None]:
    try:
        yield
    except RecordError as error:
        if path is None:
            raise
        name = f"{path.name}, " if error.line else f"{path.name}: "
        raise RecordError(name + error.message, error.todo) from error


def make_game(header: Header) -> AnyGame:
    """Make the rulebook of a record."""
    try:
        game = make(header.game, **dict(header.options))
    except GameError as error:
        raise RecordError(f"this game can't be set up: {error.message}", error.todo, 1) from error
    check_rules_version(header, game)
    return game


def unreadable(path: Path, error: OSError | ValueError) -> StorageError:
    """The error for a file that can't be read."""
    return StorageError(f"{path} can't be read ({reason_of(error)}).")
