"""Who is ahead, as far as anything known about a game can say it from what somebody sees."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boardgames_cli.core.game import AnyGame, Observation, Seat
from boardgames_cli.core.info import Traits
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.spec import GameSpec

if TYPE_CHECKING:
    from boardgames_cli.algorithms.retrograde import Verdict

_SOLVER = "perfect"


@dataclass(frozen=True, slots=True)
class Standing:
    """What a position is worth: an exact verdict, or else an estimate for every seat."""

    seat: Seat
    """From whose side it is told."""
    verdict: str = ""
    """What best play makes of it, such as ``win in 7``; empty if nobody knows."""
    shares: tuple[float, ...] = ()
    """By seat the estimated chances to win, which add up to 1; empty if there is a verdict."""
    outcome: float = 0.0
    """What the verdict brings the seat: 1 is a win, 0 a draw, -1 a loss."""

    @property
    def share(self) -> float:
        """The seat's own chance to win, a draw being half of one."""
        return self.shares[self.seat] if self.shares else (self.outcome + 1) / 2


class Course:
    """How a game stood at every moment so far, worked out a few moments at a time.

    Args:
        match: The match.
        judge: Says how it stood at a ply; None where nothing is known.
    """

    def __init__(self, match: AnyMatch, judge: Callable[[int], Standing | None]) -> None:
        self._match = match
        self._judge = judge
        self._found: list[tuple[Any, float | None]] = []
        """By ply the position that was judged, and the chance to win there."""

    def work(self, seconds: float) -> bool:
        """Judge what is not judged yet, at least one moment; whether all are judged then.

        Args:
            seconds: No more moments are begun when this time has passed.
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
        """The chances to win from the start up to a ply, as far as they are known."""
        return [share for _, share in self._found[: ply + 1]]

    def _forget_undone(self) -> None:
        """Drop moments that were taken back, or played anew in another way."""
        del self._found[self._match.ply + 1 :]
        while self._found and self._match.state_at(len(self._found) - 1) is not self._found[-1][0]:
            self._found.pop()


def has_standing(game: AnyGame, spec: GameSpec) -> bool:
    """Whether positions of a game can be judged at all; nothing is worked out for the answer."""
    return _is_solved(game, spec) or bool(spec.chances) or _is_estimated_duel(game, spec)


def standing(game: AnyGame, spec: GameSpec, seen: Observation[Any, Any]) -> Standing | None:
    """What a position is worth to the seat that looks.

    An exact verdict leaves no room for an estimate beside it.

    Args:
        game: The rulebook.
        spec: Its manifest.
        seen: What is seen; its seat is the one that asks.

    Returns:
        None for spectators, once the game is over, and where nothing is known.
    """
    seat = seen.seat
    if seat is None or game.is_over(seen.state):
        return None
    if _is_solved(game, spec):
        verdict = _verdict(game, seen.state, seat)
        if verdict is None:
            return None
        return Standing(seat, verdict=str(verdict), outcome=float(verdict.outcome))
    chances = spec.load_chances()
    if chances is not None:
        return Standing(seat, shares=tuple(chances(game, seen.state)))
    heuristic = spec.load_heuristic()
    if heuristic is None or not _is_estimated_duel(game, spec):
        return None
    # Where one seat wins what the other loses, -1 is a loss and 1 a win.
    own = min(1.0, max(0.0, (heuristic(game, seen.state, seat) + 1) / 2))
    return Standing(seat, shares=(own, 1 - own) if seat == 0 else (1 - own, own))


def worth(game: AnyGame, spec: GameSpec, value: float) -> str:
    """An expected return in words: a share of wins where that is what it means."""
    # Where one seat wins what the other loses and positions have an evaluation, a return of -1
    # is a loss and 1 a win.
    if _is_estimated_duel(game, spec) and abs(value) <= 1:
        return f"win {(value + 1) / 2:.0%}"
    # Rounded first, with 0 added, a little less than nothing is no -0.00.
    return f"expected result {round(value, 2) + 0.0:+.2f}"


def apportion(shares: Sequence[float], total: int) -> list[int]:
    """Whole numbers in the proportion of shares that add up to 1; they add up to the total.

    The largest remainders are rounded up (Hamilton's method).
    """
    exact = [share * total for share in shares]
    whole = [int(part) for part in exact]
    by_remainder = sorted(range(len(exact)), key=lambda i: whole[i] - exact[i])
    for index in by_remainder[: total - sum(whole)]:
        whole[index] += 1
    return whole


def _is_solved(game: AnyGame, spec: GameSpec) -> bool:
    if list(spec.levels.values())[-1] != _SOLVER:
        return False
    # Imported here: few games are solved, and the others must not wait for the solver.
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
    except (NotSmallError, KeyError):  # too large with these options, or not reached by playing
        return None
    if seat in game.to_act(state):
        return verdict
    return Verdict(Outcome(-verdict.outcome), verdict.plies)
