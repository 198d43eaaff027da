"""The side of the agent protocol that answers, for one agent of this Python installation.

It plays the game named in ``hello``, using only what it is sent. `serve` offers an agent to
programs in any language; as a program, this module is the process behind a `program.PluginAgent`.
"""

from __future__ import annotations

import io
import json
import os
import random
import select
import sys
import time
from collections.abc import Mapping
from typing import Any, Final

from boardgames_cli import __version__
from boardgames_cli.agents.remote import protocol
from boardgames_cli.core.agent import (
    Agent,
    Budget,
    Comments,
    EvaluatesActions,
    ExplainsActions,
    RunsElsewhere,
    Thinking,
    agent_failure,
    split_agent,
)
from boardgames_cli.core.errors import AgentError, GameError, OptionError, PositionError
from boardgames_cli.core.game import AnyGame, Observation, Seat
from boardgames_cli.core.match import ask, brief
from boardgames_cli.registry import make, make_agent, use_plugins

_REPORT_SECONDS: Final = 0.1

_CHUNK: Final = 1 << 16


def serve(agent: str | Agent[Any, Any]) -> None:
    """Serve an agent, or the one of a specification, until standard input ends."""
    AgentServer(agent, LineChannel(*take_streams())).run()


def main() -> None:
    """Serve the agent that the parent names, with its import path and its plug-ins."""
    served = json.loads(sys.argv[1])
    channel = LineChannel(*take_streams())
    sys.path[:] = served["path"]
    os.environ.pop("PYTHONPATH", None)
    if served["python_path"] is not None:
        os.environ["PYTHONPATH"] = served["python_path"]
    use_plugins(tuple(entry) for entry in served["plugins"])
    AgentServer(served["agent"], channel, is_attended=False).run()
    os._exit(0)  # an agent's threads must not delay the exit


def take_streams() -> tuple[int, int]:
    """Reserve standard input and output for the protocol; return their new descriptors.

    The agent's standard input becomes empty, and its standard output goes to standard error.
    """
    requests, answers = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.close(nowhere)
    os.dup2(2, 1)
    for stream in (sys.stdout, sys.stderr):
        # Unbuffered, because this process may be killed at any moment.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(line_buffering=True, errors="replace")
    return requests, answers


class StopRequest(Exception):
    """The other side has closed the connection."""


class LineChannel:
    """A connection that transfers lines, by the descriptors of its two ends."""

    def __init__(self, requests: int, answers: int) -> None:
        self._requests, self._answers = requests, answers
        self._lines = protocol.LineReader()
        self._waiting: list[bytes] = []
        self._poll = select.poll()
        self._poll.register(requests, select.POLLIN)

    def next(self) -> bytes:
        """The next line.

        Raises:
            StopRequest: The input has ended.
            ValueError: The line is too long.
        """
        if self._waiting:
            return self._waiting.pop(0)
        while (line := self._lines.next()) is None:
            self._read()
        return line

    def is_hurried(self) -> bool:
        """Whether another line has arrived; during a decision it can only be ``hurry``."""
        while not self._waiting and self._poll.poll(0):
            self._read()
            line = self._lines.next()
            if line is not None:
                self._waiting.append(line)
        return bool(self._waiting)

    def say(self, kind: str, **fields: Any) -> None:
        """Send a message.

        Raises:
            StopRequest: The output is closed.
        """
        data = protocol.write_message(kind, **fields)
        try:
            while data:
                data = data[os.write(self._answers, data) :]
        except BrokenPipeError as error:
            raise StopRequest from error

    def _read(self) -> None:
        data = os.read(self._requests, _CHUNK)
        if not data:
            raise StopRequest
        self._lines.feed(data)


