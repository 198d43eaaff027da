"""Whole steps of Pommerman, compiled: a copy of the rules for search and for mass simulation.

Needs the extra ``fast``. `rules.step.play_step` is the readable truth; tests hold this copy to it.
"""

# Before any module here asks for numpy: it says which extra is missing.
import boardgames_cli.algorithms.fast  # noqa: F401
