"""The tutor: questions a mistake before it is played, explains it once, and then coaches.

Decisions are evaluated in a background thread while the person thinks. A move waits for the result
for at most a second, and is then played.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for, why_no_analyst
from boardgames_cli.core.analyst import CERTAIN, AnyAnalyst, Judgement
from boardgames_cli.core.background import Background, BackgroundJob
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame, Observation, Seat
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.text import sentence
from boardgames_cli.evaluation.hints import experience

LEAST_SHARE: Final = 0.10
"""The smallest loss that is questioned, as a share of the analyst's scale."""
PATIENCE_SECONDS: Final = 1.0
"""The maximum time that a move waits for its evaluation."""


def check_tutor(game: AnyGame) -> None:
    """Refuse a tutor if there is no analyst.

    Raises:
        GameError: There is no analyst, or a package is missing.
    """
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
        """The facts as a sentence."""
        return sentence(self.reason)


@dataclass
class _Decision(BackgroundJob[None]):
    """A decision that is being evaluated."""

    analyst: AnyAnalyst
    version: int
    seen: Observation[Any, Any]
    earlier: tuple[Observation[Any, Any], ...]
    judgement: Judgement[Any] | None = None
    is_judged: threading.Event = field(default_factory=threading.Event)

    def hurry(self) -> None:
        """Nothing: no judgement is better than half of one."""

    def run(self, deliver: Callable[[None], None]) -> None:
        try:
            self.judgement = self.analyst.judge(self.seen, self.earlier)
        except Exception:  # an analyst of a plug-in may raise anything
            self.judgement = None
        self.is_judged.set()
        deliver(None)


class Tutor:
    """Watches the decisions of people in one match.

    Args:
        match: The match.
        remark: Records that a seat was warned, and returns the remark.
        table: The specifications of the seat holders, if they are known.
    """

    def __init__(
        self, match: AnyMatch, remark: Callable[[Seat], str], table: tuple[str, ...] = ()
    ) -> None:
        self._match = match
        self._remark = remark
        self._analyst: AnyAnalyst = analyst_for(match.game, table)
        self._decision: _Decision | None = None
        self._warned: tuple[tuple[int, Seat], str] | None = None
        self._kind = ""
        """The kind of the mistake in the last warning."""
        self._explained: set[str] = set()
        """The kinds of mistakes that were explained in this match."""
        self._thread: Background[None] = Background("tutor", lambda _: None)

    def consider(self, seat: Seat) -> None:
        """Start to evaluate a seat's choices, unless that is already running."""
        match, known = self._match, self._decision
        if known is not None and (known.version, known.seen.seat) == (match.version, seat):
            return
        seen = match.observe(seat)
        earlier = experience(match, seat)
        self._decision = decision = _Decision(self._analyst, match.version, seen, earlier)
        if len(seen.legal) < 2:
            decision.is_judged.set()
            return
        self._thread.abandon()  # an old decision must not delay this one
        self._thread.put(decision)

    def is_ready(self, seat: Seat) -> bool:
        """Whether a seat's decision is evaluated; the evaluation is started if needed."""
        self.consider(seat)
        assert self._decision is not None, "it has just been considered"
        return self._decision.is_judged.is_set()

    def wait(self, seat: Seat) -> None:
        """Wait until a seat's decision is evaluated, or a second has passed."""
        self.consider(seat)
        assert self._decision is not None, "it has just been considered"
        self._decision.is_judged.wait(PATIENCE_SECONDS)

    def call(self, seat: Seat, ready: Callable[[], None]) -> None:
        """Call a function in another thread when `wait` would return."""
        self.consider(seat)
        decision = self._decision
        assert decision is not None, "it has just been considered"

        def follow() -> None:
            decision.is_judged.wait(PATIENCE_SECONDS)
            ready()

        threading.Thread(target=follow, name="tutor-wait", daemon=True).start()

    def warning(self, seat: Seat, action: Any) -> MistakeWarning | None:
        """Why a move should be reconsidered; None if it need not be, or is not evaluated yet."""
        decision = self._decision
        if decision is None or decision.version != self._match.version:
            return None
        judgement = decision.judgement
        if judgement is None or judgement.seat != seat:
            return None
        try:
            choice, best = judgement.of(action), judgement.best
        except KeyError:
            return None
        scale = self._analyst.scale
        if choice.loss <= CERTAIN * choice.loss_error or scale.share(choice.loss) < LEAST_SHARE:
            return None
        label = self._analyst.label(decision.seen, action)
        kind = "exact" if judgement.method.is_exact else "estimate"
        after, possible = choice.words, best.words
        told = "solved"
        if not choice.plies_lost:
            settled = self._analyst.settled(decision.seen)
            pair = (one.returns[seat] - settled for one in (choice, best))
            after, possible = map(scale.format_return, pair)
            told = f"{'chance' if scale.is_chance else 'expected'} {scale.part}".strip()
        values = f"{label}: {told} {after}; {possible} with the best choice ({kind})."
        reason = self._analyst.reason(decision.seen, action, best.action)
        self._kind = reason.kind
        is_known = bool(reason.kind) and reason.kind in self._explained
        text = f"again: {reason.kind}" if is_known else reason.text
        return MistakeWarning(values, text, self._clue(judgement))

    def _clue(self, judgement: Judgement[Any]) -> str:
        is_notable, total = self._analyst.scale.is_notable, len(judgement.choices)
        good = sum(not is_notable(one.loss, one.loss_error) for one in judgement.choices)
        if good == 1:
            return f"Of {total} choices one is the best."
        return f"{good} of {total} choices are as good as the best."

    def note_warning(self, seat: Seat) -> str:
        """Record once per decision that a person was warned, which counts as a hint.

        The mistake of the last warning counts as explained.

        Returns:
            The remark.
        """
        self._explained.add(self._kind)
        moment = (self._match.version, seat)
        if self._warned is None or self._warned[0] != moment:
            self._warned = moment, self._remark(seat)
        return self._warned[1]
