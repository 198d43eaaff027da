"""Hints: evaluations of a seat's choices by agents, in numbers and in words.

`HintThread` asks for them in the background: first the hint agent's hint with its reason, then the
values of another agent at the table.
"""

from __future__ import annotations

import contextlib
import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from boardgames_cli.agents.remote.seating import close, prepare, released, seat_agent
from boardgames_cli.core.agent import (
    GRACE_SECONDS,
    Agent,
    Budget,
    EvaluatesActions,
    ExplainsActions,
    RunsElsewhere,
    Thinking,
    describe_error,
    reporting_to,
    split_agent,
)
from boardgames_cli.core.background import Background, CancellableJob
from boardgames_cli.core.errors import AgentError, GameError
from boardgames_cli.core.game import AnyGame, Observation, Seat
from boardgames_cli.core.match import AnyMatch, ask, brief
from boardgames_cli.core.text import sentence, wrapped

_READY_SECONDS: Final = 60.0
"""The time for a hint agent to load data before its thinking time starts."""
_LEAST_MIXED: Final = 0.01
"""Actions that a strategy takes less often are no part of the hint."""
REASON_SECONDS: Final = 1.0
"""The maximum time that a hint waits for its reason."""


@dataclass(frozen=True, slots=True)
class Hint:
    """The hint agent's evaluation of a seat's choices."""

    best: Any
    values: tuple[tuple[Any, float | None], ...]
    """Every action with the expected final return of the seat, best first; None if unknown. The
    unit is that of `Game.returns`, bounded by `Game.utility`.
    """
    words: Mapping[Any, str] = field(default_factory=dict)
    """A description of each action; may be incomplete."""
    reason: str = ""
    """Why the best action is better, in the game's own words; see `find_reason`."""
    mixed: tuple[Any, ...] = ()
    """The actions of a mixed strategy, the most frequent first: all of them are right."""


@dataclass(frozen=True, slots=True)
class ActionValues:
    """Another agent's evaluation of the same choices."""

    name: str
    """The agent's name."""
    words: Mapping[Any, str]
    """A description of each action's value; may be incomplete."""


def hint_sentence(
    hint: Hint,
    worth: Callable[[float], str],
    count: int = 1,
    name: Callable[[Any], str] = str,
) -> str:
    """A hint in words: ``Hint: 5>9 (win 61 %), then 3>4 (win 55 %).``, then its reason, if known.

    Args:
        hint: The hint.
        worth: Formats a return, as `Session.worth` does.
        count: The maximum number of actions; the best one is named even without a value.
        name: Names an action, as `Session.action_name` does.
    """
    said = []
    for action, value in hint.values[: max(count, len(hint.mixed))]:
        text = hint.words.get(action, "" if value is None else worth(value))
        if text:
            said.append(f"{name(action)} ({text})")
        elif not said:
            said.append(name(action))
    joined = " or ".join(said[: len(hint.mixed)])
    told = ", then ".join(filter(None, (joined, *said[len(hint.mixed) :])))
    return f"Hint: {told}. {sentence(hint.reason)}".rstrip()


def hint_pages(
    hint: Hint,
    worth: Callable[[float], str],
    width: int,
    count: int,
    name: Callable[[Any], str] = str,
) -> list[str]:
    """A hint as lines to show one after the other: the best action and why, then others.

    Args:
        hint: The hint.
        worth: Formats a return, as `Session.worth` does.
        width: The width of a line in columns.
        count: The maximum number of actions.
        name: Names an action, as `Session.action_name` does.
    """
    bare = replace(hint, reason="")
    best, others = (hint_sentence(bare, worth, most, name) for most in (1, count))
    pages = [hint_sentence(hint, worth, 1, name)]
    if len(pages[0]) > width:
        pages = [*wrapped(best, width), *wrapped(sentence(hint.reason), width)]
    return pages if others == best else [*pages, *wrapped(others, width)]


def find_reason(
    game: AnyGame,
    seen: Observation[Any, Any],
    earlier: Sequence[Observation[Any, Any]],
    best: Any,
    table: tuple[str, ...] = (),
) -> str:
    """Why an action is better than others, according to the game's analyst.

    It is compared with the best action whose loss exceeds its error; if there is none, with the
    worst action.

    Args:
        game: The rulebook.
        seen: What the seat to act sees.
        earlier: The seat's earlier observations; see `experience`.
        best: The recommended action.
        table: The specifications of the seat holders, if they are known.

    Returns:
        The facts without a full stop. Empty if there is nothing to say, or if the analyst prefers
        another action.
    """
    if len(seen.legal) < 2:
        return ""
    # Imported late, so that the first board does not wait for it.
    from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for

    try:
        analyst = analyst_for(game, table)
        judgement = analyst.judge(seen, earlier)
        choices = judgement.choices
        costs = [
            choice.action
            for choice in choices
            if analyst.scale.is_notable(choice.loss, choice.loss_error)
        ] or [choice.action for choice in choices[-1:] if choice.loss > 0]
        return "" if best in costs or not costs else analyst.reason(seen, costs[0], best).text
    except Exception:  # an analyst of a plug-in may raise anything
        return ""


