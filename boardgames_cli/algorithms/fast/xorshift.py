"""Random numbers for compiled code: Marsaglia's xorshift. A generator is uint64[1], its state.

Source: G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003.
"""

from __future__ import annotations

import numpy as np

from boardgames_cli.algorithms.fast.jit import Compiler, Seeds

compiled = Compiler()


def make_seed(number: int) -> Seeds:
    """The state of a generator, uint64[1], for any integer seed."""
    # Multiplied to spread the bits: xorshift starts badly from small numbers, and 0 is invalid.
    return np.array([(number * 0x9E3779B97F4A7C15 + 1) % 2**64 or 1], dtype=np.uint64)


@compiled.inline
def draw(rng: Seeds, count: int) -> int:
    """A random number below ``count``; Marsaglia's xorshift (13, 7, 17).

    Args:
        rng: uint64[1], not 0.
        count: At least 1, far below 2**32.
    """
    return _draw(rng, np.int64(count))  # else it is compiled again for each constant


@compiled
def _draw(rng: Seeds, count: np.int64) -> int:
    x = rng[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    rng[0] = x
    return np.int64(((x >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))  # type: ignore[return-value]
