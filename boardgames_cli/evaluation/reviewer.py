"""Makes reviews: evaluates a game step by step with its analyst, in the background, and keeps them.

`Store.review_file` says where the files are. A stored review is valid only for the same
steps of the same game and the same version of the analyst and the program; otherwise it is computed
again. A partial review is continued.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from boardgames_cli import __version__
from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.codec.json_reader import JsonReader
from boardgames_cli.core.agent import describe_error
from boardgames_cli.core.analyst import (
    CERTAIN,
    AnyAnalyst,
    Judgement,
    Value,
)
from boardgames_cli.core.background import BackgroundJob
from boardgames_cli.core.errors import GameError, StorageError, UnknownNameError
from boardgames_cli.core.game import (
    CHANCE,
    AnyGame,
    EliminatesSeats,
    Observation,
    Seat,
    Traits,
    winners,
)
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.options import option_values
from boardgames_cli.core.record import step_texts
from boardgames_cli.core.text import counted
from boardgames_cli.evaluation.oracle import JudgedDecision
from boardgames_cli.evaluation.review_result import (
    Changes,
    Decision,
    Review,
    ReviewedChoice,
    ReviewStep,
    StepKind,
    from_json,
    to_json,
)
from boardgames_cli.registry import spec_of
from boardgames_cli.storage.files import PRIVATE_MODE, replace_file

AnyJudgement = Judgement[Any]

ACCURACY: Final = "accuracy.json"
"""The file in a game's folder ``data`` with what its best level loses."""

_STOOD_IN: Final = " instead"
"""The word in the log where another action than an agent's was played."""
_TOLD: Final = 3
"""How many such actions are told one by one."""

_ROUNDING: Final = 1e-9
_MOST_CHOICES: Final = 24
"""The maximum number of choices stored per decision, best first, besides the one played."""


def check_reviewable(match: AnyMatch, name: str, arguments: str = "") -> None:
    """Refuse an unfinished game: a review reveals hidden information and needs the result.

    ``arguments`` names the save on a command line, if that takes more than its name.
    """
    if not match.has_result:
        how = "was cut short" if match.truncated else "is not over"
        raise GameError(
            f"the game {name} {how} (step {match.ply}); only finished games are reviewed.",
            f"To see it as far as it went: boardgames replay {arguments or name}"
            if match.truncated
            else f"Finish it: boardgames resume {arguments or name}",
        )


def best_ratio(game: AnyGame) -> float:
    """What the best level of a game loses, as a share of what random choices lose.

    It was measured for some options (``lab/review_accuracy.py``); 0 if nothing was.
    """
    try:
        text = spec_of(game).data_text(ACCURACY)
    except UnknownNameError:  # a rulebook that is not registered
        return 0.0
    given = option_values(game)
    for measured in json.loads(text)["measured"] if text else ():
        if measured["options"].items() <= given.items():
            return float(measured["best_ratio"])
    return 0.0


@dataclass(frozen=True, slots=True)
class ReviewedGame:
    """A game that is over, with what its review tells or needs; it is not modified."""

    match: AnyMatch
    names: Sequence[str]
    """The names of the seat holders."""
    seats: Sequence[str] = ()
    """Their specifications."""
    notes: Sequence[tuple[int, str]] = ()
    """The remarks of its log, each with its ply. They say where a substitute chose."""
    file: Path | None = None
    """Where its review is stored; None stores nothing."""