def experience(match: AnyMatch, seat: Seat | None) -> tuple[Observation[Any, Any], ...]:
    """A seat's earlier observations, for agents with memory."""
    return tuple(match.observe_step(seat, ply) for ply in range(match.ply))


def ask_hint(
    agent: Agent[Any, Any],
    game: Any,
    seen: Observation[Any, Any],
    thinking: Thinking,
    earlier: Sequence[Observation[Any, Any]] = (),
    ready: Callable[[], None] = lambda: None,
) -> Hint:
    """Ask an agent for a hint; blocks until it is ready and has answered.

    Args:
        agent: The agent.
        game: The rulebook.
        seen: What the seat to act sees.
        thinking: The limits; the clock is restarted when the agent is ready.
        earlier: The seat's earlier observations; see `experience`.
        ready: Called when the agent is ready and its time starts.

    Raises:
        GameError: The agent has no hint.
    """
    if seen.seat is None or not seen.legal:
        raise GameError("it is nobody's turn to ask for.")
    brief(agent, game, seen.seat, (*earlier, seen))
    thinking = _limited(thinking, 1.0)
    ready()
    values: Mapping[Any, float] = {}
    words: Mapping[Any, str] = {}
    if isinstance(agent, EvaluatesActions) and isinstance(agent, ExplainsActions):
        luck = thinking.rng.getstate()
        values = agent.evaluate_actions(seen, _limited(thinking, 0.5))
        thinking.rng.setstate(luck)  # sampling agents must give consistent numbers and words
        words = agent.explain_actions(seen, _limited(thinking, 0.5))
    elif isinstance(agent, EvaluatesActions):
        values = agent.evaluate_actions(seen, thinking)
    elif isinstance(agent, ExplainsActions):
        words = agent.explain_actions(seen, _limited(thinking, 0.5))
    if values:
        # Imported late, so that the first board does not wait for strategies.
        from boardgames_cli.agents.cfr import TableAgent

        chances = agent.policy(seen) if isinstance(agent, TableAgent) else {}
        ranked = sorted(values.items(), key=lambda item: (-chances.get(item[0], 0.0), -item[1]))
        mixed = tuple(action for action, _ in ranked if _LEAST_MIXED < chances.get(action, 0.0) < 1)
        return Hint(ranked[0][0], tuple(ranked), words, mixed=mixed if len(mixed) > 1 else ())
    best = ask(agent, seen, thinking)
    others = [(action, None) for action in seen.legal if action != best]
    return Hint(best, ((best, None), *others), words)


def ask_values(
    name: str,
    agent: Agent[Any, Any],
    game: Any,
    seen: Observation[Any, Any],
    thinking: Thinking,
    earlier: Sequence[Observation[Any, Any]] = (),
) -> ActionValues | None:
    """An agent's evaluation of any seat's choices; None if it has none."""
    if seen.seat is None or not isinstance(agent, ExplainsActions):
        return None
    brief(agent, game, seen.seat, (*earlier, seen))
    return ActionValues(name, agent.explain_actions(seen, _limited(thinking, 1.0)))


@dataclass(frozen=True)
class HintSource:
    """Who is asked for hints in a match."""

    match: AnyMatch
    hint_agent: str
    """The specification of the agent whose hints are shown."""
    seats: tuple[str, ...]
    """The specification of every seat's agent; empty for people."""
    budget: Budget
    """The limits of a hint."""
    is_hasty: bool = False
    """Whether hints come without reasons, because the game goes on in real time."""

    def make_agent(self) -> Agent[Any, Any]:
        """A new instance of the hint agent.

        See `agents.remote.seating.released` for how to release it.
        """
        return seat_agent(self.hint_agent, self.match.game, self.match.seed)

    def make_second_agent(self, seat: Seat) -> tuple[str, Agent[Any, Any]] | None:
        """Another agent of the match that can evaluate a seat's choices, with its name.

        A new instance is made, so that it can be asked while the original plays. Blocks while an
        agent in its own process starts.

        Args:
            seat: The seat whose choices are evaluated; its own agent is not used.
        """
        for other, spec in enumerate(self.seats):
            if other == seat or spec in ("", self.hint_agent):
                continue
            agent = seat_agent(spec, self.match.game, self.match.seed)
            prepare([agent])
            if isinstance(agent, ExplainsActions):
                return split_agent(spec)[0], agent
            close([agent])
        return None


def _limited(thinking: Thinking, share: float) -> Thinking:
    budget = thinking.budget
    if budget.seconds is not None:
        budget = replace(budget, seconds=budget.seconds * share)
    return Thinking(thinking.rng, budget, thinking.cancelled, thinking.report)


# -- in the background ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HintResult:
    """The result of a request."""

    version: int
    """The version of the match it refers to."""
    seat: Seat | None
    """The seat whose choices were evaluated."""
    hint: Hint | None
    """The hint; None if the hint agent failed."""
    others: ActionValues | None = None
    """The values of another agent in the session, if it has any."""
    error: GameError | None = None
    """Why there is no hint."""


