"""Policies as people wrote them for the environment in which the game was first published."""

from __future__ import annotations

from typing import Any

import numpy as np


class Fetch:
    """Takes the first chips below a depth, and returns; keeps a diary."""

    def __init__(self, depth: int, count: int = 1) -> None:
        self.depth, self.count = depth, count
        self.diary: list[tuple[str, list[int]]] = []

    def forward(self, state: list[int]) -> Any:
        self.diary.append(("forward", state))
        return 0 if state[1] >= self.depth or state[2] >= self.count else 1

    def pick(self, state: list[int]) -> Any:
        self.diary.append(("pick", state))
        return np.int64(state[2] < self.count)

    def drop(self, state: list[int]) -> Any:
        self.diary.append(("drop", state))
        return state[0] < 10


class Silent:
    """Answers nothing, like the original's base class."""

    def forward(self, state: list[int]) -> None: ...

    def pick(self, state: list[int]) -> None: ...

    def drop(self, state: list[int]) -> None: ...


class Half:
    def forward(self, state: list[int]) -> int:
        return 1
