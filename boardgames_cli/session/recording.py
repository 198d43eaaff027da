"""Writes a replay as pictures: PNG files or an animated GIF."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from boardgames_cli.core.background import Progress
from boardgames_cli.core.errors import MissingPackageError, OptionError, StorageError
from boardgames_cli.core.presentation.styles import DARK, RoleStyles
from boardgames_cli.core.presentation.view import Size
from boardgames_cli.core.text import Glyphs, Picture, Span, wrapped
from boardgames_cli.session.replay import Replay
from boardgames_cli.storage.files import CHECK_FOLDER, changing, create_file, new_folder

if TYPE_CHECKING:
    from PIL.Image import Image as PillowImage

_GIF: Final = ".gif"
_BOARD: Final = Size(64, 26)
_SIDEBAR: Final = 36
_COLUMNS: Final = _BOARD.width + _SIDEBAR
_LINES: Final = 2
_ROWS: Final = _BOARD.height + 1 + _LINES
_MILLISECONDS: Final = 800
_LAST_MILLISECONDS: Final = 4000
_COLOURS: Final = 128


def export_replay(
    replay: Replay, path: Path, report: Callable[[Progress], None] = lambda _: None
) -> int:
    """Write a picture of every position of a game; return their number.

    Args:
        replay: The game, seen from its viewpoint.
        path: A new file that ends in ``.gif``, or a new or empty folder for PNG files.
        report: Called before every picture; an exception ends the work, and nothing is left.
    """
    _check(path)
    replay.glyphs = Glyphs.UNICODE
    images = _images(replay, report)
    with changing(path, CHECK_FOLDER):
        if path.suffix:
            create_file(path, _animation(images, replay.match.ply))
        else:
            with new_folder(path) as temporary:
                digits = len(str(replay.match.ply))
                for ply, image in enumerate(images):
                    image.save(temporary / f"{ply:0{digits}}.png")
    return replay.match.ply + 1


def _check(path: Path) -> None:
    todo = f"A file ends in {_GIF}; a name without an ending is a folder."
    if not path.name or path.name == _GIF:
        raise OptionError(f'"{path}" names no file or folder.', todo)
    if path.suffix.lower() not in (_GIF, ""):
        raise OptionError(f'"{path.name}" has no known ending.', todo)
    is_reusable = not path.suffix and path.is_dir() and not any(path.iterdir())
    if path.is_symlink() or (path.exists() and not is_reusable):
        raise StorageError(f"{path} already exists.", "Choose another name.")


def _images(replay: Replay, report: Callable[[Progress], None]) -> Iterator[PillowImage]:
    try:
        from boardgames_cli.environments.image import Image
    except ModuleNotFoundError as error:
        raise MissingPackageError("images", error.name or "pillow", "environments") from error
    styles, last = RoleStyles(DARK, replay.view.palette.get(DARK, {})), replay.match.ply
    for ply in range(last + 1):
        report(Progress(ply, last + 1, "pictures"))
        shown, image = replay.snapshot(ply), Image(_COLUMNS, _ROWS, styles)
        image.put(1, 0, shown.board(_BOARD))
        image.put(_BOARD.width + 2, 1, shown.sidebar(_SIDEBAR - 3))
        said = [*replay.sentences(ply - 1), *([replay.ending()] if ply == last else [])]
        text = f"{ply:>4}  {' '.join(said) if ply else 'The start.'}"
        lines = wrapped(text, _COLUMNS - 2, indent=" " * 6, max_lines=_LINES, ending=" ...")
        image.put(1, _ROWS - _LINES, Picture.of(Span(line, "muted") for line in lines))
        yield image.as_pillow()


def _animation(images: Iterator[PillowImage], last: int) -> bytes:
    # Pillow holds all of them; with a palette they take a third of the memory.
    few = (image.quantize(_COLOURS) for image in images)
    first, file = next(few), io.BytesIO()
    times = [_MILLISECONDS] * last + [_LAST_MILLISECONDS]
    first.save(
        file, "GIF", save_all=True, append_images=few, duration=times, loop=0, optimize=False
    )
    return file.getvalue()
