"""What the compiled rules of all games share: the compiler and its cache, and random numbers.

Needs the extra ``fast``; without it an import is one clear `GameError`.
"""

# Before any module here asks for numpy: it says which extra is missing.
import boardgames_cli.algorithms.fast.jit  # noqa: F401
