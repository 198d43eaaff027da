"""Visitors: their identity, folders, and environment."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import site
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from boardgames_cli.online.codes import new_pass, new_token, read_pass
from boardgames_cli.storage.files import changing
from boardgames_cli.storage.paths import CONFIG_VARIABLE, SAVES_VARIABLE
from boardgames_cli.storage.preferences import MOTION_VARIABLE

COOKIE: Final = "boardgames_visitor"
"""The cookie that identifies a browser."""

_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{43}(\.[0-9a-f]{64})?")
"""Those of earlier versions have no signature."""
_FOLDER_MODE: Final = 0o700
_KEPT: Final = ("PATH", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ", "PYTHONPATH")
"""The environment variables that a session inherits from the server."""


def signed_token(secret: str) -> str:
    """A new token that a server with the same secret knows as its own."""
    return new_pass(secret, new_token()).replace(" ", ".")


def is_own_token(text: str, secret: str, folder: Path) -> bool:
    """Whether a cookie holds a token of this server, or one with which somebody has played."""
    if _TOKEN.fullmatch(text) is None:
        return False
    return (
        bool(read_pass(secret, text.replace(".", " "))) or visitor_of(text, folder).folder.is_dir()
    )


@dataclass(frozen=True, slots=True)
class Visitor:
    """A visitor, identified by a browser's cookie or an ssh key.

    Args:
        id: A name that does not reveal the token.
        folder: The folder of the visitor's data.
        term: The kind of their terminal, by default that of the page.
        colors: What ``COLORTERM`` says about it.
        is_calm: Whether nothing is to move.
        address: Where they are, for limits; empty for this machine, which has none.
        table: The code of the table to which a link has led them; empty for none.
        is_watching: Whether that code is one for spectators.
    """

    id: str
    folder: Path
    term: str = "xterm-256color"
    colors: str = "truecolor"
    is_calm: bool = False
    address: str = ""
    table: str = ""
    is_watching: bool = False

    @property
    def cache(self) -> Path:
        """The compiled rules of all visitors: a session of any of them may write them."""
        return self.folder.parent / "cache"

    def make_folder(self) -> None:
        """Create the private folder, or note the visit."""
        with changing(self.folder, "Choose another --save-dir.", how="created"):
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            for folder in (self.folder, self.cache):
                folder.mkdir(mode=_FOLDER_MODE, exist_ok=True)
            os.utime(self.folder)

    def environment(self) -> dict[str, str]:
        """The environment of the visitor's session, without the server's own paths."""
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        if (
            site.ENABLE_USER_SITE
        ):  # packages in the server user's home, which differs from the session's
            kept["PYTHONUSERBASE"] = site.getuserbase()
        folders = {
            name: str(self.folder)
            for name in ("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME")
        }
        return {
            "LANG": "C.UTF-8",
            **kept,
            **folders,
            "XDG_CACHE_HOME": str(self.cache),
            SAVES_VARIABLE: str(self.folder / "saves"),
            CONFIG_VARIABLE: str(self.folder / "config.toml"),
            "PYTHONUTF8": "1",
            "TERM": self.term,
            "COLORTERM": self.colors,
            **({MOTION_VARIABLE: "1"} if self.is_calm else {}),
        }


def check_folder(folder: Path) -> None:
    """Create the folder of visitors' saves and check that it is writable."""
    with changing(f"visitors' games in {folder}", "Choose another --save-dir.", how="saved"):
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def visitor_of(token: str, folder: Path, address: str = "") -> Visitor:
    """The visitor with a token."""
    # Hashed, so that the name of the folder does not reveal the token.
    id = hashlib.sha256(token.encode()).hexdigest()[:32]
    return Visitor(id, folder / id, address=address)
