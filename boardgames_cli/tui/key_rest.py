"""Keys that are held, or pressed again and again, must not answer what has only just been asked."""

from __future__ import annotations

import time
from typing import Final

REST_SECONDS: Final = 0.7
"""A key that is held repeats sooner on every usual system."""

RESULT_SECONDS: Final = 1.5
"""Who was still playing needs so long to see that the game is over."""


class KeyRest:
    """Says when keys count: some time after a question appeared, and once no key has come for long.

    Args:
        least: Seconds after which an answer counts at the earliest.
        rest: Seconds for which no key may have come before that; from then on every key counts.
    """

    def __init__(self, least: float = RESULT_SECONDS, rest: float = REST_SECONDS) -> None:
        self._rest = rest
        self._earliest = time.monotonic() + least
        self._last = time.monotonic()
        self._is_over = False

    def press(self) -> bool:
        """A key has come; whether it counts."""
        now = time.monotonic()
        if now >= self._earliest and now - self._last >= self._rest:
            self._is_over = True
        self._last = now
        return self._is_over
