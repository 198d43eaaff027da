"""The colours of Kuhn poker: cards and chips on green felt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PALETTE: Final[Mapping[str, Mapping[str, str]]] = {
    "dark": {
        "card": "#e9e2d0 on #0d472a",
        "card.title": "bold #1b1a18 on #e8c15a",
        "card.number": "bold #ffe08a on #0d472a",
        "felt": "#e9e2d0 on #0d472a",
        "felt.dim": "#b9d3c2 on #0d472a",
        "felt.line": "#57a07b on #0d472a",
        "felt.pot": "bold #ffe08a on #0d472a",
        "says": "bold #ffffff on #0d472a",
        "last-move": "underline",
        "face": "#1b1a18 on #f6f0df",
        "face.red": "#a01818 on #f6f0df",
        "back": "#8fa8d8 on #24345c",
        "slot": "#57a07b on #0d472a",
        "button": "bold #1b1a18 on #e8c15a",
        "chosen": "bold #1b1a18 on #ffffff",
        "chip.1": "bold #ff9e8a on #0d472a",
        "chip.5": "bold #e9e2d0 on #0d472a",
        "chip.25": "bold #8fd0ff on #0d472a",
        "chip.100": "bold #ffe08a on #0d472a",
    },
    "light": {
        "card": "#10301f on #cfe6d4",
        "card.title": "bold #ffffff on #0d472a",
        "card.number": "bold #0f4d2e on #cfe6d4",
        "felt": "#10301f on #cfe6d4",
        "felt.dim": "#2f5a42 on #cfe6d4",
        "felt.line": "#4f7d63 on #cfe6d4",
        "felt.pot": "bold #5a4300 on #cfe6d4",
        "says": "bold #000000 on #cfe6d4",
        "last-move": "underline",
        "face": "#1b1a18 on #ffffff",
        "face.red": "#a01818 on #ffffff",
        "back": "#dfe8ff on #2d4a8a",
        "slot": "#4f7d63 on #cfe6d4",
        "button": "bold #ffffff on #7a5200",
        "chosen": "bold #ffffff on #2b2118",
        "chip.1": "bold #9c2412 on #cfe6d4",
        "chip.5": "bold #2b2118 on #cfe6d4",
        "chip.25": "bold #0b4a8a on #cfe6d4",
        "chip.100": "bold #5a4300 on #cfe6d4",
    },
}
"""Style by role for each theme; the front end adds the seats' own colours."""
