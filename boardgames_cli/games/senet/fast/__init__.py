"""Senet, compiled: a copy of the rules for search, solving and mass simulation.

Needs the extra ``fast``. `movement` and `rules` are the reference; tests compare this copy with
them.
"""

from __future__ import annotations

from pathlib import Path

from boardgames_cli.algorithms.fast.jit import Compiler, Flags, Floats, Ints, Seeds

__all__ = ["Flags", "Floats", "Ints", "Seeds", "compiled"]

_HERE = Path(__file__).parent

# The constants of the game are compiled in as well.
compiled = Compiler(
    _HERE,
    *(_HERE.parent / f"{name}.py" for name in ("actions", "board", "ending_tables", "heuristic")),
)
"""A decorator that compiles a function at its first call, or loads it from the cache."""