@dataclass
class HintRequest(CancellableJob[HintResult]):
    """A request with all data for the hint agent, made on the front end's thread.

    A cancelled one gives no half hints.
    """

    source: HintSource
    seen: Observation[Any, Any]
    earlier: tuple[Observation[Any, Any], ...]
    version: int
    rng: random.Random
    report: Callable[[str], None]
    asks_others: bool
    """Whether to ask another agent in the session, too."""
    _asked: float = field(default_factory=time.monotonic)
    _began: float | None = None
    _agent: object = None

    @property
    def is_late(self) -> bool:
        """Whether the hint agent is late."""
        limit = self.source.budget.seconds
        if limit is None or self.is_answered:
            return False
        if self._began is not None:
            return time.monotonic() - self._began > limit + GRACE_SECONDS + REASON_SECONDS
        return time.monotonic() - self._asked > _READY_SECONDS + limit + GRACE_SECONDS

    def stop(self) -> None:
        """Cancel the request; a hint agent in its own process is killed."""
        self.cancelled.set()
        if isinstance(self._agent, RunsElsewhere):
            self._agent.stop()

    def run(self, deliver: Callable[[HintResult], None]) -> None:
        """Deliver the hint, or why there is none, and then what another agent says."""
        try:
            with released(self.source.make_agent()) as hint_agent:
                result = self._answer(hint_agent)
        except GameError as error:
            result = self.failure(error)
        except BaseException as error:  # a foreign agent may raise anything
            result = self.failure(AgentError(f"the hint agent failed ({describe_error(error)})."))
        deliver(result)
        if self.asks_others and result.hint is not None and not self.cancelled.is_set():
            others = self._ask_others()
            if others is not None:
                deliver(replace(result, others=others))

    def _answer(self, hint_agent: Agent[Any, Any]) -> HintResult:
        self._agent = hint_agent
        prepare([hint_agent], _READY_SECONDS)
        game, asked = self.source.match.game, self.thinking()
        hint = ask_hint(hint_agent, game, self.seen, asked, self.earlier, self._begin)
        hint = replace(hint, reason=self._reason(game, hint.best))
        return HintResult(self.version, self.seen.seat, hint)

    def _ask_others(self) -> ActionValues | None:
        source, seen = self.source, self.seen
        # A failure of the other agent must not affect the hint.
        with contextlib.suppress(BaseException):
            opinion = None if seen.seat is None else source.make_second_agent(seen.seat)
            if opinion is not None:
                name, agent = opinion
                with released(agent):
                    asked = self.thinking()
                    return ask_values(name, agent, source.match.game, seen, asked, self.earlier)
        return None

    def thinking(self) -> Thinking:
        """The limits for this request."""
        return Thinking(self.rng, self.source.budget, self.cancelled.is_set, self.report)

    def failure(self, error: GameError) -> HintResult:
        """The result without a hint."""
        return HintResult(self.version, self.seen.seat, None, error=error)

    def _begin(self) -> None:
        self._began = time.monotonic()

    def _reason(self, game: Any, best: Any) -> str:
        if self.source.is_hasty:
            return ""
        found: list[str] = []

        def find() -> None:
            found.append(find_reason(game, self.seen, self.earlier, best, self.source.seats))

        thread = threading.Thread(target=find, name="hint-reason", daemon=True)
        thread.start()
        thread.join(REASON_SECONDS)
        return found[0] if found else ""


class HintThread:
    """Asks the hint agent for a hint, and then another agent in the session for its values.

    Args:
        source: Who is asked; the thread reads only what never changes.
        deliver: Called in the thread with the result; a second time with the values of the other
            agent, if there is one.
        report: Called in the thread with the hint agent's progress messages.
        asks_others: Whether to ask the other agent.
    """

    def __init__(
        self,
        source: HintSource,
        deliver: Callable[[HintResult], None],
        report: Callable[[str], None] = lambda _: None,
        *,
        asks_others: bool = True,
    ) -> None:
        self._source = source
        self._report = report
        self._asks_others = asks_others
        self._request: HintRequest | None = None
        self._thread = Background("hints", deliver)

    @property
    def is_busy(self) -> bool:
        """Whether the hint agent has not answered yet."""
        return self._thread.is_busy

    def ask(self, seen: Observation[Any, Any]) -> None:
        """Request a hint for an observation."""
        self.stop()
        match = self._source.match
        self._request = HintRequest(
            self._source,
            seen,
            experience(match, seen.seat),
            match.version,
            match.rng("hint"),
            reporting_to(self._report),
            self._asks_others,
        )
        self._thread.put(self._request)

    def stop(self) -> None:
        """Cancel the request."""
        self._thread.abandon()

    def late(self) -> HintResult | None:
        """The failure to show if the hint agent is late; the request is then cancelled."""
        request = self._request
        if request is None or not self.is_busy or not request.is_late:
            return None
        self.stop()
        error = AgentError("the hint agent did not answer in time.", "Try a larger --think.")
        return request.failure(error)
