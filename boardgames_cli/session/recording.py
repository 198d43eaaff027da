"""Writes a replay as pictures: PNG files, an animated GIF or WebP, or a recording of a terminal."""

from __future__ import annotations

import io
import json
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from boardgames_cli.core.errors import MissingPackageError, OptionError, StorageError
from boardgames_cli.core.styles import DARK, RoleStyles
from boardgames_cli.core.text import Canvas, Glyphs, Picture, in_columns, without_filler
from boardgames_cli.core.view import Size
from boardgames_cli.session.replay import Replay
from boardgames_cli.storage.files import create_file, reason_of

if TYPE_CHECKING:
    from PIL.Image import Image as PillowImage

ANIMATIONS: Final = {".gif": "GIF", ".webp": "WEBP"}
CAST: Final = ".cast"

_BOARD: Final = Size(64, 26)
_SIDEBAR: Final = 36
_COLUMNS: Final = _BOARD.width + _SIDEBAR
_ROWS: Final = _BOARD.height + 3
_SECONDS: Final = 0.8
_LAST_SECONDS: Final = 4.0
_COLOURS: Final = 128


def export_replay(replay: Replay, path: Path) -> int:
    """Write a picture of every position of a game.

    Args:
        replay: The game, seen from its viewpoint.
        path: A new file that ends in ``.gif``, ``.webp`` or ``.cast`` (asciinema, version 2), or a
            new folder for PNG files.

    Returns:
        The number of pictures.

    Raises:
        OptionError: The ending of the file is another one.
        GameError: A package is missing.
        StorageError: The path exists already, or can't be written.
    """
    replay.glyphs = Glyphs.UNICODE
    replay.names = tuple(map(in_columns, replay.names))
    suffix = path.suffix.lower()
    if suffix not in (*ANIMATIONS, CAST, ""):
        known = " ".join((*ANIMATIONS, CAST))
        raise OptionError(f'"{path.name}" has no known ending.', f"Endings: {known}; or a folder.")
    if path.exists():
        raise StorageError(f"{path} exists already.", "Choose another name.")
    try:
        if suffix in ANIMATIONS:
            create_file(path, _animation(replay, ANIMATIONS[suffix]))
        elif suffix == CAST:
            create_file(path, "".join(f"{json.dumps(line)}\n" for line in _cast(replay)))
        else:
            _write_files(replay, path)
    except OSError as error:
        raise StorageError(f"{path} can't be written ({reason_of(error)}).") from error
    return replay.match.ply + 1


def _scene(replay: Replay, ply: int) -> Picture:
    """Board, sidebar and what has just happened."""
    canvas = Canvas(_COLUMNS, _ROWS)
    context = replay.context(ply)
    sidebar = replay.view.sidebar(replay.seen(ply), _SIDEBAR - 3, context)
    _put(canvas, 1, 0, replay.board(ply, _BOARD))
    _put(canvas, _BOARD.width + 2, 1, sidebar)
    said = [*replay.sentences(ply - 1), *([replay.ending()] if ply == replay.match.ply else [])]
    text = f"{ply:>4}  {' '.join(said) if ply else 'The start.'}"
    for row, line in enumerate(textwrap.wrap(text, _COLUMNS - 2, subsequent_indent=" " * 6)[:2]):
        canvas.put(1, _ROWS - 2 + row, line, "muted")
    return canvas.picture()


def _put(canvas: Canvas, x: int, y: int, picture: Picture) -> None:
    for row, spans in enumerate(picture.lines, start=y):
        column = x
        for span in spans:
            canvas.put(column, row, span.text, span.role)
            column += len(span.text)


# -- images ------------------------------------------------------------------------------------


def _images(replay: Replay) -> Iterator[PillowImage]:
    try:
        from boardgames_cli.environments.image import Image
    except ModuleNotFoundError as error:
        raise MissingPackageError("images", error.name or "pillow", "environments") from error
    styles = RoleStyles(DARK, replay.view.palette.get(DARK, {}))
    for ply in range(replay.match.ply + 1):
        image = Image(_COLUMNS, _ROWS, styles)
        image.put(0, 0, _scene(replay, ply))
        yield image.as_pillow()


def _animation(replay: Replay, kind: str) -> bytes:
    times = [int(1000 * _SECONDS)] * replay.match.ply + [int(1000 * _LAST_SECONDS)]
    images = _images(replay)
    if kind == "GIF":
        images = (image.quantize(_COLOURS) for image in images)
    first, file = next(images), io.BytesIO()
    more: dict[str, Any] = {"lossless": True} if kind == "WEBP" else {"optimize": False}
    first.save(file, kind, save_all=True, append_images=images, duration=times, loop=0, **more)
    return file.getvalue()


def _write_files(replay: Replay, folder: Path) -> None:
    digits = len(str(replay.match.ply))
    for ply, image in enumerate(_images(replay)):
        folder.mkdir(exist_ok=True)  # not before the first one: a package may be missing
        image.save(folder / f"{ply:0{digits}}.png")


# -- the recording of a terminal ---------------------------------------------------------------


def _cast(replay: Replay) -> Iterator[object]:
    """The header and the events of a recording, see docs.asciinema.org, "asciicast v2"."""
    title = f"{replay.match.game.info.name}: {' v '.join(map(without_filler, replay.names))}"
    yield {"version": 2, "width": _COLUMNS, "height": _ROWS, "title": title}
    styles = RoleStyles(DARK, replay.view.palette.get(DARK, {}))
    for ply in range(replay.match.ply + 1):
        rows = [_ansi(spans, styles) for spans in _scene(replay, ply).lines]
        yield [round(ply * _SECONDS, 3), "o", "\x1b[H\x1b[2J" + "\r\n".join(rows)]
    yield [round(replay.match.ply * _SECONDS + _LAST_SECONDS, 3), "o", "\x1b[0m"]


def _ansi(spans: tuple[Any, ...], styles: RoleStyles) -> str:
    from rich.color import ColorSystem
    from rich.style import Style

    return "".join(
        sum(map(Style.parse, styles.layers(span.role)), Style.null()).render(
            without_filler(span.text), color_system=ColorSystem.TRUECOLOR
        )
        for span in spans
    )
