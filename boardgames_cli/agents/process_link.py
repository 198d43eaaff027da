"""Communication with an agent in another process, within limits of time and size.

Shared by the two kinds of such agents: those of other packages (`process_agent`), which receive
copies of Python objects, and programs in any language (`external`), which receive lines of JSON.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import random
import threading
import time
from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn

from boardgames_cli.agents.message_reader import MessageReader
from boardgames_cli.agents.process import ChildProcess, ProcessGone
from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.errors import AgentError

READY_SECONDS: Final = 60.0
"""The time limit for importing, loading, starting a game or watching a step."""

GRACE_SECONDS: Final = 3.0
"""Extra seconds to answer after an agent's limit, or after it was told to hurry."""

MOST_MESSAGES: Final = 10_000
"""The maximum number of messages before an answer."""

TODO: Final = "Seat another agent, or report this to its author."

_LOOK_SECONDS: Final = 0.02
"""The interval between checks whether the answer is still wanted."""

_ITERATIONS: Final = 200_000
"""Iterations of the slow hash: 50 to 100 ms, so that trying a million seeds takes a day."""


def slow_key(secret: bytes) -> bytes:
    """Derive a key with a slow hash, so that short secrets can't be found by trying them all."""
    return hashlib.pbkdf2_hmac("sha256", secret, b"boardgames agents", _ITERATIONS)


def draw_number(rng: random.Random, key: bytes, bits: int) -> int:
    """Draw a seed for an agent's own generator that reveals nothing about ``rng``.

    Args:
        rng: The generator that the agent would use in this process.
        key: A secret key.
        bits: The size of the number, at most 128.
    """
    drawn = rng.getrandbits(128).to_bytes(16, "big")
    digest = hashlib.blake2b(drawn, digest_size=16, key=key).digest()
    return int.from_bytes(digest, "big") >> (128 - bits)


class Link:
    """A connection to one process.

    Args:
        name: The agent's name in messages.
        child: The process.
        reader: Assembles its messages.
        take: Called with each message; returns the answer, or None if it was something else. Raises
            `ValueError` for invalid messages, and `GameError` for an agent's failure.
    """

    def __init__(
        self,
        name: str,
        child: ChildProcess,
        reader: MessageReader,
        take: Callable[[bytes, Thinking | None], Mapping[str, Any] | None],
    ) -> None:
        self._name = name
        self._reader = reader
        self._take = take
        self.child = child
        self.todo = TODO
        """The advice in error messages."""

    @property
    def is_open(self) -> bool:
        """Whether the process can be asked."""
        return self.child.is_open

    def send(self, data: bytes) -> None:
        """Send bytes.

        Raises:
            AgentError: The process has exited, or does not read.
        """
        try:
            self.child.write(data, READY_SECONDS, self._reader.feed)
        except ProcessGone:
            self._end("ended unexpectedly")
        except TimeoutError:
            self._end("does not listen and was ended")

    def try_to_send(self, data: bytes) -> None:
        """Send bytes if the process reads at once; failures are ignored."""
        with contextlib.suppress(ProcessGone, TimeoutError):
            self.child.write(data, 0.0)

    def farewell(self, data: bytes, seconds: float) -> None:
        """Send the last bytes and let the process exit by itself within a time, or kill it."""
        self.try_to_send(data)
        self.child.finish()
        self.child.close(seconds)

    def receive(
        self,
        seconds: float | None,
        thinking: Thinking | None = None,
        hurry: bytes = b"",
        *,
        is_patient: bool = False,
    ) -> Mapping[str, Any] | None:
        """Wait for the next answer.

        Args:
            seconds: The timeout; None is no limit.
            thinking: Decides when to hurry.
            hurry: The message to send then.
            is_patient: Whether to return None after a timeout instead of killing the process.

        Raises:
            GameError: The agent failed, has exited, is late, or violates the protocol.
        """
        deadline = math.inf if seconds is None else time.monotonic() + seconds
        is_hurried, count = False, 0
        while True:
            message = self._next()
            if message is not None:
                count += 1
                if count > MOST_MESSAGES:
                    self._end(f"sent more than {MOST_MESSAGES:,} messages without an answer")
                answer = self._understand(message, thinking)
                if answer is not None:
                    return answer
            now = time.monotonic()
            if now >= deadline:
                if is_patient:
                    return None
                half = " (it has not finished its line)" if self._reader.has_more else ""
                self._end(f"did not answer in time and was ended{half}")
            if thinking is not None and not is_hurried and thinking.cancelled():
                is_hurried = True
                deadline = min(deadline, now + GRACE_SECONDS)
                self.send(hurry)
            if message is None:
                self._read(min(_LOOK_SECONDS, deadline - now))

    def drain(self) -> None:
        """Handle messages that arrived without a request.

        Raises:
            GameError: The agent has exited, or violates the protocol.
        """
        for _ in range(MOST_MESSAGES):
            message = self._next()
            if message is not None:
                self._understand(message, None)
            elif not self._read(0.0):
                return
        self._end(f"sent more than {MOST_MESSAGES:,} messages without being asked")

    def _next(self) -> bytes | None:
        try:
            return self._reader.next()
        except ValueError as error:
            self._refuse(error)

    def _understand(self, message: bytes, thinking: Thinking | None) -> Mapping[str, Any] | None:
        try:
            return self._take(message, thinking)
        except (ValueError, RecursionError) as error:
            self._refuse(error)

    def _read(self, seconds: float) -> bool:
        try:
            data = self.child.read(seconds)
        except ProcessGone:
            half = " in the middle of a line" if self._reader.has_more else ""
            self._end(f"ended unexpectedly{half}")
        if data is not None:
            self._reader.feed(data)
        return data is not None

    def _refuse(self, error: BaseException) -> NoReturn:
        self._end(f"sent something that can't be understood ({error})")

    def _end(self, what: str) -> NoReturn:
        how = self.child.close()
        if what.startswith("ended unexpectedly"):
            what = f"{what} ({how})"
        raise AgentError(f'agent "{self._name}" {what}.', self.todo)


