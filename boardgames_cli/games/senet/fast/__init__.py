"""Senet, compiled: a copy of the rules for search, solving and mass simulation.

Needs the extra ``fast``. `movement` and `rules` are the readable truth; tests hold this copy to
them.
"""

# Before any module here asks for numpy: it says which extra is missing.
import boardgames_cli.algorithms.fast  # noqa: F401
