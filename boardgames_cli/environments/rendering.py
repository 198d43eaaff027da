"""Renders an episode as plain text, or as an image like the screen."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from boardgames_cli.core.errors import MissingPackageError
from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.presentation.styles import DARK, RoleStyles
from boardgames_cli.core.presentation.view import RenderContext, Size
from boardgames_cli.core.text import Glyphs, Picture
from boardgames_cli.registry import spec_of

ANSI: Final = "ansi"
RGB_ARRAY: Final = "rgb_array"
HUMAN: Final = "human"
RENDER_MODES: Final = (ANSI, RGB_ARRAY, HUMAN)

Frame: TypeAlias = "npt.NDArray[np.uint8] | str | None"

_BOARD: Final = Size(64, 28)
"""The size of the board in the image; the sidebar is to its right, the prompt below."""
_SIDEBAR_WIDTH: Final = 36


def draw(
    game: AnyGame,
    names: Sequence[str],
    match: AnyMatch,
    viewer: Seat | None,
    mode: str,
) -> Frame:
    """A frame of a match in one of `RENDER_MODES`, as a seat or a spectator may know it.

    ``ansi`` returns a string, ``rgb_array`` an array of shape [height, width, 3] and type uint8,
    always of the same size; ``human`` prints the text.

    Raises:
        GameError: The game is not registered, so that its view is unknown.
    """
    view = spec_of(game).make_view(game)
    seen = match.observe_step(viewer)
    glyphs = Glyphs.UNICODE if mode == RGB_ARRAY else Glyphs.ASCII
    context: RenderContext[Any, Any] = RenderContext(glyphs, tuple(names), last=seen.step)
    board = view.picture(seen, _BOARD, context)
    prompt = view.prompt(seen, context) if match.waiting_for else view.result(seen.state, context)
    sidebar = view.sidebar(seen, _SIDEBAR_WIDTH - 3, context)
    if mode == RGB_ARRAY:
        return _image(RoleStyles(DARK, view.palette.get(DARK, {})), board, sidebar, prompt)
    text = "".join(f"{part}\n" for part in (board, sidebar, prompt) if str(part))
    if mode == ANSI:
        return text
    sys.stdout.write(text)
    sys.stdout.flush()
    return None


def _image(
    styles: RoleStyles, board: Picture, sidebar: Picture, prompt: str
) -> npt.NDArray[np.uint8]:
    try:
        from boardgames_cli.environments.image import Image
    except ModuleNotFoundError as error:
        if error.name != "PIL":
            raise
        raise MissingPackageError("images", "pillow", "environments") from error
    image = Image(_BOARD.width + _SIDEBAR_WIDTH, _BOARD.height + 2, styles)
    image.put(1, 0, board)
    image.put(_BOARD.width + 2, 1, sidebar)
    image.put(1, _BOARD.height + 1, Picture.of([prompt]))
    return image.pixels()
