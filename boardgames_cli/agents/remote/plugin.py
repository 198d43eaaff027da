"""Agents of other packages, each in a process of its own that speaks the agent protocol.

The process gets copies of observations and nothing else of the game; a late agent is killed
together with its children, and started again by the next `Agent.reset`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from boardgames_cli.agents.remote import protocol
from boardgames_cli.agents.remote.child import ChildProcess
from boardgames_cli.agents.remote.client import READY_SECONDS, TODO, RemoteAgent
from boardgames_cli.agents.remote.log import LOG_VARIABLE
from boardgames_cli.core.agent import split_agent
from boardgames_cli.core.errors import (
    EXIT_FILE,
    EXIT_USAGE,
    AgentError,
    GameError,
    OptionError,
    StorageError,
)
from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.core.plugins import plugin_entries
from boardgames_cli.registry import resolve_level, spec_of


class PluginAgent(RemoteAgent):
    """An agent of this Python installation, served by a process of its own.

    Args:
        text: The agent's specification, such as ``"stranger:depth=2"``.
        game: The game it is to play.
        seat: Its seat, from which it is asked before the game whether it can play.
        make_key: Returns the key of its random numbers; called once, when it is needed. The agent's
            numbers reveal nothing about those of others.
    """

    def __init__(
        self, text: str, game: AnyGame, seat: Seat = 0, make_key: Callable[[], bytes] = bytes
    ) -> None:
        super().__init__()
        self._text = resolve_level(text, spec_of(game))
        self.name = split_agent(self._text)[0]
        self.start = READY_SECONDS
        self.take_seat(game, seat, None, make_key)

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
        try:
            return ChildProcess(words, environment, Path(log) if log else None)
        except OSError as error:
            raise AgentError(
                f'agent "{self.name}" can\'t be started ({error.strerror}).',
                "It needs a process of its own.",
            ) from error

    def _failure(self, message: Mapping[str, Any], awaited: str) -> GameError:
        """The error as it was raised in the other process."""
        kinds: dict[Any, type[GameError]] = {EXIT_USAGE: OptionError, EXIT_FILE: StorageError}
        code = message.get("code")
        kind = kinds.get(code, AgentError) if isinstance(code, int) else AgentError
        what, todo = (
            protocol.text_of(message, key, protocol.LONGEST_ERROR) for key in ("message", "todo")
        )
        return kind(what, todo or TODO)
