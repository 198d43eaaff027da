"""Protects questions that have just appeared against held or repeated keys."""

from __future__ import annotations

import time
from typing import Final

REST_SECONDS: Final = 0.7
"""Longer than the repeat interval of held keys on common systems."""

RESULT_SECONDS: Final = 1.5
"""The time a person needs to notice that the game is over."""


class KeyRest:
    """Decides when keys count: some time after a question appeared, and after a pause in keys.

    Args:
        least: Seconds before an answer counts.
        rest: Seconds without keys before an answer counts; afterwards every key counts.
    """

    def __init__(self, least: float = RESULT_SECONDS, rest: float = REST_SECONDS) -> None:
        self._rest = rest
        self._earliest = time.monotonic() + least
        self._last = time.monotonic()
        self._is_over = False

    def press(self) -> bool:
        """Register a key; whether it counts."""
        now = time.monotonic()
        if now >= self._earliest and now - self._last >= self._rest:
            self._is_over = True
        self._last = now
        return self._is_over
