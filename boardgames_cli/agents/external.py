"""Programs in any language as agents: ``cmd:python bot.py``. docs/protocol.md is the contract.

A program receives what its seat may know, as lines of JSON, and has no other access to this
process. Whatever it does, the caller gets a legal action object or an `AgentError`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from boardgames_cli.agents import process_link, protocol
from boardgames_cli.agents.command_line import (
    command_title,
    environment_for,
    find_program,
    read_limits,
    split_command,
)
from boardgames_cli.agents.process import ChildProcess
from boardgames_cli.agents.process_link import TODO, Link, RemoteAgent, finite, mapping_of
from boardgames_cli.agents.process_log import ProcessLog
from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.errors import AgentError, GameError, OptionError
from boardgames_cli.core.game import AnyGame, Observation, Seat
from boardgames_cli.core.options import option

_QUIT_SECONDS: Final = 0.5
"""Seconds that a program gets to exit by itself after ``quit``."""


@dataclass(eq=False)
class ExternalAgent(RemoteAgent):
    """A program that speaks the agent protocol.

    It has the methods ``evaluate_actions`` and ``explain_actions`` once the program has declared
    that it can evaluate choices.
    """

    command: str = option("", "the program and its arguments")
    memory: str = option("", "memory limit, such as 512M")
    cpu: str = option("", "limit of processor time per game, such as 10s")
    start: float = option(60.0, "seconds it may take to start", low=0.1, high=3600.0)
    cwd: str = option("", "working directory")
    env: str = option("", "additional environment variables, such as API_KEY+DEBUG")

    def __post_init__(self) -> None:
        super().__init__()
        self._words = split_command(self.command)
        self._limits = read_limits(self.memory, self.cpu)
        self.name = command_title(self.command)
        self._log: ProcessLog | None = None
        self._game: AnyGame | None = None
        self._seat: Seat | None = None
        self._answer_seconds: float | None = None
        self._make_key: Callable[[], bytes] | None = None
        self._key: bytes | None = None
        self._awaited = ""
        """The type of the expected message."""
        self._is_greeted = self._is_ready = False
        """Whether the current process has received ``hello`` and sent ``ready``, with no game
        since."""
        self._shown = -1
        """The ply of the last observation that was sent."""
        self._held: Observation[Any, Any] | None = None
        """The observation of its own turn, which is sent together with ``act``."""
        self._actors: Sequence[int | str] = ()
        self._comment = ""
        self.about: Mapping[str, Any] = {}
        """The fields of the program's ``ready``."""

    def supports(self, game: AnyGame) -> str | None:
        """None if there is a command; the program itself is asked later, by `prepare`."""
        return None if self._words else "say which program, such as cmd:python bot.py"

    def take_seat(
        self,
        game: AnyGame,
        seat: Seat | None,
        seconds: float | None,
        make_key: Callable[[], bytes],
    ) -> None:
        """Set the game and the seat, so that `prepare` can ask whether the program supports them.

        Args:
            game: The game.
            seat: Its seat; None if not known yet.
            seconds: Its thinking time; None if unknown or unlimited.
            make_key: Returns the key of its random numbers; called when it is needed. If it returns
                no bytes, each game's key is derived from its first random number, in 0.1 seconds.
        """
        self._game, self._seat = game, seat
        self._answer_seconds, self._make_key = seconds, make_key

    # -- starting and ending -----------------------------------------------------------------

    def prepare(self, seconds: float) -> bool:
        """Start it and, if its seat is known, wait for it; whether it was ready in time.

        Raises:
            GameError: It can't be started, or can't play this game.
        """
        with self._lock:
            if self._game is None or self._seat is None:
                self._start_anew()
                return True
            if self._is_ready:
                return True
            if not self._is_greeted:
                self._greet(self._game, self._seat)
            return self._await_ready(min(seconds, self.start), is_patient=True)

    def close(self) -> None:
        """End it for good; it gets half a second to exit by itself. Thread-safe."""
        if self._lock.acquire(blocking=False):  # otherwise another thread is waiting for an answer
            try:
                link = self._link
                if link is not None and link.is_open:
                    link.farewell(protocol.write_message("quit"), _QUIT_SECONDS)
            finally:
                self._lock.release()
        super().close()
        if self._log is not None:
            self._log.close()

    def game_over(self, returns: Sequence[float] | None, reason: str) -> None:
        """Send the result of the game."""
        values = None if returns is None else list(returns)
        if self._lock.acquire(blocking=False):
            try:
                link = self._link
                if link is not None and link.is_open and self._game is not None:
                    link.try_to_send(protocol.write_message("over", returns=values, reason=reason))
            finally:
                self._lock.release()

    def _start_anew(self) -> Link:
        if self.launch():
            self._is_greeted = self._is_ready = False
        assert self._link is not None, "it has just been started"
        return self._link

    def _open(self) -> Link:
        environment = environment_for(self.env)
        folder = Path(self.cwd).expanduser() if self.cwd else None
        words = [find_program(self._words, environment, folder), *self._words[1:]]
        if self._log is None:
            self._log = ProcessLog(self.name)
        try:
            child = ChildProcess(words, environment, self._log.path, folder, self._limits)
        except OSError as error:
            raise OptionError(
                f'agent "{self.name}" can\'t be started ({error.strerror}).',
                f"The command is: {self.command}",
            ) from error
        link = Link(self.name, child, protocol.LineReader(), self._take)
        link.todo = f"Its standard error: {self._log.path}" if self._log.path else TODO
        return link

    def _greet(self, game: AnyGame, seat: Seat) -> None:
        link = self._start_anew()
        self._is_ready = self._is_greeted = False
        self._game, self._seat = game, seat
        self._shown, self._held, self._actors = -1, None, ()
        if self._make_key is None:
            self._key = None
        elif self._key is None:  # it is slow, and must not count as thinking time
            self._key = self._make_key()
        link.child.restart_clock()
        link.send(protocol.hello(game, seat, self.start, self._answer_seconds))
        self._is_greeted = True

    def _await_ready(self, seconds: float, *, is_patient: bool) -> bool:
        assert self._link is not None, "it has been greeted"
        self._awaited = "ready"
        try:
            about = self._link.receive(seconds, is_patient=is_patient)
        except GameError:
            self._is_greeted = False
            self._link.child.close()
            raise
        if about is None:
            return False
        self.about = about
        for name in ("evaluate_actions", "explain_actions"):
            if about.get("values") is True:
                setattr(self, name, getattr(self, f"_{name}"))
        self._is_ready = True
        return True

    # -- the agent ---------------------------------------------------------------------------

    def reset(self, game: AnyGame, seat: Seat) -> None:
        """Start a game, in a new process if the old one has ended."""
        with self._lock:
            is_old = self._link is not None and self._link.is_open
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
            self._send_held(None)
            self._held = seen
            if not seen.legal:
                self._send_held(None)

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        """The legal action in its answer."""
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
        values = mapping_of(self._ask(seen, thinking, explain=True), "values")
        found = {action: finite(values.get(str(action))) for action in seen.legal}
        return {action: value for action, value in found.items() if value is not None}

    def _explain_actions(
        self, seen: Observation[Any, Any], thinking: Thinking
    ) -> Mapping[Any, str]:
        answer = self._ask(seen, thinking, explain=True)
        words = mapping_of(answer, "words")
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
            link = self._ready_link()
            budget = thinking.budget.seconds
            left = None if budget is None else max(0.0, budget - thinking.elapsed)
            if self._shown != seen.ply and self._held is None:
                self._held = seen
            link.drain()
            fields = {"explain": True} if explain else {}
            number = self._draw(thinking)
            self._send_held(left, protocol.write_message("act", random=number, **fields))
            self._awaited = "action"
            patience = None if left is None else left + process_link.GRACE_SECONDS
            answer = link.receive(patience, thinking, protocol.write_message("hurry"))
            assert answer is not None, "late agents raise an error"
            return answer

    def _draw(self, thinking: Thinking) -> int:
        """The seed for the program's own generator."""
        if self._key is None:
            first = thinking.rng.getrandbits(128).to_bytes(16, "big")
            self._key = process_link.slow_key(first)
        return process_link.draw_number(thinking.rng, self._key, protocol.RANDOM_BITS)

    def _send_held(self, seconds: float | None, question: bytes = b"") -> None:
        """Send the held observation, if any, followed by a question."""
        seen, self._held = self._held, None
        line = b""
        if seen is not None:
            game = self._game_now()
            line = protocol.observe(game, seen, self._actors, seconds)
            self._shown, self._actors = seen.ply, protocol.actors(game, seen.state)
        if line or question:
            self._ready_link().send(line + question)

    def _ready_link(self) -> Link:
        if self._link is None or not self._is_ready:
            raise AgentError(f'agent "{self.name}" is not ready.')
        return self._link

    def _game_now(self) -> AnyGame:
        if self._game is None:
            raise AgentError(f'agent "{self.name}" is in no game.')
        return self._game

    # -- what it says ------------------------------------------------------------------------

    def _take(self, line: bytes, thinking: Thinking | None) -> Mapping[str, Any] | None:
        """Handle a message; return it if it is the expected one."""
        message = protocol.read_message(line)
        kind, awaited = message["type"], self._awaited if thinking or self._is_starting else ""
        if kind == "log":
            text = protocol.text_of(message, "text")
            if self._log is not None:
                self._log.write(text)
            if thinking is not None:
                thinking.report(text)
        elif kind == "error":
            self._hear_failure(protocol.text_of(message, "message"), awaited)
        elif kind not in ("ready", "action"):
            self._refuse(f'sent a message of unknown type "{kind[:40]}"')
        elif kind != awaited:
            self._refuse(f"sent {kind}, which nobody asked for")
        else:
            self._awaited = ""
            return self._checked(message) if kind == "ready" else message
        return None

    @property
    def _is_starting(self) -> bool:
        return not self._is_ready

    def _checked(self, ready: Mapping[str, Any]) -> Mapping[str, Any]:
        """The program's answer to ``hello``, if it fits.

        Raises:
            GameError: It speaks another protocol, or plays other games.
        """
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
        texts = {key: protocol.text_of(ready, key, protocol.LONGEST_NAME) for key in _ABOUT}
        return {**ready, **texts}

    def _hear_failure(self, why: str, awaited: str) -> None:
        if self._log is not None:
            self._log.write(f"error: {why}")
        if awaited == "ready":
            raise OptionError(f'agent "{self.name}" can\'t play this game: {why}.', TODO)
        if awaited == "action":
            raise AgentError(f'agent "{self.name}" could not answer: {why}.', TODO)

    def _refuse(self, problem: str) -> None:
        """Send an error to the program, if it still reads."""
        if self._link is not None:
            self._link.try_to_send(protocol.write_message("error", message=f"you {problem}"))


_ABOUT: Final = ("name", "author", "version")
