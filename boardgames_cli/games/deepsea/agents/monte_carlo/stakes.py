"""What the end of a round is worth to a seat: its share of the win, as far as one can tell."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from boardgames_cli.games.deepsea.agents.plans import Sea

PER_POINT: Final = 0.05
"""What a point is worth beside the win, as a share of it.

With less, points are lost and no wins are gained: what can't be foreseen of the rounds to come, and
of the others, makes points the better guide there.
"""

_VALUES_SPREAD: Final = 1.2
"""How much is open in points when only the values of the chips are unknown."""
_ROUND_SPREAD: Final = 5.0
"""How much a round to come leaves open."""


def spread(rounds_to_come: int) -> float:
    """How much is still open, in points, when so many rounds will follow."""
    return _ROUND_SPREAD * math.sqrt(rounds_to_come) if rounds_to_come else _VALUES_SPREAD


def win_share(sea: Sea, seat: int, totals: Sequence[float], spread: float) -> float:
    """The share of the win that a seat can hope for, by the logistic model of choice.

    Args:
        sea: The position at the end of the round.
        seat: Whose share.
        totals: By seat the points before this round.
        spread: See `spread`.
    """
    places, diving, values = sea[0], sea[1], sea[3]
    own = totals[seat]
    if not (places[seat] or diving[seat]):
        own += values[seat]
    rivals = 1.0
    for other in range(len(places)):
        if other != seat:
            lead = totals[other] - own
            if not (places[other] or diving[other]):
                lead += values[other]
            rivals += math.exp(min(lead / spread, 50.0))
    return 1.0 / rivals
