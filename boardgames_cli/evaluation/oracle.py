"""The oracle: what the analyst says of a decision. Hint, analysis, tutor and review all read it.

`Oracle` judges the decisions of people in a thread while they think. A level stands in where the
analyst can't be had, fails, or is late.
"""

from __future__ import annotations

import contextlib
import functools
import math
import random
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

from boardgames_cli.agents.remote.seating import default_seconds, prepare, released, seat_agent
from boardgames_cli.core.agent import Budget, ExplainsActions, Thinking, describe_error
from boardgames_cli.core.analyst import (
    CERTAIN,
    CHANCE_TO_WIN,
    NO_REASON,
    Analyst,
    AnyAnalyst,
    Choice,
    Judgement,
    Mark,
    Method,
    NoAnalystError,
    Reason,
    Scale,
    Value,
    ranked,
)
from boardgames_cli.core.errors import AgentError, GameError, MissingPackageError
from boardgames_cli.core.game import AnyGame, Observation, Seat
from boardgames_cli.core.match import AnyMatch, ask, brief
from boardgames_cli.core.text import percent, sentence
from boardgames_cli.registry import spec_of

LATE_SECONDS: Final = 10.0
"""How long an analyst may take, or load, before a level stands in."""
_LATEST_SECONDS: Final = 60.0
"""How long that one may take."""
_MOST_NAMED: Final = 3
"""The maximum number of actions named in a row."""
_LEAST_MIXED: Final = 0.01
"""Actions that a strategy takes less often are no part of a hint."""


@dataclass(frozen=True, slots=True)
class MarkedChoice:
    """A choice with its mark."""

    judgement: Judgement[Any]
    """The values of all choices; confirmed, if this one may be a mistake."""
    choice: Choice[Any]
    mark: Mark
    reason: Reason
    """Why the best choice is better, if that is worth mentioning."""


@dataclass(frozen=True, slots=True)
class JudgedDecision:
    """A decision, and what an analyst says of it."""

    analyst: AnyAnalyst
    seen: Observation[Any, Any]
    earlier: Sequence[Observation[Any, Any]]
    """The seat's earlier observations; see `experience`."""
    judgement: Judgement[Any]
    favourite: Any = None
    """What the strongest level plays of several choices that the analyst finds equal."""

    def mark(self, action: Any) -> MarkedChoice:
        """The mark of a choice: what a review says of it, and what the tutor warns of.

        Raises:
            KeyError: The action is not among the choices.
        """
        analyst, seen, judgement = self.analyst, self.seen, self.judgement
        scale, choice = analyst.scale, judgement.of(action)
        if scale.mark(choice.loss, choice.loss_error) is not Mark.GOOD:
            asked = (action, judgement.best.action)
            judgement = analyst.confirm(seen, self.earlier, judgement, asked)
            choice = judgement.of(action)
        reason = NO_REASON
        if scale.is_notable(choice.loss, choice.loss_error):
            reason = analyst.reason(seen, action, judgement.best.action)
        mark = scale.mark(choice.loss, choice.loss_error)
        return MarkedChoice(judgement, choice, mark, reason)

    @property
    def mixed(self) -> tuple[Choice[Any], ...]:
        """The choices of a mixed strategy, the most frequent first: all of them are right."""
        is_notable = self.analyst.scale.is_notable
        found = [
            choice
            for choice in self.judgement.choices
            if (choice.frequency or 0.0) > _LEAST_MIXED
            and not is_notable(choice.loss, choice.loss_error)
        ]
        found.sort(key=lambda choice: -(choice.frequency or 0.0))
        return tuple(found) if len(found) > 1 else ()

    @property
    def equal(self) -> tuple[Choice[Any], ...]:
        """The choices that cost nothing beyond their error, the recommended one first."""
        best, *others = self.judgement.choices
        equal = [one for one in others if one.loss <= CERTAIN * one.loss_error]
        known = [best, *(one for one in equal if not math.isinf(one.error))]
        return self.mixed or tuple(sorted(known, key=lambda one: one.action != self.favourite))

    @property
    def choices(self) -> tuple[Choice[Any], ...]:
        """All choices, best first, and of equal ones the recommended first."""
        equal = self.equal
        return (*equal, *(one for one in self.judgement.choices if one not in equal))

    @property
    def best(self) -> Any:
        return self.choices[0].action

    def told(self, choice: Choice[Any]) -> str:
        """The value of a choice in words, such as ``win 61 %``; empty if it is unknown."""
        scale, words = self.analyst.scale, choice.words
        if scale.is_chance and words:
            return f"exact: {words}" if self.judgement.method.is_exact else words
        if math.isinf(choice.error):
            return ""
        if choice.frequency is not None:
            words = how_often(choice.frequency)
        seat = self.judgement.seat
        value = scale.format_return(choice.returns[seat] - self.analyst.settled(self.seen))
        if scale.is_chance:
            return f"{scale.part.removeprefix('to ') or 'chance'} {value}"
        return ", ".join(filter(None, (words, value)))

    def reason(self) -> str:
        """Why the recommended action is better than a costly one, without a full stop.

        That is the best choice whose loss exceeds its error; if there is none, the worst one. Empty
        if there is nothing to say.
        """
        notable, choices = self.analyst.scale.is_notable, self.judgement.choices
        costly = [one.action for one in choices if notable(one.loss, one.loss_error)] or [
            one.action for one in choices[-1:] if one.loss > 0
        ]
        best = self.best
        if not costly or best in costly:
            return ""
        try:
            return self.analyst.reason(self.seen, costly[0], best).text
        except Exception:  # an analyst of a plug-in may raise anything
            return ""


