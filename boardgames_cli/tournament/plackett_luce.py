"""Maximum likelihood strengths in the Plackett-Luce model, for many samples at once.

In the model of R. D. Luce (1959) and R. L. Plackett (1975), a side with strength ``t`` is chosen
from a set with probability ``exp(t)`` divided by the sum over the set, and a ranking is a sequence
of choices. With two sides it is the model of R. A. Bradley and M. E. Terry (1952). The strength of
a team is the mean of its members' strengths.

A finite maximum exists only if the results connect all entrants in both directions (L. R. Ford,
1957). So each entrant also has half a win and half a loss against a virtual opponent of strength 0,
as in H. Turner and others, "Modelling rankings in R: the PlackettLuce package" (2020).

The log-likelihood is concave, so Newton's method with backtracking finds the maximum. All bootstrap
samples are fitted together; existing libraries fit one sample at a time from lists of single games,
without ties, weights or teams.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from boardgames_cli.tournament.comparisons import Members

Array: TypeAlias = NDArray[np.float64]

VIRTUAL: Final = 0.5
"""The numbers of wins and of losses of every entrant against the virtual opponent."""

_STEPS: Final = 200
_HALVINGS: Final = 40
_LONGEST: Final = 3.0
_SHORT: Final = 0.3
"""Steps shorter than this need no backtracking."""
_PRECISION: Final = 1e-6
"""Iteration stops at steps of this length; the remaining error is about its square."""


@dataclass(frozen=True, slots=True)
class Likelihood:
    """The log-likelihood of strengths, for several samples of the same games.

    Attributes:
        chosen: How often each side was chosen, float[sample, side].
        sets: How often there was a choice among each set, float[sample, set].
        wins: Wins of each entrant against the virtual opponent, float[sample, entrant].
        losses: Losses of each entrant against it, of the same shape.
        members: The share of each entrant in the strength of each side, float[side, entrant].
        blocks: For each size of sets, the sides of the sets of that size, int[set, size]; the sets
            stand in the order of the columns of ``sets``.
    """

    chosen: Array
    sets: Array
    wins: Array
    losses: Array
    members: Array
    blocks: tuple[NDArray[np.intp], ...]

    def part(self, rows: NDArray[np.bool_]) -> Likelihood:
        """The likelihood for some of the samples."""
        return Likelihood(
            self.chosen[rows],
            self.sets[rows],
            self.wins[rows],
            self.losses[rows],
            self.members,
            self.blocks,
        )

    def value(self, strengths: Array) -> Array:
        """The logarithm of the likelihood of strengths[sample, entrant], for each sample."""
        sides = strengths @ self.members.T
        weights = np.exp(sides)
        total: Array = (self.chosen * sides).sum(axis=1)
        start = 0
        for block in self.blocks:
            counts = self.sets[:, start : start + len(block)]
            start += len(block)
            total -= (counts * np.log(weights[:, block].sum(axis=2))).sum(axis=1)
        total -= (self.wins * np.logaddexp(0, -strengths)).sum(axis=1)
        total -= (self.losses * np.logaddexp(0, strengths)).sum(axis=1)
        return total

    def slope(self, strengths: Array) -> tuple[Array, Array]:
        """The gradient[sample, entrant] and the curvature[sample, entrant, entrant].

        The curvature is the negative of the Hessian, and positive definite.
        """
        weights = np.exp(strengths @ self.members.T)
        gradient, size = self.chosen.copy(), weights.shape[1]
        curvature = np.zeros((len(strengths), size, size))
        diagonal = np.arange(size)
        start = 0
        for block in self.blocks:
            counts = self.sets[:, start : start + len(block), None]
            start += len(block)
            shares = weights[:, block]
            shares /= shares.sum(axis=2, keepdims=True)
            taken = _scatter(counts * shares, block, size)
            gradient -= taken
            curvature[:, diagonal, diagonal] += taken
            pairs = block[:, :, None] * size + block[:, None, :]
            products = (counts * shares)[:, :, :, None] * shares[:, :, None, :]
            curvature -= _scatter(products, pairs, size * size).reshape(curvature.shape)
        gradient = gradient @ self.members
        curvature = self.members.T @ curvature @ self.members
        win = 1 / (1 + np.exp(-strengths))
        gradient += self.wins * (1 - win) - self.losses * win
        diagonal = np.arange(strengths.shape[1])
        curvature[:, diagonal, diagonal] += (self.wins + self.losses) * win * (1 - win) + 1e-12
        return gradient, curvature


def _scatter(values: Array, places: NDArray[np.intp], size: int) -> Array:
    """Sum values[sample, ...] by index places[...] into float[sample, size]."""
    samples = len(values)
    index = np.arange(samples)[:, None] * size + places.reshape(1, -1)
    sums = np.bincount(index.ravel(), values.ravel(), samples * size)
    return sums.astype(np.float64, copy=False).reshape(samples, size)


def fit(likelihood: Likelihood, start: Array | None = None) -> Array:
    """The maximum likelihood strengths of each sample, in log odds.

    Args:
        likelihood: The likelihood.
        start: The initial strengths, float[entrant]; None for equal ones.

    Returns:
        The strengths, float[sample, entrant].
    """
    strengths = np.zeros(likelihood.wins.shape)
    if start is not None:
        strengths += start
    going = np.ones(len(strengths), dtype=bool)
    for _ in range(_STEPS):
        part = likelihood.part(going)
        moved, longest = _step(part, strengths[going])
        strengths[going] = moved
        going[going] = longest > _PRECISION
        if not going.any():
            break
    return strengths


def _step(likelihood: Likelihood, strengths: Array) -> tuple[Array, Array]:
    """One Newton step with backtracking that never reduces the likelihood, and its length."""
    gradient, curvature = likelihood.slope(strengths)
    step = np.linalg.solve(curvature, gradient[:, :, None])[:, :, 0]
    longest = np.abs(step).max(axis=1)
    step *= np.minimum(1, _LONGEST / np.maximum(longest, _LONGEST))[:, None]
    if longest.max() > _SHORT:
        before = likelihood.value(strengths)
        before -= 1e-9 * (1 + np.abs(before))  # tolerance for rounding
        for _ in range(_HALVINGS):
            worse = likelihood.value(strengths + step) < before
            if not worse.any():
                break
            step[worse] /= 2
    return strengths + step, longest


def share_matrix(sides: Sequence[Members], entrants: int) -> Array:
    """The share of each entrant in the strength of each side, float[side, entrant]."""
    shares = np.zeros((len(sides), entrants))
    for row, side in enumerate(sides):
        for member in side:
            shares[row, member] += 1 / len(side)
    return shares