class Reviewer:
    """Reviews a game step by step, so that partial results can be shown and continued."""

    def __init__(
        self, game: ReviewedGame, analyst: AnyAnalyst, known: Review | None = None
    ) -> None:
        self.match = game.match
        self.analyst = analyst.thorough()
        self._game = game
        self._steps: list[ReviewStep] = list(known.steps) if known is not None else []
        self._final = known.final if known is not None else None
        self._remarks = known.remarks if known is not None else ()
        self._count = game.match.game.seats
        self._next: tuple[int, Value] | None = None
        self._histories: dict[Seat, list[Observation[Any, Any]]] = {}
        self._drop_unfinished_group()

    @property
    def done(self) -> int:
        return len(self._steps)

    @property
    def total(self) -> int:
        return self.match.ply

    def review(self) -> Review:
        return Review(
            game=self.match.game.info.id,
            options=option_values(self.match.game),
            seats=tuple(self._game.seats),
            names=tuple(self._game.names),
            scale=self.analyst.scale,
            method=self.analyst.method,
            steps=tuple(self._steps),
            total_steps=self.total,
            final=self._final,
            remarks=self._remarks,
            best_ratio=best_ratio(self.match.game),
        )

    def advance(self) -> bool:
        """Review one more step; whether there is more to do."""
        if self._final is not None:
            return False
        if self.done < self.total:
            self._steps.append(self._judge_step(self.done))
        if self.done == self.total:
            self._remarks = (*self._early_end(), *self._substitutes())
            self._final = self._final_value()
        return self._final is None

    def _early_end(self) -> list[str]:
        ending = self.match.ending
        if ending is None or not ending.is_by_players:
            return []
        how = ending.in_words(self._game.names, self.total)
        return [f"{how} Results here are what the last position was worth."]

    def _substitutes(self) -> list[str]:
        found = [(ply + 1, text) for ply, text in self._game.notes if _STOOD_IN in text]
        told = [
            f"Before step {step} an agent did not choose itself: {text}"
            for step, text in found[:_TOLD]
        ]
        if len(found) > _TOLD:
            rest = counted(len(found) - _TOLD, "more time")
            told.append(f"That was so {rest}, the last before step {found[-1][0]}.")
        return told

    def _judge_step(self, ply: int) -> ReviewStep:
        seats = self.match.game.to_act(self.match.state_at(ply))
        if seats == (CHANCE,):
            return self._judge_chance(ply)
        if len(seats) == 1 and Traits.SIMULTANEOUS not in self.match.game.traits:
            return self._judge_decision(ply, seats[0])
        return self._judge_joint(ply)

    def _judge_chance(self, ply: int) -> ReviewStep:
        game, analyst, state = self.match.game, self.analyst, self.match.state_at(ply)
        outcome = self.match.steps[ply].outcome
        before, after = self._value(ply), self._value(ply + 1)
        none = rest = (0.0,) * self._count
        change = _minus(after.returns, before.returns)
        is_listed = Traits.SAMPLED_CHANCE not in game.traits
        found = list(analyst.outcomes(state)) if is_listed else []
        if found:
            came = next(value for one, _, value in found if one == outcome)
            expected = tuple(
                math.fsum(chance * value.returns[seat] for _, chance, value in found)
                for seat in range(self._count)
            )
            luck = _minus(came.returns, expected)
            rest = _minus(change, luck)
            error = self._error_of(rest, before, after)
        else:
            luck, error = change, analyst.step_error or _join(before, after)
        seat = analyst.chance_seat(state, outcome)
        label = "" if seat is None else analyst.chance_label(outcome)
        return ReviewStep(
            ply, StepKind.CHANCE, before, luck, none, none, rest, error, seat=seat, label=label
        )

    def _judge_decision(self, ply: int, seat: Seat) -> ReviewStep:
        match = self.match
        before, after = self._value(ply), self._value(ply + 1)
        judgement, decision = self._decide(ply, seat)
        taken = judgement.of(match.steps[ply].joint[seat])
        play = _minus(taken.returns, judgement.expected)
        usual = [one for one in judgement.choices if one.returns == judgement.expected]
        error = max((one.loss_error for one in (taken, *usual)), default=0.0)
        if judgement.method.plays and abs(play[seat]) <= CERTAIN * error:
            # The maximum of noisy values is biased upwards, which is to nobody's credit.
            play = (0.0,) * self._count
        own = tuple(play[other] if other == seat else 0.0 for other in range(self._count))
        others = tuple(0.0 if other == seat else play[other] for other in range(self._count))
        left = _minus(_minus(after.returns, before.returns), play)
        none = (0.0,) * self._count
        # The effect of hidden cards at a decision is luck, and 0 on average.
        is_luck = Traits.HIDDEN in match.game.traits
        luck, rest = (left, none) if is_luck else (none, left)
        error = self._error_of(rest, before, after)
        return ReviewStep(
            ply, StepKind.DECISION, before, luck, own, others, rest, error, (decision,)
        )

    def _judge_joint(self, ply: int) -> ReviewStep:
        none = (0.0,) * self._count
        decisions = tuple(self._decide(ply, seat)[1] for seat in self.match.steps[ply].joint)
        value = self._value(ply) if self._is_judged(ply) else None
        if not self._is_judged(ply + 1):
            return ReviewStep(ply, StepKind.JOINT, value, none, none, none, none, 0.0, decisions)
        begun = self._group_start(ply)
        before = value if begun == ply else self._steps[begun].value
        assert before is not None, "a group begins with an evaluated position"
        after = self._value(ply + 1)
        # The change can't be credited to one seat: all acted at once.
        together = _minus(after.returns, before.returns)
        error = _join(before, after)
        return ReviewStep(ply, StepKind.JOINT, value, none, none, together, none, error, decisions)

    def _is_judged(self, ply: int) -> bool:
        if ply >= self.total or ply % self.analyst.every == 0:
            return True
        # The values before and after a chance step are always needed, and where a seat drops out.
        before, after = self.match.steps[ply - 1], self.match.steps[ply]
        return after.is_chance or before.joint.keys() != after.joint.keys()

    def _group_start(self, ply: int) -> int:
        return next(at for at in range(ply, -1, -1) if self._is_judged(at))

    def _drop_unfinished_group(self) -> None:
        """Go back to an evaluated position, since changes are only recorded at the next one."""
        while self._steps and self._final is None and not self._is_judged(self.done):
            self._steps.pop()

    def _value(self, ply: int) -> Value:
        if self._next is not None and self._next[0] == ply:
            return self._next[1]
        value = self.analyst.value(self.match.state_at(ply))
        self._next = (ply, value)
        return value

    def _final_value(self) -> Value:
        game, value = self.match.game, self._value(self.total)
        known = [step.value for step in self._steps if step.value]
        if not isinstance(game, EliminatesSeats) or not known or not known[-1].chances:
            return value
        if winners(value.returns):
            return value
        last, before = known[-1].chances, self.match.state_at(self.total - 1)
        shares = [
            share if last[seat] or not game.is_out(before, seat) else 0.0
            for seat, share in enumerate(value.chances)
        ]
        whole = math.fsum(shares) or 1.0
        return replace(value, chances=tuple(share / whole for share in shares))

    def _error_of(self, rest: Changes, before: Value, after: Value) -> float:
        corrected = max(abs(change) for change in rest)
        if before.is_exact and after.is_exact:
            return corrected if corrected > _ROUNDING else 0.0
        return max(corrected, self.analyst.step_error)

    def _decide(self, ply: int, seat: Seat) -> tuple[AnyJudgement, Decision]:
        seen = self.match.observe(seat, ply)
        action = self.match.steps[ply].joint[seat]
        earlier, analyst = self._earlier(seat, ply), self.analyst
        first = analyst.judge(seen, earlier)
        found = JudgedDecision(analyst, seen, earlier, first).mark(action)
        choices = tuple(self._kept(seen, found.judgement, action))
        moment, settled = analyst.moment(seen), analyst.settled(seen)
        decision = Decision(seat, str(action), choices, found.mark, moment, found.reason, settled)
        return first, decision

    def _kept(
        self, seen: Observation[Any, Any], judgement: AnyJudgement, played: Any
    ) -> Iterator[ReviewedChoice]:
        labels = {self.analyst.label(seen, played)}
        for choice in judgement.choices:
            label = self.analyst.label(seen, choice.action)
            if choice.action != played:
                # With radio there are hundreds, which differ only in the message.
                if label in labels or len(labels) > _MOST_CHOICES:
                    continue
                labels.add(label)
            yield ReviewedChoice.of(choice, label)

    def _earlier(self, seat: Seat, ply: int) -> Sequence[Observation[Any, Any]]:
        if Traits.HIDDEN not in self.match.game.traits:
            return ()
        known = self._histories.setdefault(seat, [])
        known += [self.match.observe_step(seat, at) for at in range(len(known), ply)]
        return known[:ply]


