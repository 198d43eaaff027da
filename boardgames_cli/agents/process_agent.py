"""An agent in a process of its own, so that nothing it does reaches the game but its answers.

What it is shown goes to it as copies. What it answers is JSON of limited length: an action by its
notation, values as numbers, and errors as texts. An agent that is late is ended with everything it
started, and begins anew with the next `Agent.reset`.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import pickle
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from boardgames_cli.agents.process import ChildProcess, ProcessGone
from boardgames_cli.agents.process_frames import FrameReader, frame
from boardgames_cli.core.agent import Agent, Budget, Thinking
from boardgames_cli.core.errors import (
    EXIT_FILE,
    EXIT_USAGE,
    AgentError,
    GameError,
    OptionError,
    StorageError,
)
from boardgames_cli.core.game import AnyGame, Observation, Seat
from boardgames_cli.registry import plugin_entries, resolve_level, spec_of, split_agent

LOG_VARIABLE: Final = "BOARDGAMES_AGENT_LOG"
"""Names a file for what such agents print; without it that is lost."""

_READY_SECONDS: Final = 60.0
"""Importing, loading, beginning a game or watching a step may take this long."""

_GRACE_SECONDS: Final = 3.0
"""Seconds beyond its limit, or after it was hurried, that an agent may take to answer."""

_LOOK_SECONDS: Final = 0.02
"""How often to look whether the answer is still wanted."""

_TODO: Final = "Seat another agent, or report this to its author."


class ProcessAgent(Agent[Any, Any]):
    """Stands for an agent that runs elsewhere. Nothing is started before it is needed.

    It has the methods ``evaluate_actions`` and ``explain_actions`` once `prepare` has found that
    the agent has them.

    Args:
        text: The agent's specification, such as ``"stranger:depth=2"``.
        game: The game it is to play.
        secret: Gives the key of its random numbers; asked once, when the first is needed. From its
            numbers nobody can find out those of others.
    """

    def __init__(self, text: str, game: AnyGame, secret: Callable[[], bytes] = bytes) -> None:
        self._spec = spec_of(game)
        self._text = resolve_level(text, self._spec)
        self._name = split_agent(self._text)[0]
        self._game = game
        self._make_secret = secret
        self._secret: bytes | None = None
        self._link: _Link | None = None
        self._watches = True
        self._is_ready = self._is_closed = False
        self._lock = threading.RLock()

    # -- starting and ending -----------------------------------------------------------------

    def start(self) -> None:
        """Start the process without waiting for it.

        Raises:
            AgentError: It can't be started.
        """
        with self._lock:
            if self._is_closed:
                raise AgentError(f'agent "{self._name}" has left the table.')
            if self._link is not None and self._link.is_open:
                return
            if self._link is not None:
                self._link.close()
            self._is_ready = False
            self._link = _Link(self._name)
            game = pickle.dumps((self._spec, self._game))
            python_path = os.environ.get("PYTHONPATH")
            self._link.send("start", sys.path, plugin_entries(), python_path, self._text, game)

    def prepare(self, seconds: float = _READY_SECONDS) -> bool:
        """Start it and wait until it is ready, at most so long; False if it needs longer.

        Raises:
            GameError: It can't be started, or can't play this game.
        """
        with self._lock:
            self.start()
            if self._is_ready:
                return True
            assert self._link is not None, "it has just been started"
            try:
                answer = self._link.receive(seconds, is_patient=True)
            except GameError:
                self._link.close()
                raise
            if answer is None:
                return False
            self._watches = answer.get("watches") is not False
            for name in ("evaluate_actions", "explain_actions"):
                if name in _list_of(answer, "can"):
                    setattr(self, name, getattr(self, f"_{name}"))
            self._is_ready = True
            return True

    def stop(self) -> None:
        """End it now, whatever it does; `reset` starts it again. Any thread may call this."""
        link = self._link
        if link is not None:
            link.kill()

    def close(self) -> None:
        """End it for good. Any thread may call this."""
        self._is_closed = True
        self.stop()  # whoever waits for it in another thread lets go of the lock then
        with self._lock:
            if self._link is not None:
                self._link.close()

    # -- the agent ---------------------------------------------------------------------------

    def reset(self, game: AnyGame, seat: Seat) -> None:
        """Begin a game, in a new process if the old one has ended."""
        with self._lock:
            if not self.prepare():
                self.stop()
                raise AgentError(f'agent "{self._name}" needs too long to start.', _TODO)
            self._call("reset", game, seat)

    def watch(self, seen: Observation[Any, Any]) -> None:
        """Let it see the table, if it wants to."""
        with self._lock:
            if self._watches:
                self._call("watch", seen)

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        """The legal action whose notation it answered with."""
        text = self._ask("act", seen, thinking).get("action")
        for action in seen.legal:
            if str(action) == text:
                return action
        raise AgentError(
            f'agent "{self._name}" answered {str(text)[:40]!r} at ply {seen.ply}, '
            "which is not legal.",
            f"Legal: {', '.join(str(choice) for choice in seen.legal[:12])}.",
        )

    def _evaluate_actions(
        self, seen: Observation[Any, Any], thinking: Thinking
    ) -> Mapping[Any, float]:
        values = _mapping_of(self._ask("evaluate_actions", seen, thinking), "values")
        found = {action: _number(values.get(str(action))) for action in seen.legal}
        return {action: value for action, value in found.items() if value is not None}

    def _explain_actions(
        self, seen: Observation[Any, Any], thinking: Thinking
    ) -> Mapping[Any, str]:
        words = _mapping_of(self._ask("explain_actions", seen, thinking), "words")
        return {
            action: text for action in seen.legal if isinstance(text := words.get(str(action)), str)
        }

    def _ask(self, verb: str, seen: Observation[Any, Any], thinking: Thinking) -> Mapping[str, Any]:
        with self._lock:
            budget = thinking.budget
            if budget.seconds is not None:
                budget = Budget(max(0.0, budget.seconds - thinking.elapsed), budget.nodes)
            link = self._open_link()
            link.send(verb, seen, link.number + 1, self._draw(thinking), budget)
            answer = link.receive(
                None if budget.seconds is None else budget.seconds + _GRACE_SECONDS, thinking
            )
            assert answer is not None, "late agents raise an error"
            return answer

    def _draw(self, thinking: Thinking) -> int:
        """The number from which the agent's own generator is made."""
        if self._secret is None:
            self._secret = self._make_secret()
        drawn = thinking.rng.getrandbits(128).to_bytes(16, "big")
        digest = hashlib.blake2b(drawn, digest_size=16, key=self._secret)
        return int.from_bytes(digest.digest(), "big")

    def _call(self, verb: str, *arguments: Any) -> None:
        link = self._open_link()
        link.send(verb, *arguments)
        link.receive(_READY_SECONDS)

    def _open_link(self) -> _Link:
        if self._link is None or not self._is_ready:
            raise AgentError(f'agent "{self._name}" is not ready.')
        return self._link