class RemoteAgent(Agent[Any, Any]):
    """A proxy for an agent in another process, which is started on demand.

    Subclasses have a ``name`` for messages, and implement ``_open`` to start the process.
    """

    name: str

    def __init__(self) -> None:
        self._link: Link | None = None
        self._is_closed = False
        self._lock = threading.RLock()

    @abstractmethod
    def _open(self) -> Link:
        """Start the process.

        Raises:
            GameError: It can't be started.
        """

    def launch(self) -> bool:
        """Start the process if it is not running, without waiting; whether it was started.

        Raises:
            GameError: It can't be started.
        """
        with self._lock:
            if self._is_closed:
                raise AgentError(f'agent "{self.name}" is closed.')
            if self._link is not None and self._link.is_open:
                return False
            if self._link is not None:
                self._link.child.close()
            self._link = self._open()
            return True

    def stop(self) -> None:
        """Kill it now; `reset` starts it again. Thread-safe."""
        link = self._link
        if link is not None:
            link.child.kill()

    @property
    def memory_used(self) -> int:
        """Memory of its processes in bytes; 0 if none is running, or if unknown."""
        link = self._link
        return link.child.memory if link is not None and link.is_open else 0

    def close(self) -> None:
        """End it for good. Thread-safe."""
        self._is_closed = True
        self.stop()  # a thread waiting for it then releases the lock
        with self._lock:
            if self._link is not None:
                self._link.child.close()


def as_object(message: bytes) -> dict[str, Any]:
    """Parse a JSON object.

    Raises:
        ValueError: The message is not a JSON object.
    """
    data = json.loads(message)
    if not isinstance(data, dict):
        raise ValueError("it is not a JSON object")
    return data


def list_of(answer: Mapping[str, Any], key: str) -> list[Any]:
    """The list under a key of an answer; empty if there is none."""
    value = answer.get(key)
    return value if isinstance(value, list) else []


def mapping_of(answer: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """The object under a key of an answer; empty if there is none."""
    value = answer.get(key)
    return value if isinstance(value, dict) else {}


def finite(value: object) -> float | None:
    """A JSON value as a finite float; None if it is not a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
