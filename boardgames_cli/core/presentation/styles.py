"""The styles of picture roles in each theme: strings such as ``"bold #121212 on #e8c15a"``.

Views speak of roles ("seat.0", "safe"), never of colours. A role is looked up in the game's own
palette, then here; an unknown role takes the style of the part before its last dot. Several roles
in one string are layered, the last on top. The strings use Rich's style syntax; front ends parse
them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

DARK: Final = "dark"
LIGHT: Final = "light"
MONOCHROME: Final = "monochrome"

SEAT_COLOURS: Final[Mapping[str, tuple[str, ...]]] = {
    # Turquoise, apricot, gold, wisteria, sage, mint; petrol, russet, violet, moss, wine, night.
    # Found by search: distinct with any kind of colour blindness, and with a contrast of at least
    # 4.5:1 on all backgrounds of the games.
    DARK: ("#77e4f5", "#f09a62", "#fdd857", "#b79cff", "#81b8a4", "#dff6c6"),
    LIGHT: ("#0a5a7e", "#8f3a06", "#7325a9", "#4f5a3a", "#480820", "#1a1358"),
}
"""The colours of the seats in each theme with colours. Views may put them on backgrounds with a
luminance of at most 0.05 in the dark theme and at least 0.6 in the light one."""


def themed(styles: Mapping[str, Sequence[str]]) -> dict[str, dict[str, str]]:
    """A palette: by theme and role, from the styles of each role in the dark and light theme."""
    return {
        theme: {role: pair[number] for role, pair in styles.items()}
        for number, theme in enumerate((DARK, LIGHT))
    }


COMMON_STYLES: Final[Mapping[str, Mapping[str, str]]] = {
    **themed(
        {
            "muted": ("#a39a86", "#6b5f4a"),
            "title": ("bold #e8c15a", "bold #7a5200"),
            "key": ("bold #e8c15a", "bold #7a5200"),
            "good": ("#6cb6ff", "#0b5cad"),
            "bad": ("#ff9e57", "#a03f00"),
            "safe": ("bold #6fc7c7", "bold #135252"),
            "illegal": ("#8f8775", "#75694f"),
            "highlight": ("bold #121212 on #e8c15a", "bold #fbf7ec on #7a5200"),
            "chosen": ("bold #f4e3b5 on #4a4436", "bold #2b2118 on #dccfa9"),
            "last-move": ("underline", "underline"),
            "hint": ("bold #6fc7c7", "bold #135252"),
            "bar.full": ("#e8c15a", "#7a5200"),
            "bar.empty": ("#4a4436", "#d6c8a4"),
            "card": ("#e9e2d0 on #26231f", "#2b2118 on #e9dfc4"),
            "banner": ("bold #e8c15a on #0b0a09", "bold #7a5200 on #fffdf6"),
            "flash": ("bold #121212 on #fff3c4", "bold #fffdf6 on #2b2118"),
            "inverse": ("reverse", "reverse"),
        }
    ),
    MONOCHROME: {
        "banner": "bold",
        "flash": "bold reverse",
        "title": "bold",
        "key": "bold",
        "safe": "bold",
        "bad": "bold",
        "highlight": "bold reverse",
        "chosen": "bold underline",
        "last-move": "underline",
        "hint": "bold underline",
        "seat": "bold",
        "inverse": "reverse",
    },
}
"""The style of each of `core.text.COMMON_ROLES` in each theme."""

GROUND: Final[Mapping[str, tuple[str, str]]] = {
    DARK: ("#e9e2d0", "#121212"),
    LIGHT: ("#2b2118", "#fbf7ec"),
}
"""The foreground and background of plain text in each theme with colours."""


class RoleStyles:
    """The styles of roles in one theme, for one game."""

    def __init__(self, theme: str, own: Mapping[str, str]) -> None:
        self.theme = theme
        self.own = own

    def layers(self, roles: str) -> tuple[str, ...]:
        """The styles of one or more roles separated by spaces, bottom layer first."""
        return tuple(filter(None, map(self._style, roles.split())))

    def _style(self, role: str) -> str:
        while role:
            found = self.own.get(role) or self._seat(role) or COMMON_STYLES[self.theme].get(role)
            if found is not None:
                return found
            role = role.rpartition(".")[0]
        return ""

    def _seat(self, role: str) -> str | None:
        name, _, number = role.partition(".")
        colours = SEAT_COLOURS.get(self.theme, ())
        if name != "seat" or not number.isdigit() or not colours:
            return None
        return f"bold {colours[int(number) % len(colours)]}"
