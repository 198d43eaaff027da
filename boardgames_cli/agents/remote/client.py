"""The side of the agent protocol that asks: an agent in another process, seated like any other.

Whatever the process does, the caller gets a legal action object or an `AgentError` within its
limits of time and size.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import math
import random
import threading
import time
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn

from boardgames_cli.agents.remote import protocol
from boardgames_cli.agents.remote.child import ChildProcess, ProcessGone
from boardgames_cli.agents.remote.log import ProcessLog
from boardgames_cli.codec.fields import is_number
from boardgames_cli.core.agent import GRACE_SECONDS, Agent, Thinking
from boardgames_cli.core.errors import AgentError, GameError, OptionError
from boardgames_cli.core.game import AnyGame, Observation, Seat
from boardgames_cli.core.text import shortened

READY_SECONDS: Final = 60.0
"""The time limit for starting, and for reading what it is sent."""

_QUIT_SECONDS: Final = 0.5
"""Seconds that a program gets to exit by itself after ``quit``."""

MOST_MESSAGES: Final = 10_000

TODO: Final = "Seat another agent, or report this to its author."

_PRINT_ELSEWHERE: Final = (
    "For its author: print anything but messages to standard error, as in print(..., "
    "file=sys.stderr)."
)
_UNCLEAR: Final = "sent something that can't be understood"
_FLUSH: Final = "For its author: flush every message, as in print(..., flush=True)."
_QUOTED: Final = 60

_LOOK_SECONDS: Final = 0.02
"""The interval between checks whether the answer is still wanted."""

_ITERATIONS: Final = 200_000
"""Iterations of the slow hash: 50 to 100 ms, so that trying a million seeds takes a day."""


def slow_key(secret: bytes) -> bytes:
    """Derive a key with a slow hash, so that short secrets can't be found by trying them all."""
    return hashlib.pbkdf2_hmac("sha256", secret, b"boardgames agents", _ITERATIONS)


@functools.lru_cache(maxsize=8)
def seed_key(seed: int) -> bytes:
    """The key of the random numbers of agents in matches with a seed."""
    return slow_key(b"%d" % seed)


def draw_number(rng: random.Random, key: bytes) -> int:
    """Draw a seed for an agent's own generator that reveals nothing about ``rng``."""
    drawn = rng.getrandbits(128).to_bytes(16, "big")
    digest = hashlib.blake2b(drawn, digest_size=16, key=key).digest()
    return int.from_bytes(digest, "big") >> (128 - protocol.RANDOM_BITS)


