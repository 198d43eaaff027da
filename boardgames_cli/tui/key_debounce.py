"""Protects questions that have just appeared against keys meant for what was there before."""

from __future__ import annotations

import time
from typing import Final

REST_SECONDS: Final = 0.7
"""Longer than the repeat interval of held keys on common systems."""

RESULT_SECONDS: Final = 1.5
"""The time a person needs to notice that the game is over."""


class KeyDebounce:
    """Decides when keys count: some time after a question has appeared, however many came before.

    Args:
        seconds: The time before an answer counts.
    """

    def __init__(self, seconds: float = RESULT_SECONDS) -> None:
        self._earliest = time.monotonic() + seconds

    @property
    def is_over(self) -> bool:
        """Whether keys count now."""
        return time.monotonic() >= self._earliest
