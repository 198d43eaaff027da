"""Agents of another package: good ones, bad ones, and a spy. Tests register them as plug-ins."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from boardgames_cli import registry
from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.game import Observation
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.options import option
from boardgames_cli.core.plugins import AGENT_GROUP, GAME_GROUP
from boardgames_cli.core.spec import AgentSpec, GameSpec
from tests.plugins import Plugins, plugged
from tests.toys import Race

GUEST = AgentSpec("guest", "tests.strangers:Guest", "well-behaved")
ODD = AgentSpec("odd", "tests.strangers:Odd", "misbehaves")
SPY = AgentSpec("spy", "tests.strangers:Spy", "looks around")
CHATTY = AgentSpec("chatty", "tests.strangers:Chatty", "tells everybody that it is there")
LEARNER = AgentSpec("learner", "tests.strangers:Learner", "counts what it has seen")

GAME = GameSpec(
    info=Race.info,
    rules="tests.toys:Race",
    view="tests.toys:RaceView",
    levels={"easy": "random", "medium": "guest", "hard": "guest"},
    agents=(GUEST, ODD),
)
"""A game of another package, with agents of its own."""


@contextmanager
def installed(*names: str) -> Iterator[Plugins]:
    """Register some of the agents of this module, and its game."""
    with plugged() as plugins:
        plugins.add(GAME_GROUP, "race", "tests.strangers:GAME")
        for name in names:
            plugins.add(AGENT_GROUP, name, f"tests.strangers:{name.upper()}")
        yield plugins


@dataclass
class Guest(Agent[Any, Any]):
    """Draws what it plays, values and explains all it can do, and says what it does."""

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        thinking.report("drawing")
        return thinking.rng.choice(seen.legal)

    def evaluate_actions(self, seen: Observation[Any, Any], thinking: Thinking) -> dict[Any, float]:
        return {action: float(place) for place, action in enumerate(seen.legal)}

    def explain_actions(self, seen: Observation[Any, Any], thinking: Thinking) -> dict[Any, str]:
        return {action: f"place {place}" for place, action in enumerate(seen.legal)}


class Chatty(Guest):
    """Prints when it is made."""

    def __init__(self) -> None:
        print("here I am")  # noqa: T201


@dataclass
class Learner(Agent[Any, Any]):
    """Plays by how many observations it was shown since the game began; knows where it lives."""

    seen_count: int = field(init=False, default=-1)

    def reset(self, game: Any, seat: int) -> None:
        self.seen_count = 0

    def watch(self, seen: Observation[Any, Any]) -> None:
        self.seen_count += 1

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        thinking.report(f"{self.seen_count} seen in {os.getpid()}")
        return seen.legal[-1]


class Everything(str):
    """Equals everything."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


class Mute(Exception):
    def __str__(self) -> str:
        raise ValueError("not even this")


def hold_the_interpreter() -> None:
    """Run for years in one call that lets no other thread in."""
    re.match(r"(a+)+$", "a" * 60 + "b")


def forge(data: bytes) -> None:
    """Write to every pipe of this process."""
    for number in range(3, 30):
        try:
            os.write(number, data)
        except OSError:
            continue


CANARY = "stranger-was-here"
BAD_TEXT = f"\x1b]0;{CANARY}\x07\x1b[2J\x9b31m{CANARY}\n\x00"
"""What no terminal may get."""


def _shout() -> None:
    for stream, number in ((sys.stdout, 1), (sys.stderr, 2)):
        print(BAD_TEXT, file=stream, flush=True)
        os.write(number, BAD_TEXT.encode())
    warnings.warn(BAD_TEXT, stacklevel=1)


def _recurse() -> None:
    _recurse()


def _spin() -> None:
    while True:
        pass


def _close_streams() -> None:
    for number in (0, 1, 2):
        with contextlib.suppress(OSError):
            os.close(number)


def _ignore_signals() -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(ValueError):
            signal.signal(number, signal.SIG_IGN)
    time.sleep(600)


def _change_the_process() -> None:
    os.chdir("/")
    os.environ.clear()
    sys.path.clear()
    sys.stdout = sys.stderr = None
    sys.setrecursionlimit(200)
    gc.disable()


def _meddle(seen: Any, thinking: Thinking) -> Any:
    for thing in (seen, seen.state):
        for name in ("legal", "state", "seat", "steps", "cones", "turn", "board"):
            with contextlib.suppress(Exception):
                object.__setattr__(thing, name, ())
    for report in (None, 5, b"\xff", "x" * 10**6, BAD_TEXT):
        with contextlib.suppress(Exception):
            thinking.report(report)  # type: ignore[arg-type]
    return "no such action"


ANSWERS: dict[str, Callable[[Any, Thinking], Any]] = {
    "none": lambda *_: None,
    "all": lambda seen, _: seen.legal,
    "function": lambda *_: _recurse,
    "meddle": _meddle,
}


