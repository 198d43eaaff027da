"""A preview that plays a game slowly."""

from __future__ import annotations

import random
from typing import Any

from boardgames_cli.core.game import CHANCE, AnyGame
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.presentation.view import RenderContext, Size
from boardgames_cli.core.text import Glyphs
from boardgames_cli.registry import spec_of
from boardgames_cli.session.snapshot import take_snapshot
from boardgames_cli.session.viewpoint import ALL_SEEING
from boardgames_cli.tui.theme import Palette, tells_grounds
from boardgames_cli.tui.widgets.picture import PictureView

_SECONDS = 1.5


class Preview(PictureView):
    """Plays random moves; without animations it shows only the first position."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(centred=True, id=id)
        self._match: AnyMatch | None = None
        self._glyphs = Glyphs.ASCII
        self._colours: Palette | None = None

    def on_mount(self) -> None:
        self.set_interval(_SECONDS, self._move)

    def on_resize(self) -> None:
        self._draw()

    def play(self, game: AnyGame, glyphs: Glyphs, palette: Palette) -> None:
        if self._match is None or self._match.game != game:
            self._match = _dealt(game, random.randrange(10**6))
        self._glyphs, self._colours = glyphs, palette
        self._draw()

    def _move(self) -> None:
        match = self._match
        # Hidden in a narrow window.
        if match is None or self.app.animation_level == "none" or not self.size.width:
            return
        if match.is_over:
            self._match = _dealt(match.game, match.seed + 1)
        elif match.waiting_for[0] == CHANCE:
            match.resolve_chance()
        else:
            for seat in match.waiting_for:
                legal = match.observe(seat).legal
                match.submit(seat, match.rng(f"preview{seat}").choice(legal))
        self._draw()

    def _draw(self) -> None:
        match, palette = self._match, self._colours
        if match is None or palette is None or not self.size.width:
            return
        has_colours = tells_grounds(palette.theme, self.app)
        look: RenderContext[Any, Any] = RenderContext(
            self._glyphs, shows_layer=True, has_colours=has_colours
        )
        view = spec_of(match.game).make_view(match.game)
        shown = take_snapshot(match, view, ALL_SEEING, match.ply, look)
        self.show(shown.board(Size(self.size.width, self.size.height)), palette)


def _dealt(game: AnyGame, seed: int) -> AnyMatch:
    match: AnyMatch = Match(game, seed=seed)
    while not match.is_over and match.waiting_for[0] == CHANCE:
        match.resolve_chance()
    return match
