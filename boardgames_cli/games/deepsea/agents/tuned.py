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


@dataclass(frozen=True, slots=True)
class DiverKind:
    """How a diver plays, and the points that it makes among its own kind."""

    rounds: tuple[tuple[float, float, float], ...]
    """For each round the care that brings as many points as it makes (`plans.reckless`), their mean
    and their standard deviation. From the third on all are like the third."""
    edges: tuple[float, ...] = (0.0, 0.0, 0.0)
    """For each round the points that it makes beyond each point of divers with its care."""

    def edge(self, round: int) -> float:
        """The points that it makes in a round beyond each point of divers with its care."""
        return self.edges[min(round, 2)]

    def care(self, round: int) -> float:
        """How careful its plan is in a round, from 0."""
        return self.rounds[min(round, 2)][0]

    def points_to_come(self, round: int, rounds: int) -> RoundPoints:
        """The points of all rounds after one.

        Rounds are taken to be independent.

        Args:
            round: The round that is being played, from 0.
            rounds: How many are played in all.
        """
        coming = [self.rounds[min(number, 2)] for number in range(round + 1, rounds)]
        return RoundPoints(
            math.fsum(mean for _, mean, _ in coming),
            math.fsum(spread**2 for *_, spread in coming),
        )


@functools.cache
def kind_of_agent(name: str, seats: int) -> DiverKind | None:
    """An agent whose points were measured, without options; None for others.

    Args:
        name: Such as ``one-ply``.
        seats: 2 to 6.
    """
    measured = _tuned()["agents"].get(name)
    if measured is None:
        return None
    rounds = tuple(map(tuple, measured[str(seats)]))
    cares = [kind_of_care(care, seats).rounds for care, *_ in rounds]
    edges = [rounds[number][1] / made[number][1] - 1 for number, made in enumerate(cares)]
    return DiverKind(rounds, tuple(edges))


@functools.cache
def kind_of_care(care: float, seats: int) -> DiverKind:
    """Divers who follow the tuned plan with some care.

    Args:
        care: See `plans.reckless`; with 1 the plan as it is.
        seats: 2 to 6.
    """
    measured = {float(known): made for known, made in _tuned()["careless"][str(seats)].items()}
    measured[1.0] = _tuned()["rounds"][str(seats)]
    above = min((known for known in measured if known >= care), default=max(measured))
    below = max((known for known in measured if known <= care), default=min(measured))
    weight = (care - below) / (above - below) if above > below else 0.0
    rounds = [
        (care, less + weight * (more - less), narrow + weight * (wide - narrow))
        for (less, narrow), (more, wide) in zip(measured[below], measured[above], strict=True)
    ]
    return DiverKind(tuple(rounds))
