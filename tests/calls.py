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


@contextmanager
def counted() -> Iterator[Counter[str]]:
    """The calls that this thread makes meanwhile, by qualified name."""
    calls: Counter[str] = Counter()

    def count(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(ROOT):
            calls[frame.f_code.co_qualname] += 1

    sys.setprofile(count)
    try:
        yield calls
    finally:
        sys.setprofile(None)
