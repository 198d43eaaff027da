"""Random numbers for compiled code: Marsaglia's xorshift, or those of a match.

A generator is uint64[1], the state of an xorshift; or uint64[1, n], a given one: the position of
the next number, and the numbers of a match's chance by ply (`core.randomness.CounterRandom`). The
shape is known when a function is compiled, so that the xorshift does not wait for a decision.

Source: G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from boardgames_cli.algorithms.fast.jit import Compiler, Seeds

compiled = Compiler()

EXHAUSTED: Final = np.uint64(1 << 62)
"""The position of a generator that was asked for more than its given numbers."""
_TO_UNIT: Final = 2.0**-53


def make_seed(number: int) -> Seeds:
    """The state of a generator, uint64[1], for any integer seed."""
    # Multiplied to spread the bits: xorshift starts badly from small numbers, and 0 is invalid.
    return np.array([(number * 0x9E3779B97F4A7C15 + 1) % 2**64 or 1], dtype=np.uint64)


@compiled
def is_given(rng: Seeds) -> bool:
    """Whether the numbers of a generator are those of a match."""
    return rng.ndim == 2


@compiled
def _take_given(numbers: Seeds, count: np.int64) -> int:
    at = numbers[0]
    if at >= np.uint64(len(numbers)):
        numbers[0] = EXHAUSTED
        return np.int64(0)  # type: ignore[return-value]
    numbers[0] = at + np.uint64(1)
    # As CounterRandom.random() does it.
    return np.int64(np.float64(numbers[at] >> np.uint64(11)) * _TO_UNIT * count)  # type: ignore[return-value]


@compiled.inline
def draw(rng: Seeds, count: int) -> int:
    """A random number below ``count``; Marsaglia's xorshift (13, 7, 17).

    Args:
        rng: uint64[1], not 0; or a given generator, uint64[1, n].
        count: At least 1, far below 2**32.
    """
    return _draw(rng, np.int64(count))  # else it is compiled again for each constant


@compiled
def _draw(rng: Seeds, count: np.int64) -> int:
    if rng.ndim == 2:  # written out, because the other line is then not compiled at all
        return _take_given(rng[0], count)
    x = rng[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    rng[0] = x
    return np.int64(((x >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))  # type: ignore[return-value]