class _Link:
    """One process, and the conversation with it."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.number = 0
        """The number of the last request."""
        self._frames = FrameReader()
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(_import_path())}
        log = os.environ.get(LOG_VARIABLE)
        # -P: a file of the folder we are in must not stand in for a module.
        words = [sys.executable, "-P", "-m", "boardgames_cli.agents.process_worker"]
        try:
            self._child = ChildProcess(words, environment, Path(log) if log else None)
        except OSError as error:
            raise AgentError(
                f'agent "{name}" can\'t be started ({error.strerror}).',
                "It needs a process of its own.",
            ) from error

    @property
    def is_open(self) -> bool:
        """Whether anything can be asked."""
        return self._child.is_open

    def kill(self) -> None:
        """End the process now."""
        self._child.kill()

    def close(self) -> None:
        """End the process and release it."""
        self._child.close()

    def send(self, verb: str, *arguments: Any) -> None:
        """Send a request.

        Raises:
            AgentError: The process has ended, or does not listen.
        """
        self.number += 1
        self._write((self.number, verb, arguments))

    def receive(
        self,
        seconds: float | None,
        thinking: Thinking | None = None,
        *,
        is_patient: bool = False,
    ) -> Mapping[str, Any] | None:
        """The answer to the last request.

        Args:
            seconds: How long to wait; None is without limit.
            thinking: Receives reports, and says whether to hurry.
            is_patient: Whether to give None when the time is over, instead of ending the process.

        Raises:
            GameError: The agent failed, has ended, is late, or breaks the protocol.
        """
        deadline = math.inf if seconds is None else time.monotonic() + seconds
        is_hurried = False
        while True:
            answer = self._next()
            if answer is not None:
                if "report" not in answer:
                    return self._checked(answer)
                if thinking is not None:
                    thinking.report(str(answer["report"]))
            now = time.monotonic()
            if now >= deadline:
                if is_patient:
                    return None
                raise self._ended("did not answer in time and was ended")
            if thinking is not None and not is_hurried and thinking.cancelled():
                is_hurried = True
                deadline = min(deadline, now + _GRACE_SECONDS)
                self._write((self.number, "hurry", ()))
            if answer is None:
                self._read(min(_LOOK_SECONDS, deadline - now))

    def _next(self) -> Mapping[str, Any] | None:
        try:
            message = self._frames.next()
            if message is None:
                return None
            answer = json.loads(message)
            if not isinstance(answer, dict) or answer.get("id") != self.number:
                raise ValueError("it is no answer")
        except (ValueError, RecursionError) as error:
            raise self._ended(f"sent something that can't be understood ({error})") from error
        return answer

    def _checked(self, answer: Mapping[str, Any]) -> Mapping[str, Any]:
        """An answer, unless it tells of a failure."""
        if "problem" not in answer:
            return answer
        kinds: dict[Any, type[GameError]] = {EXIT_USAGE: OptionError, EXIT_FILE: StorageError}
        code = answer.get("code")
        kind = kinds.get(code, AgentError) if isinstance(code, int) else AgentError
        raise kind(str(answer["problem"]), str(answer.get("todo", ""))[:1000])

    def _read(self, seconds: float) -> None:
        try:
            data = self._child.read(seconds)
        except ProcessGone as error:
            raise self._ended("ended unexpectedly") from error
        if data is not None:
            self._frames.feed(data)

    def _write(self, request: tuple[int, str, tuple[Any, ...]]) -> None:
        try:
            self._child.write(frame(pickle.dumps(request)), _READY_SECONDS)
        except ProcessGone as error:
            raise self._ended("ended unexpectedly") from error
        except TimeoutError as error:
            raise self._ended("does not listen and was ended") from error

    def _ended(self, what: str) -> AgentError:
        how = self._child.close()
        if what == "ended unexpectedly":
            what = f"{what} ({how})"
        return AgentError(f'agent "{self._name}" {what}.', _TODO)


def _import_path() -> list[str]:
    """Where this program finds its modules, for a child that must find the same."""
    return [str(Path(entry or ".").absolute()) for entry in sys.path]


def _list_of(answer: Mapping[str, Any], key: str) -> list[Any]:
    value = answer.get(key)
    return value if isinstance(value, list) else []


def _mapping_of(answer: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = answer.get(key)
    return value if isinstance(value, dict) else {}


def _number(value: object) -> float | None:
    """A number that came as JSON, if it is one that can be compared."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
