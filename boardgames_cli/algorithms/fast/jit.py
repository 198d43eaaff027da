"""The only module that imports numba: a typed compiler with a cache that tracks all sources.

Beside it are random numbers for compiled code.

numba checks a cached function against its own source file only, although functions from other files
are inlined into it, so that a change in one file could go unnoticed in another. Therefore the cache
is a folder named after a hash of all sources. It is in the user's cache directory, so that it works
for read-only installations, too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, Final, TypeAlias, TypeVar, cast

from boardgames_cli.core.errors import MissingPackageError

try:
    import numba
    import numpy as np
    import numpy.typing as npt
except ModuleNotFoundError as error:
    raise MissingPackageError("compiled rules", error.name or "numba", "fast") from error

from platformdirs import user_cache_path

Ints: TypeAlias = npt.NDArray[np.int32]
Bytes: TypeAlias = npt.NDArray[np.int8]
Seeds: TypeAlias = npt.NDArray[np.uint64]
Flags: TypeAlias = npt.NDArray[np.bool_]
Floats: TypeAlias = npt.NDArray[np.float64]

F = TypeVar("F", bound=Callable[..., Any])

_CONFIG: Final[Any] = numba.config


class Compiler:
    """A decorator that compiles a function at its first call, or loads it from the cache.

        compiled = Compiler(Path(__file__).parent, Path(__file__).parents[1] / "board.py")

    Args:
        sources: All other sources that are compiled into the functions: files, such as those of
            constants, and folders, of which every Python file counts.
    """

    cold: ClassVar[set[str]] = set()
    """The caches that were empty when this process began, so that it compiles what it calls."""

    def __init__(self, *sources: Path) -> None:
        # An explicit NUMBA_CACHE_DIR takes precedence.
        self.cache: Final[str] = _CONFIG.CACHE_DIR or str(_folder(sources))
        if not Path(self.cache).exists():
            self.cold.add(self.cache)

    def __call__(self, function: F) -> F:
        """Compile a function for the types of its arguments, at its first call.

        The function allocates no array and returns none. Then nothing counts references, which
        takes longer than the rules of a small game: each view would be two atomic additions.
        """
        return self._compile(function, _nrt=False)

    def allocating(self, function: F) -> F:
        """Compile a function that allocates arrays, or returns them."""
        return self._compile(function)

    def sums(self, function: F) -> F:
        """Compile with floating-point additions in any order (SIMD); there must be no NaN."""
        return self._compile(function, _nrt=False, fastmath={"reassoc", "nsz", "nnan"})

    def inline(self, function: F) -> F:
        """Compile a function as a part of each that calls it, and not by itself.

        For functions with one caller, and for small ones: each that is compiled by itself is
        optimized once more in every function above it.
        """
        return self._compile(function, _nrt=False, inline="always")

    def _compile(self, function: F, **options: Any) -> F:
        options |= {"nogil": True, "no_cfunc_wrapper": True}  # C calls none of them
        before = _CONFIG.CACHE_DIR
        _CONFIG.CACHE_DIR = self.cache
        try:
            return cast("F", numba.njit(cache=True, **options)(function))
        except RuntimeError:  # no writable folder: compile again in every process
            return cast("F", numba.njit(**options)(function))
        finally:
            _CONFIG.CACHE_DIR = before


def _folder(sources: tuple[Path, ...]) -> Path:
    digest = hashlib.sha256()
    for source in (Path(__file__).parent, *sources):
        for file in sorted(source.glob("*.py")) if source.is_dir() else (source,):
            digest.update(file.read_bytes())
    return user_cache_path("boardgames", appauthor=False) / "compiled" / digest.hexdigest()[:16]


_compiled = Compiler()


def make_seed(number: int) -> Seeds:
    """The state of a generator, uint64[1], for any integer seed."""
    # Multiplied to spread the bits: xorshift starts badly from small numbers, and 0 is invalid.
    return np.array([(number * 0x9E3779B97F4A7C15 + 1) % 2**64 or 1], dtype=np.uint64)


@_compiled.inline
def draw(rng: Seeds, count: int) -> int:
    """A random number below ``count``; the xorshift (13, 7, 17) of G. Marsaglia.

    Source: "Xorshift RNGs", Journal of Statistical Software 8(14), 2003.

    Args:
        rng: uint64[1], not 0, the state of the generator.
        count: At least 1, far below 2**32.
    """
    return _draw(rng, np.int64(count))  # else it is _compiled again for each constant


@_compiled
def _draw(rng: Seeds, count: np.int64) -> int:
    x = rng[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    rng[0] = x
    return np.int64(((x >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))  # type: ignore[return-value]
