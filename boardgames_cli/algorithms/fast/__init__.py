"""Shared by the compiled rules of all games: the compiler with its cache, and random numbers.

Needs the extra ``fast``; without it, importing raises a `GameError` with one clear message.
"""

# Imported first, because it says which extra is missing; other modules here import numpy.
import boardgames_cli.algorithms.fast.jit  # noqa: F401
