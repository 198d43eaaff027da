"""Who is ahead, computed from a viewer's observation."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from boardgames_cli.core.game import AnyGame, Observation, Seat, Traits
from boardgames_cli.core.match import AnyMatch


@dataclass(frozen=True, slots=True)
class Standing:
    """The value of a position for every seat, exact or an estimate."""

    seat: Seat
    """The seat from whose side it is given."""
    shares: tuple[float, ...]
    """The winning probability of each seat, a draw counting as half a win; they sum to 1. A certain
    end that is far away is nearer to one half; see `core.analyst.Value.heights`."""
    verdict: str = ""
    """The result of best play, such as ``win in 7``; empty if the shares are estimates."""

    @property
    def share(self) -> float:
        return self.shares[self.seat]


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
        """Evaluate missing positions for a while, at least one; whether all are evaluated then."""
        ends = time.monotonic() + seconds
        del self._found[self._match.ply + 1 :]  # what was undone is forgotten
        while self._found and self._match.state_at(len(self._found) - 1) is not self._found[-1][0]:
            self._found.pop()
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


def has_standing(game: AnyGame) -> bool:
    """Whether positions of a game can be evaluated at once, from what every seat sees.

    Determined without any computation.
    """
    from boardgames_cli.algorithms.analysts.choose_analyst import may_be_judged

    unseen = Traits.HIDDEN | Traits.SIMULTANEOUS
    return not game.traits & unseen and may_be_judged(game)


def standing(
    game: AnyGame, seen: Observation[Any, Any], table: tuple[str, ...] = ()
) -> Standing | None:
    """The standing of a position for the viewer's seat, as a review of the game would give it.

    None for spectators, after the end, and if nothing is known.
    """
    seat = seen.seat
    if seat is None or game.is_over(seen.state) or not has_standing(game):
        return None
    # Imported late, so that the first board does not wait for the analysts.
    from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for

    analyst = analyst_for(game, table)
    value = analyst.value(seen.state)
    verdict = value.verdict(seat) if analyst.method.is_exact else ""
    return Standing(seat, value.heights, verdict) if value.chances else None


def apportion(parts: Sequence[float], total: int) -> list[int]:
    """Whole numbers near to parts, which sum to the total.

    The largest remainders are rounded up (Hamilton's method).
    """
    whole = [math.floor(part) for part in parts]
    by_remainder = sorted(range(len(parts)), key=lambda i: whole[i] - parts[i])
    for index in by_remainder[: total - sum(whole)]:
        whole[index] += 1
    return whole
