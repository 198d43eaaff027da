"""The definition of a tournament, sufficient to reproduce it, and its TOML file."""

from __future__ import annotations

import contextlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Final

import tomlkit

from boardgames_cli import __version__
from boardgames_cli.codec.derived import object_codec, read_entries
from boardgames_cli.codec.fields import Whole
from boardgames_cli.codec.json_reader import JsonReader
from boardgames_cli.core.clock import read_time_control
from boardgames_cli.core.errors import OptionError, RecordError, StorageError
from boardgames_cli.tournament.rows import RESTORE

FORMAT: Final = 2

ROUND_ROBIN: Final = "round-robin"
GAUNTLET: Final = "gauntlet"
ONE_AGAINST_MANY: Final = "one-against-many"
TABLES: Final = "tables"
SCHEDULES: Final = {
    ROUND_ROBIN: "everybody against everybody",
    GAUNTLET: "the first against each of the others",
    ONE_AGAINST_MANY: "the first on one side, each of the others on all other sides",
    TABLES: "mixed tables of more than two sides",
}
"""The kinds of schedules, each with a short description."""

_FINISH: Final = "Finish it with version 0.2, or start a new tournament."
_LARGEST: Final = 10_000_000
_READER: Final = JsonReader("", _LARGEST, StorageError, RESTORE)


@dataclass(frozen=True, slots=True)
class Entrant:
    """A participant."""

    name: str
    """Its name in tables."""
    agent: str
    """The agent's specification, such as ``expectimax:depth=2``."""


@dataclass(frozen=True)
class TournamentConfig:
    """All settings that affect the results."""

    game: str
    entrants: tuple[Entrant, ...]
    option_sets: tuple[Mapping[str, Any], ...] = ({},)
    """The sets of options; every pairing plays all of them."""
    schedule: str = ROUND_ROBIN
    """One of `SCHEDULES`."""
    games: Annotated[int, Whole(1)] = 100
    """Games per pairing and set of options, rounded up to whole deals."""
    seed: Annotated[int, Whole(0)] = 1
    """The seed of the first deal; each further deal has the next."""
    max_plies: Annotated[int, Whole(1)] | None = None
    """Longer games end as draws."""
    think: float | None = None
    """The time limit of a decision in seconds; None for no limit. With a limit, results depend on
    the speed of the machine."""
    sprt: tuple[float, float] | None = None
    """The two differences in rating of a sequential test that ends each pairing."""
    records: bool = False
    luck: bool = False
    """Whether the luck of every game is computed."""
    positions: tuple[str, ...] = ()
    """Positions as JSON, from which games start instead of the game's own start."""
    clock: str = ""
    """The time of each entrant for a whole game (`core.clock.read_time_control`); empty for none.
    With one, results depend on the speed of the machine."""
    program: str = __version__
    rules_version: int = 1

    def text(self) -> str:
        data = {"tournament": FORMAT, **object_codec(TournamentConfig).write(self)}
        return tomlkit.dumps({name: value for name, value in data.items() if value is not None})

    @classmethod
    def read(cls, path: Path) -> TournamentConfig:
        """The tournament that a file describes.

        Raises:
            StorageError: The file can't be read.
            RecordError: It is not a tournament of this format.
        """
        text = _READER.read_text(path)
        try:
            data = tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            raise RecordError(f"{path} is not TOML ({error}).", RESTORE) from None
        if (number := data.pop("tournament", None)) != FORMAT:
            todo = _FINISH if number == 1 else RESTORE
            raise RecordError(f"{path} is not a tournament of format {FORMAT}.", todo)

        def wrong(key: str) -> RecordError:
            return RecordError(f"{path}: {key} is missing, wrong or unknown.", RESTORE)

        config = read_entries(cls, data, wrong)
        known = {field.name for field in fields(cls)}
        for key, is_wrong in (
            (", ".join(sorted(data.keys() - known)), data.keys() - known),
            ("clock", not _is_clock(config.clock)),
            ("schedule", config.schedule not in SCHEDULES),
            ("option_sets", not config.option_sets),
        ):
            if is_wrong:
                raise wrong(key)
        return config


def _is_clock(text: str) -> bool:
    with contextlib.suppress(OptionError):
        return not text or bool(read_time_control(text))
    return False
