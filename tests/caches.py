"""Caches that begin empty, but for what takes long to make and says nothing of a user."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

from platformdirs import user_cache_path

_SHARED: Final = {name: user_cache_path() / name for name in ("boardgames/compiled", "matplotlib")}
"""Compiled rules, under a hash of their sources, and matplotlib's list of fonts."""


def own_cache(folder: Path) -> str:
    """A folder for ``XDG_CACHE_HOME``; all processes of all tests share what is compiled."""
    for name, target in _SHARED.items():
        link = folder / name
        if not link.is_symlink():
            link.parent.mkdir(parents=True, exist_ok=True)
            with suppress(OSError):  # without a home that can be written, each is on its own
                target.mkdir(parents=True, exist_ok=True)
                link.symlink_to(target)
    return str(folder)
