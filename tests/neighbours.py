"""What a module of tests must leave as it was, so that order and neighbours do not matter."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1]
SET_BY_IMPORTS = {"PYGAME_HIDE_SUPPORT_PROMPT", "PYTEST_CURRENT_TEST", "SDL_AUDIODRIVER"}
SCALARS = (bool, int, float, str, bytes, tuple, frozenset, type(None))
CONTAINERS = (dict, list, set)


def surroundings() -> dict[str, Any]:
    """By its name what tests share: constants, tables, variables, signals and the folder."""
    return dict(_shared())


def changes(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """What is another now, as lines; a module that was imported in between brings its own."""
    lines = [
        f"{name}: {before[name]!r} -> {after.get(name)!r}"
        for name in before
        if name not in after or after[name] != before[name]
    ]
    new = [name for name in after if name not in before and not name.startswith("boardgames_cli")]
    return lines + [f"{name}: new" for name in new]


def _shared() -> Iterator[tuple[str, Any]]:
    for place, module in list(sys.modules.items()):
        is_ours = place.partition(".")[0] == "boardgames_cli"
        for name, value in list(vars(module).items()) if is_ours else ():
            if name.isupper():
                yield f"{place}.{name}", _content(value)
    for name, text in os.environ.items():
        if name not in SET_BY_IMPORTS:
            yield f"${name}", text
    for number in signal.valid_signals():
        yield f"signal {number}", signal.getsignal(number)
    yield "the working directory", Path.cwd()
    for path in FOLDER.iterdir():
        if path.name[0] not in "._":  # what tools leave
            yield f"the file {path.name}", True


def _content(value: Any) -> Any:
    if isinstance(value, SCALARS):
        return value
    if isinstance(value, CONTAINERS):
        return id(value), [
            id(one) for one in (value.values() if isinstance(value, dict) else value)
        ]
    return id(value)
