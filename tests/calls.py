"""What something costs, in calls of our own functions: this does not depend on the machine."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import boardgames_cli

ROOT = str(Path(boardgames_cli.__file__).parent)


class Calls(Counter[str]):
    """How often each function was called, by qualified name."""

    def __init__(self) -> None:
        super().__init__()
        self.files: set[str] = set()
        """The files that the functions stand in."""


@contextmanager
def counted() -> Iterator[Calls]:
    """The calls that this thread makes meanwhile."""
    calls = Calls()

    def count(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(ROOT):
            calls[frame.f_code.co_qualname] += 1
            calls.files.add(frame.f_code.co_filename)

    sys.setprofile(count)
    try:
        yield calls
    finally:
        sys.setprofile(None)
