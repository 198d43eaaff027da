"""The tutor: questions a mistake before it is played, explains it once, and then coaches.

Decisions are evaluated in the background while the person thinks. A move waits for the result for
at most a second, and is then played.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from boardgames_cli.algorithms.analysts.choose_analyst import why_no_analyst
from boardgames_cli.core.analyst import Mark
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.core.text import sentence
from boardgames_cli.evaluation.oracle import JudgedDecision, Oracle

_WARNED: Final = (Mark.MISTAKE, Mark.BLUNDER)
PATIENCE_SECONDS: Final = 1.0
"""The maximum time that a move waits for its evaluation."""


def check_tutor(game: AnyGame) -> None:
    """Refuse a tutor if there is no analyst, or a package is missing."""
    reason = why_no_analyst(game)
    if reason is not None:
        raise GameError(f"there is no tutor here: {reason}", "Play without it.")


@dataclass(frozen=True, slots=True)
class MistakeWarning:
    """Why a move should be reconsidered."""

    values: str
    """The values of the move and the best choice, in words."""
    reason: str
    """The facts without a full stop; may be empty. A kind of mistake that was explained before in
    the match is only named."""
    clue: str
    """How many choices are good, as a sentence."""

    @property
    def sentence(self) -> str:
        return sentence(self.reason)


class Tutor:
    """Watches the decisions of people in one match, which the oracle judges and marks."""

    def __init__(self, oracle: Oracle, remark: Callable[[Seat], str]) -> None:
        self._oracle = oracle
        self._remark = remark
        self._warned: tuple[tuple[int, Seat], str] | None = None
        self._kind = ""
        """The kind of the mistake in the last warning."""
        self._explained: set[str] = set()
        """The kinds of mistakes that were explained in this match."""

    def is_ready(self, seat: Seat) -> bool:
        """Whether a seat's decision is evaluated; the evaluation is started if needed."""
        return self._oracle.consider(seat).is_marked.is_set()

    def wait(self, seat: Seat) -> None:
        """Wait until a seat's decision is evaluated, or a second has passed."""
        self._oracle.consider(seat).is_marked.wait(PATIENCE_SECONDS)

    def call(self, seat: Seat, ready: Callable[[], None]) -> None:
        """Call a function in another thread when `wait` would return."""
        considered = self._oracle.consider(seat)

        def follow() -> None:
            considered.is_marked.wait(PATIENCE_SECONDS)
            ready()

        threading.Thread(target=follow, name="tutor-wait", daemon=True).start()

    def warning(self, seat: Seat, action: Any) -> MistakeWarning | None:
        """Why a move should be reconsidered; None if it need not be, or is not evaluated yet.

        A review marks the same moves as mistakes or blunders.
        """
        considered = self._oracle.known(seat)
        decision = None if considered is None else considered.decision
        if considered is None or decision is None:
            return None
        analyst = decision.analyst
        label = analyst.label(decision.seen, action)
        marked = considered.marks.get(label)
        if marked is None or marked.mark not in _WARNED:
            return None
        choice, best = marked.choice, marked.judgement.best
        kind = "exact" if marked.judgement.method.is_exact else "estimate"
        after, possible = choice.words, best.words
        told, scale = "solved", analyst.scale
        if not choice.plies_lost:
            settled = analyst.settled(decision.seen)
            pair = (one.returns[seat] - settled for one in (choice, best))
            after, possible = map(scale.format_return, pair)
            told = f"{'chance' if scale.is_chance else 'expected'} {scale.part}".strip()
        values = f"{label}: {told} {after}; {possible} with the best choice ({kind})."
        reason = marked.reason
        self._kind = reason.kind
        is_known = bool(reason.kind) and reason.kind in self._explained
        text = f"again: {reason.kind}" if is_known else reason.text
        return MistakeWarning(values, text, _clue(decision))

    def note_warning(self, seat: Seat) -> str:
        """Record once per decision that a person was warned, which counts as a hint; what was said.

        The mistake of the last warning counts as explained.
        """
        self._explained.add(self._kind)
        moment = (self._oracle.version, seat)
        if self._warned is None or self._warned[0] != moment:
            self._warned = moment, self._remark(seat)
        return self._warned[1]


def _clue(decision: JudgedDecision) -> str:
    is_notable, choices = decision.analyst.scale.is_notable, decision.judgement.choices
    good = sum(not is_notable(one.loss, one.loss_error) for one in choices)
    if good == 1:
        return f"Of {len(choices)} choices one is the best."
    return f"{good} of {len(choices)} choices are as good as the best."
