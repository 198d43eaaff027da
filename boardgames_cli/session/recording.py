"""Writes a replay as pictures: PNG files, an animated GIF or WebP, or a recording of a terminal."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from boardgames_cli.core.background import Progress
from boardgames_cli.core.errors import MissingPackageError, OptionError, StorageError
from boardgames_cli.core.presentation.styles import DARK, RoleStyles
from boardgames_cli.core.presentation.view import Size
from boardgames_cli.core.text import Canvas, Glyphs, Picture, columns, wrapped
from boardgames_cli.session.replay import Replay
from boardgames_cli.storage.files import CHECK_FOLDER, changing, create_file, new_folder

if TYPE_CHECKING:
    from PIL.Image import Image as PillowImage

ANIMATIONS: Final = {".gif": "GIF", ".webp": "WEBP"}
CAST: Final = ".cast"

_BOARD: Final = Size(64, 26)
_SIDEBAR: Final = 36
_COLUMNS: Final = _BOARD.width + _SIDEBAR
_LINES: Final = 2
_ROWS: Final = _BOARD.height + 1 + _LINES
_SECONDS: Final = 0.8
_LAST_SECONDS: Final = 4.0
_COLOURS: Final = 128


def export_replay(
    replay: Replay, path: Path, report: Callable[[Progress], None] = lambda _: None
) -> int:
    """Write a picture of every position of a game; return their number.

    Args:
        replay: The game, seen from its viewpoint.
        path: A new file that ends in ``.gif``, ``.webp`` or ``.cast`` (asciinema, version 2), or a
            new or empty folder for PNG files.
        report: Called before every picture; an exception ends the work, and nothing is left.
    """
    _check(path)
    replay.glyphs = Glyphs.UNICODE
    suffix = path.suffix.lower()
    scenes = _Scenes(replay, report)
    with changing(path, CHECK_FOLDER):
        if suffix in ANIMATIONS:
            create_file(path, _animation(scenes, ANIMATIONS[suffix]))
        elif suffix == CAST:
            create_file(path, "".join(f"{json.dumps(line)}\n" for line in _cast(scenes)))
        else:
            _write_files(scenes, path)
    return replay.match.ply + 1


def _check(path: Path) -> None:
    endings = " ".join((*ANIMATIONS, CAST))
    todo = f"Endings: {endings}; or a folder."
    if not path.name or path.name in (*ANIMATIONS, CAST):
        raise OptionError(f'"{path}" names no file or folder.', todo)
    if path.suffix.lower() not in (*ANIMATIONS, CAST, ""):
        raise OptionError(f'"{path.name}" has no known ending.', todo)
    is_reusable = not path.suffix and path.is_dir() and not any(path.iterdir())
    if path.is_symlink() or (path.exists() and not is_reusable):
        raise StorageError(f"{path} already exists.", "Choose another name.")


class _Scenes:
    def __init__(self, replay: Replay, report: Callable[[Progress], None]) -> None:
        self.replay = replay
        self.styles = RoleStyles(DARK, replay.view.palette.get(DARK, {}))
        self._report = report

    def __iter__(self) -> Iterator[Picture]:
        count = self.replay.match.ply + 1
        for ply in range(count):
            self._report(Progress(ply, count, "pictures"))
            yield self._scene(ply)

    def _scene(self, ply: int) -> Picture:
        replay, canvas = self.replay, Canvas(_COLUMNS, _ROWS)
        shown = replay.snapshot(ply)
        _put(canvas, 1, 0, shown.board(_BOARD))
        _put(canvas, _BOARD.width + 2, 1, shown.sidebar(_SIDEBAR - 3))
        is_last = ply == replay.match.ply
        said = [*replay.sentences(ply - 1), *([replay.ending()] if is_last else [])]
        text = f"{ply:>4}  {' '.join(said) if ply else 'The start.'}"
        lines = wrapped(text, _COLUMNS - 2, indent=" " * 6, max_lines=_LINES, ending=" ...")
        for row, line in enumerate(lines):
            canvas.put(1, _ROWS - _LINES + row, line, "muted")
        return canvas.picture()


def _put(canvas: Canvas, x: int, y: int, picture: Picture) -> None:
    for row, spans in enumerate(picture.lines, start=y):
        column = x
        for span in spans:
            canvas.put(column, row, span.text, span.role)
            column += columns(span.text)


def _images(scenes: _Scenes) -> Iterator[PillowImage]:
    try:
        from boardgames_cli.environments.image import Image
    except ModuleNotFoundError as error:
        raise MissingPackageError("images", error.name or "pillow", "environments") from error
    for scene in scenes:
        image = Image(_COLUMNS, _ROWS, scenes.styles)
        image.put(0, 0, scene)
        yield image.as_pillow()


def _animation(scenes: _Scenes, kind: str) -> bytes:
    times = [int(1000 * _SECONDS)] * scenes.replay.match.ply + [int(1000 * _LAST_SECONDS)]
    # Pillow holds all of them; with a palette they take a third of the memory.
    images = (image.quantize(_COLOURS) for image in _images(scenes))
    first, file = next(images), io.BytesIO()
    more: dict[str, Any] = {"lossless": True} if kind == "WEBP" else {"optimize": False}
    first.save(file, kind, save_all=True, append_images=images, duration=times, loop=0, **more)
    return file.getvalue()


def _write_files(scenes: _Scenes, folder: Path) -> None:
    digits = len(str(scenes.replay.match.ply))
    with new_folder(folder) as temporary:
        for ply, image in enumerate(_images(scenes)):
            image.save(temporary / f"{ply:0{digits}}.png")


def _cast(scenes: _Scenes) -> Iterator[object]:
    """The header and the events of a recording, see docs.asciinema.org, "asciicast v2"."""
    match = scenes.replay.match
    title = f"{match.game.info.name}: {' v '.join(scenes.replay.names)}"
    yield {"version": 2, "width": _COLUMNS, "height": _ROWS, "title": title}
    for ply, scene in enumerate(scenes):
        rows = [_ansi(spans, scenes.styles) for spans in scene.lines]
        yield [round(ply * _SECONDS, 3), "o", "\x1b[H\x1b[2J" + "\r\n".join(rows)]
    yield [round(match.ply * _SECONDS + _LAST_SECONDS, 3), "o", "\x1b[0m"]


def _ansi(spans: tuple[Any, ...], styles: RoleStyles) -> str:
    from rich.color import ColorSystem
    from rich.style import Style

    return "".join(
        sum(map(Style.parse, styles.layers(span.role)), Style.null()).render(
            span.text, color_system=ColorSystem.TRUECOLOR
        )
        for span in spans
    )