class RemoteAgent(Agent[Any, Any]):
    """A proxy for an agent in another process, which is started on demand.

    It has the methods ``evaluate_actions`` and ``explain_actions`` once the agent has declared that
    it can evaluate choices. Subclasses implement `_open`.

    Attributes:
        name: The agent's name in messages.
        start: Seconds that it may take to be ready for a game.
        about: The fields of its ``ready``.
    """

    name: str
    start: float

    def __init__(self) -> None:
        self._child: ChildProcess | None = None
        self._log: ProcessLog | None = None
        self._is_closed = False
        self._lock = threading.RLock()
        self._game: AnyGame | None = None
        self._seat: Seat | None = None
        self._answer_seconds: float | None = None
        self._seed: int | None = None
        self._key = b""
        self._awaited = ""
        self._is_greeted = self._is_ready = False
        """Whether the current process has received ``hello`` and sent ``ready``, with no game
        since."""
        self._shown = -1
        self._held: Observation[Any, Any] | None = None
        """The observation of its own turn, which is sent together with ``act``."""
        self._actors: Sequence[int | str] = ()
        self._comment = ""
        self.about: Mapping[str, Any] = {}

    @abstractmethod
    def _open(self) -> ChildProcess: ...

    def take_seat(self, game: AnyGame, seat: Seat | None, seconds: float | None, seed: int) -> None:
        """Set the game and the seat, so that `prepare` can ask whether the agent supports them.

        Args:
            game: The game.
            seat: Its seat; None if not known yet.
            seconds: Its thinking time; None if unknown or unlimited.
            seed: The match's seed, from which the key of its random numbers derives. Without this
                method, each game's key is derived from its first random number, in 0.1 seconds.
        """
        self._game, self._seat = game, seat
        self._answer_seconds, self._seed = seconds, seed

    def prepare(self, seconds: float) -> bool:
        """Start it and, if its seat is known, wait for it; whether it was ready in time.

        Raises:
            GameError: It can't be started, or can't play this game.
        """
        with self._lock:
            if self._game is None or self._seat is None:
                self._connect()
                return True
            if self._is_ready:
                return True
            if not self._is_greeted:
                self._greet(self._game, self._seat)
            return self._await_ready(min(seconds, self.start), is_patient=True)

    def stop(self) -> None:
        """Kill it now; `reset` starts it again. Thread-safe."""
        child = self._child
        if child is not None:
            child.kill()

    def close(self) -> None:
        """End it for good; it gets half a second to exit by itself. Thread-safe."""
        self._is_closed = True
        if self._lock.acquire(blocking=False):  # otherwise another thread is waiting for an answer
            try:
                child = self._child
                if child is not None and child.is_open:
                    self._try_to_send("quit")
                    child.finish()
                    child.close(_QUIT_SECONDS)
            finally:
                self._lock.release()
        self.stop()  # a thread waiting for it then releases the lock
        with self._lock:
            if self._child is not None:
                self._child.close()

    def game_over(self, returns: Sequence[float] | None, reason: str) -> None:
        values = None if returns is None else list(returns)
        if self._lock.acquire(blocking=False):
            try:
                if self._child is not None and self._child.is_open and self._game is not None:
                    self._try_to_send("over", returns=values, reason=reason)
            finally:
                self._lock.release()

    def _connect(self) -> None:
        if self._is_closed:
            raise AgentError(f'agent "{self.name}" is closed.')
        if self._child is not None:
            if self._child.is_open:
                return
            self._child.close()
        self._is_greeted = self._is_ready = False
        try:
            self._child = self._open()
        except OSError as error:
            why = f'agent "{self.name}" can\'t be started ({error.strerror}).'
            raise AgentError(why, "It needs a process of its own.") from error

    def _greet(self, game: AnyGame, seat: Seat) -> None:
        self._connect()
        self._is_ready = self._is_greeted = False
        self._game, self._seat = game, seat
        self._shown, self._held, self._actors = -1, None, ()
        # Slow, so that it must not count as thinking time.
        self._key = b"" if self._seed is None else seed_key(self._seed)
        self._send(protocol.hello(game, seat, self.start, self._answer_seconds))
        self._is_greeted = True

    def _await_ready(self, seconds: float, *, is_patient: bool) -> bool:
        self._awaited = "ready"
        try:
            about = self._receive(seconds, is_patient=is_patient)
        except GameError:
            self._is_greeted = False
            self._process.close()
            raise
        if about is None:
            return False
        self.about = about
        for name in ("evaluate_actions", "explain_actions"):
            if about.get("values") is True:
                setattr(self, name, getattr(self, f"_{name}"))
        self._is_ready = True
        return True

    def reset(self, game: AnyGame, seat: Seat) -> None:
        """Start a game, in a new process if the old one has ended."""
        with self._lock:
            is_old = self._child is not None and self._child.is_open
            is_same = self._game == game and self._seat == seat and self._shown < 0
            if not (is_old and is_same and self._is_greeted):
                self._is_greeted = False
            try:
                self._begin(game, seat)
            except AgentError:
                if not is_old or self._is_closed:
                    raise
                self._begin(game, seat)  # it may have exited after the previous game

    def _begin(self, game: AnyGame, seat: Seat) -> None:
        if not self._is_greeted:
            self._greet(game, seat)
        if not self._is_ready:
            self._await_ready(self.start, is_patient=False)

    def watch(self, seen: Observation[Any, Any]) -> None:
        """Send the observation; on its own turn it is held back and sent together with ``act``."""
        with self._lock:
            watches = self.about.get("watches") is not False
            if watches:
                self._send_held(None)
            self._held = seen
            if watches and not seen.legal:
                self._send_held(None)

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        with self._lock:
            answer = self._ask(seen, thinking)
            assert self._game is not None, "it has been asked in a game"
            action, problem = protocol.answered_action(self._game, seen, answer)
            if problem:
                self._refuse(problem)
                listed = ", ".join(str(choice) for choice in seen.legal[:12])
                raise AgentError(f'agent "{self.name}" {problem}.', f"Legal: {listed}.")
            self._comment = protocol.text_of(answer, "text")
            return action

    def take_comment(self) -> str:
        """The comment on its last action; it is returned only once."""
        comment, self._comment = self._comment, ""
        return comment

    def _evaluate_actions(
        self, seen: Observation[Any, Any], thinking: Thinking
    ) -> Mapping[Any, float]:
        values = _mapping_of(self._ask(seen, thinking, explain=True), "values")
        return {
            action: float(values[str(action)])
            for action in seen.legal
            if is_number(values.get(str(action)))
        }

    def _explain_actions(
        self, seen: Observation[Any, Any], thinking: Thinking
    ) -> Mapping[Any, str]:
        answer = self._ask(seen, thinking, explain=True)
        words = _mapping_of(answer, "words")
        found = {action: protocol.text_of(words, str(action)) for action in seen.legal}
        comment = protocol.text_of(answer, "text")
        if comment:
            best, _ = protocol.answered_action(self._game_now(), seen, answer)
            found = {**found, best: found.get(best) or comment}
        return {action: text for action, text in found.items() if text and action is not None}

    def _ask(
        self, seen: Observation[Any, Any], thinking: Thinking, *, explain: bool = False
    ) -> Mapping[str, Any]:
        with self._lock:
            self._refuse_if_not_ready()
            budget = thinking.budget.seconds
            left = None if budget is None else max(0.0, budget - thinking.elapsed)
            if self._shown != seen.ply and (self._held is None or self._held.ply != seen.ply):
                self._held = seen
            self._drain()
            fields: dict[str, Any] = {"explain": True} if explain else {}
            number = self._draw(thinking)
            self._send_held(left, protocol.write_message("act", random=number, **fields))
            self._awaited = "action"
            answer = self._receive(None if left is None else left + GRACE_SECONDS, thinking)
            assert answer is not None, "late agents raise an error"
            return answer

    def _draw(self, thinking: Thinking) -> int:
        if not self._key:
            self._key = slow_key(thinking.rng.getrandbits(128).to_bytes(16, "big"))
        return draw_number(thinking.rng, self._key)

    def _send_held(self, seconds: float | None, question: bytes = b"") -> None:
        seen, self._held = self._held, None
        line = b""
        if seen is not None:
            game = self._game_now()
            acted = self._actors if seen.ply == self._shown + 1 else ()
            line = protocol.observe(game, seen, acted, seconds)
            self._shown, self._actors = seen.ply, protocol.actors(game, seen.state)
        if line or question:
            self._refuse_if_not_ready()
            self._send(line + question)

    def _refuse_if_not_ready(self) -> None:
        if self._child is None or not self._is_ready:
            raise AgentError(f'agent "{self.name}" is not ready.')

    @property
    def _process(self) -> ChildProcess:
        assert self._child is not None, "it has been started"
        return self._child

    def _game_now(self) -> AnyGame:
        if self._game is None:
            raise AgentError(f'agent "{self.name}" is in no game.')
        return self._game

    def _take(self, line: bytes, thinking: Thinking | None) -> Mapping[str, Any] | None:
        message = protocol.read_message(line)
        kind, awaited = message["type"], self._awaited if thinking or not self._is_ready else ""
        if kind == "log":
            text = protocol.text_of(message, "text")
            if self._log is not None:
                self._log.write(text)
            if thinking is not None:
                thinking.report(text)
        elif kind == "error":
            if self._log is not None:
                self._log.write(f"error: {protocol.text_of(message, 'message')}")
            if awaited:
                raise self._failure(message, awaited)
        elif kind not in ("ready", "action"):
            self._refuse(f'sent a message of unknown type "{kind[:40]}"')
        elif kind != awaited:
            self._refuse(f"sent {kind}, which nobody asked for")
        else:
            self._awaited = ""
            return self._checked(message) if kind == "ready" else message
        return None

    def _checked(self, ready: Mapping[str, Any]) -> Mapping[str, Any]:
        version, games = ready.get("protocol", protocol.VERSION), ready.get("games")
        if version != protocol.VERSION or isinstance(version, bool):
            raise AgentError(
                f'agent "{self.name}" speaks version {str(version)[:20]} of the protocol, '
                f"and this program version {protocol.VERSION}.",
                "Seat another agent.",
            )
        game = self._game_now()
        if isinstance(games, list) and game.info.id not in games:
            known = ", ".join(str(id)[:20] for id in games[:9]) or "none"
            raise OptionError(
                f'agent "{self.name}" can\'t play {game.info.name}.', f"Its games: {known}."
            )
        texts = {
            key: protocol.text_of(ready, key, protocol.LONGEST_NAME)
            for key in ("name", "author", "version")
        }
        return {**ready, **texts}

    def _failure(self, message: Mapping[str, Any], awaited: str) -> GameError:
        why = protocol.text_of(message, "message").rstrip(".")
        if awaited == "ready":
            return OptionError(f'agent "{self.name}" can\'t play this game: {why}.', TODO)
        return AgentError(f'agent "{self.name}" could not answer: {why}.', TODO)

    def _refuse(self, problem: str) -> None:
        self._try_to_send("error", message=f"you {problem}")

    def _try_to_send(self, kind: str, **fields: Any) -> None:
        if self._child is not None:
            with contextlib.suppress(ProcessGone, TimeoutError):
                self._child.write(protocol.write_message(kind, **fields))

    def _send(self, data: bytes) -> None:
        try:
            self._process.write(data, READY_SECONDS)
        except ProcessGone:
            self._end("ended unexpectedly")
        except TimeoutError:
            self._end("does not listen and was ended")

    def _receive(
        self, seconds: float | None, thinking: Thinking | None = None, *, is_patient: bool = False
    ) -> Mapping[str, Any] | None:
        deadline = math.inf if seconds is None else time.monotonic() + seconds
        is_hurried, count, wait = False, 0, 0.0
        while True:
            message = self._read(wait)
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
                half = " (it has not finished its line)" if self._process.is_within_line else ""
                todo = "" if self._process.has_spoken else _FLUSH
                self._end(f"did not answer in time and was ended{half}", todo)
            if thinking is not None and not is_hurried and thinking.cancelled():
                is_hurried = True
                deadline = min(deadline, now + GRACE_SECONDS)
                self._send(protocol.write_message("hurry"))
            wait = min(_LOOK_SECONDS, deadline - now)

    def _drain(self) -> None:
        for _ in range(MOST_MESSAGES):
            message = self._read(0.0)
            if message is None:
                return
            self._understand(message, None)
        self._end(f"sent more than {MOST_MESSAGES:,} messages without being asked")

    def _read(self, seconds: float) -> bytes | None:
        try:
            return self._process.read(seconds)
        except ProcessGone:
            half = " in the middle of a line" if self._process.is_within_line else ""
            self._end(f"ended unexpectedly{half}")
        except ValueError as error:
            self._end(f"{_UNCLEAR} ({error})")

    def _understand(self, message: bytes, thinking: Thinking | None) -> Mapping[str, Any] | None:
        try:
            return self._take(message, thinking)
        except (ValueError, RecursionError) as error:
            if message.lstrip().startswith(b"{"):
                self._end(f"{_UNCLEAR} ({error})")
            line = shortened(message.decode("utf-8", "replace").strip(), _QUOTED)
            self._end(f'sent the line "{line}", which is no message ({error})', _PRINT_ELSEWHERE)

    def _end(self, what: str, todo: str = "") -> NoReturn:
        how = self._process.close()
        if what.startswith("ended unexpectedly"):
            what = f"{what} ({how})"
        where = TODO
        if self._log is not None and self._log.path:
            where = f"Its standard error: {self._log.path}"
        raise AgentError(f'agent "{self.name}" {what}.', f"{todo}   {where}".strip())


def _mapping_of(answer: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = answer.get(key)
    return value if isinstance(value, dict) else {}
