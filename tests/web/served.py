"""The server as people start it, in a process of its own."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from boardgames_cli.online.codes import new_token
from boardgames_cli.registry import make
from boardgames_cli.storage.preferences import PreferencesFile
from boardgames_cli.storage.store import Store, new_header
from boardgames_cli.web.visitors import visitor_of
from tests.e2e.screens import PATIENCE, environment

PEOPLE = ("human:name=Ann", "human:name=Ben")


class Served:
    """``boardgames serve`` with a free port; a context manager that stops it.

    Args:
        folder: Where it keeps everything.
        *words: More of the command line.
        verb: The command; another one than ``serve`` is told its address by the words.
        **variables: Changes to its environment.
    """

    def __init__(self, folder: Path, *words: str, verb: str = "serve", **variables: str) -> None:
        self.folder = folder
        self.visitors = folder / "visitors"
        self.said = ""
        if verb == "serve":
            words = ("--port", "0", "--save-dir", str(self.visitors), *words)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "boardgames_cli", verb, *words],
            cwd=folder,
            env=environment(folder, **variables),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.said += line
            if line.startswith("Ctrl+C"):
                break
        found = re.search(r"https?://\S+", self.said)
        assert found is not None, self.said
        self.address = found[0]

    @property
    def pid(self) -> int:
        return self._process.pid

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._process.stdout is not None and not self._process.stdout.closed:
            self.stop()

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        self._process.send_signal(number)
        rest, _ = self._process.communicate(timeout=PATIENCE)
        self.said += rest
        return self._process.returncode

    def children(self) -> list[int]:
        """The processes that it has started, and those that these have started."""
        found: list[int] = []
        waiting = [self.pid]
        while waiting:
            tasks = Path(f"/proc/{waiting.pop()}/task")
            for task in tasks.iterdir() if tasks.exists() else ():
                started = [int(word) for word in (task / "children").read_text().split()]
                found += started
                waiting += started
        return found

    def saves(self) -> list[Path]:
        return sorted(self.visitors.glob("*/saves/*.jsonl"))


def begin_game(visitors: Path, *seats: str) -> tuple[str, Path]:
    """The token of a visitor who was here before, and the save of a game that was left there."""
    token = new_token()
    visitor = visitor_of(token, visitors)
    visitor.make_folder()
    PreferencesFile(visitor.folder / "config.toml").remember(is_introduced=True, pace="instant")
    header = new_header(make("senet"), seed=7, seats=seats or PEOPLE)
    journal = Store(visitor.folder / "saves").create(header)
    journal.close()
    return token, journal.path


def steps(save: Path) -> list[dict[str, Any]]:
    """The steps in a save, after its header; every line is whole."""
    text = save.read_text()
    assert text.endswith("\n")
    _, *lines = [json.loads(line) for line in text.splitlines()]
    return [line for line in lines if "digest" not in line and "note" not in line]
