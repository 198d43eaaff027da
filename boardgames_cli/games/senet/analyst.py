"""The analyst of Senet: the table of endings, otherwise the evaluation some throws ahead.

Reasons compare the positions that two moves leave.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.util import find_spec
from typing import Any, ClassVar, Final

from boardgames_cli.algorithms.analysts.open_analyst import Returns, SearchAnalyst
from boardgames_cli.core.analyst import (
    Choice,
    Judgement,
    Method,
    Reason,
    ranked,
)
from boardgames_cli.core.errors import MissingPackageError
from boardgames_cli.core.text import percent
from boardgames_cli.games.senet.actions import FALLS, PASS, SenetMove, Throw
from boardgames_cli.games.senet.board import (
    DANCER_NAMES,
    HAPPINESS,
    OFF,
    REBIRTH,
    WATER,
    bit,
    houses,
    runs,
)
from boardgames_cli.games.senet.ending_tables import ROUNDED_ERROR, Endings, digest
from boardgames_cli.games.senet.heuristic import evaluate
from boardgames_cli.games.senet.rules import Senet, play
from boardgames_cli.games.senet.state import Seen, SenetState

_RACE: Final = bit(HAPPINESS) - 1
_CLEAR: Final = 2
"""The smallest difference, in falls of 16, that counts as a reason."""


@dataclass(frozen=True, slots=True)
class Facts:
    """The effects of a move, from the mover's side."""

    move: SenetMove
    bears_off: bool
    falls: bool
    """Whether the dancer falls into the Water or is reborn."""
    swapped: int
    """The number of houses an opposing dancer is sent back; negative if it advances."""
    broken: tuple[tuple[int, int], ...]
    """Groups that the move breaks, as (first, last) house."""
    made: tuple[tuple[int, int], ...]
    """Groups that the move makes or extends."""
    open_houses: tuple[int, ...]
    """Own houses on which the opponent can swap with its next throw."""
    open_falls: int
    """Falls of 16 with which the opponent can do so."""
    held_falls: int
    """Falls of 16 with which the opponent can't move forward."""
    off_falls: int
    """Falls of 16 with which a dancer can be borne off next."""
    forward_falls: int
    """Falls of 16 with which the mover could move forward next."""


def facts_of(game: Senet, state: SenetState, move: SenetMove) -> Facts:
    """Compute the facts about a move."""
    own, opponent = state.side(state.player), state.side(1 - state.player)
    own_after, opponent_after = (own, opponent) if move == PASS else play(own, opponent, move)
    before, after = set(_groups(own)), set(_groups(own_after))
    replies = _throws(game, opponent_after, own_after)
    throws = _throws(game, own_after, opponent_after)

    def is_hit(reply: SenetMove, _: int = 0) -> bool:
        return 0 < reply.end < OFF and bool(own_after & bit(reply.end))

    is_swap = move not in (PASS,) and move.end <= HAPPINESS and bool(opponent & bit(move.end))
    return Facts(
        move=move,
        bears_off=move.end == OFF,
        falls=move.end == WATER or (move.start >= HAPPINESS and 0 < move.end <= REBIRTH),
        swapped=move.end - move.start if is_swap else 0,
        broken=tuple(sorted(group for group in before if not _lives_on(group, after))),
        made=tuple(sorted(after - before)),
        open_houses=tuple(
            sorted({reply.end for *_, moves in replies for reply in moves if is_hit(reply)})
        ),
        open_falls=_falls(replies, is_hit),
        held_falls=16 - _falls(replies, _is_forward),
        off_falls=_falls(throws, lambda one, _: one.end == OFF),
        forward_falls=_falls(throws, _is_forward),
    )


