"""Who a visitor is, where their games are kept, and what their session gets to see."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import site
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from boardgames_cli.core.errors import StorageError
from boardgames_cli.storage.paths import CONFIG_VARIABLE, SAVES_VARIABLE

COOKIE: Final = "boardgames_visitor"
"""The cookie by which a browser is known again."""

_TOKEN_BYTES: Final = 32
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{43}")
_FOLDER_MODE: Final = 0o700
_KEPT: Final = ("PATH", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ", "PYTHONPATH")
"""What a session gets of the server's environment: where programs are, and the language."""


def new_token() -> str:
    """A token that nobody can guess, for a browser that has none."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def is_token(text: str | None) -> bool:
    """Whether a cookie's value may be one of our tokens."""
    return text is not None and _TOKEN.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody with a browser.

    Args:
        id: A name that tells nothing of the token.
        folder: Where everything is kept that belongs to them.
        saves: Where their games are saved.
    """

    id: str
    folder: Path
    saves: Path

    def make_folder(self) -> None:
        """Make the folder, for its owner's eyes alone.

        Raises:
            StorageError: It can't be made.
        """
        try:
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            self.folder.mkdir(mode=_FOLDER_MODE, exist_ok=True)
        except OSError as error:
            raise StorageError(
                f"{self.folder} can't be made ({error.strerror}).", "Choose another --save-dir."
            ) from error

    def environment(self) -> dict[str, str]:
        """The environment of their session, which knows nothing of the server's own files."""
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        if site.ENABLE_USER_SITE:  # the packages of the server's user, who has another home
            kept["PYTHONUSERBASE"] = site.getuserbase()
        folders = {
            name: str(self.folder)
            for name in ("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME")
        }
        return {
            "LANG": "C.UTF-8",
            **kept,
            **folders,
            "XDG_CACHE_HOME": str(self.folder / "cache"),
            SAVES_VARIABLE: str(self.saves),
            CONFIG_VARIABLE: str(self.folder / "config.toml"),
            "PYTHONUTF8": "1",
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
        }


def visitor_of(token: str, folder: Path, shared_saves: Path | None = None) -> Visitor:
    """The visitor who has a token.

    Args:
        token: See `new_token`.
        folder: Where the folders of all visitors are.
        shared_saves: The one folder of everybody's saves; None gives each their own.
    """
    # The folder's name must not let anybody in who can list folders.
    id = hashlib.sha256(token.encode()).hexdigest()[:32]
    own = folder / id
    return Visitor(id, own, shared_saves or own / "saves")
