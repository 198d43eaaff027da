"""The moves of TapnSwap: their notation, and which of them a position allows."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import Final, TypeAlias

LEFT: Final = 0
RIGHT: Final = 1
MOST: Final = 4
"""The maximum number of fingers of a living hand."""

Hands: TypeAlias = tuple[int, int]
"""The fingers of a side's left and right hand; 0 is a dead hand."""

LETTERS: Final = ("L", "R")
HAND_NAMES: Final = ("left", "right")
DEAD: Final[Hands] = (0, 0)
"""Both hands dead: lost."""


@dataclass(frozen=True, slots=True)
class Tap:
    """Add the fingers of an own hand to one of the opponent's hands."""

    own: int
    """The hand that taps: 0 left, 1 right."""
    opponent: int

    def __str__(self) -> str:
        return f"tap {LETTERS[self.own]}>{LETTERS[self.opponent]}"


@dataclass(frozen=True, slots=True)
class Swap:
    """Move fingers between one's own hands; the fields are the hands after it."""

    left: int
    right: int

    def __str__(self) -> str:
        return f"swap {self.left}-{self.right}"


TapnSwapAction: TypeAlias = Tap | Swap

TAPS: Final = tuple(Tap(own, opponent) for own in (LEFT, RIGHT) for opponent in (LEFT, RIGHT))
"""All taps, in the order of their ids, 0 to 3."""

EVERY_HANDS: Final[tuple[Hands, ...]] = tuple(
    (left, right)
    for left, right in itertools.product(range(MOST + 1), repeat=2)
    if (left, right) != DEAD
)
"""All 24 pairs of hands of a living side."""

_SWAPS: Final = {hands: Swap(*hands) for hands in EVERY_HANDS}
ALL_MOVES: Final[tuple[TapnSwapAction, ...]] = (*TAPS, *_SWAPS.values())
ID_COUNT: Final = len(TAPS) + 2 * 3


def tapped(fingers: int, added: int) -> int:
    """The fingers of a hand after a tap; 0 if it dies."""
    total = fingers + added
    return 0 if total > MOST else total


def swap_id(hands: Hands, swap: Swap) -> int:
    """4 + 3 * the giving hand + the fingers given - 1."""
    given = hands[LEFT] - swap.left
    giving, count = (LEFT, given) if given > 0 else (RIGHT, -given)
    return len(TAPS) + 3 * giving + count - 1


def _taps(own: Hands, opponent: Hands) -> list[Tap]:
    seen: set[tuple[int, int]] = set()
    taps = []
    for tap in TAPS:
        fingers = own[tap.own], opponent[tap.opponent]
        if all(fingers) and fingers not in seen:
            seen.add(fingers)
            taps.append(tap)
    return taps


def _swaps(own: Hands) -> list[Swap]:
    mirrored = own[::-1]
    swaps = [
        swap
        for hands, swap in _SWAPS.items()
        if sum(hands) == sum(own) and hands not in (own, mirrored)
    ]
    return sorted(swaps, key=lambda swap: swap_id(own, swap))


LEGAL: Final[dict[tuple[Hands, Hands], tuple[TapnSwapAction, ...]]] = {
    (own, opponent): (*_taps(own, opponent), *_swaps(own))
    for own, opponent in itertools.product(EVERY_HANDS, repeat=2)
}
"""The legal moves in order of id, for all 576 pairs of own and foreign hands."""


_SHORT_TAP: Final = re.compile(r"(?:tap)?\s*([lr])\s*(?:>|to|-)?\s*([lr])")
_SHORT_SWAP: Final = re.compile(r"(?:swap)?\s*([0-9])\s*[- ,:]?\s*([0-9])")


def spelled_out(text: str) -> str:
    """Expand an abbreviated notation; other text is returned unchanged."""
    plain = text.strip().lower()
    tap = _SHORT_TAP.fullmatch(plain)
    if tap:
        return f"tap {tap[1]}>{tap[2]}"
    swap = _SHORT_SWAP.fullmatch(plain)
    return f"swap {swap[1]}-{swap[2]}" if swap else text
