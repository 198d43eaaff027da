"""A tournament on disk: a folder from which it can always be resumed.

``tournament.toml`` defines the tournament, and ``results.jsonl`` has a line for each game in order,
so that it is always a prefix of the complete file. All of it raises `StorageError` for what can't
be read or written, and `RecordError` for what is damaged, with the line.
"""

from __future__ import annotations

import contextlib
import datetime
import itertools
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from boardgames_cli.codec.json_reader import open_regular
from boardgames_cli.core.errors import GameError, RecordError, StorageError
from boardgames_cli.storage.files import (
    PUBLIC_MODE,
    LockedFile,
    changing,
    create_file,
    remove_leftovers,
    replace_file,
)
from boardgames_cli.tournament.rows import RESTORE, GameRow, Rows, read_row
from boardgames_cli.tournament.tournament_config import TournamentConfig
from boardgames_cli.tournament.worker import GameRecord

CONFIG_FILE: Final = "tournament.toml"
RESULTS_FILE: Final = "results.jsonl"
RECORDS_FOLDER: Final = "records"
POSITIONS_FILE: Final = "positions.jsonl"

_LONGEST_LINE: Final = 1_000_000
_DEALS_A_FOLDER: Final = 1000
_MOST_NAMES: Final = 1000
_FREE_SPACE: Final = "Free some space or choose another folder; the games so far are kept."


class RunFolder:
    """The folder of one tournament, open and locked."""

    def __init__(self, path: Path, config: TournamentConfig, results: LockedFile) -> None:
        self.path = path
        self.config = config
        self._results = results
        self._end = 0
        """The size of the complete lines of the results in bytes."""

    @classmethod
    def create(cls, path: Path | None, config: TournamentConfig) -> RunFolder:
        """Create a new tournament in a folder that does not exist or is empty.

        By default it is a dated one in the current folder.
        """
        with changing(path or ".", _FREE_SPACE):
            made = _make_dated(config.game) if path is None else _make(path)
            create_file(made / CONFIG_FILE, config.text())  # first: it makes this a tournament
            _write_positions(made, config)
            return cls(made, config, _results(made / RESULTS_FILE))

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        config = stored_config(path)
        file = path / RESULTS_FILE
        with changing(file, _FREE_SPACE):
            try:
                # The program was killed between the two files, so nothing has been played.
                results = LockedFile.open(file) if file.exists() else _results(file)
            except BlockingIOError:
                raise StorageError(
                    f"the tournament in {path} is running in another process.", "Wait for its end."
                ) from None
        remove_leftovers(path)
        _write_positions(path, config)
        return cls(path, config, results)

    def deals(self, sizes: Mapping[int, int]) -> Iterator[Rows]:
        """The stored games, deal by deal; a deal has as many as are told for its option set.

        An incomplete last deal is ignored; `append` overwrites it.
        """
        rows: Rows = ()
        self._end = 0
        for row, number, end in _read_lines(self.path / RESULTS_FILE):
            rows = *rows, row
            if rows[0][:3] != row[:3]:
                raise RecordError(
                    f"{RESULTS_FILE}: a game of deal {rows[0].deal} is missing at line {number}.",
                    RESTORE,
                )
            if len(rows) >= sizes.get(rows[0].options, 1):
                yield rows
                rows, self._end = (), end

    def begin(self) -> None:
        """Remove an incomplete last deal, after `deals` has been read."""
        with changing(self.path / RESULTS_FILE, _FREE_SPACE):
            self._results.truncate(self._end)

    def append(self, lines: Iterable[str], records: Iterable[GameRecord]) -> None:
        """Append the results of the next deals; a failure leaves the existing results unharmed."""
        data = "".join(lines).encode()
        with changing(self.path, _FREE_SPACE):
            try:
                for record in records:
                    self._write_record(record)
                self._results.append(data)
            except OSError:
                # If it fails, the next process that opens it ignores an incomplete line.
                with contextlib.suppress(OSError):
                    self._results.truncate(self._end)
                raise
        self._end += len(data)

    def close(self) -> None:
        self._results.close()

    def _write_record(self, record: GameRecord) -> None:
        group = self.path / RECORDS_FOLDER / f"{record.deal // _DEALS_A_FOLDER:04}"
        file = group / f"{record.deal:07}-{record.number + 1}.jsonl"
        group.mkdir(parents=True, exist_ok=True)
        # After a kill it may exist already; the repeated game is identical.
        temporary = file.with_suffix(".tmp")
        temporary.write_text(record.text, encoding="utf-8")
        temporary.replace(file)


def stored_config(path: Path) -> TournamentConfig:
    """The tournament in a folder."""
    if not (path / CONFIG_FILE).is_file():
        raise StorageError(
            f"no tournament is in {path}: it has no {CONFIG_FILE}.",
            "Give a folder created by boardgames tournament; an empty one can be used anew, "
            "with --out.",
        )
    return TournamentConfig.read(path / CONFIG_FILE)


def _read_lines(path: Path) -> Iterator[tuple[GameRow, int, int]]:
    try:
        with changing(path, how="read"), os.fdopen(open_regular(path), "rb") as file:
            for number in itertools.count(1):
                line = file.readline(_LONGEST_LINE)
                if not line.endswith(b"\n") and len(line) < _LONGEST_LINE:
                    return
                if line.strip():
                    yield read_row(line.decode("utf-8-sig", "replace"), number), number, file.tell()
    except RecordError as error:
        raise RecordError(f"{RESULTS_FILE}, {error.message}", error.todo) from None


def _write_positions(path: Path, config: TournamentConfig) -> None:
    if config.positions and not (path / POSITIONS_FILE).exists():
        replace_file(path / POSITIONS_FILE, "".join(f"{one}\n" for one in config.positions))


def _results(path: Path) -> LockedFile:
    return LockedFile.create(path, b"", PUBLIC_MODE)  # like all other files of the folder


def _make(path: Path) -> Path:
    if not _is_made(path):
        raise StorageError(
            f"{path} already exists.",
            f"To continue it: boardgames tournament --resume {path}   Otherwise choose another.",
        )
    return path


def _is_made(path: Path) -> bool:
    try:
        path.mkdir()
    except FileExistsError:
        remove_leftovers(path)
        return path.is_dir() and not any(path.iterdir())
    return True


def _make_dated(game: str) -> Path:
    today = datetime.date.today().isoformat()
    for number in range(1, _MOST_NAMES):
        path = Path(f"{game}-{today}" + (f"-{number}" if number > 1 else ""))
        if _is_made(path):
            return path
    raise GameError("there are too many tournaments of today here.", "Choose a folder with --out.")
