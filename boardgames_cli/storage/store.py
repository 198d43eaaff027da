"""The folder of saves: create, list, load, delete."""

from __future__ import annotations

import contextlib
import datetime
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import boardgames_cli
from boardgames_cli.core.errors import GameError, RecordError, StorageError
from boardgames_cli.core.game import Game
from boardgames_cli.core.match import Match
from boardgames_cli.core.options import option_values
from boardgames_cli.core.record import Header, Record, check_rules_version, read_lines
from boardgames_cli.registry import make
from boardgames_cli.storage.journal import Journal, create_file, remove_leftovers

SUFFIX: Final = ".jsonl"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


@dataclass(frozen=True, slots=True)
class SaveSummary:
    """One line of the list of saves."""

    name: str
    path: Path
    modified: datetime.datetime
    header: Header | None = None
    plies: int = 0
    result: tuple[float, ...] | None = None
    problem: str = ""
    """Why it can't be played on; empty if it can."""

    @property
    def is_finished(self) -> bool:
        """Whether the game in it is over."""
        return self.result is not None


def new_header(
    game: Game[Any, Any],
    *,
    seed: int,
    seats: tuple[str, ...],
    start: dict[str, Any] | None = None,
    max_plies: int | None = None,
    agent_seed: int | None = None,
) -> Header:
    """The first line of a save that is made now, by this program."""
    return Header(
        game=game.info.id,
        rules_version=game.info.rules_version,
        options=option_values(game),
        seed=seed,
        seats=seats,
        start=start,
        max_plies=max_plies,
        created=datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
        program=boardgames_cli.__version__,
        agent_seed=agent_seed,
    )


class Store:
    """All saves of one folder.

    Args:
        folder: Where they are; made when the first one is written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def create(
        self,
        game: Game[Any, Any],
        *,
        seed: int,
        seats: tuple[str, ...],
        start: dict[str, Any] | None = None,
        max_plies: int | None = None,
        agent_seed: int | None = None,
    ) -> Journal:
        """Begin a save with a new name.

        Raises:
            StorageError: The folder can't be written.
        """
        header = new_header(
            game,
            seed=seed,
            seats=seats,
            start=start,
            max_plies=max_plies,
            agent_seed=agent_seed,
        )
        path = self._claim(game.info.id, header.line() + "\n")
        return Journal(path, header)

    def load(self, name: str) -> Record:
        """Read a save.

        Raises:
            StorageError: There is none of that name, or it can't be read.
            RecordError: It is damaged or foreign.
        """
        return read_file(self.find(name))

    def resume(self, name: str) -> tuple[Match[Any, Any], Journal, Record]:
        """Open a save to play on; a torn last line is cut off the file.

        Raises:
            StorageError: There is none of that name, it can't be opened, or it is open elsewhere.
            RecordError: It is damaged or foreign.
        """
        path = self.find(name)
        record = read_file(path)
        match = restore(record)
        journal = Journal(path, record.header, match.ply, record.notes)
        remove_leftovers(path)
        if record.unterminated:
            journal.rewrite(match)
        return match, journal, record

    def find(self, name: str) -> Path:
        """The file of a save, given by its name or as a path.

        Raises:
            StorageError: There is none.
        """
        for path in (self.folder / f"{name}{SUFFIX}", Path(name)):
            # Nothing but saves: the name of another file here must not be found, let alone deleted.
            if path.suffix == SUFFIX and _is_file(path):
                return path
        known = " ".join(self.names()[:8]) or "none yet"
        raise StorageError(f'there is no save "{name}" in {self.folder}.', f"Saves: {known}")

    def names(self) -> list[str]:
        """The names of all saves, the last used first."""
        return [path.stem for path in self._paths()]

    def summaries(self) -> list[SaveSummary]:
        """All saves, the last used first; those that can't be read say why."""
        return [_summary(path) for path in self._paths()]

    def latest(self) -> SaveSummary | None:
        """The unfinished game that was played last."""
        playable = (
            summary
            for summary in self.summaries()
            if not summary.problem and not summary.is_finished
        )
        return next(playable, None)

    def delete(self, name: str) -> None:
        """Remove a save for good.

        Raises:
            StorageError: There is none of that name, or it can't be removed.
        """
        path = self.find(name)
        try:
            path.unlink()
        except OSError as error:
            raise StorageError(f"{path} can't be deleted ({error.strerror}).") from error

    def copy(self, name: str, new_name: str) -> Path:
        """Keep a copy of a save under another name.

        Raises:
            StorageError: The name can't be used or is taken.
        """
        if not _NAME.fullmatch(new_name):
            raise StorageError(
                f'"{new_name}" can\'t be the name of a save.',
                "Use letters, digits, dots, dashes and underscores.",
            )
        source = self.find(name)
        target = self.folder / f"{new_name}{SUFFIX}"
        try:
            # As in `read_file`: a save can be torn inside a letter.
            create_file(target, source.read_text(encoding="utf-8", errors="replace"))
        except FileExistsError:
            raise StorageError(
                f'there is a save "{new_name}" already.', "Choose another name."
            ) from None
        except OSError as error:
            raise StorageError(f"{target} can't be written ({error.strerror}).") from error
        return target

    def _claim(self, prefix: str, text: str) -> Path:
        taken = [
            int(path.stem.rpartition("-")[2])
            for path in self._paths()
            if re.fullmatch(rf"{re.escape(prefix)}-\d+", path.stem)
        ]
        number = max(taken, default=0) + 1
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            while True:
                path = self.folder / f"{prefix}-{number}{SUFFIX}"
                with contextlib.suppress(FileExistsError):  # another window may be faster
                    create_file(path, text)
                    return path
                number += 1
        except OSError as error:
            raise StorageError(
                f"the save folder {self.folder} can't be written ({error.strerror}).",
                "Choose another with --save-dir, or play without saving: --no-save.",
            ) from error

    def _paths(self) -> list[Path]:
        found = []
        # Another window may delete a save at any moment; the others are still there.
        with contextlib.suppress(OSError):
            for path in self.folder.glob(f"*{SUFFIX}"):
                with contextlib.suppress(OSError):
                    if path.is_file():
                        found.append((-path.stat().st_mtime, path.name, path))
        return [path for _, _, path in sorted(found)]


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # such as a name that is too long
        return False


