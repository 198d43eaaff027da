"""What people choose: the game to be played, and how it is shown and paced."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Final

from boardgames_cli.core.errors import GameError, OptionError, StorageError
from boardgames_cli.core.game import AnyGame, PassesTime
from boardgames_cli.core.text import Glyphs
from boardgames_cli.storage.paths import config_file, puzzle_progress_file, results_file
from boardgames_cli.storage.preferences import Preferences, PreferencesFile, wants_no_motion

SHORTEST_TICK: Final = 0.1
LONGEST_TICK: Final = 5.0
"""The range of ticks in seconds: faster is impossible to follow, slower is not real time."""


def check_tick(game: AnyGame, tick: float) -> None:
    """Refuse a tick at which a game can't be played in real time."""
    if not SHORTEST_TICK <= tick <= LONGEST_TICK:
        raise OptionError(
            f"a tick can't be {tick} s.", f"Allowed: {SHORTEST_TICK} to {LONGEST_TICK}."
        )
    if not isinstance(game, PassesTime):
        raise GameError(
            f"{game.info.name} can't be played in real time: it waits for everybody.",
            "Leave --tick out.",
        )


class Pace(Enum):
    """How fast steps of agents and chance are shown, as the shortest interval in seconds."""

    INSTANT = "instant", 0.0
    FAST = "fast", 0.3
    NORMAL = "normal", 0.8
    SLOW = "slow", 1.5
    STEP = "step", None

    seconds: float | None
    """The shortest interval between visible changes; None waits for a key."""

    def __new__(cls, value: str, seconds: float | None = None) -> Pace:
        member = object.__new__(cls)
        member._value_, member.seconds = value, seconds
        return member


@dataclass(frozen=True, slots=True)
class Settings:
    """How a game is shown and paced; nothing here affects its course."""

    pace: Pace = Pace.NORMAL
    glyphs: Glyphs = Glyphs.ASCII
    theme: str = "dark"
    think_seconds: float | None = None
    """The thinking time of agents per action; None for the game's default."""
    tick: float | None = None
    """Seconds between joint steps in real time; None for turn-based play."""
    is_shared: bool = False
    """Whether people sharing a screen may see each other's secrets."""
    tutor: bool = False
    """Whether the tutor questions mistakes before they are played."""
    view_as: str = ""
    """The viewpoint for watching agents; empty for the game's default."""
    terse: bool = False
    """Plain text: show boards and boxes only on request."""
    is_verbose: bool = False
    """Plain text: tell the agents behind the names of levels, and drawn seeds."""
    auto_forced: bool = False
    """Whether forced actions are taken at once instead of at the agents' pace."""
    reduced_motion: bool = False
    """Whether everything that moves is turned off: animations, banners, the countdown."""
    bell: bool = False
    """Whether the terminal's bell rings at moments with a banner."""
    games: tuple[str, ...] = ()
    """The games that the menu offers; empty offers all."""
    open_server: Callable[[str], Any] | None = None
    """Opens a server, listening at an address, for the tables that the menu opens here."""
    save_folder: Path | None = None
    save: bool = True
    results_file: Path | None = None
    """The file of results of people's saved games; None for none."""
    puzzles_file: Path | None = None
    drill_file: Path | None = None
    config_file: Path | None = None
    preferences: Preferences = field(default_factory=Preferences)
    """The user's preferences; other arguments override them."""
    preferences_problem: str = ""
    """Why the file of preferences could not be used; empty if it could."""
    preferences_remark: str = ""
    """Which entries of that file mean nothing, until it is said; empty if all mean something."""

    @classmethod
    def preferred(cls) -> Settings:
        """What the user's preferences and the environment ask for, with the user's own files."""
        preferences, problem, file = Preferences(), "", PreferencesFile(config_file())
        try:
            preferences = file.read()
        except StorageError as error:
            problem = str(error)
        return cls(
            pace=Pace(preferences.pace) if preferences.pace else Pace.NORMAL,
            theme=preferences.theme or "dark",
            glyphs=Glyphs(preferences.glyphs or Glyphs.ASCII),
            auto_forced=preferences.auto_forced,
            reduced_motion=preferences.calm or wants_no_motion(os.environ),
            bell=preferences.bell,
            results_file=results_file(),
            puzzles_file=puzzle_progress_file(),
            config_file=file.path,
            preferences=preferences,
            preferences_problem=problem,
            preferences_remark=file.remark,
        )


def remember_choices(chosen: Settings, before: Preferences, game: str) -> None:
    """Store the choices made for a game in a menu.

    Nothing is written if the preferences can't be used.
    """
    if chosen.config_file is None or chosen.preferences_problem:
        return
    now = chosen.preferences
    values: dict[str, Any] = {"last_game": game, "forms": {game: now.forms[game]}}
    for name in ("pace", "tutor", "names"):
        if getattr(now, name) != getattr(before, name):
            values[name] = getattr(now, name)
    PreferencesFile(chosen.config_file).remember(**values)


def remember_name(settings: Settings, name: str) -> None:
    """Store the name of the person at this keyboard, unless the preferences can't be used."""
    names = (name, *settings.preferences.names[1:])
    if name and settings.config_file is not None and not settings.preferences_problem:
        PreferencesFile(settings.config_file).remember(names=names)


@dataclass(frozen=True, slots=True)
class Setup:
    """A game to be played: its options, seats and start."""

    game: str
    options: Mapping[str, Any] = field(default_factory=dict)
    seats: tuple[str, ...] = ()
    """Specifications of the first seats; the missing ones are filled with ``rest``."""
    rest: str = "ai"
    seed: int | None = None
    start: Mapping[str, Any] | None = None
    """A start position in the game's own format."""
    max_plies: int | None = None