def explain(game: Senet, state: SenetState, played: SenetMove, better: SenetMove) -> Reason:
    """The most important differences between two moves, at most two."""
    opponent = DANCER_NAMES[1 - state.player]
    bad, good = facts_of(game, state, played), facts_of(game, state, better)
    found = list(_differences(bad, good, opponent, game.rule_set.blockade))
    if not found:
        return Reason(
            "moved the wrong dancer",
            f"{better} leaves dancers on {_listed(_after(state, better))}; "
            f"{played} leaves them on {_listed(_after(state, played))}",
        )
    return Reason(found[0][0], "; ".join(text for _, text in found[:2]))


def _differences(
    bad: Facts, good: Facts, opponent: str, blockade: int
) -> Iterator[tuple[str, str]]:
    if good.bears_off and not bad.bears_off:
        yield "did not bear off", f"{good.move} bears a dancer off"
    if bad.falls and not good.falls:
        yield "went into the Water", f"{bad.move} falls into the Water"
    if bad.swapped < 0 <= good.swapped:
        yield (
            "sent the other side on",
            f"{bad.move} puts one of the {opponent} {-bad.swapped} ahead",
        )
    if good.swapped > max(bad.swapped, 0):
        yield (
            "missed a swap",
            f"{good.move} swaps and sends one of the {opponent} back {good.swapped}",
        )
    lost = [group for group in bad.broken if group not in good.broken]
    for group in lost[:1]:
        kind = "broke a blockade" if _length(group) >= blockade else "broke a pair"
        name = "blockade" if _length(group) >= blockade else "pair"
        yield kind, f"{bad.move} breaks the {name} {group[0]}-{group[1]}"
    if bad.open_falls >= good.open_falls + _CLEAR:
        yield (
            "left a dancer open",
            f"{bad.move} leaves {_listed(bad.open_houses)} open to {bad.open_falls} of 16 throws"
            f" ({good.move}: {_open(good)})",
        )
    won = [group for group in good.made if group not in bad.made]
    for group in won[:1]:
        name = "blockade" if _length(group) >= blockade else "pair"
        yield f"did not make a {name}", f"{good.move} makes the {name} {group[0]}-{group[1]}"
    if good.held_falls >= bad.held_falls + _CLEAR:
        yield (
            "did not block",
            f"{good.move} leaves the {opponent} without a step forward in {good.held_falls} of 16 "
            f"throws ({bad.move}: {bad.held_falls})",
        )
    if good.off_falls >= bad.off_falls + _CLEAR:
        yield (
            "waited for a rare throw",
            f"after {good.move} {good.off_falls} of 16 throws bear a dancer off "
            f"({bad.move}: {bad.off_falls})",
        )
    if good.forward_falls >= bad.forward_falls + _CLEAR:
        yield (
            "lost its freedom to move",
            f"after {good.move} {good.forward_falls} of 16 throws move forward "
            f"({bad.move}: {bad.forward_falls})",
        )
    if good.move.end == HAPPINESS != bad.move.end:
        yield "passed by Happiness", f"{good.move} reaches the House of Happiness"


def _dancers(state: SenetState) -> int:
    return max(state.cones.bit_count(), state.spools.bit_count())


def _groups(mask: int) -> Iterator[tuple[int, int]]:
    return ((first, last) for first, last in runs(mask & _RACE) if last > first)


def _lives_on(group: tuple[int, int], after: set[tuple[int, int]]) -> bool:
    return any(first <= group[0] and group[1] <= last for first, last in after)


def _throws(game: Senet, mover: int, other: int) -> list[tuple[int, int, Sequence[SenetMove]]]:
    return [
        (steps, falls, game.rule_set.moves(mover, other, steps))
        for steps, falls in enumerate(FALLS, start=1)
    ]


def _falls(
    throws: Sequence[tuple[int, int, Sequence[SenetMove]]], is_one: Callable[[SenetMove, int], bool]
) -> int:
    return sum(falls for steps, falls, moves in throws if any(is_one(m, steps) for m in moves))


def _is_forward(move: SenetMove, steps: int) -> bool:
    return move != PASS and not move.is_backward(steps)


