"""``boardgames doctor``: facts for diagnosis and bug reports."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
import warnings
from collections.abc import Collection
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from boardgames_cli import __version__
from boardgames_cli.cli.command import CommonOptions, command
from boardgames_cli.cli.frontend import TerminalInfo, choose
from boardgames_cli.cli.output import say, say_json
from boardgames_cli.cli.parameters import AsJson, Folder
from boardgames_cli.core.errors import EXIT_FILE, StorageError, gone_keys, install_command
from boardgames_cli.core.plugins import (
    AGENT_GROUP,
    GAME_GROUP,
    PluginWarning,
    entries_of,
    load_plugin,
    package_of,
)
from boardgames_cli.core.spec import AgentSpec, GameSpec
from boardgames_cli.registry import BUILT_IN_AGENTS, BUILT_IN_GAMES, game_ids
from boardgames_cli.storage.paths import config_file, log_file, save_folders
from boardgames_cli.storage.preferences import PreferencesFile

_PACKAGES: Final = ("typer", "textual", "rich", "platformdirs")
_EXTRAS: Final = {
    "numpy": ("numpy", "positions as arrays, for learning programs"),
    "fast": ("numba", "compiled rules, and reviews of Pommerman"),
    "tournament": ("numpy", "ratings in tournaments"),
    "environments": ("pettingzoo", "environments of Gymnasium and PettingZoo"),
    "openspiel": ("open_spiel", "games of OpenSpiel"),
    "web": ("textual-serve", "games in browsers: boardgames serve"),
    "online": ("zeroconf", "tables over a network: boardgames host and join"),
    "online-cluster": ("redis", "servers that share their tables: serve --redis"),
    "ssh": ("asyncssh", "games over ssh: boardgames serve --ssh"),
    "mcp": ("mcp", "language models at the table: boardgames mcp"),
    "cluster": ("distributed", "tournaments on a Dask cluster"),
}
"""The package and purpose of each optional extra."""
_MISSING: Final = "not installed"
_VARIABLES: Final = ("TERM", "COLORTERM", "NO_COLOR", "TEXTUAL_DRIVER", "LANG", "BOARDGAMES_SAVES")

_RULER: Final = (
    "0123456789" * 4,
    "\u25b2 \u25cf \u2191 \u2500\u253c\u2502 \u2588  unicode".ljust(39) + "|",
    "\U000130af \U000131cb \U00013216  hieroglyph".ljust(39) + "|",
)
"""Lines of 40 columns, one for each set of characters."""


def examine(folder: Folder, form: AsJson, common: CommonOptions) -> int:
    """Check the terminal, the folders and the plug-ins."""
    facts = _facts(save_folders(folder.save_dir)[0], common)
    if form.json:
        say_json(facts)
    else:
        width = max(map(len, facts)) + 2
        for key, value in facts.items():
            text = ", ".join(value) if isinstance(value, list) else value
            say(f"{key:<{width}}{text or 'none'}")
        _say_ruler()
    return EXIT_FILE if facts["save problem"] else 0


def _facts(saves: Path, common: CommonOptions) -> dict[str, Any]:
    place = TerminalInfo.here()
    front, why = choose(place, json=False, plain=common.plain, no_color=common.no_color)
    columns, rows = place.size
    return {
        "boardgames": __version__,
        "python": f"{platform.python_version()} on {platform.system()} {platform.machine()}",
        "packages": [f"{name} {_version(name)}" for name in _PACKAGES],
        **{f"extra {extra}": _extra(extra) for extra in _EXTRAS},
        "terminal": f"{columns}x{rows}, {getattr(sys.stdout, 'encoding', 'no output')}",
        "variables": [f"{name}={os.environ[name]}" for name in _VARIABLES if name in os.environ],
        "colors": _colors(place, common.no_color),
        "front end": f"{front.value}: {why}",
        "preferences": str(config_file()),
        "preferences problem": _preferences_problem(),
        "saves": str(saves),
        "save problem": _write_problem(saves),
        "error log": str(log_file()),
        "games": game_ids(),
        "plug-ins": _plugins(),
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return _MISSING


def _extra(extra: str) -> str:
    package, purpose = _EXTRAS[extra]
    found = _version(package)
    how = f" ({install_command(extra)})" if found == _MISSING else ""
    return f"{package} {found}: {purpose}{how}"


def _colors(place: TerminalInfo, no_color: bool) -> str:
    environment = place.environment
    if no_color or place.wants_no_colors:
        return "none wanted"
    if not place.stdout_is_terminal or place.is_dumb:
        return "none"
    if environment.get("COLORTERM") in ("truecolor", "24bit"):
        return "16 million"
    return "256" if "256color" in environment.get("TERM", "") else "16"


def _write_problem(folder: Path) -> str:
    existing = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=existing):
            return ""
    except OSError as error:
        return f"{existing} can't be written ({error.strerror})"


def _preferences_problem() -> str:
    try:
        return gone_keys(PreferencesFile(config_file()).read().keymap)
    except StorageError as error:
        return error.message


def _plugins() -> list[str]:
    found: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", PluginWarning)
        kinds: tuple[tuple[str, str, Any, Collection[str]], ...] = (
            (GAME_GROUP, "game", GameSpec, BUILT_IN_GAMES),
            (AGENT_GROUP, "agent", AgentSpec, [agent.name for agent in BUILT_IN_AGENTS]),
        )
        for group, name, kind, taken in kinds:
            for entry in entries_of(group):
                is_used = entry.name not in taken and load_plugin(entry, kind) is not None
                note = "" if is_used else " (left out)"
                found.append(f"{name} {entry.name} of {package_of(entry)}{note}")
    return [*found, *(str(one.message) for one in caught if one.category is PluginWarning)]


def _say_ruler() -> None:
    say()
    say("Each line ends below the last 9 if the font is suitable:")
    for line in _RULER:
        try:
            line.encode(getattr(sys.stdout, "encoding", None) or "ascii")
        except UnicodeEncodeError:
            continue
        say(line)


make = command(examine)