def experience(match: AnyMatch, seat: Seat | None) -> tuple[Observation[Any, Any], ...]:
    """A seat's earlier observations, for whom they matter to."""
    return tuple(match.observe_step(seat, ply) for ply in range(match.ply))


def how_often(share: float) -> str:
    """How often a strategy takes an action, such as ``67 % of the time``."""
    said = percent(share)
    return {"0 %": "never", "100 %": "always"}.get(said, f"{said} of the time")


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint in words."""

    best: Any
    advice: str
    """What to do and why, as a sentence without figures of its own."""
    figures: str = ""
    """The values of the best choices, as a sentence; empty if none is known."""

    @classmethod
    def of(cls, decision: JudgedDecision, why: str = "", name: Callable[[Any], str] = str) -> Hint:
        """The hint for a decision; actions are named as `Session.action_name` does."""
        advice = _advice(decision, why, name)
        return cls(decision.best, sentence(advice), sentence(_figures(decision, name)))


def _advice(decision: JudgedDecision, why: str, name: Callable[[Any], str]) -> str:
    best, *others = (name(one.action) for one in decision.equal)
    is_exact, count = decision.judgement.method.is_exact, len(decision.choices)
    if decision.mixed:
        shares = [how_often(one.frequency or 0.0) for one in decision.mixed]
        return ", ".join(map(" ".join, zip((best, *others), shares, strict=True)))
    if 1 < len(decision.equal) == count:
        equally = "equally" if is_exact else "about equally"
        said = f"{'both' if count == 2 else f'all {count}'} choices are {equally} good"
        return said if decision.favourite is None else f"{said}; the strongest level plays {best}"
    if others:
        more = len(others) + 1 - _MOST_NAMED
        named = others if more < 1 else [*others[: _MOST_NAMED - 1], f"{more} more"]
        said = " or ".join(filter(None, (", ".join(named[:-1]), named[-1])))
        best += f", or {'just' if is_exact else 'about'} as well {said}"
    elif why.startswith(f"{best} "):
        return why
    return f"{best}: {why}" if why else f"best: {best}"


def _figures(decision: JudgedDecision, name: Callable[[Any], str]) -> str:
    told = [(name(one.action), decision.told(one)) for one in decision.choices]
    first = told[: len(decision.equal)]
    if not first[0][1]:
        return ""
    if not decision.mixed:  # of differences within their error no number is told
        names = " or ".join(action for action, _ in first[:_MOST_NAMED])
        first = [(names, first[0][1])]
    named = [f"{action} ({value})" for action, value in first]
    rest = [f"{action} ({value})" for action, value in told[len(decision.equal) :] if value]
    return ", then ".join((" or ".join(named), *rest[: _MOST_NAMED - 1]))


@dataclass(frozen=True)
class StandIn(Analyst[Any, Any, Any, Any]):
    """The strongest level that can play here: it knows the best choice, and no values."""

    method: ClassVar = Method(False, "what the strongest level would play")
    scale: ClassVar[Scale] = CHANCE_TO_WIN

    def value(self, state: Any) -> Value:
        return Value(tuple(self.game.returns(state)), math.inf)

    def judge(
        self, seen: Observation[Any, Any], earlier: Sequence[Observation[Any, Any]] = ()
    ) -> Judgement[Any]:
        seat = seen.own_seat
        words: dict[Any, str] = {}
        with released(self.agent()) as agent:
            prepare([agent], _LATEST_SECONDS)
            brief(agent, self.game, seat, (*earlier, seen))
            limit = Budget(default_seconds(self.game))
            best = ask(agent, seen, Thinking(random.Random(1), limit))
            if isinstance(agent, ExplainsActions):
                words.update(agent.explain_actions(seen, Thinking(random.Random(1), limit)))
        actions = sorted(seen.legal, key=lambda action: action != best)
        nothing = (0.0,) * self.game.seats
        choices = [Choice(one, nothing, math.inf, words=words.get(one, "")) for one in actions]
        return ranked(seat, choices, self.method)

    def agent(self) -> Any:
        """The agent of the strongest level for which no package is missing."""
        missing: GameError = NoAnalystError("nobody can give a hint here.")
        for level in reversed(tuple(spec_of(self.game).levels.values())):
            try:
                return seat_agent(level, self.game, seed=1)
            except MissingPackageError as error:
                missing = error
        raise missing


@functools.lru_cache(maxsize=8)
def adviser_for(game: AnyGame, table: tuple[str, ...] = ()) -> AnyAnalyst:
    """The thorough analyst of a game; where it has none, its strongest level stands in."""
    # Imported late, so that the first board does not wait for it.
    from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for

    try:
        return analyst_for(game, table).thorough()
    except NoAnalystError:
        return StandIn(game, table)


def with_favourite(decision: JudgedDecision) -> JudgedDecision:
    """The decision, after the strongest level has chosen where an estimate finds some equal."""
    judgement = decision.judgement
    equal = [one.action for one in judgement.choices if not one.loss]
    if len(equal) < 2 or judgement.method.is_exact or isinstance(decision.analyst, StandIn):
        return decision
    with contextlib.suppress(Exception):  # a level of a plug-in may raise anything
        stand_in = StandIn(decision.analyst.game)
        favourite = stand_in.judge(decision.seen, decision.earlier).best.action
        if favourite in equal:
            return replace(decision, favourite=favourite)
    return decision


class ConsideredDecision:
    """A decision that is being judged; all that is known of it is what its seat may know.

    Attributes:
        decision: The judged decision, once it is known.
        why: Why the recommended action is better; see `JudgedDecision.reason`.
        marks: By label, the choices that may be mistakes, marked one after the other.
        error: Why there is no judgement.
        is_told: Set once there is a judgement, or an error.
        is_marked: Set once all that may be mistakes are marked.
    """

    def __init__(
        self,
        game: AnyGame,
        version: int,
        seen: Observation[Any, Any],
        earlier: Sequence[Observation[Any, Any]],
    ) -> None:
        self.version = version
        self.seen = seen
        self.decision: JudgedDecision | None = None
        self.why = ""
        self.marks: dict[str, MarkedChoice] = {}
        self.error: GameError | None = None
        self.is_told = threading.Event()
        self.is_marked = threading.Event()
        self._game = game
        self._earlier = earlier
        self._is_dropped = False

    def begin(self, table: tuple[str, ...], marks: bool, tell: Callable[[], None]) -> None:
        """Judge the decision in threads of its own, and perhaps mark what may be a mistake."""
        game = self._game

        def judge() -> None:
            for find, seconds in (
                (lambda: adviser_for(game, table), LATE_SECONDS),
                (lambda: StandIn(game, table), _LATEST_SECONDS),
            ):
                tried = threading.Event()
                self._start(self._try, find, tried)
                tried.wait(seconds)
                if self.decision is not None or self._is_dropped:
                    break
            else:
                self.error = self.error or AgentError("no hint was found in time.")
            self.is_told.set()
            tell()
            if marks:
                self._mark()

        self._start(judge)

    def drop(self) -> None:
        self._is_dropped = True

    def _start(self, do: Callable[..., None], *arguments: Any) -> None:
        threading.Thread(target=do, args=arguments, name="oracle", daemon=True).start()

    def _try(self, find: Callable[[], AnyAnalyst], tried: threading.Event) -> None:
        try:
            analyst = find()
            judgement = analyst.judge(self.seen, self._earlier)
            found = with_favourite(JudgedDecision(analyst, self.seen, self._earlier, judgement))
            if self.decision is None:  # the first answer counts, even if another one was awaited
                self.why = found.reason()
                self.decision = found
        except GameError as error:
            self.error = error
        except BaseException as error:  # an analyst or agent of a plug-in may raise anything
            self.error = AgentError(f"there is no hint ({describe_error(error)}).")
        tried.set()

    def _mark(self) -> None:
        found = self.decision
        if found is not None:
            scale = found.analyst.scale
            for one in found.judgement.choices:
                if self._is_dropped:
                    break
                if scale.mark(one.loss, one.loss_error) is Mark.GOOD:
                    continue
                with contextlib.suppress(Exception):  # an analyst of a plug-in may raise anything
                    # With radio there are hundreds, which differ only in the message.
                    label = found.analyst.label(self.seen, one.action)
                    if label not in self.marks:
                        self.marks[label] = found.mark(one.action)
        self.is_marked.set()


class Oracle:
    """Judges decisions in one match in the background, each once.

    It tells in a thread when a decision is judged, or can't be, and can mark what may be a mistake.
    """

    def __init__(
        self,
        match: AnyMatch,
        table: tuple[str, ...] = (),
        tell: Callable[[], None] = lambda: None,
        *,
        marks: bool = False,
    ) -> None:
        self._match = match  # threads read only what of it never changes
        self._table = table
        self._tell = tell
        self._marks = marks
        self._latest: ConsideredDecision | None = None

    @property
    def version(self) -> int:
        return self._match.version

    def known(self, seat: Seat | None) -> ConsideredDecision | None:
        """The decision of a seat in the present position, if it has been considered."""
        found = self._latest
        now = (self._match.version, seat)
        return found if found and (found.version, found.seen.seat) == now else None

    def consider(self, seat: Seat) -> ConsideredDecision:
        """Begin to judge the decision of a seat that is to act, unless that was begun before."""
        found = self.known(seat)
        if found is None:
            self.drop()
            match = self._match
            seen, earlier = match.observe(seat), experience(match, seat)
            found = self._latest = ConsideredDecision(match.game, match.version, seen, earlier)
            found.begin(self._table, self._marks, self._tell)
        return found

    def drop(self) -> None:
        if self._latest is not None:
            self._latest.drop()
        self._latest = None
