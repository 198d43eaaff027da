"""Programs in any language as agents: ``cmd:python bot.py``. docs/protocol.md is the contract.

A program receives what its seat may know, as lines of JSON, and has no other access to this
process.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from boardgames_cli.agents.remote import protocol
from boardgames_cli.agents.remote.child import ChildProcess
from boardgames_cli.agents.remote.client import READY_SECONDS, TODO, RemoteAgent
from boardgames_cli.agents.remote.log import LOG_VARIABLE, ProcessLog
from boardgames_cli.core.agent import COMMAND, split_agent
from boardgames_cli.core.errors import (
    EXIT_FILE,
    EXIT_USAGE,
    AgentError,
    GameError,
    OptionError,
    StorageError,
)
from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.core.options import option
from boardgames_cli.core.plugins import plugin_entries
from boardgames_cli.registry import resolve_level, spec_of

_VARIABLES: Final = frozenset(
    ("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR")
)
_PREFIXES: Final = ("LC_", "XDG_")
"""Prefixes of the variables that a program inherits; all others may contain secrets."""

_SIZES: Final = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_AMOUNT: Final = re.compile(r"(\d{1,9}(?:\.\d{1,3})?)([A-Za-z]?)")
_TITLE: Final = 20


@dataclass(eq=False)
class ExternalAgent(RemoteAgent):
    """A program that speaks the agent protocol."""

    command: str = option("", "the program and its arguments")
    memory: str = option("", "memory limit of each of its processes, such as 512M")
    start: float = option(READY_SECONDS, "seconds it may take to start", low=0.1, high=3600.0)
    cwd: str = option("", "working directory")
    env: str = option("", "additional environment variables, such as API_KEY+DEBUG")

    def __post_init__(self) -> None:
        super().__init__()
        self._words = split_command(self.command)
        self._memory = _bytes_of(self.memory)
        self.name = command_title(self.command)

    def supports(self, game: AnyGame) -> str | None:
        """None if there is a command; the program itself is asked later, by `prepare`."""
        if not hasattr(os, "fork"):
            return "it needs POSIX, where a program can be ended with all its children"
        return None if self._words else "say which program, such as cmd:python bot.py"

    def _open(self) -> ChildProcess:
        wanted = {*_VARIABLES, *filter(None, self.env.split("+"))}
        environment = {
            name: value
            for name, value in os.environ.items()
            if name in wanted or name.startswith(_PREFIXES)
        }
        folder = Path(self.cwd).expanduser() if self.cwd else None
        words = [find_program(self._words, environment, folder), *self._words[1:]]
        if self._log is None:
            self._log = ProcessLog(self.name)
        return ChildProcess(words, environment, self._log.path, folder, self._memory)


def command_title(command: str) -> str:
    """The display name of a program: its script, if an interpreter runs one."""
    try:
        words = shlex.split(command)
    except ValueError:
        words = command.split()
    scripts = [word for word in words[1:] if re.search(r"\w\.[a-z]{1,4}$", word)]
    named = Path((scripts or words or [COMMAND])[0]).name
    title = named.rpartition(".")[0] if scripts else named
    return "".join(c if c.isprintable() else "?" for c in title)[:_TITLE] or COMMAND


def split_command(command: str) -> list[str]:
    """Split a command into words as a shell does.

    Raises:
        OptionError: A quotation mark is not closed, or there is a null byte.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise OptionError(
            f"the command {command!r} can't be read ({error}).".replace("No closing", "no closing"),
            "Close the quotation marks, or write \\ before one that is meant.",
        ) from None
    if any("\0" in word for word in words):
        raise OptionError("a command can't hold a null byte.", "Leave it out.")
    return words


def _bytes_of(text: str) -> int:
    match = _AMOUNT.fullmatch(text or "0")
    factor = _SIZES.get(match[2].upper()) if match else None
    if match is None or factor is None or (text and not float(match[1])):
        raise OptionError(f'memory can\'t be "{text}".', "Write it like 512M.")
    return int(float(match[1]) * factor)


def find_program(words: Sequence[str], environment: Mapping[str, str], folder: Path | None) -> str:
    """Find the file of a program, by the ``PATH`` that it will have and the folder it will run in.

    Raises:
        OptionError: There is no such executable file.
    """
    name = words[0]
    if folder is not None and not folder.is_dir():
        raise OptionError(f"there is no folder {folder} to run {name} in.", "Check cwd=FOLDER.")
    place = str((folder or Path.cwd()) / name) if "/" in name else name
    found = shutil.which(place, path=environment.get("PATH"))
    if found is not None:
        return found
    if "/" in name and Path(place).exists():
        raise OptionError(
            f"{name} can't be run: it is not an executable file.",
            f"Make it one (chmod +x {name}), or name what runs it, such as cmd:python {name}",
        )
    raise OptionError(
        f'the command "{name}" is not found.', "Check its name, or write its whole path."
    )


class PluginAgent(RemoteAgent):
    """An agent of this Python installation, served by a process of its own.

    It is asked before the game, for this seat, whether it can play. Its random numbers reveal
    nothing about the seed of the match or those of others.
    """

    def __init__(self, text: str, game: AnyGame, seat: Seat = 0, seed: int = 0) -> None:
        super().__init__()
        self._text = resolve_level(text, spec_of(game))
        self.name = split_agent(self._text)[0]
        self.start = READY_SECONDS
        self.take_seat(game, seat, None, seed)

    def _open(self) -> ChildProcess:
        path = [str(Path(entry or ".").absolute()) for entry in sys.path]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path)}
        served = {
            "agent": self._text,
            "path": sys.path,
            "python_path": os.environ.get("PYTHONPATH"),
            "plugins": plugin_entries(),
        }
        log = os.environ.get(LOG_VARIABLE)  # without it, the agent's output is discarded
        # -P: a file in the current folder must not shadow a module.
        module = "boardgames_cli.agents.remote.agent_server"
        words = [sys.executable, "-P", "-m", module, json.dumps(served)]
        return ChildProcess(words, environment, Path(log) if log else None)

    def _failure(self, message: Mapping[str, Any], awaited: str) -> GameError:
        kinds: dict[Any, type[GameError]] = {EXIT_USAGE: OptionError, EXIT_FILE: StorageError}
        code = message.get("code")
        kind = kinds.get(code, AgentError) if isinstance(code, int) else AgentError
        what, todo = (
            protocol.text_of(message, key, protocol.LONGEST_ERROR) for key in ("message", "todo")
        )
        return kind(what, todo or TODO)
