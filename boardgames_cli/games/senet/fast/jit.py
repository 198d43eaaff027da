"""The compiler of this folder; see `algorithms.fast.jit`."""

from __future__ import annotations

from pathlib import Path

from boardgames_cli.algorithms.fast.jit import Compiler, Flags, Floats, Ints, Seeds

__all__ = ["Flags", "Floats", "Ints", "Seeds", "compiled"]

_HERE = Path(__file__).parent

# The constants of the game are compiled in as well.
compiled = Compiler(
    _HERE, _HERE.parent / "board.py", _HERE.parent / "actions.py", _HERE.parent / "inputs.py"
)
"""The function as machine code, made when it is first called, or taken from the cache."""
