"""Whole steps of Pommerman, compiled: a copy of the rules for search and for mass simulation.

Needs the extra ``fast``. `rules.step.play_step` is the reference; tests compare this copy with it.
"""

# Imported first, because it says which extra is missing; other modules here import numpy.
import boardgames_cli.algorithms.fast  # noqa: F401
