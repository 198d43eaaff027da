"""Random play through environments."""

from __future__ import annotations

import random
from typing import Any

import numpy as np


def choose(mask: Any, rng: random.Random) -> int:
    """Any action that a mask allows."""
    return int(rng.choice(np.flatnonzero(mask)))
