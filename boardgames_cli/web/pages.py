"""The pages and files that a browser gets: ours, and the terminal of textual-serve."""

from __future__ import annotations

import html
import importlib.metadata
import importlib.util
import string
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Final

from boardgames_cli.core.errors import GameError

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy, by which the browser refuses anything from other hosts. Inline
styles are allowed because the terminal uses them."""

_PACKAGE: Final = "textual_serve"
_TERMINAL_FILES: Final = {
    "terminal.js": "js/textual.js",
    "terminal.css": "css/xterm.css",
    "terminal.ttf": "fonts/RobotoMono-VariableFont_wght.ttf",
}
"""The files used from textual-serve, by the names under which they are served."""
_OUR_FILES: Final = ("page.css", "page.js", "favicon.svg")
_TYPES: Final = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".ttf": "font/ttf",
    ".svg": "image/svg+xml",
}


def static_files() -> Mapping[str, tuple[bytes, str]]:
    """All static files: content and media type by name.

    Raises:
        GameError: The installed textual-serve has an unknown layout.
    """
    found: dict[str, bytes] = {}
    folder = _terminal_folder()
    for name, path in _TERMINAL_FILES.items():
        try:
            found[name] = (folder / path).read_bytes()
        except OSError as error:
            version = importlib.metadata.version("textual-serve")
            raise GameError(
                f"textual-serve {version} has no {path} ({error.strerror}).",
                "Install one that fits: pip install 'boardgames-cli[web]'",
            ) from error
    for name in _OUR_FILES:
        found[name] = _ours(name)
    return {name: (data, _TYPES[Path(name).suffix]) for name, data in found.items()}


def game_page(title: str) -> str:
    """The page with the terminal."""
    return _filled("game.html", title=title)


def message_page(title: str, message: str) -> str:
    """A page with only a message."""
    return _filled("message.html", title=title, message=message)


def _filled(name: str, **values: str) -> str:
    template = string.Template(_ours(name).decode())
    return template.substitute({key: html.escape(value) for key, value in values.items()})


def _ours(name: str) -> bytes:
    return (resources.files("boardgames_cli.web") / "page" / name).read_bytes()


def _terminal_folder() -> Path:
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise GameError(
            "games in a browser need a package that is not installed (textual-serve).",
            "Install it: pip install 'boardgames-cli[web]'",
        )
    return Path(spec.origin).parent / "static"
