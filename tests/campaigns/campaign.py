"""What a campaign is: seeded rounds, as many as its size says, and counts of what happened."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

MEDIUM = 10
"""A medium campaign is so many times smaller than a large one."""


@dataclass(frozen=True)
class Round:
    """One try of a campaign; everything random in it comes from ``rng``."""

    index: int
    rng: random.Random


@dataclass
class Campaign:
    """A campaign as one test runs it.

    Args:
        test: The id of the test.
        seed: All chance derives from it.
        size: ``small``, ``medium`` or ``large``.
        only: The one round to repeat; None runs all.
    """

    test: str
    seed: int
    size: str
    only: int | None = None
    counts: Counter[str] = field(default_factory=Counter)

    def amount(self, small: int, large: int) -> int:
        """How many rounds or inputs this size means."""
        return {"small": small, "medium": max(small, large // MEDIUM), "large": large}[self.size]

    def each(self, small: int, large: int, try_once: Callable[[Round], None]) -> None:
        """Run all rounds; the first that fails says how to repeat it alone."""
        rounds = range(self.amount(small, large)) if self.only is None else (self.only,)
        for index in rounds:
            # A text as the seed: Python hashes it the same way in every process.
            here = Round(index, random.Random(f"{self.seed} {self.test} {index}"))
            try:
                try_once(here)
            except BaseException as error:
                error.add_note(f"Repeat this round: {self.command} --campaign-round {index}")
                raise
            self.counts["rounds"] += 1

    @property
    def command(self) -> str:
        """The command line that runs this test again."""
        return f"python -m pytest '{self.test}' -n 0 --campaign-seed {self.seed}"