class AgentServer:
    """Serves one agent, or the one of a specification.

    Unless it is attended, an interrupt can't come from a user at the keyboard: the agent raised it.
    """

    def __init__(
        self, agent: str | Agent[Any, Any], channel: LineChannel, *, is_attended: bool = True
    ) -> None:
        self._served = agent
        self._text = agent if isinstance(agent, str) else type(agent).__name__
        self._name = split_agent(self._text)[0]
        self._channel = channel
        self._is_attended = is_attended
        self._game: AnyGame | None = None
        self._agent: Agent[Any, Any] | None = None
        self._seat: Seat = 0
        self._seen: Observation[Any, Any] | None = None
        self._failed: GameError | None = None
        """How it failed while it watched this game; the answer to the next ``act``."""
        self._seconds: float | None = None
        self._asked = 0.0
        """When the last observation arrived; the agent's time runs from then."""

    def run(self) -> None:
        try:
            while self._answer_next():
                pass
        except StopRequest:
            pass
        finally:
            self._let_go()

    def _answer_next(self) -> bool:
        try:
            message = protocol.read_message(self._channel.next())
            kind = message["type"]
            if kind == "quit":
                return False
            answers = {"hello": self._greet, "observe": self._observe, "act": self._act}
            if kind in answers:
                answers[kind](message)
            elif kind not in ("over", "hurry", "error"):
                self._channel.say("error", message=f'there is no type "{kind[:40]}"')
        except GameError as error:
            self._report(error)
        except KeyboardInterrupt as error:
            if self._is_attended:
                raise
            self._report(agent_failure(self._name, "at work", error))
        except ValueError as error:
            self._channel.say("error", message=f"that can't be understood ({error})")
        return True

    def _report(self, error: GameError) -> None:
        todo, code = error.todo, error.exit_code
        self._channel.say("error", message=error.message, todo=todo, code=code)

    def _greet(self, hello: Mapping[str, Any]) -> None:
        self._seen = self._failed = None
        if hello.get("protocol") != protocol.VERSION:
            raise OptionError(
                f"this is version {protocol.VERSION} of the protocol, "
                f"not {str(hello.get('protocol'))[:20]}."
            )
        options = hello.get("options", {})
        if not isinstance(options, dict):
            raise OptionError("options is not a JSON object.")
        game = make(str(hello.get("game")), **options)
        version, seat = hello.get("rules_version"), hello.get("seat")
        if version is not None and version != game.info.rules_version:
            raise OptionError(
                f"this is version {game.info.rules_version} of the rules of {game.info.name}."
            )
        if not isinstance(seat, int) or not 0 <= seat < game.seats:
            raise OptionError(f"{game.info.name} has the seats 0 to {game.seats - 1}.")
        if self._agent is None or game != self._game:
            self._let_go()
            self._agent = self._agent_for(game)
        self._game, self._seat, agent = game, seat, self._agent
        brief(agent, game, seat, (), self._name)
        self._channel.say(
            "ready",
            name=self._text[: protocol.LONGEST_NAME],
            author="boardgames",
            version=__version__,
            protocol=protocol.VERSION,
            values=isinstance(agent, EvaluatesActions | ExplainsActions),
            deterministic=True,
            watches=type(agent).watch is not Agent.watch,
        )

    def _agent_for(self, game: AnyGame) -> Agent[Any, Any]:
        if isinstance(self._served, str):
            return make_agent(self._served, game)
        reason = self._served.supports(game)
        if reason:
            raise OptionError(f"{self._text} can't play this game: {reason}.")
        return self._served

    def _observe(self, message: Mapping[str, Any]) -> None:
        game, agent = self._at_table()
        self._asked = time.monotonic()
        ply, position, listed = (message.get(key) for key in ("ply", "position", "legal"))
        if not isinstance(ply, int) or not isinstance(position, dict):
            raise PositionError("an observation has a ply and a position.")
        state = game.read_seen(position, ply)
        legal: tuple[Any, ...] = ()
        if listed:
            known = {str(action): action for action in game.legal_actions(state, self._seat)}
            if not isinstance(listed, list) or not all(text in known for text in listed):
                raise PositionError("legal has actions that are not legal in this position.")
            legal = tuple(known[text] for text in listed)
        seconds = message.get("seconds")
        self._seconds = float(seconds) if isinstance(seconds, int | float) else None
        self._seen = Observation(self._seat, ply, state, legal)
        try:
            brief(agent, None, self._seat, (self._seen,), self._name)
        except GameError as error:
            self._failed = error
            raise

    def _act(self, message: Mapping[str, Any]) -> None:
        _, agent = self._at_table()
        if self._failed is not None:
            raise self._failed
        seen, number = self._seen, message.get("random")
        if seen is None or not seen.legal:
            raise AgentError("it is not this agent's turn.")
        if not isinstance(number, int):
            raise AgentError("act has a number under random.")
        answer = {}
        if message.get("explain") is True:
            answer = self._explain(agent, seen, number)
        action = ask(agent, seen, self._thinking(number), self._name)
        comment = agent.take_comment() if isinstance(agent, Comments) else ""
        if comment:
            answer["text"] = comment[: protocol.LONGEST_TEXT]
        self._channel.say("action", action=str(action), ply=seen.ply, **answer)

    def _explain(
        self, agent: Agent[Any, Any], seen: Observation[Any, Any], number: int
    ) -> dict[str, Any]:
        answer: dict[str, Any] = {}
        if isinstance(agent, EvaluatesActions):
            values = agent.evaluate_actions(seen, self._thinking(number, 0.3))
            answer["values"] = {str(action): float(value) for action, value in values.items()}
        if isinstance(agent, ExplainsActions):
            words = agent.explain_actions(seen, self._thinking(number, 0.3))
            answer["words"] = {
                str(action): text[: protocol.LONGEST_TEXT] for action, text in words.items()
            }
        return answer

    def _thinking(self, number: int, share: float = 1.0) -> Thinking:
        seconds = self._seconds
        if seconds is not None:
            seconds = max(0.0, seconds * share - (time.monotonic() - self._asked) * (share == 1.0))
        channel, last = self._channel, -_REPORT_SECONDS

        def report(text: str) -> None:
            nonlocal last
            now = time.monotonic()
            if now - last >= _REPORT_SECONDS:
                last = now
                channel.say("log", text=str(text)[: protocol.LONGEST_TEXT])

        return Thinking(random.Random(number), Budget(seconds), channel.is_hurried, report)

    def _at_table(self) -> tuple[AnyGame, Agent[Any, Any]]:
        if self._game is None or self._agent is None:
            raise AgentError("no game has begun.")
        return self._game, self._agent

    def _let_go(self) -> None:
        agent: object = self._agent
        if isinstance(agent, RunsElsewhere):
            agent.close()
        self._game = self._agent = self._seen = None


if __name__ == "__main__":
    main()
