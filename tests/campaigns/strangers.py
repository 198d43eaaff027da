"""Agents of a package that means no good: each does one thing that an agent must not do.

This file is copied into a package of its own; it may import nothing but the program.
"""

from __future__ import annotations

import contextlib
import gc
import os
import re
import signal
import subprocess
import sys
import threading
import time
import warnings
from typing import Any

from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.game import Game, Observation
from boardgames_cli.core.spec import AgentSpec

CANARY = "stranger-was-here"
BAD_TEXT = f"\x1b]0;{CANARY}\x07\x1b[2J\x9b31m{CANARY}\n\x00"


class Well(Agent[Any, Any]):
    """Behaves."""

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        return seen.legal[0]


class Raises(Well):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        raise KeyError(BAD_TEXT)


class Interrupts(Well):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        raise KeyboardInterrupt


class Exits(Well):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        sys.exit(7)


class EndsGenerators(Well):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        raise GeneratorExit


class Recurses(Well):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        return self.act(seen, thinking)


class BadError(Exception):
    """An exception that can't be told."""

    def __str__(self) -> str:
        raise RuntimeError(BAD_TEXT)

    __repr__ = __str__


class RaisesBadly(Well):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        raise BadError


class Lies(Well):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        return "no such action"


class SaysNothing(Well):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        return None


class Anything:
    """Equal to everything."""

    def __init__(self, like: Any) -> None:
        self._like = like

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash(self._like)

    def __str__(self) -> str:
        return BAD_TEXT


class AnswersAnything(Well):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        return Anything(seen.legal[0])


class AnswersFunction(Well):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        return lambda: BAD_TEXT


class AnswersAll(Well):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        return seen.legal


class Sleeps(Well):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        time.sleep(10**6)


class Spins(Well):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        while True:
            pass


class KeepsTheLock(Well):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        return pow(7, 10**9)


class Backtracks(Well):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        return re.match(r"(a+)+$", "a" * 60 + "b")


class Prints(Well):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        print(BAD_TEXT, flush=True)  # noqa: T201
        print(BAD_TEXT, file=sys.stderr, flush=True)  # noqa: T201
        os.write(1, BAD_TEXT.encode())
        os.write(2, BAD_TEXT.encode())
        warnings.warn(BAD_TEXT, stacklevel=1)
        thinking.report(BAD_TEXT)
        return seen.legal[0]


class Reads(Well):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        with contextlib.suppress(Exception):
            input(CANARY)
        with contextlib.suppress(Exception):
            os.read(0, 100)
        return seen.legal[0]


class Closes(Well):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        for number in (0, 1, 2):
            with contextlib.suppress(OSError):
                os.close(number)
        return seen.legal[0]


class Dies(Well):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        os._exit(3)


class Kills(Well):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)


class IgnoresSignals(Well):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        with contextlib.suppress(ValueError):
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        while True:
            time.sleep(1)


class LeavesChildren(Well):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
        threading.Thread(target=time.sleep, args=(1000,)).start()
        return seen.legal[0]


class Changes(Well):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        for name in ("player", "steps", "cones", "turn", "board", "step"):
            with contextlib.suppress(Exception):
                object.__setattr__(seen.state, name, None)
        for name in ("legal", "state", "seat"):
            with contextlib.suppress(Exception):
                object.__setattr__(seen, name, ())
        return "no such action"


class ChangesTheProcess(Well):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        os.chdir("/")
        os.environ.clear()
        sys.path.clear()
        sys.stdout = sys.stderr = None
        sys.setrecursionlimit(200)
        gc.disable()
        return seen.legal[0]


class TellsNonsense(Well):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        for report in (None, 5, b"\xff", "x" * 10**6, Anything(1)):
            with contextlib.suppress(Exception):
                thinking.report(report)  # type: ignore[arg-type]
        return seen.legal[0]


class CantBeMade(Well):
    def __init__(self) -> None:
        raise ValueError(BAD_TEXT)


class CantSupport(Well):
    def supports(self, game: Game[Any, Any, Any]) -> str | None:
        raise ValueError(BAD_TEXT)


class Refuses(Well):
    def supports(self, game: Game[Any, Any, Any]) -> str | None:
        return BAD_TEXT


class CantReset(Well):
    def reset(self, game: Game[Any, Any, Any], seat: int) -> None:
        raise ValueError(BAD_TEXT)


class CantWatch(Well):
    def watch(self, seen: Observation[Any, Any]) -> None:
        raise ValueError(BAD_TEXT)


class ExitsInReset(Well):
    def reset(self, game: Game[Any, Any, Any], seat: int) -> None:
        raise SystemExit


KINDS = [
    kind for kind in list(globals().values()) if isinstance(kind, type) and issubclass(kind, Well)
]
"""All of them; each can be named as an agent, in small letters."""

SPECS = {
    kind.__name__.lower(): AgentSpec(kind.__name__.lower(), f"{__name__}:{kind.__name__}", BAD_TEXT)
    for kind in KINDS
}
globals().update({f"SPEC_{name}": spec for name, spec in SPECS.items()})
