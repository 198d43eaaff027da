"""Limits for reading untrusted JSON."""

from typing import Final

LONGEST_NUMBER: Final = 300
"""The maximum number of digits of a whole number; such numbers fit into a float."""

DEEPEST: Final = 100
"""The maximum nesting depth of lists and objects."""
