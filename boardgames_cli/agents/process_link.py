"""Talking with an agent in a process of its own, within limits of time and size.

What both kinds of such agents share: those of other packages (`process_agent`), which get copies of
Python objects, and programs in any language (`external`), which get lines of JSON.
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
from typing import Any, Final, NoReturn, Protocol

from boardgames_cli.agents.process import ChildProcess, ProcessGone
from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.errors import AgentError

READY_SECONDS: Final = 60.0
"""Importing, loading, beginning a game or watching a step may take this long."""

GRACE_SECONDS: Final = 3.0
"""Seconds beyond its limit, or after it was hurried, that an agent may take to answer."""

MOST_MESSAGES: Final = 10_000
"""Messages that are taken before an answer."""

TODO: Final = "Seat another agent, or report this to its author."

_LOOK_SECONDS: Final = 0.02
"""How often to look whether the answer is still wanted."""

_ITERATIONS: Final = 200_000
"""Of the slow hash: 50 to 100 ms, so that trying a million seeds takes a day."""


def slow_key(secret: bytes) -> bytes:
    """A key that takes long to make from something short, against those who would try all."""
    return hashlib.pbkdf2_hmac("sha256", secret, b"boardgames agents", _ITERATIONS)


def draw_number(rng: random.Random, key: bytes, bits: int) -> int:
    """A number for an agent's own generator, from which nothing about ``rng`` can be found out.

    Args:
        rng: The generator that the agent would draw from in this process.
        key: What the agent can't know.
        bits: The number is below 2 to this power, which is at most 128.
    """
    drawn = rng.getrandbits(128).to_bytes(16, "big")
    digest = hashlib.blake2b(drawn, digest_size=16, key=key).digest()
    return int.from_bytes(digest, "big") >> (128 - bits)


class MessageReader(Protocol):
    """Puts messages together from whatever pieces they come in."""

    def feed(self, data: bytes) -> None:
        """Take a piece."""
        ...

    @property
    def has_more(self) -> bool:
        """Whether a piece of another message has come."""
        ...

    def next(self) -> bytes | None:
        """The next whole message, or None until there is one.

        Raises:
            ValueError: No such message is taken.
        """
        ...


class Link:
    """One process, and the conversation with it.

    Args:
        name: What to call the agent in messages.
        child: The process.
        reader: Puts its messages together.
        take: Given each of them; what it returns is the answer, None if it was something else. It
            raises a `ValueError` for what is no message, and a `GameError` for an agent's failure.
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
        """What people can do when it fails."""

    @property
    def is_open(self) -> bool:
        """Whether anything can be asked."""
        return self.child.is_open

    def send(self, data: bytes) -> None:
        """Send bytes.

        Raises:
            AgentError: The process has ended, or does not listen.
        """
        try:
            self.child.write(data, READY_SECONDS, self._reader.feed)
        except ProcessGone:
            self._end("ended unexpectedly")
        except TimeoutError:
            self._end("does not listen and was ended")

    def try_to_send(self, data: bytes) -> None:
        """Send bytes if it listens at once; whether it does is not important."""
        with contextlib.suppress(ProcessGone, TimeoutError):
            self.child.write(data, 0.0)

    def farewell(self, data: bytes, seconds: float) -> None:
        """Send the last bytes and let the process end by itself, or end it."""
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
        """The next answer.

        Args:
            seconds: How long to wait; None is without limit.
            thinking: Says whether to hurry.
            hurry: What to send then.
            is_patient: Whether to give None when the time is over, instead of ending the process.

        Raises:
            GameError: The agent failed, has ended, is late, or breaks the protocol.
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
        """Take what has come without being asked for.

        Raises:
            GameError: The agent has ended, or breaks the protocol.
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
    """Stands for an agent that runs elsewhere. Nothing is started before it is needed.

    Subclasses have a ``name`` for messages, and say how to start it in ``_open``.
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
        """Start the process, unless it runs, without waiting for it; whether it had to be started.

        Raises:
            GameError: It can't be started.
        """
        with self._lock:
            if self._is_closed:
                raise AgentError(f'agent "{self.name}" has left the table.')
            if self._link is not None and self._link.is_open:
                return False
            if self._link is not None:
                self._link.child.close()
            self._link = self._open()
            return True

    def stop(self) -> None:
        """End it now, whatever it does; `reset` starts it again. Any thread may call this."""
        link = self._link
        if link is not None:
            link.child.kill()

    @property
    def memory_used(self) -> int:
        """Bytes of memory that its processes use; 0 if none runs, or where nobody can tell."""
        link = self._link
        return link.child.memory if link is not None and link.is_open else 0

    def close(self) -> None:
        """End it for good. Any thread may call this."""
        self._is_closed = True
        self.stop()  # a thread that waits for it releases the lock then
        with self._lock:
            if self._link is not None:
                self._link.child.close()


def as_object(message: bytes) -> dict[str, Any]:
    """A JSON object.

    Raises:
        ValueError: It is none.
    """
    data = json.loads(message)
    if not isinstance(data, dict):
        raise ValueError("it is no JSON object")
    return data


def list_of(answer: Mapping[str, Any], key: str) -> list[Any]:
    """The list that an answer has under a key; empty if it has none."""
    value = answer.get(key)
    return value if isinstance(value, list) else []


def mapping_of(answer: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """The object that an answer has under a key; empty if it has none."""
    value = answer.get(key)
    return value if isinstance(value, dict) else {}


def finite(value: object) -> float | None:
    """A number that came as JSON, if it is one that can be compared."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