def _print_and_ask() -> None:
    print("stray output", flush=True)  # noqa: T201
    os.write(1, b"more of it\n")
    input()


def _start_child() -> None:
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    if note := os.environ.get("TEST_PID_FILE"):
        Path(note).write_text(str(child.pid))


def _raise(error: BaseException) -> Callable[[], None]:
    def fail() -> None:
        raise error

    return fail


WAYS: dict[str, Callable[[], object]] = {
    "hog": hold_the_interpreter,
    "sleep": lambda: time.sleep(600),
    "die": lambda: os._exit(7),
    "crash": lambda: ctypes.string_at(0),
    "stop": lambda: os.kill(os.getpid(), signal.SIGSTOP),
    "error": _raise(ValueError("out of ideas")),
    "mute": _raise(Mute()),
    "exit": _raise(SystemExit(3)),
    "interrupt": _raise(KeyboardInterrupt()),
    "generator": _raise(GeneratorExit()),
    "print": _print_and_ask,
    "garbage": lambda: forge(b"hello\n"),
    "endless": lambda: forge(b"\xff" * (1 << 20)),
    "deep": lambda: forge(b"[" * 100_000 + b"\n"),
    "leave": lambda: (_start_child(), hold_the_interpreter()),
    "shout": _shout,
    "curse": _raise(KeyError(BAD_TEXT)),
    "recurse": _recurse,
    "spin": _spin,
    "close": _close_streams,
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "deaf": _ignore_signals,
    "change": _change_the_process,
    "child": lambda: _start_child(),
    "nothing": lambda: None,
}


@dataclass
class Odd(Agent[Any, Any]):
    """Does something wrong at a moment of its choice."""

    way: str = option("nothing", "what it does", choices=tuple(WAYS))
    when: str = option("act", "when", choices=("init", "supports", "reset", "watch", "act"))
    answer: str = option("", "what it answers instead of a legal action")

    def __post_init__(self) -> None:
        self._at("init")

    def supports(self, game: Any) -> str | None:
        self._at("supports")
        return None

    def reset(self, game: Any, seat: int) -> None:
        self._at("reset")

    def watch(self, seen: Observation[Any, Any]) -> None:
        self._at("watch")

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        self._at("act")
        if answer := ANSWERS.get(self.answer):
            return answer(seen, thinking)
        return Everything(self.answer) if self.answer else seen.legal[0]

    def _at(self, when: str) -> None:
        if when == self.when:
            WAYS[self.way]()


@dataclass
class Spy(Agent[Any, Any]):
    """Looks for what its seat may not know, and writes down what it finds."""

    seeds: int = option(2000, "how many seeds it tries")
    game: str = option("tapnswap", "the game it plays")

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        found: dict[str, Any] = {
            "pid": os.getpid(),
            "report owner": repr(getattr(thinking.report, "__self__", None)),
            "matches": sum(isinstance(thing, Match) for thing in gc.get_objects()),
            "hands": [str(thing.cards) for thing in gc.get_objects() if _is_hand(thing)],
            "threads": sorted(thread.name for thread in threading.enumerate()),
            "frames": _names_in_frames(),
            "seed": self.search_seed(thinking.rng, seen),
            "environment": sorted(name for name in os.environ if "SEED" in name),
        }
        for name in ("cards", "guesses"):
            if hasattr(seen.state, name):
                with contextlib.suppress(AttributeError):  # of a named tuple nothing can be forged
                    object.__setattr__(seen.state, name, "forged")
        Path(os.environ["TEST_SPY_FILE"]).write_text(json.dumps(found))
        return seen.legal[0]

    def search_seed(self, rng: random.Random, seen: Observation[Any, Any]) -> int | None:
        """The seed of the match, if the numbers it is given tell it."""
        mine = [rng.getrandbits(128) for _ in range(2)]
        game = registry.make(self.game)
        for seed in range(self.seeds):
            match: AnyMatch = Match(game, seed=seed)
            match._taken = [{}] * seen.ply
            for maker in (
                lambda match=match: match.rng(f"seat{seen.seat}"),
                lambda seed=seed: random.Random(f"{seed}/seat{seen.seat}/{seen.ply}"),
                lambda match=match: random.Random(match.rng(f"seat{seen.seat}").getrandbits(128)),
            ):
                tried = maker()
                if [tried.getrandbits(128) for _ in range(2)] == mine:
                    return seed
        return None


def _is_hand(thing: Any) -> bool:
    return type(thing).__name__ == "KuhnState"


def _names_in_frames() -> list[str]:
    names = []
    for frame in sys._current_frames().values():
        here: Any = frame
        while here is not None:
            kinds = {name: type(value).__name__ for name, value in here.f_locals.items()}
            names += [name for name, kind in kinds.items() if kind in ("Session", "Driver")]
            here = here.f_back
    return names
