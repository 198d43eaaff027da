"""The colours of TapnSwap: hands on an aubergine cloth, or on a pale lilac one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PALETTE: Final[Mapping[str, Mapping[str, str]]] = {
    "dark": {
        "card": "#f2ecf5 on #2d2437",
        "card.title": "bold #ffffff on #7a2f6f",
        "card.number": "bold #e8c15a on #2d2437",
        "table": "#f2ecf5 on #241d2c",
        "line": "#9c91ad",
        "changed": "bold #121212 on #e8c15a",
        "added": "#e8c15a",
        "struck": "bold #ffd766",
        "palm": "bold reverse",
        "caption": "#cfc3dd",
        "removed": "#a79db5",
        "dead": "#968ca3",
        "last-move": "underline",
    },
    "light": {
        "card": "#1f1526 on #f1e8f2",
        "card.title": "bold #ffffff on #7a2f6f",
        "card.number": "bold #7a2f6f on #f1e8f2",
        "table": "#1f1526 on #f1e8f2",
        "line": "#655872",
        "changed": "bold #1a1a1a on #ffd75f",
        "added": "#7a5a00",
        "struck": "bold #8a4b00",
        "palm": "bold reverse",
        "caption": "#4d3f5c",
        "removed": "#675b73",
        "dead": "#675b73",
        "last-move": "underline",
    },
}
"""Style by role for each theme; the front end adds the seats' own colours."""
