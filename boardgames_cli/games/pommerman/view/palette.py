"""The colours of Pommerman: stone, wood, a dark floor, and fire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PALETTE: Final[Mapping[str, Mapping[str, str]]] = {
    "dark": {
        "card": "#e8cdb8 on #20242c",
        "card.title": "bold #2b0f00 on #ff8a3c",
        "card.number": "bold #ffc14d on #20242c",
        "floor": "#3b424f on #20242c",
        "floor.other": "#3b424f on #242932",
        "rigid": "#5b6270 on #5b6270",
        "wood": "#7b4f25 on #8a5a2b",
        "fog": "#171f30 on #171f30",
        "bomb.far": "#d0d4dc on #000000",
        "bomb.near": "bold #ffd75f on #000000",
        "bomb.now": "bold #ffffff on #8c0000",
        "flame.3": "bold #3a1c00 on #fff6d6",
        "flame.2": "bold #3a1c00 on #ffc14d",
        "flame.1": "bold #2b0f00 on #ff8a3c",
        "power": "bold #06231b on #5fd7a7",
        "danger.now": "bold #ffffff on #7a1f1f",
        "danger.near": "#ffd9c2 on #5a2a1c",
        "danger.far": "#e8cdb8 on #3d2a24",
        "plate": "on #121212",
        "figure": "bold reverse",
        "target": "bold underline #121212 on #e8c15a",
        "target.own": "bold underline",
        "number": "#9aa3b2",
        "dead": "#8f8775",
    },
    "light": {
        "card": "#14171c on #e5e8ee",
        "card.title": "bold #2b0f00 on #ffb27a",
        "card.number": "bold #7a2f00 on #e5e8ee",
        "floor": "#c9ced8 on #eef0f4",
        "floor.other": "#c9ced8 on #e7eaf0",
        "rigid": "#7d8698 on #7d8698",
        "wood": "#b98a55 on #c79a66",
        "fog": "#c3cad6 on #c3cad6",
        "bomb.far": "#d0d4dc on #000000",
        "bomb.near": "bold #ffd75f on #000000",
        "bomb.now": "bold #ffffff on #8c0000",
        "flame.3": "bold #3a1c00 on #fff0a8",
        "flame.2": "bold #3a1c00 on #ffc14d",
        "flame.1": "bold #2b0f00 on #ff8a3c",
        "power": "bold #06231b on #5fd7a7",
        "danger.now": "bold #5f0000 on #f7b8b0",
        "danger.near": "#5a1d00 on #fbd3bd",
        "danger.far": "#5a3a1d on #fbe6d6",
        "plate": "on #ffffff",
        "figure": "bold reverse",
        "target": "bold underline #fbf7ec on #7a5200",
        "target.own": "bold underline",
        "number": "#4a5160",
        "dead": "#75694f",
    },
}
"""Style by role for each theme; the front end adds the seats' own colours."""
