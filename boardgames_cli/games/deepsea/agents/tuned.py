"""The plans that were tuned for each number of seats, and the points that they make in a round.

Reads the bundled file and nothing else: the chances on the first board need no plan.
"""

from __future__ import annotations

import functools
import json
import math
from dataclasses import dataclass, replace
from typing import Any, Final

from boardgames_cli.games.deepsea import GAME
from boardgames_cli.games.deepsea.agents.plans import Plan

FILE: Final = "plans.json"
"""In the folder ``data``; ``lab/deepsea_tuning.py`` makes it."""
CARES: Final = (0.0, 0.41, 1.0)
"""Of the divers who follow the tuned plan and were measured; others are in between."""
GAIN: Final = 0.05
"""How many points more `monte-carlo` makes than the plan for each of its points: measured in 440
games at two to four seats among agents drawn by lot (0.046 +- 0.013)."""


@dataclass(frozen=True, slots=True)
class RoundPoints:
    """The points that a diver makes in some rounds."""

    mean: float
    variance: float


@functools.cache
def _tuned() -> dict[str, Any]:
    text = GAME.data_text(FILE)
    assert text is not None, "the package is complete"
    read: dict[str, Any] = json.loads(text)
    return read


@functools.cache
def tuned_plan(seats: int) -> Plan:
    """The plan that was found best at tables of that size.

    Args:
        seats: 2 to 6.
    """
    return Plan.read(_tuned()["plans"][str(seats)])


@dataclass(frozen=True, slots=True)
class DiverKind:
    """How a diver plays."""

    care: float
    """The care with which the tuned plan makes as much among its kind; see `Plan.reckless`."""
    shares: tuple[tuple[str, float], ...]
    """The agents of the file that it plays like, with weights that add up to 1."""
    gain: float = 0.0
    """How much more it makes, for each point of these."""
    like: Plan | None = None
    """The plan that decides most like it; None for the tuned one, followed with this care."""

    def plan(self, seats: int) -> Plan:
        """The plan that it follows at a table with so many seats."""
        return self.like or tuned_plan(seats).reckless(self.care)


@dataclass(frozen=True, slots=True)
class DiverPoints:
    """What a diver makes at a table."""

    rounds: tuple[tuple[float, ...], ...]
    """For each round the mean of its points, their variance, and by how much it makes more than
    by a plan like its own, for each point. From the third on all are like the third."""
    gain: float = 0.0
    """How much more it makes, for each point of `rounds`."""

    def edge(self, round: int) -> float:
        """The points that it makes in a round beyond each point that its plan makes."""
        return (1.0 + self.rounds[min(round, 2)][2]) * (1.0 + self.gain) - 1.0

    def points_to_come(self, round: int, rounds: int) -> RoundPoints:
        """The points of all rounds after one.

        Rounds are taken to be independent.

        Args:
            round: The round that is being played, from 0.
            rounds: How many are played in all.
        """
        coming = [self.rounds[min(number, 2)] for number in range(round + 1, rounds)]
        return RoundPoints(
            math.fsum(mean for mean, *_ in coming) * (1.0 + self.gain),
            math.fsum(variance for _, variance, _ in coming),
        )


@functools.cache
def points_at(kinds: tuple[DiverKind, ...]) -> tuple[DiverPoints, ...]:
    """What each diver at a table makes: the mean of what its kind makes beside each of the others.

    All breathe from one tank. Where all are of one kind, that was measured by itself.

    Args:
        kinds: By seat.
    """
    company = _tuned()["company"][str(len(kinds))]
    found = []
    for seat, own in enumerate(kinds):
        others = kinds[:seat] + kinds[seat + 1 :]
        weighed = [
            (weight * much / len(others), company[name][beside])
            for other in others
            for name, weight in own.shares
            for beside, much in other.shares
        ]
        if set(others) == {own}:
            weighed = [(weight, company[name]["alike"]) for name, weight in own.shares]
        rounds = [
            tuple(
                math.fsum(weight * rows[number][part] for weight, rows in weighed)
                for part in range(3)
            )
            for number in range(3)
        ]
        found.append(DiverPoints(tuple(rounds), own.gain))
    return tuple(found)


@functools.cache
def kind_of_agent(name: str, seats: int) -> DiverKind | None:
    """An agent whose points were measured, without options; None for others.

    Args:
        name: Such as ``greedy``.
        seats: 2 to 6.
    """
    if name == "monte-carlo":  # goes on by the plan itself, and chooses better
        return replace(kind_of_care(1.0, seats), gain=GAIN)
    like = _tuned()["agents"][str(seats)].get(name)
    return DiverKind(like["care"], ((name, 1.0),), like=Plan.read(like["plan"])) if like else None


@functools.cache
def kind_of_care(care: float, seats: int) -> DiverKind:
    """Divers who follow the tuned plan with some care.

    They are like a mix of two of `CARES`, by what all of them make among their own kind.

    Args:
        care: See `Plan.reckless`; with 1 the plan as it is.
        seats: 2 to 6.
    """
    made = {float(known): points for known, points in _tuned()["careless"][str(seats)].items()}
    below = max((known for known in made if known <= care), default=min(made))
    above = min((known for known in made if known >= care), default=max(made))
    part = (care - below) / (above - below) if above > below else 0.0
    points = made[below] + part * (made[above] - made[below])
    low, high = CARES[:2] if care < CARES[1] else CARES[1:]
    weight = (points - made[low]) / (made[high] - made[low])
    return DiverKind(care, ((str(low), 1.0 - weight), (str(high), weight)))
