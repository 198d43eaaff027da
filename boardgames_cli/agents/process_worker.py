"""The process behind `ProcessAgent`: it hosts one agent and serves requests.

Requests are pickles, because their sender is trusted. Answers are JSON, because the parent must not
execute what an untrusted agent sends. The agent's standard input is empty, and its standard output
goes to standard error.
"""

from __future__ import annotations

import json
import os
import pickle
import random
import select
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from boardgames_cli.agents.process_frames import FrameReader, frame
from boardgames_cli.agents.process_streams import take_streams
from boardgames_cli.core.agent import (
    Agent,
    Budget,
    EvaluatesActions,
    ExplainsActions,
    Thinking,
    agent_failure,
)
from boardgames_cli.core.agent_text import split_agent
from boardgames_cli.core.errors import GameError, OptionError
from boardgames_cli.core.game import Observation
from boardgames_cli.core.play import ask, brief
from boardgames_cli.registry import read_agent, resolve_level, use_plugins

_REPORT_SECONDS: Final = 0.05
"""The shortest interval between progress reports."""

_LONGEST_TEXT: Final = 200

_MOMENTS: Final = {
    "start": "while it was made",
    "reset": "when the game began",
    "watch": "while it watched",
    "act": "while it chose",
    "evaluate_actions": "while it valued the actions",
    "explain_actions": "while it explained the actions",
}
"""For error messages: when an agent failed, by request."""


def main() -> None:
    """Serve until there are no more requests."""
    channel = _Channel(*take_streams())
    worker = _Worker(channel)
    while True:
        number, verb, arguments = channel.next()
        if verb != "hurry":  # a late "hurry" was meant for the previous request
            channel.answer(number, worker.do(verb, arguments))


class _Channel:
    """The connection to the parent: requests in, answers out."""

    def __init__(self, requests: int, answers: int) -> None:
        self._requests, self._answers = requests, answers
        self._frames = FrameReader(sys.maxsize)
        self._poll = select.poll()
        self._poll.register(requests, select.POLLIN)

    def next(self) -> tuple[int, str, tuple[Any, ...]]:
        """The next request: its number, the verb, and its arguments."""
        while (message := self._frames.next()) is None:
            data = os.read(self._requests, 65536)
            if not data:
                os._exit(0)  # the parent is gone; an agent's threads must not delay the exit
            self._frames.feed(data)
        request: tuple[int, str, tuple[Any, ...]] = pickle.loads(message)  # noqa: S301  # ours
        return request

    def is_hurried(self) -> bool:
        """Whether another message has arrived; during a decision it can only be "hurry"."""
        return self._frames.has_more or bool(self._poll.poll(0))

    def answer(self, number: int, answer: Mapping[str, Any]) -> None:
        """Answer a request."""
        data = frame(json.dumps({"id": number, **answer}).encode())
        while data:
            data = data[os.write(self._answers, data) :]


class _Worker:
    """One agent and the requests it serves."""

    def __init__(self, channel: _Channel) -> None:
        self._channel = channel
        self._agent: Any = None
        self._name = ""

    def do(self, verb: str, arguments: tuple[Any, ...]) -> Mapping[str, Any]:
        """Serve a request; failures are reported in the answer."""
        try:
            done: Mapping[str, Any] = getattr(self, f"_do_{verb}")(*arguments)
        except GameError as error:
            return _problem(error)
        except BaseException as error:
            return _problem(agent_failure(self._name, _MOMENTS.get(verb, "at work"), error))
        return done

    def _do_start(
        self, path: list[str], plugins: list[tuple[str, str, str]], python_path: str | None,
        text: str, pickled: bytes,
    ) -> Mapping[str, Any]:  # fmt: skip
        sys.path[:] = path
        os.environ.pop("PYTHONPATH", None)
        if python_path is not None:
            os.environ["PYTHONPATH"] = python_path
        use_plugins(plugins)
        self._name = text
        game_spec, game = pickle.loads(pickled)  # noqa: S301  # ours
        self._name = split_agent(resolve_level(text, game_spec))[0]
        agent = read_agent(text, game_spec)
        reason = agent.supports(game)
        if reason:
            raise OptionError(f'agent "{self._name}" can\'t play this game: {reason}.')
        self._agent = agent
        can = [("evaluate_actions", EvaluatesActions), ("explain_actions", ExplainsActions)]
        return {
            "can": [name for name, kind in can if isinstance(agent, kind)],
            "watches": type(agent).watch is not Agent.watch,
        }

    def _do_reset(self, game: Any, seat: int) -> Mapping[str, Any]:
        brief(self._agent, game, seat, (), self._name)
        return {}

    def _do_watch(self, seen: Observation[Any, Any]) -> Mapping[str, Any]:
        brief(self._agent, None, 0, (seen,), self._name)
        return {}

    def _do_act(self, seen: Observation[Any, Any], *limits: Any) -> Mapping[str, Any]:
        return {"action": str(ask(self._agent, seen, self._thinking(*limits), self._name))}

    def _do_evaluate_actions(self, seen: Observation[Any, Any], *limits: Any) -> Mapping[str, Any]:
        values = self._agent.evaluate_actions(seen, self._thinking(*limits))
        return {"values": {str(action): float(value) for action, value in values.items()}}

    def _do_explain_actions(self, seen: Observation[Any, Any], *limits: Any) -> Mapping[str, Any]:
        words = self._agent.explain_actions(seen, self._thinking(*limits))
        return {"words": {str(action): str(w)[:_LONGEST_TEXT] for action, w in words.items()}}

    def _thinking(self, number: int, luck: int, budget: Budget) -> Thinking:
        channel = self._channel
        return Thinking(random.Random(luck), budget, channel.is_hurried, _reporter(channel, number))


def _reporter(channel: _Channel, number: int) -> Callable[[str], None]:
    last = 0.0

    def report(text: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _REPORT_SECONDS:
            last = now
            channel.answer(number, {"report": str(text)[:_LONGEST_TEXT]})

    return report


def _problem(error: GameError) -> Mapping[str, Any]:
    return {"problem": error.message, "todo": error.todo, "code": error.exit_code}


if __name__ == "__main__":
    main()
