"""Whole steps of Pommerman, compiled: a copy of the rules for search and for mass simulation.

Needs the extra ``fast``. `rules.step.play_step` is the reference; tests compare this copy with it.
"""

from __future__ import annotations

from pathlib import Path

from boardgames_cli.algorithms.fast.jit import Bytes, Compiler, Ints, Seeds

__all__ = ["Bytes", "Ints", "Seeds", "compiled"]

_HERE = Path(__file__).parent

# The constants of the game are compiled in as well.
compiled = Compiler(_HERE, _HERE.parent / "board.py", _HERE.parent / "rules" / "layout.py")
"""A decorator that compiles a function at its first call, or loads it from the cache."""
