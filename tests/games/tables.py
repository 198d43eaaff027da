"""Short games of every kind, and ways to play them in tests of the whole program."""

from __future__ import annotations

import io
from typing import Final

SHORT: Final[dict[str, tuple[str, ...]]] = {
    "senet": ("--rules", "skyruk", "--max-plies", "60"),
    "tapnswap": ("--max-plies", "30"),
    "kuhn": ("--hands", "4"),
    "deepsea": ("--players", "3", "--rounds", "1", "--oxygen", "9"),
}
"""Options that end a game soon; all but those of Senet are the game's own."""

DIVERS: Final = ("Ann", "Ben", "Cid", "Dot", "Eve", "Fay")


def people(*names: str) -> list[str]:
    """The seats of people, as words of a command line."""
    return [word for name in names for word in ("-s", f"human:{name}")]


class Screen(io.StringIO):
    """Takes what is written, and says that it is a terminal."""

    def isatty(self) -> bool:
        return True
