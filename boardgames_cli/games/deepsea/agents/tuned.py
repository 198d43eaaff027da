"""The plans that were tuned for each number of seats, and the points that they make in a round.

Reads the bundled file and nothing else: the chances on the first board need no plan.
"""

from __future__ import annotations

import functools
import json
import math
from dataclasses import dataclass
from typing import Any, Final

from boardgames_cli.games.deepsea import GAME

FILE: Final = "plans.json"
"""In the folder ``data``; ``benchmarks/deepsea_tuning.py`` makes it."""


@dataclass(frozen=True, slots=True)
class RoundPoints:
    """The points that a diver with the tuned plan makes, among others of its kind."""

    mean: float
    variance: float


@functools.cache
def _tuned() -> dict[str, Any]:
    text = GAME.data_text(FILE)
    assert text is not None, "the package is complete"
    read: dict[str, Any] = json.loads(text)
    return read


@functools.cache
def tuned_plan(seats: int) -> tuple[float, ...]:
    """The plan that was found best at tables of that size.

    Args:
        seats: 2 to 6.
    """
    return tuple(map(float, _tuned()["plans"][str(seats)]))


@functools.cache
def points_to_come(seats: int, round: int, rounds: int, care: float = 1.0) -> RoundPoints:
    """The points of all rounds after one, among divers who follow the tuned plan.

    Rounds are taken to be independent. From the third on all count as the third, for none were
    measured.

    Args:
        seats: 2 to 6.
        round: The round that is being played, from 0.
        rounds: How many are played in all.
        care: How careful the divers are, 0 to 1; see `plans.reckless`.
    """
    measured = {float(known): made for known, made in _tuned()["careless"][str(seats)].items()}
    measured[1.0] = _tuned()["rounds"][str(seats)]
    above = min(known for known in measured if known >= care)
    below = max(known for known in measured if known <= care)
    weight = (care - below) / (above - below) if above > below else 0.0
    coming = [min(number, 2) for number in range(round + 1, rounds)]
    means, variances = [], []
    for number in coming:
        (less, narrow), (more, wide) = measured[below][number], measured[above][number]
        means.append(less + weight * (more - less))
        variances.append((narrow + weight * (wide - narrow)) ** 2)
    return RoundPoints(math.fsum(means), math.fsum(variances))
