"""The bounds of tree searches, by numbers worked out by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from boardgames_cli.algorithms.tree_search import Bandit, GuidedBandit


def tried(bandit: Bandit[str], **arms: tuple[int, float]) -> Bandit[str]:
    """A bandit that has tried each action so often with a mean of so much."""
    for action, (visits, mean) in arms.items():
        for _ in range(visits):
            bandit.choose(["a", "b"], width(0))
            bandit.learn(action, None, mean)
    return bandit


def width(exploration: float) -> Any:
    rng = SimpleNamespace(random=lambda: 0.0)
    return SimpleNamespace(exploration=exploration, spread=1.0, most_spread=1.0, rng=rng)


@pytest.mark.parametrize(("exploration", "choice"), [(0.45, "a"), (0.46, "b")])
def test_upper_confidence_bounds_are_those_of_ucb1(exploration: float, choice: str) -> None:
    """P. Auer and others (2002): the mean, and the root of ln(N) / n times a constant.

    In the eleventh choice 0.5 + c sqrt(ln 11 / 8) meets 0.25 + c sqrt(ln 11 / 2) at c = 0.4566.
    """
    bandit = tried(Bandit(), a=(8, 0.5), b=(2, 0.25))
    assert bandit.choose(["a", "b"], width(exploration)) == choice


@pytest.mark.parametrize(("exploration", "choice"), [(1.78, "a"), (1.80, "b")])
def test_upper_confidence_bounds_of_a_policy_are_those_of_puct(
    exploration: float, choice: str
) -> None:
    """D. Silver and others (2017): the mean, and P sqrt(N) / (1 + n) times a constant.

    An action that the policy does not know has an even share, and the choice counts as a visit:
    0.5 + c sqrt(5) / 8 meets 0 + c sqrt(5) / 4 at c = 1.789.
    """
    bandit = tried(GuidedBandit({"a": 0.5}), a=(3, 0.5), b=(1, 0.0))
    assert bandit.choose(["a", "b"], width(exploration)) == choice