def _after(state: SenetState, move: SenetMove) -> tuple[int, ...]:
    own, opponent = state.side(state.player), state.side(1 - state.player)
    return tuple(houses(own if move == PASS else play(own, opponent, move)[0]))


def _length(group: tuple[int, int]) -> int:
    return group[1] - group[0] + 1


def _listed(numbers: tuple[int, ...]) -> str:
    if not numbers:
        return "no house"
    *others, last = map(str, numbers)
    return f"{', '.join(others)} and {last}" if others else last


def _open(facts: Facts) -> str:
    if not facts.open_falls:
        return "nothing"
    return f"{_listed(facts.open_houses)} to {facts.open_falls}"


VALUE_ERROR: Final = {"kendall": (0.004, 0.0068), "skyruk": (0.0135, 0.038)}
"""The standard error of the evaluation's expected return, by rules: up to `SOLVED` dancers, above.

One value in twenty is off by more than two of them. Measured by lab/review_endings.py and,
with seven dancers, lab/review_rollouts.py; docs/review.md has all the figures.
"""
SOLVED: Final = 5
"""The most dancers a side with which values are compared with exact ones."""

LOSS_ERROR: Final = {"kendall": (0.0024, 0.0024), "skyruk": (0.013, 0.024)}
"""The standard error of the difference between two moves, from the same measurements."""

STEP_ERROR: Final = {"kendall": 0.003, "skyruk": 0.008}
"""The standard deviation of the evaluation's drift in one step.

Measured by lab/review_calibration.py over whole games with five and with seven dancers.
"""

ROUNDED: Final = 2 * ROUNDED_ERROR / math.sqrt(3)
"""The standard error of the expected return in a rounded table, whose errors are uniform.

Throws average them: what a review says is off by half of it, with compiled rules by a sixth.
"""

PLAYS: Final = 200
"""The number of games that are played on from a move before a mistake is told."""


