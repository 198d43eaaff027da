"""Boards of all games in all their forms, in the colours of a theme."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from boardgames_cli.core.game import CHANCE, AnyGame
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.presentation.styles import GROUND, RoleStyles
from boardgames_cli.core.presentation.view import RenderContext, Size
from boardgames_cli.core.text import Glyphs, Picture
from boardgames_cli.registry import find_game
from boardgames_cli.testing.scene import one_step

SIZES: Final = (Size(58, 12), Size(51, 16), Size(77, 30), Size(120, 44))
"""Boards on terminals of 60x20, 80x24, 120x40 and 200x55."""

GAMES: Final[dict[str, dict[str, Any]]] = {
    "deepsea": {"players": 6, "rounds": 1, "oxygen": 12},
    "pommerman": {"mode": "ffa"},
    "tapnswap": {"max_plies": 40},
    "kuhn": {"hands": 3},
    "senet": {},
}
_NAMES: Final = ("Ann", "Ben", "Cid", "Dot", "Eve", "Fay")
_PLIES: Final = {"senet": 120}


@cache
def pictures(game: str) -> tuple[Picture, ...]:
    """Boards of a game played at random: every few steps, in every size, with a choice lit up."""
    found = []
    for match in _moments(game):
        view = find_game(game).make_view(match.game)
        viewer = next((seat for seat in match.waiting_for if seat != CHANCE), None)
        seen = match.observe(viewer)
        for number, size in enumerate(SIZES):
            highlight = seen.legal[number % len(seen.legal)] if seen.legal and number else None
            context: RenderContext[Any, Any] = RenderContext(
                Glyphs.UNICODE,
                _NAMES,
                highlight,
                last=match.steps[-1] if match.steps else None,
                shows_layer=number % 2 == 1,
            )
            found.append(view.picture(seen, size, context))
    return tuple(found)


def _moments(game: str) -> Iterator[AnyMatch]:
    rules: AnyGame = find_game(game).game_class()(**GAMES[game])
    match: AnyMatch = Match(rules, seed=5, max_plies=_PLIES.get(game, 60))
    while match.waiting_for:
        if match.ply % 7 == 0 or match.ply < 3:
            yield match
        one_step(match)
    yield match


class Paint:
    """The ink and the ground of every cell of a picture, in one theme.

    Args:
        game: The game whose palette is used.
        theme: The theme.
    """

    def __init__(self, game: str, theme: str) -> None:
        self._styles = RoleStyles(theme, find_game(game).view_class().palette[theme])
        self.ink, self.ground = GROUND[theme]
        self.of_role = cache(self._of_role)

    def _of_role(self, role: str) -> tuple[str, str]:
        ink, ground, is_reversed = self.ink, self.ground, False
        for layer in self._styles.layers(role):
            front, _, back = f" {layer}".partition(" on ")
            ground = back or ground
            for word in front.split():
                ink = word if word.startswith("#") else ink
                is_reversed ^= word == "reverse"
        return (ground, ink) if is_reversed else (ink, ground)

    def grounds(self, picture: Picture) -> list[list[str]]:
        """For each line the ground of each cell."""
        return [
            [self.of_role(span.role)[1] for span in line for _ in span.text]
            for line in picture.lines
        ]
