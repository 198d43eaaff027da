"""The colours of TapnSwap: bright hands on a dark slate, or on paper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PALETTE: Final[Mapping[str, Mapping[str, str]]] = {
    "dark": {
        "card": "#f2f2f2 on #2a2f3a",
        "card.title": "bold #ffffff on #7a2f6f",
        "card.number": "bold #e8c15a on #2a2f3a",
        "table": "on #121212",
        "line": "#8a94a6",
        "label": "bold #f2f2f2",
        "changed": "bold #121212 on #e8c15a",
        "added": "#e8c15a",
        "removed": "#8a94a6",
        "dead": "#7d8594",
        "last-move": "underline",
    },
    "light": {
        "card": "#1a1a1a on #e6e8ee",
        "card.title": "bold #ffffff on #7a2f6f",
        "card.number": "bold #7a2f6f on #e6e8ee",
        "table": "on #ffffff",
        "line": "#5a6270",
        "label": "bold #1a1a1a",
        "changed": "bold #1a1a1a on #ffd75f",
        "added": "#7a5a00",
        "removed": "#6b7280",
        "dead": "#6b7280",
        "last-move": "underline",
    },
}
"""Style by role for each theme; the front end adds the seats' own colours."""
