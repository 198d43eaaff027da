"""What an agent is, and the limits under which it thinks."""

from __future__ import annotations

import random
import re
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar, cast, runtime_checkable

from boardgames_cli.core.errors import AgentError, GameError, OptionError
from boardgames_cli.core.game import A, AnyGame, Game, Observation, S, Seat
from boardgames_cli.core.options import check_options

GameT = TypeVar("GameT", bound=AnyGame)


GRACE_SECONDS: Final = 3.0
"""Seconds beyond its budget after which an agent is given up."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much an agent may think about one action; None means no limit."""

    seconds: float | None = None
    nodes: int | None = None


UNLIMITED = Budget()


class Thinking:
    """The resources for one decision: a random generator, limits, and a way to be interrupted.

    Args:
        rng: The agent's only source of randomness.
        budget: When to stop; the clock starts when this object is made, and again at `restart`.
        cancelled: Polled during the search. True means that the answer is no longer needed, or that
            the best answer so far is wanted at once.
        report: Receives short progress messages for people.
    """

    __slots__ = ("_started", "budget", "cancelled", "report", "rng")

    def __init__(
        self,
        rng: random.Random,
        budget: Budget = UNLIMITED,
        cancelled: Callable[[], bool] = lambda: False,
        report: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.rng = rng
        self.budget = budget
        self.cancelled = cancelled
        self.report = report
        self._started = time.monotonic()

    def restart(self) -> None:
        """Restart the clock for the agent's next decision."""
        self._started = time.monotonic()

    @property
    def elapsed(self) -> float:
        """Seconds since the clock was started."""
        return time.monotonic() - self._started

    def should_stop(self, nodes: int = 0) -> bool:
        """Whether a limit is reached or the search was cancelled."""
        if self.budget.nodes is not None and nodes >= self.budget.nodes:
            return True
        if self.budget.seconds is not None and self.elapsed >= self.budget.seconds:
            return True
        return self.cancelled()


class Agent(ABC, Generic[S, A]):
    """A program that plays. It sees observations only, never a state.

    An agent's options are its dataclass fields made with `boardgames_cli.core.options.option`.
    """

    def __post_init__(self) -> None:
        check_options(self)

    def supports(self, game: AnyGame) -> str | None:
        """None if the agent can play the game, otherwise the reason why not."""
        return None

    def reset(self, game: Game[S, A, Any], seat: Seat) -> None:
        """Start a new game at a seat; forget everything about the previous one."""

    def watch(self, seen: Observation[S, A]) -> None:
        """Observe the game after each step, its own or another's.

        After undo or resume, all observations are sent again from the start. Where the step is
        known, this is a `StepObservation`.
        """

    @abstractmethod
    def act(self, seen: Observation[S, A], thinking: Thinking) -> A:
        """One of ``seen.legal``; when ``thinking.should_stop()``, the best found so far."""

    def game_over(self, returns: Sequence[float] | None, reason: str) -> None:
        """Learn how a game ended. Must not raise, and must return quickly.

        Args:
            returns: The sum of rewards of every seat; None if the game was abandoned.
            reason: ``over``, ``cut short`` (by a limit of steps) or ``left``.
        """


class SingleGameAgent(Agent[S, A], Generic[GameT, S, A]):
    """An agent for one game, whose rulebook it keeps."""

    rulebook: ClassVar[type[AnyGame]]

    _game: GameT

    def supports(self, game: AnyGame) -> str | None:
        is_known = isinstance(game, self.rulebook)
        return None if is_known else f"it plays {self.rulebook.info.name} only"

    def reset(self, game: Game[S, A, Any], seat: Seat) -> None:
        reason = SingleGameAgent.supports(self, game)
        if reason is not None:
            raise OptionError(f"it can't play {game.info.name}: {reason}.")
        self._game = cast("GameT", game)


@runtime_checkable
class EvaluatesActions(Protocol):
    """An agent that can evaluate each legal action, for hints and the analysis panel."""

    def evaluate_actions(
        self, seen: Observation[Any, Any], thinking: Thinking
    ) -> Mapping[Any, float]:
        """The expected final return of the seat for every legal action."""
        ...


@runtime_checkable
class HasLearned(Protocol):
    """An agent that plays from learned data; `boardgames agents show` describes it."""

    def facts(self) -> Sequence[tuple[str, str]]:
        """Facts about the learned data as (name, value) pairs; call `Agent.reset` first."""
        ...


@runtime_checkable
class ExplainsActions(Protocol):
    """An agent that can describe each action in words, such as "win in 7"."""

    def explain_actions(self, seen: Observation[Any, Any], thinking: Thinking) -> Mapping[Any, str]:
        """A few words for each action, saying whether they are exact or estimated.

        Actions about which the agent knows nothing may be missing.
        """
        ...


@runtime_checkable
class RunsElsewhere(Protocol):
    """An agent that runs in its own process, so that it can be stopped from outside."""

    def prepare(self, seconds: float) -> bool:
        """Start the process and wait for it; whether it was ready in time.

        Raises:
            GameError: It can't be started, or can't play this game.
        """
        ...

    def stop(self) -> None:
        """Kill the process now; `Agent.reset` starts a new one. Thread-safe."""
        ...

    def close(self) -> None:
        """End the process for good. Thread-safe."""
        ...


def comes_with_program(agent: object) -> bool:
    """Whether an agent is one of ours and runs in this process: it answers sooner or later."""
    return type(agent).__module__.startswith("boardgames_cli.") and not isinstance(
        agent, RunsElsewhere
    )


@runtime_checkable
class Comments(Protocol):
    """An agent that comments on its moves; the game log shows the comments."""

    def take_comment(self) -> str:
        """The comment on its last action; empty if there is none."""
        ...


def is_agents_fault(error: BaseException) -> bool:
    """Whether an exception raised by an agent is a bug in the agent.

    A `GameError` already explains itself; in the main thread an interrupt comes from the user.
    """
    if isinstance(error, Exception | SystemExit | GeneratorExit):
        return not isinstance(error, GameError)
    return threading.current_thread() is not threading.main_thread()


def agent_failure(name: str, doing: str, error: BaseException) -> AgentError:
    """Wrap an agent's exception in an error that names the agent and what it was doing."""
    return AgentError(
        f'agent "{name}" failed {doing} ({describe_error(error)}).',
        "Seat another agent, or report this to its author.",
    )


def describe_error(error: BaseException) -> str:
    """The type and message of an exception, even of one whose ``__str__`` fails."""
    kind = type(error).__name__
    try:
        text = str(error)
    except Exception:  # ``__str__`` of a foreign exception may raise, too
        return kind
    return f"{kind}: {text}" if text else kind


HUMAN: Final = "human"
"""The name of people among the holders of seats."""

ADAPTIVE: Final = "adaptive"
"""The level that becomes a `Mix` about as strong as the person at the table."""

COMMAND: Final = "cmd"
"""The name of the agent that runs a program in any language: ``cmd:python bot.py``."""

NAME_OPTION: Final = "as"
"""The option of every agent that gives it a name: ``greedy:as=Meret``."""

_COMMAND_FORM: Final = "Write cmd[KEY=VALUE,...]:COMMAND, such as cmd[memory=512M]:python bot.py"
_BRACKETS: Final = re.compile(rf"{COMMAND}\[([^\[\]]*)\]:(.*)", re.DOTALL)


def split_agent(text: str) -> tuple[str, dict[str, str]]:
    """Split ``name:key=value,...``; a value without a key has the key ``""``.

    ``cmd[key=value,...]:text`` keeps the command whole, which may contain commas and colons.

    Raises:
        OptionError: A key is repeated, or the brackets are not closed.
    """
    text = text.strip()
    name, colon, rest = text.partition(":")
    bracketed = _BRACKETS.fullmatch(text)
    if name == COMMAND and colon:
        return COMMAND, {"": rest.strip()}
    if bracketed is None:
        if name.startswith(f"{COMMAND}["):
            raise OptionError(f'the options in "{text}" are not closed.', _COMMAND_FORM)
        return name.strip(), _split_options(rest)
    given, rest = bracketed.groups()
    options = _split_options(given)
    if "" in options:
        raise OptionError(f'"{options[""]}" is not an option of cmd.', _COMMAND_FORM)
    return COMMAND, {"": rest.strip(), **options}


def join_agent(name: str, options: Mapping[str, str]) -> str:
    """The text that `split_agent` splits into this name and these options."""
    if name == COMMAND:
        more = ",".join(f"{key}={value}" for key, value in options.items() if key)
        return f"{COMMAND}[{more}]:{options.get('', '')}"
    parts = [f"{key}={value}" if key else value for key, value in options.items()]
    return f"{name}:{','.join(parts)}" if parts else name


def _split_options(text: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            key, value = "", part
        if key.strip() in options:
            raise OptionError(f'"{text}" gives the same option twice.', "Write name:key=value,...")
        options[key.strip()] = value.strip()
    return options
