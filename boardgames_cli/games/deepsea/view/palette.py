"""The colours of the sea, which gets darker with depth, and of the chips."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

SHADES: Final = 12
"""The number of shades from the surface to the ground; the roles are ``depth.0`` to
``depth.11``."""


def _shades(top: str, bottom: str, ink: str) -> dict[str, str]:
    """The roles of all depths: a text colour on a gradient between two colours."""
    first, last = (
        [int(colour[start : start + 2], 16) for start in (1, 3, 5)] for colour in (top, bottom)
    )
    styles = {}
    for step in range(SHADES):
        share = step / (SHADES - 1)
        mixed = (round(low + (high - low) * share) for low, high in zip(first, last, strict=True))
        styles[f"depth.{step}"] = f"{ink} on #{''.join(f'{part:02x}' for part in mixed)}"
    return styles


PALETTE: Final[Mapping[str, Mapping[str, str]]] = {
    "dark": {
        **_shades("#0e4367", "#07182e", "#ffffff"),
        "card": "#ffffff on #07182e",
        "card.title": "bold #ffffff on #1d5f8c",
        "card.number": "bold #ffd75f on #07182e",
        "chip.1": "#ffffff on #4a5d6b",
        "chip.2": "#ffffff on #1f7a5c",
        "chip.3": "#14202b on #7fd1b9",
        "chip.4": "bold #241a00 on #ffd75f",
        "chip.stack": "bold #241a00 on #ffb27a",
        "blank": "#ffffff",
        "gone": "#ffffff",
        "rope": "#ffffff",
        "number": "#ffffff",
        "sub": "#e0a93a",
        "hull": "bold #14202b on #e0a93a",
        "window.lit": "bold #241a00 on #fff3c4",
        "window.dark": "#e9e2d0 on #4a3a1a",
        "gauge.full": "#6cb6ff",
        "gauge.half": "#ffd75f",
        "gauge.low": "#ff8f6b",
        "gauge.used": "#5f6a75",
        "target": "bold underline",
        "turn": "reverse",
        "die": "bold #14202b on #fff3c4",
        "no-return": "bold #ff8f6b",
        "odds.good": "#6cb6ff",
        "odds.even": "#ffd75f",
        "odds.bad": "bold #ff8f6b",
        "card.open": "bold #241a00 on #fff3c4",
        "winner": "bold #ffd75f",
        "drowned": "#ff9e57",
    },
    "light": {
        **_shades("#dcf1fb", "#a9d3ec", "#08233a"),
        "card": "#08233a on #d9f0fb",
        "card.title": "bold #08233a on #8fc3e3",
        "card.number": "bold #7a3d00 on #d9f0fb",
        "chip.1": "#08233a on #b7c4cc",
        "chip.2": "#08233a on #a5d9c2",
        "chip.3": "#ffffff on #0f6b52",
        "chip.4": "bold #241a00 on #ffd75f",
        "chip.stack": "bold #241a00 on #ffb27a",
        "blank": "#08233a",
        "gone": "#08233a",
        "rope": "#08233a",
        "number": "#08233a",
        "sub": "#e0a93a",
        "hull": "bold #14202b on #e0a93a",
        "window.lit": "bold #241a00 on #fff3c4",
        "window.dark": "#fff3c4 on #4a3a1a",
        "gauge.full": "#0b5cad",
        "gauge.half": "#7a5200",
        "gauge.low": "#a03f00",
        "gauge.used": "#75694f",
        "target": "bold underline",
        "turn": "reverse",
        "die": "bold #14202b on #fffbe6",
        "no-return": "bold #a03f00",
        "odds.good": "#0b5cad",
        "odds.even": "#7a5200",
        "odds.bad": "bold #a03f00",
        "card.open": "bold #241a00 on #ffe9a0",
        "winner": "bold #7a5200",
        "drowned": "#a03f00",
    },
}
"""Style by role for each theme; the front end adds the seats' own colours."""
