"""Senet, compiled: a copy of the rules for search, solving and mass simulation.

Needs the extra ``fast``. `movement` and `rules` are the reference; tests compare this copy with
them.
"""

# Imported first, because it says which extra is missing; other modules here import numpy.
import boardgames_cli.algorithms.fast  # noqa: F401
