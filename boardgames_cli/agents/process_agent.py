"""An agent in its own process, isolated from the game except for its answers.

It receives copies of observations. Its answers are JSON of limited length: actions by notation,
values as numbers, errors as strings. A late agent is killed together with its children, and started
again by the next `Agent.reset`.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from boardgames_cli.agents import process_link
from boardgames_cli.agents.process import ChildProcess
from boardgames_cli.agents.process_frames import FrameReader, frame
from boardgames_cli.agents.process_link import (
    READY_SECONDS,
    TODO,
    Link,
    RemoteAgent,
    as_object,
    draw_number,
    finite,
    list_of,
    mapping_of,
)
from boardgames_cli.agents.process_log import LOG_VARIABLE
from boardgames_cli.core.agent import Budget, Thinking
from boardgames_cli.core.agent_text import split_agent
from boardgames_cli.core.errors import (
    EXIT_FILE,
    EXIT_USAGE,
    AgentError,
    GameError,
    OptionError,
    StorageError,
)
from boardgames_cli.core.game import AnyGame, Observation, Seat
from boardgames_cli.core.plugins import plugin_entries
from boardgames_cli.registry import resolve_level, spec_of

_RANDOM_BITS: Final = 128
"""The size of the seed of the agent's own generator."""


class ProcessAgent(RemoteAgent):
    """A proxy for an agent in another process, which is started on demand.

    It has the methods ``evaluate_actions`` and ``explain_actions`` once `prepare` has found that
    the agent has them.

    Args:
        text: The agent's specification, such as ``"stranger:depth=2"``.
        game: The game it is to play.
        secret: Returns the key of its random numbers; called once, when it is needed. The agent's
            numbers reveal nothing about those of others.
    """

    def __init__(self, text: str, game: AnyGame, secret: Callable[[], bytes] = bytes) -> None:
        super().__init__()
        self._spec = spec_of(game)
        self._text = resolve_level(text, self._spec)
        self.name = split_agent(self._text)[0]
        self._game = game
        self._make_secret = secret
        self._secret: bytes | None = None
        self._number = 0
        """The sequence number of the last request."""
        self._watches = True
        self._is_ready = False

    # -- starting ----------------------------------------------------------------------------

    def launch(self) -> bool:
        """Start the process without waiting for it; whether it was not running.

        Raises:
            AgentError: It can't be started.
        """
        with self._lock:
            if not super().launch():
                return False
            self._is_ready = False
            game = pickle.dumps((self._spec, self._game))
            python_path = os.environ.get("PYTHONPATH")
            self._send("start", sys.path, plugin_entries(), python_path, self._text, game)
            return True

    def prepare(self, seconds: float = READY_SECONDS) -> bool:
        """Start the process and wait for it; whether it was ready in time.

        Raises:
            GameError: It can't be started, or can't play this game.
        """
        with self._lock:
            self.launch()
            if self._is_ready:
                return True
            assert self._link is not None, "it has just been started"
            try:
                answer = self._link.receive(seconds, is_patient=True)
            except GameError:
                self._link.child.close()
                raise
            if answer is None:
                return False
            self._watches = answer.get("watches") is not False
            for name in ("evaluate_actions", "explain_actions"):
                if name in list_of(answer, "can"):
                    setattr(self, name, getattr(self, f"_{name}"))
            self._is_ready = True
            return True

    def _open(self) -> Link:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(_import_path())}
        log = os.environ.get(LOG_VARIABLE)  # without it, the agent's output is discarded
        # -P: a file in the current folder must not shadow a module.
        words = [sys.executable, "-P", "-m", "boardgames_cli.agents.process_worker"]
        try:
            child = ChildProcess(words, environment, Path(log) if log else None)
        except OSError as error:
            raise AgentError(
                f'agent "{self.name}" can\'t be started ({error.strerror}).',
                "It needs a process of its own.",
            ) from error
        return Link(self.name, child, FrameReader(), self._take)

    # -- the agent ---------------------------------------------------------------------------

    def reset(self, game: AnyGame, seat: Seat) -> None:
        """Begin a game, in a new process if the old one has ended."""
        with self._lock:
            if not self.prepare():
                self.stop()
                raise AgentError(f'agent "{self.name}" needs too long to start.', TODO)
            if self._secret is None:  # it takes long, and must not count as thinking
                self._secret = self._make_secret()
            self._call("reset", game, seat)

    def watch(self, seen: Observation[Any, Any]) -> None:
        """Send the observation, if the agent overrides `Agent.watch`."""
        with self._lock:
            if self._watches:
                self._call("watch", seen)

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        """The legal action in its answer."""
        text = self._ask("act", seen, thinking).get("action")
        for action in seen.legal:
            if str(action) == text:
                return action
        raise AgentError(
            f'agent "{self.name}" answered {str(text)[:40]!r} at ply {seen.ply}, '
            "which is not legal.",
            f"Legal: {', '.join(str(choice) for choice in seen.legal[:12])}.",
        )

    def _evaluate_actions(
        self, seen: Observation[Any, Any], thinking: Thinking
    ) -> Mapping[Any, float]:
        values = mapping_of(self._ask("evaluate_actions", seen, thinking), "values")
        found = {action: finite(values.get(str(action))) for action in seen.legal}
        return {action: value for action, value in found.items() if value is not None}

    def _explain_actions(
        self, seen: Observation[Any, Any], thinking: Thinking
    ) -> Mapping[Any, str]:
        words = mapping_of(self._ask("explain_actions", seen, thinking), "words")
        return {
            action: text for action in seen.legal if isinstance(text := words.get(str(action)), str)
        }

    def _ask(self, verb: str, seen: Observation[Any, Any], thinking: Thinking) -> Mapping[str, Any]:
        with self._lock:
            budget = thinking.budget
            if budget.seconds is not None:
                budget = Budget(max(0.0, budget.seconds - thinking.elapsed), budget.nodes)
            link = self._ready_link()
            self._send(verb, seen, self._number + 1, self._draw(thinking), budget)
            patience = process_link.GRACE_SECONDS
            limit = None if budget.seconds is None else budget.seconds + patience
            hurry = frame(pickle.dumps((self._number, "hurry", ())))
            answer = link.receive(limit, thinking, hurry)
            assert answer is not None, "late agents raise an error"
            return answer

    def _draw(self, thinking: Thinking) -> int:
        """The seed of the agent's own generator."""
        if self._secret is None:
            self._secret = self._make_secret()
        return draw_number(thinking.rng, self._secret, _RANDOM_BITS)

    def _call(self, verb: str, *arguments: Any) -> None:
        link = self._ready_link()
        self._send(verb, *arguments)
        link.receive(READY_SECONDS)

    def _ready_link(self) -> Link:
        if self._link is None or not self._is_ready:
            raise AgentError(f'agent "{self.name}" is not ready.')
        return self._link

    def _send(self, verb: str, *arguments: Any) -> None:
        assert self._link is not None, "it has been started"
        self._number += 1
        self._link.send(frame(pickle.dumps((self._number, verb, arguments))))

    def _take(self, message: bytes, thinking: Thinking | None) -> Mapping[str, Any] | None:
        """An answer to the last request, unless it reports a failure."""
        answer = as_object(message)
        if answer.get("id") != self._number:
            raise ValueError("it is not an answer")
        if "report" in answer:
            if thinking is not None:
                thinking.report(str(answer["report"]))
            return None
        if "problem" not in answer:
            return answer
        kinds: dict[Any, type[GameError]] = {EXIT_USAGE: OptionError, EXIT_FILE: StorageError}
        code = answer.get("code")
        kind = kinds.get(code, AgentError) if isinstance(code, int) else AgentError
        raise kind(str(answer["problem"]), str(answer.get("todo", ""))[:1000])


def _import_path() -> list[str]:
    """The import path of this process, for a child that must find the same modules."""
    return [str(Path(entry or ".").absolute()) for entry in sys.path]
