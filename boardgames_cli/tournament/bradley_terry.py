"""Maximum likelihood strengths in the model of Bradley and Terry, for many samples at once.

The model of R. A. Bradley and M. E. Terry (1952): of two with strengths ``s`` and ``t`` the first
wins with probability ``1 / (1 + exp(t - s))``. A draw is half a win for each. A finite maximum
exists only if the results connect everybody in both directions (L. R. Ford, 1957), so everybody
also has wins and losses against a virtual opponent of strength 0, as in H. Turner and others,
"Modelling rankings in R: the PlackettLuce package" (2020).

The log-likelihood is concave. Newton's method finds its maximum from anywhere if a step that
changes a difference by at most ``d`` is shortened to ``log(1 + d) / d`` of its length (T. Sun and
Q. Tran-Dinh, "Generalized self-concordant functions", 2019, for functions of the second kind).
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]

_STEPS: Final = 1000
_PRECISION: Final = 1e-6
"""Iteration stops at steps of this length; the remaining error is about its square."""


def fit(points: Array, wins: Array, losses: Array, start: Array | None = None) -> Array:
    """The maximum likelihood strengths of each sample, in log odds.

    Args:
        points: The points of the first against the second, float[sample, first, second].
        wins: Those of everybody against the virtual opponent, float[sample, entrant].
        losses: Its points against everybody, of the same shape.
        start: The initial strengths, float[entrant]; None for equal ones.

    Returns:
        The strengths, float[sample, entrant].
    """
    strengths = np.zeros(wins.shape)
    if start is not None:
        strengths += start
    going = np.arange(len(strengths))
    for _ in range(_STEPS):
        step = _step(points[going], wins[going], losses[going], strengths[going])
        strengths[going] += step
        going = going[np.abs(step).max(axis=1) > _PRECISION]
        if not len(going):
            break
    return strengths


def _step(points: Array, wins: Array, losses: Array, strengths: Array) -> Array:
    met = points + points.transpose(0, 2, 1)
    share = _odds_share(strengths[:, :, None] - strengths[:, None, :])
    virtual = _odds_share(strengths)
    gradient = (points - met * share).sum(axis=2) + wins - (wins + losses) * virtual
    weights = met * share * (1 - share)
    curvature = -weights
    diagonal = np.arange(strengths.shape[1])
    own = weights.sum(axis=2) + (wins + losses) * virtual * (1 - virtual) + 1e-12
    curvature[:, diagonal, diagonal] += own
    step: Array = np.linalg.solve(curvature, gradient[:, :, None])[:, :, 0]
    # The virtual opponent, whose strength stays, is one of the two of a difference.
    change = np.maximum(step.max(axis=1), 0) - np.minimum(step.min(axis=1), 0) + 1e-12
    step *= (np.log1p(change) / change)[:, None]
    return step


def _odds_share(difference: Array) -> Array:
    share: Array = 1 / (1 + np.exp(-difference))
    return share
