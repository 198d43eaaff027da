"""Who is ahead, computed from a viewer's observation."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boardgames_cli.core.errors import UnknownNameError
from boardgames_cli.core.game import AnyGame, Observation, Seat, Traits
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.spec import GameSpec
from boardgames_cli.core.text import percent
from boardgames_cli.registry import spec_of

if TYPE_CHECKING:
    from boardgames_cli.algorithms.retrograde import Verdict

_SOLVER = "perfect"


@dataclass(frozen=True, slots=True)
class Standing:
    """The value of a position: an exact verdict, or else an estimate for every seat."""

    seat: Seat
    """The seat from whose side it is given."""
    verdict: str = ""
    """The result of best play, such as ``win in 7``; empty if unknown."""
    shares: tuple[float, ...] = ()
    """The estimated winning probability of each seat; they sum to 1. Empty if there is a
    verdict."""
    outcome: float = 0.0
    """The verdict as a number: 1 for a win, 0 for a draw, -1 for a loss."""

    @property
    def share(self) -> float:
        """The seat's own winning probability, a draw counting as half a win."""
        return self.shares[self.seat] if self.shares else (self.outcome + 1) / 2


class WinChances:
    """The course of a game's standing, computed incrementally.

    Args:
        match: The match.
        judge: Returns the standing at a ply; None if unknown.
    """

    def __init__(self, match: AnyMatch, judge: Callable[[int], Standing | None]) -> None:
        self._match = match
        self._judge = judge
        self._found: list[tuple[Any, float | None]] = []
        """By ply: the position, and its winning probability."""

    def work(self, seconds: float) -> bool:
        """Evaluate missing positions, at least one; whether all are evaluated then.

        Args:
            seconds: The time limit.
        """
        ends = time.monotonic() + seconds
        self._forget_undone()
        while len(self._found) <= self._match.ply:
            ply = len(self._found)
            standing = self._judge(ply)
            share = None if standing is None else standing.share
            self._found.append((self._match.state_at(ply), share))
            if time.monotonic() >= ends:
                break
        return len(self._found) > self._match.ply

    def points(self, ply: int) -> list[float | None]:
        """The winning probabilities from the start to a ply, as far as they are known."""
        return [share for _, share in self._found[: ply + 1]]

    def _forget_undone(self) -> None:
        """Drop positions that were undone or replaced."""
        del self._found[self._match.ply + 1 :]
        while self._found and self._match.state_at(len(self._found) - 1) is not self._found[-1][0]:
            self._found.pop()


def has_standing(game: AnyGame) -> bool:
    """Whether positions of a game can be evaluated, determined without any computation."""
    return _is_solved(game) or _is_judged(game)


def standing(game: AnyGame, seen: Observation[Any, Any]) -> Standing | None:
    """The standing of a position for the viewer's seat, as a review of the game would give it.

    It has an exact verdict or an estimate, never both.

    Args:
        game: The rulebook.
        seen: The viewer's observation.

    Returns:
        None for spectators, after the end, and if nothing is known.
    """
    seat = seen.seat
    if seat is None or game.is_over(seen.state):
        return None
    if _is_solved(game):
        verdict = _verdict(game, seen.state, seat)
        if verdict is None:
            return None
        return Standing(seat, verdict=str(verdict), outcome=float(verdict.outcome))
    if not _is_judged(game):
        return None
    # Imported late, so that the first board does not wait for the analysts.
    from boardgames_cli.evaluation.choose_analyst import analyst_for

    analyst = analyst_for(game)
    value = analyst.value(seen.state)
    if value.chances:
        return Standing(seat, shares=value.chances)
    if not analyst.scale.is_chance or game.seats != 2:
        return None
    own = min(1.0, max(0.0, (value.returns[0] + 1) / 2))
    return Standing(seat, shares=(own, 1 - own))


def worth(game: AnyGame, spec: GameSpec, value: float) -> str:
    """An expected return in words: as a winning probability if it is one."""
    # In zero-sum games with an evaluation, a return of -1 is a loss and 1 a win.
    if _is_estimated_duel(game, spec) and abs(value) <= 1:
        return f"win {percent((value + 1) / 2)}"
    # Rounding first and adding 0.0 turns -0.00 into 0.00.
    return f"expected result {round(value, 2) + 0.0:+.2f}"


def apportion(shares: Sequence[float], total: int) -> list[int]:
    """Whole numbers proportional to shares, which sum to the total.

    The largest remainders are rounded up (Hamilton's method).
    """
    exact = [share * total for share in shares]
    whole = [int(part) for part in exact]
    by_remainder = sorted(range(len(exact)), key=lambda i: whole[i] - exact[i])
    for index in by_remainder[: total - sum(whole)]:
        whole[index] += 1
    return whole


def _is_judged(game: AnyGame) -> bool:
    """Whether an analyst can tell at once who is ahead, from what every seat sees."""
    from boardgames_cli.evaluation.choose_analyst import may_be_judged

    unseen = Traits.HIDDEN | Traits.SIMULTANEOUS
    return not game.traits & unseen and may_be_judged(game)


def _is_solved(game: AnyGame) -> bool:
    try:
        spec = spec_of(game)
    except UnknownNameError:  # a rulebook that is not registered
        return False
    if list(spec.levels.values())[-1] != _SOLVER:
        return False
    # Imported late: few games are solved, and the others must not wait for the solver.
    from boardgames_cli.algorithms.position_graph import why_not_small

    return why_not_small(game) is None


def _is_estimated_duel(game: AnyGame, spec: GameSpec) -> bool:
    is_duel = game.seats == 2 and Traits.ZERO_SUM in game.traits
    return bool(spec.heuristic) and is_duel


def _verdict(game: AnyGame, state: Any, seat: Seat) -> Verdict | None:
    from boardgames_cli.agents.perfect import solution_of
    from boardgames_cli.algorithms.position_graph import NotSmallError
    from boardgames_cli.algorithms.retrograde import Outcome, Verdict

    try:
        verdict = solution_of(game).verdict(state)
    except (NotSmallError, KeyError):  # too large with these options, or not a reachable position
        return None
    if seat in game.to_act(state):
        return verdict
    return Verdict(Outcome(-verdict.outcome), verdict.plies)
