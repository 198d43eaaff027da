"""The one place that knows numba: compiling, typed, with a cache that minds all sources.

numba checks a cached function against its own file only, but inlines those of the others into it:
a change of one file would go unnoticed in the next. So the cache lies in a folder named after the
contents of them all, in the user's cache, where it also works for an installation nobody can write.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt
from platformdirs import user_cache_path

Ints: TypeAlias = npt.NDArray[np.int32]
Bytes: TypeAlias = npt.NDArray[np.int8]
Seeds: TypeAlias = npt.NDArray[np.uint64]

F = TypeVar("F", bound=Callable[..., Any])


def _folder() -> Path:
    here = Path(__file__).parent
    digest = hashlib.sha256()
    # The constants of the game are compiled in as well.
    constants = (here.parent / "board.py", here.parent / "rules" / "layout.py")
    for source in (*sorted(here.glob("*.py")), *constants):
        digest.update(source.read_bytes())
    return user_cache_path("boardgames", appauthor=False) / "compiled" / digest.hexdigest()[:16]


_CONFIG: Final[Any] = numba.config
_CACHE: Final = _CONFIG.CACHE_DIR or str(_folder())  # who sets NUMBA_CACHE_DIR means it


@contextmanager
def _caching() -> Iterator[None]:
    before = _CONFIG.CACHE_DIR
    _CONFIG.CACHE_DIR = _CACHE
    try:
        yield
    finally:
        _CONFIG.CACHE_DIR = before


def compiled(function: F) -> F:
    """The function as machine code, made when it is first called, or taken from the cache."""
    with _caching():
        try:
            return cast("F", numba.njit(cache=True, nogil=True)(function))
        except RuntimeError:  # no folder can be written: compile anew in every process
            return cast("F", numba.njit(nogil=True)(function))