def read_file(path: Path) -> Record:
    """Read a record from a file.

    Raises:
        StorageError: It can't be read.
        RecordError: It is damaged or foreign; the message names the file and the line.
    """
    try:
        # Bytes that are no text become marks that are no JSON, or at worst a strange player's name.
        with path.open(encoding="utf-8", errors="replace", newline="\n") as file:
            return read_lines(file)
    except OSError as error:
        raise StorageError(f"{path} can't be read ({error.strerror}).") from error
    except RecordError as error:
        raise RecordError(f"{path.name}, {error.message}", error.todo) from error


def restore(record: Record) -> Match[Any, Any]:
    """Replay a record with the game it names.

    Raises:
        RecordError: The game or its options are unknown here, or a step is not legal.
    """
    return record.restore(make_game(record))


def make_game(record: Record) -> Game[Any, Any]:
    """The rulebook that a record was played by.

    Raises:
        RecordError: The game, its options or its version of the rules are unknown here.
    """
    header = record.header
    try:
        game = make(header.game, **dict(header.options))
    except GameError as error:
        raise RecordError(
            f"line 1: this game can't be set up: {error.message}", error.todo
        ) from error
    check_rules_version(header, game)
    return game


def load_record(path: str | Path) -> Record:
    """Read a saved or recorded game from a file.

    Args:
        path: A JSON-lines file written by boardgames.

    Returns:
        The record; ``record.restore(game)`` replays it.

    Raises:
        StorageError: The file can't be read.
        RecordError: It is damaged, foreign, or from a newer version.
    """
    return read_file(Path(path))


def _summary(path: Path) -> SaveSummary:
    modified = datetime.datetime.fromtimestamp(0).astimezone()
    try:
        modified = datetime.datetime.fromtimestamp(path.stat().st_mtime).astimezone()
        record = read_file(path)
        make_game(record)
    except OSError as error:
        return SaveSummary(path.stem, path, modified, problem=str(error))
    except GameError as error:
        return SaveSummary(path.stem, path, modified, problem=str(error))
    return SaveSummary(path.stem, path, modified, record.header, len(record.steps), record.result)
