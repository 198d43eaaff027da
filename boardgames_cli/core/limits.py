"""How much of what anybody may have written is read."""

from typing import Final

LONGEST_NUMBER: Final = 300
"""Digits of a whole number; all that are no longer can be turned into floats."""

DEEPEST: Final = 100
"""Levels of lists and objects in each other."""
