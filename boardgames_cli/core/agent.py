"""What an agent is, and the limits under which it thinks."""

from __future__ import annotations

import random
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from boardgames_cli.core.errors import AgentError, GameError, OptionError
from boardgames_cli.core.game import A, AnyGame, Game, Observation, S, Seat

GameT = TypeVar("GameT", bound=AnyGame)


@dataclass(frozen=True, slots=True)
class Budget:
    """How much an agent may think about one action; None means no limit."""

    seconds: float | None = None
    nodes: int | None = None


UNLIMITED = Budget()


def _silent(text: str) -> None:
    """Report to nobody."""
    del text


class Thinking:
    """One act of thinking: its generator, its limits, and the way to be interrupted.

    Args:
        rng: The agent's only source of randomness.
        budget: When to stop; the clock runs from the making of this object, or from `restart`.
        cancelled: Asked now and then; True means that nobody waits for the answer any more
            or that the best answer so far is wanted at once.
        report: Receives short progress texts for people.
    """

    __slots__ = ("_started", "budget", "cancelled", "report", "rng")

    def __init__(
        self,
        rng: random.Random,
        budget: Budget = UNLIMITED,
        cancelled: Callable[[], bool] = lambda: False,
        report: Callable[[str], None] = _silent,
    ) -> None:
        self.rng = rng
        self.budget = budget
        self.cancelled = cancelled
        self.report = report
        self._started = time.monotonic()

    def restart(self) -> None:
        """Let the clock run from now, for the next decision of the same agent."""
        self._started = time.monotonic()

    @property
    def elapsed(self) -> float:
        """Seconds since the thinking began."""
        return time.monotonic() - self._started

    def should_stop(self, nodes: int = 0) -> bool:
        """Whether the limit is reached or the thinking was cancelled.

        Args:
            nodes: How many nodes have been searched so far.
        """
        if self.budget.nodes is not None and nodes >= self.budget.nodes:
            return True
        if self.budget.seconds is not None and self.elapsed >= self.budget.seconds:
            return True
        return self.cancelled()


class Agent(ABC, Generic[S, A]):
    """A player that is a program. It sees observations only, never a state.

    An agent's options are its dataclass fields made with `boardgames_cli.core.options.option`.
    """

    def supports(self, game: AnyGame) -> str | None:
        """None if the agent can play the game, otherwise the reason why not."""
        return None

    def reset(self, game: Game[S, A, Any], seat: Seat) -> None:
        """Begin a game at a seat; everything remembered of an earlier one is dropped."""

    def watch(self, seen: Observation[S, A]) -> None:
        """See the table after a step, anybody's; fed from the start again after undo or resume.

        Where the step is known, this is a `StepObservation`.
        """

    @abstractmethod
    def act(self, seen: Observation[S, A], thinking: Thinking) -> A:
        """One of ``seen.legal``; when ``thinking.should_stop()``, the best found so far."""


@runtime_checkable
class EvaluatesActions(Protocol):
    """An agent that can say what each of its choices is worth; hints and panels ask it."""

    def evaluate_actions(
        self, seen: Observation[Any, Any], thinking: Thinking
    ) -> Mapping[Any, float]:
        """The expected final return of the seat for every legal action."""
        ...


@runtime_checkable
class HasLearned(Protocol):
    """An agent that plays from something learned; `boardgames agents show` describes it."""

    def facts(self) -> Sequence[tuple[str, str]]:
        """Facts about what it learned, as names and texts; call `Agent.reset` first."""
        ...

    def curve(self) -> Sequence[Mapping[str, Any]]:
        """The points of the learning curve, numbers by name; empty if none were kept."""
        ...


@runtime_checkable
class ExplainsActions(Protocol):
    """An agent that can say in words what it knows of each choice, such as "win in 7"."""

    def explain_actions(self, seen: Observation[Any, Any], thinking: Thinking) -> Mapping[Any, str]:
        """A few words for each action, saying whether they are exact or estimated.

        Actions of which the agent knows nothing may be missing.
        """
        ...


@runtime_checkable
class RunsElsewhere(Protocol):
    """An agent that runs in a process of its own, so that it can be ended from outside."""

    def prepare(self, seconds: float) -> bool:
        """Start it and wait until it is ready or the time is up; whether it is ready.

        Raises:
            GameError: It can't be started, or can't play this game.
        """
        ...

    def stop(self) -> None:
        """End it now, whatever it does; `Agent.reset` starts it again. Any thread may call this."""
        ...

    def close(self) -> None:
        """End it for good. Any thread may call this."""
        ...


@runtime_checkable
class Comments(Protocol):
    """An agent that says something about what it played; the log of the game shows it."""

    def take_comment(self) -> str:
        """What it said with its last action, for people; empty if nothing."""
        ...


@runtime_checkable
class HearsTheEnd(Protocol):
    """An agent that wants to know when and how a game ends."""

    def game_over(self, returns: Sequence[float] | None, reason: str) -> None:
        """Hear of the end; it must neither raise anything nor take long.

        Args:
            returns: For every seat the sum of its rewards; None if the game was left before.
            reason: ``over``, ``cut short`` (by a limit of steps) or ``left``.
        """
        ...


def expect_game(game: AnyGame, kind: type[GameT], reason: str) -> GameT:
    """The game that an agent is given, if it is of the only kind that the agent can play.

    Args:
        game: What it is given.
        kind: What it can play.
        reason: What `Agent.supports` says of other games.

    Raises:
        OptionError: It is another game.
    """
    if isinstance(game, kind):
        return game
    raise OptionError(f"it can't play {game.info.name}: {reason}.")


def is_agents_fault(error: BaseException) -> bool:
    """Whether what an agent raised is its own failure.

    A `GameError` says itself what is wrong; in the main thread an interrupt is the user's.
    """
    if isinstance(error, Exception | SystemExit | GeneratorExit):
        return not isinstance(error, GameError)
    return threading.current_thread() is not threading.main_thread()


def agent_failure(name: str, doing: str, error: BaseException) -> AgentError:
    """The error that names the agent, for whatever it raised.

    Args:
        name: The agent.
        doing: When it failed, such as ``at ply 3``.
        error: What it raised.
    """
    return AgentError(
        f'agent "{name}" failed {doing} ({describe_error(error)}).',
        "Seat another agent, or report this to its author.",
    )


def describe_error(error: BaseException) -> str:
    """The type and the text of an exception, even of one that can't describe itself."""
    kind = type(error).__name__
    try:
        text = str(error)
    except Exception:  # a stranger's exception may fail at that too
        return kind
    return f"{kind}: {text}" if text else kind
