"""From what a user chose to a table that can be played at."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Final

from boardgames_cli.core.agent import Budget
from boardgames_cli.core.errors import PositionError
from boardgames_cli.core.match import Match
from boardgames_cli.core.text import Glyphs
from boardgames_cli.registry import make
from boardgames_cli.session.retelling import Retelling
from boardgames_cli.session.seats import fill_seats, seat_people
from boardgames_cli.session.session import Session
from boardgames_cli.storage.paths import save_folder
from boardgames_cli.storage.store import Store, restore

_TORN: Final = "The last line of the save was cut off; the game goes on from the step before it."


class Pace(Enum):
    """How fast agents' and chance's steps are shown: the least time between two, in seconds."""

    INSTANT = "instant"
    FAST = "fast"
    NORMAL = "normal"
    SLOW = "slow"
    STEP = "step"

    @property
    def seconds(self) -> float | None:
        """The least time between two visible changes; None waits for a key."""
        return _SECONDS[self]


_SECONDS: Final = {
    Pace.INSTANT: 0.0,
    Pace.FAST: 0.3,
    Pace.NORMAL: 0.8,
    Pace.SLOW: 1.5,
    Pace.STEP: None,
}


@dataclass(frozen=True, slots=True)
class Settings:
    """How a game is shown and paced; nothing here changes what happens in it."""

    pace: Pace = Pace.NORMAL
    glyphs: Glyphs = Glyphs.ASCII
    theme: str = "dark"
    """``dark``, ``light`` or ``monochrome``."""
    think_seconds: float = 2.0
    """The most time an agent may take for one action."""
    terse: bool = False
    """Plain front end: no boards and boxes unless asked for."""
    auto_forced: bool = False
    """Whether forced actions are taken at once instead of at the agents' pace."""
    reduced_motion: bool = False
    """Whether nothing may move on the screen but what has changed."""
    save_folder: Path | None = None
    save: bool = True


@dataclass(frozen=True, slots=True)
class Setup:
    """A game to be played: what, with which options, by whom."""

    game: str
    options: Mapping[str, Any] = field(default_factory=dict)
    seats: tuple[str, ...] = ()
    """Specifications of the first seats; the missing ones are filled with ``rest``."""
    rest: str = "ai"
    seed: int | None = None
    position: Path | None = None
    max_plies: int | None = None


def open_session(setup: Setup, settings: Settings) -> Session:
    """Set up a new table and begin its save.

    Raises:
        GameError: Something chosen is wrong, or the save can't be written.
    """
    game = make(setup.game, **dict(setup.options))
    seats = tuple(fill_seats(game, setup.seats, setup.rest))
    occupants = seat_people(game, seats)
    position = None if setup.position is None else read_position(setup.position)
    start = None if position is None else game.from_json(position)
    seed = random.SystemRandom().randrange(10**6) if setup.seed is None else setup.seed
    match: Match[Any, Any] = Match(game, seed=seed, start=start, max_plies=setup.max_plies)
    journal = None
    if settings.save:
        specs = tuple(occupant.spec for occupant in occupants)
        journal = Store(save_folder(settings.save_folder)).create(
            game, seed=seed, seats=specs, start=position, max_plies=setup.max_plies
        )
    return Session(match, occupants, journal, Budget(settings.think_seconds), settings.glyphs)


def resume_session(name: str, settings: Settings) -> Session:
    """Open a save to play on.

    Raises:
        GameError: It can't be found, read, written, or played on.
    """
    match, journal, record = Store(save_folder(settings.save_folder)).resume(name)
    occupants = seat_people(match.game, fill_seats(match.game, record.header.seats))
    session = Session(match, occupants, journal, Budget(settings.think_seconds), settings.glyphs)
    session.recall(record.notes)
    if record.torn:
        session.remark(_TORN)
    return session


def open_story(name: str, settings: Settings) -> Retelling:
    """Open a save to see it again; nothing is written.

    Raises:
        GameError: It can't be found or read.
    """
    record = Store(save_folder(settings.save_folder)).load(name)
    return Retelling.of_record(restore(record), record, settings.glyphs)


def read_position(path: Path) -> dict[str, Any]:
    """Read a position from a JSON file; ``-`` is standard input.

    Raises:
        PositionError: The file can't be read or is not a JSON object.
    """
    try:
        text = Path("/dev/stdin").read_text() if str(path) == "-" else path.read_text("utf-8")
        data = json.loads(text)
    except OSError as error:
        raise PositionError(f"the position {path} can't be read ({error.strerror}).") from error
    except (ValueError, RecursionError):
        raise PositionError(
            f"the position {path} is not JSON.", "docs/file-formats.md shows how it is written."
        ) from None
    if not isinstance(data, dict):
        raise PositionError(f"the position {path} is not a JSON object.")
    return data