@dataclass(frozen=True)
class SenetAnalyst(SearchAnalyst[Senet, SenetState, SenetMove, Throw]):
    """Uses tables of endings, and otherwise the evaluation two throws and moves ahead.

    The thorough one searches three ahead, and four where moves are close, with the extra ``fast``.
    """

    version: ClassVar[int] = 8
    is_quick: ClassVar[bool] = False
    decisions: ClassVar[int] = 2
    known_by: ClassVar[str] = "the table of endings"

    @cached_property
    def endings(self) -> Endings:
        return evaluate.endings(self.game.rules)

    @property
    def method(self) -> Method:
        endings = self.endings
        exact = f"exact with up to {endings.table.up_to} dancers on either side"
        if endings.up_to > endings.table.up_to:
            exact += f", to {percent(endings.error, 2)} with up to {endings.up_to}"
        ahead = "three or four" if self._search else "two"
        return Method(False, f"the learned evaluation, {ahead} throws and moves ahead; {exact}")

    @property
    def basis(self) -> str:
        """The digest of the tables, how far it searches, and whether by compiled rules."""
        return f"{digest(self.game.rules)} {self.is_thorough} {find_spec('numba') is not None}"

    @property
    def step_error(self) -> float:
        return STEP_ERROR[self.game.rules]

    def known(self, state: SenetState) -> Returns | None:
        if state.steps is not None or self.game.is_over(state):
            return None
        player = state.player
        chance = self.endings.chance(state.side(player), state.side(1 - player))
        if chance is None:
            return None
        own = 2 * chance - 1
        return (-own, own) if player else (own, -own)

    def ahead(self, state: SenetState, decisions: int | None = None) -> Returns:
        """The exact value, otherwise the value after more throws and moves.

        Without compiled rules one throw is enough to average the errors of a rounded table.
        """
        depth = self.decisions if decisions is None else decisions
        is_exact = _dancers(state) <= self.endings.table.up_to
        if depth > 1 and (is_exact or not self._search) and self.known(state):
            return super().ahead(state, 1)
        if depth >= self.decisions and self._search and not self.game.is_over(state):
            first = self._search.value(state, 0, depth + 1)
            return (first, -first)
        return super().ahead(state, depth)

    def error_of(self, state: SenetState, ahead: Returns, less: int = 0) -> float:
        """0 for an exact value, otherwise the rounding of the table or the evaluation's error."""
        most = _dancers(state)
        if most > self.endings.up_to:
            return VALUE_ERROR[self.game.rules][most > SOLVED]
        return ROUNDED if most > self.endings.table.up_to else 0.0

    def judge_state(self, state: SenetState) -> Judgement[SenetMove]:
        """With the measured errors of differences: errors of the evaluation are correlated."""
        up_to_solved, above = LOSS_ERROR[self.game.rules]
        found = self._look_further(state, super().judge_state(state), up_to_solved)
        measured = above if _dancers(state) > SOLVED else up_to_solved
        choices = (
            replace(choice, loss_error=measured)
            if choice.loss and max(found.best.error, choice.error) > ROUNDED
            else choice
            for choice in found.choices
        )
        return replace(found, choices=tuple(choices))

    def _look_further(
        self, state: SenetState, found: Judgement[SenetMove], limit: float
    ) -> Judgement[SenetMove]:
        close = [choice for choice in found.choices if choice.error and choice.loss <= limit]
        if not self._search or len(close) < 2:
            return found
        afters = [self.game.apply(state, {state.player: choice.action}) for choice in close]
        further = {
            choice.action: self.ahead(after, self.decisions + 1)
            for choice, after in zip(close, afters, strict=True)
        }
        choices = [
            replace(choice, returns=further.get(choice.action, choice.returns), loss_error=0.0)
            for choice in found.choices
        ]
        return ranked(found.seat, choices, found.method)

    def confirm(
        self,
        seen: Seen,
        earlier: Sequence[Seen],
        judged: Judgement[SenetMove],
        actions: Sequence[SenetMove],
    ) -> Judgement[SenetMove]:
        """The same by games that are played on; needs the extra ``fast``."""
        del earlier
        if self._rollouts is None or all(choice.error <= ROUNDED for choice in judged.choices):
            return judged
        choices = [
            self._played_on(choice, seen.state) if choice.action in actions else choice
            for choice in judged.choices
        ]
        method = Method(False, f"{judged.method.text}; {PLAYS} games played on", PLAYS)
        found = ranked(judged.seat, choices, method)
        return replace(found, expected=judged.expected, error=judged.error)

    @cached_property
    def _search(self) -> Any:
        return (
            self._compiled and self.is_thorough and self._compiled.SenetSearch(self.game, evaluate)
        )

    @cached_property
    def _rollouts(self) -> Any:
        return self._compiled and self._compiled.SenetRollouts(self.endings)

    @cached_property
    def _compiled(self) -> Any:
        try:
            from boardgames_cli.games.senet.fast import search
        except MissingPackageError:
            return None
        return search

    def _played_on(self, choice: Choice[SenetMove], state: SenetState) -> Choice[SenetMove]:
        after = self.game.apply(state, {state.player: choice.action})
        if choice.error <= ROUNDED:
            return replace(choice, loss_error=0.0)
        mover = after.player
        results = self._rollouts.results(after.side(mover), after.side(1 - mover), PLAYS, seed=0)
        own, error = float(results.mean()), float(results.std()) / math.sqrt(PLAYS)
        returns = (-own, own) if mover else (own, -own)
        return replace(choice, returns=returns, error=error, loss_error=0.0)

    def chance_label(self, outcome: Throw) -> str:
        return f"threw {outcome.steps}"

    def reason(self, seen: Seen, played: SenetMove, better: SenetMove) -> Reason:
        return explain(self.game, seen.state, played, better)