def _minus(one: Sequence[float], other: Sequence[float]) -> Changes:
    return tuple(first - second for first, second in zip(one, other, strict=True))


def _join(*values: Value) -> float:
    return math.hypot(*(value.error for value in values))


FORMAT: Final = 5
"""The format of the files; files of other formats are ignored."""

_LARGEST: Final = 64_000_000
_READER: Final = JsonReader("", _LARGEST, StorageError)
_DAMAGE: Final = (OSError, ValueError, TypeError, KeyError, StorageError, MemoryError)
"""What reading a damaged file raises."""
_LONGEST_REST: Final = 1.0
"""In seconds."""
_STORE_EVERY: Final = 5.0
"""The interval in seconds at which an unfinished review is saved."""
_NEWS_SECONDS: Final = 0.2
"""The shortest interval between partial reviews in seconds."""


def review_key(game: ReviewedGame, analyst: AnyAnalyst) -> str:
    """The cache key: equal only for reviews that would be equal."""
    match, kind = game.match, type(analyst)
    facts: dict[str, Any] = {
        "program": __version__,
        "analyst": f"{kind.__module__}.{kind.__qualname__} {kind.version}",
        "method": analyst.basis,
        "game": match.game.info.id,
        "rules_version": match.game.info.rules_version,
        "options": option_values(match.game),
        "start": match.game.to_json(match.start),
        "table": list(analyst.table),
        "names": list(game.names),
        "steps": [step_texts(step) for step in match.steps],
    }
    text = json.dumps(facts, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def load_review(game: ReviewedGame, analyst: AnyAnalyst) -> Review | None:
    """The stored review of a game, which may be partial. A damaged one is reported as a warning.

    None if there is none, if it is damaged, or not what the analyst would find now.
    """
    try:
        data = None if game.file is None else _read(game.file)
        if data is None or data["key"] != review_key(game, analyst):
            return None
        review = from_json(data["review"])
        if review.total_steps != len(game.match.steps):
            raise ValueError("it is about another number of steps")
        return review
    except _DAMAGE as error:
        why = str(error).removesuffix(".") or type(error).__name__
        warnings.warn(f"{game.file} can't be used ({why}); it is made anew.", stacklevel=2)
        return None


def _read(path: Path) -> dict[str, Any] | None:
    if not path.is_file():
        return None
    data = _READER.read(path)
    if isinstance(data, dict) and data.get("boardgames_review") not in (FORMAT, None):
        return None
    if digest_of(data["review"]) != data["digest"]:
        raise ValueError("its digest is another one")
    return dict(data)


def store_review(game: ReviewedGame, analyst: AnyAnalyst, review: Review) -> bool:
    """Store a review, complete or partial; whether it was. A read-only folder is not an error."""
    if game.file is None:
        return False
    written = to_json(review)
    data = {
        "boardgames_review": FORMAT,
        "key": review_key(game, analyst),
        "digest": digest_of(written),
        "review": written,
    }
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    with contextlib.suppress(OSError, ValueError, StorageError):
        game.file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(game.file, text, PRIVATE_MODE)
        return True
    return False


def digest_of(review: Any) -> str:
    """A fingerprint by which a damaged review is recognised."""
    text = json.dumps(review, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def review_of(
    game: ReviewedGame,
    analyst: AnyAnalyst,
    progress: Callable[[Reviewer], None] = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Review:
    """Load the review of a game, or make and store it.

    If it is interrupted (by `cancelled`, or by an exception from ``progress``), the partial review
    is stored.
    """
    known = load_review(game, analyst)
    if known is not None and known.is_complete:
        return known
    reviewer = Reviewer(game, analyst, known)
    written = -_STORE_EVERY  # what has begun is found again
    try:
        while not cancelled() and reviewer.advance():
            progress(reviewer)
            if time.monotonic() - written > _STORE_EVERY:
                store_review(game, analyst, reviewer.review())
                written = time.monotonic()
    finally:
        review = reviewer.review()
        if not store_review(game, analyst, review) and game.file is not None:
            warnings.warn(f"the review can't be kept: {game.file} can't be written.", stacklevel=2)
    return review


@dataclass(frozen=True, slots=True)
class ReviewNews:
    """The progress of a review."""

    review: Review | None
    """The review so far; None if there can be none."""
    problem: str = ""
    """Why the review can't continue; empty if it can, or if it is complete."""


class GivesWay:
    """Called between the steps of work that nobody waits for: rests as long as the step took.

    Attributes:
        is_urgent: Set once somebody waits for the work, which then goes on without rests.
    """

    def __init__(self) -> None:
        self.is_urgent = threading.Event()
        self._since = time.monotonic()

    def __call__(self) -> None:
        self.is_urgent.wait(min(time.monotonic() - self._since, _LONGEST_REST))
        self._since = time.monotonic()


@dataclass
class ReviewJob(BackgroundJob[ReviewNews]):
    """Reviews a game, and stores the review next to its save, also one that is stopped.

    It delivers the review so far, from time to time and at the end; that there is no analyst is
    news, too.
    """

    game: ReviewedGame
    give_way: GivesWay = field(default_factory=GivesWay)

    def run(self, deliver: Callable[[ReviewNews], None]) -> None:
        told = time.monotonic()
        latest: Review | None = None

        def tell(reviewer: Reviewer) -> None:
            nonlocal told, latest
            if time.monotonic() - told >= _NEWS_SECONDS:
                latest = reviewer.review()
                deliver(ReviewNews(latest))
                told = time.monotonic()
            self.give_way()

        try:
            # Here, because some packages that analysts import take a second.
            analyst = analyst_for(self.game.match.game, tuple(self.game.seats))
            done = review_of(self.game, analyst, tell, self.cancelled.is_set)
            deliver(ReviewNews(done))
        except GameError as error:
            deliver(ReviewNews(latest, str(error)))
        except Exception as error:  # an analyst of a plug-in may raise anything
            deliver(ReviewNews(latest, f"The review failed ({describe_error(error)})."))
