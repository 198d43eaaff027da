"""The colours of Senet: papyrus and lapis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PALETTE: Final[Mapping[str, Mapping[str, str]]] = {
    "dark": {
        "house.light": "#e8d5a3 on #3a3226",
        "house.dark": "#e8d5a3 on #2b2118",
        "house.special.light": "#ffffff on #164747",
        "house.special.dark": "#ffffff on #103a3a",
        "house.water": "#ffffff on #1c3c6b",
        "mat": "#e8d5a3 on #1e1812",
        "number": "#e0d0aa",
        "sign": "bold #f4e3b5",
        "target": "bold #ffd766 on #4d3c0e",
        "chosen": "bold #f4e3b5 on #4d3c0e",
        "last-move": "underline",
        "stick.flat": "bold #e8d5a3",
        "stick.round": "#9c8350",
        "stick.line": "bold #7a4a12 on #e8d5a3",
        "link": "bold #e8d5a3",
        "frame": "#9c8350",
        "safe": "bold #6fc7c7",
        "card": "#e8d5a3 on #3a3226",
        "card.title": "bold #ffffff on #164747",
        "card.number": "bold #e8c15a on #3a3226",
    },
    "light": {
        "house.light": "#2b2118 on #f4e9cd",
        "house.dark": "#2b2118 on #e2cf9f",
        "house.special.light": "#0b3b3b on #cdebe5",
        "house.special.dark": "#0b3b3b on #b2dcd4",
        "house.water": "#0d2a55 on #bcd4f2",
        "mat": "#2b2118 on #f8f0dc",
        "number": "#5a4424",
        "sign": "bold #2b2118",
        "target": "bold #6b3f00 on #ffe08a",
        "chosen": "bold #2b2118 on #ffe08a",
        "last-move": "underline",
        "stick.flat": "bold #8a6210",
        "stick.round": "#4a3a22",
        "stick.line": "bold #fbf7ec on #8a6210",
        "link": "bold #6b5430",
        "frame": "#6b5430",
        "safe": "bold #135252",
        "card": "#2b2118 on #e8d5a3",
        "card.title": "bold #0b3b3b on #b2dcd4",
        "card.number": "bold #5a3a00 on #e8d5a3",
    },
}
"""Style by role for each theme; the front end adds the seats' own colours."""
