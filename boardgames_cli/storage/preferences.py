"""The user's preferences in a TOML file, which people may edit, too.

Values are changed in place, so that comments and unknown keys are kept. A damaged file is never
written; the program uses defaults until it is repaired.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final

from boardgames_cli.codec.derived import read_entries
from boardgames_cli.codec.json_reader import JsonReader
from boardgames_cli.core.errors import StorageError, UnknownNameError
from boardgames_cli.core.text import Glyphs
from boardgames_cli.storage.files import change_file

THEMES: Final = ("dark", "light", "monochrome")
GLYPHS: Final = tuple(glyphs.value for glyphs in Glyphs)
PACES: Final = ("instant", "fast", "normal", "slow", "step")
MOTION_VARIABLE: Final = "BOARDGAMES_REDUCED_MOTION"

_LARGEST: Final = 1_000_000
HEADING: Final = "# What boardgames remembers; docs/config.md explains it.\n"
_REMEDY: Final = "Edit or move it; until then defaults are used and nothing is remembered."
_READER: Final = JsonReader("", _LARGEST, StorageError, _REMEDY)
_CHOICES: Final = {"theme": THEMES, "glyphs": GLYPHS, "pace": PACES}
_WRONG: Final = {
    **{name: f"is none of {', '.join(choices)}" for name, choices in _CHOICES.items()},
    "names": "is not a list of texts",
    "last_game": "is not text",
    "keymap": "is not a table of texts",
    "forms": "is not a table of tables of texts",
}
_NO_SWITCH: Final = "is neither true nor false"


@dataclass(frozen=True, slots=True)
class Preferences:
    """The preferences; everything has a default, and empty means no preference."""

    theme: str = ""
    """One of `THEMES`."""
    glyphs: str = ""
    """One of `GLYPHS`."""
    pace: str = ""
    """One of `PACES`."""
    names: tuple[str, ...] = ()
    """The names of the people at this keyboard, in the order of their seats."""
    auto_forced: bool = False
    """Whether forced actions are taken without a key."""
    calm: bool = False
    bell: bool = False
    tutor: bool = False
    is_introduced: bool = False
    """Whether the user has seen the introduction to the screen."""
    last_game: str = ""
    forms: dict[str, dict[str, str]] = field(default_factory=dict)
    """The choices in the menu for each game, by field."""
    keymap: dict[str, str] = field(default_factory=dict)
    """Custom keys for actions of the screen, by action id."""


_KNOWN: Final = tuple(one.name for one in fields(Preferences))
_GONE: Final = ("lessons",)  # meant something once, and may stand in a file


class PreferencesFile:
    """The file.

    It may not exist. Its methods raise `StorageError` if it can't be read or written, or is
    damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.remark = ""
        """Which entries of the file that was read mean nothing; empty if all mean something."""

    def read(self) -> Preferences:
        """Read the preferences; defaults if there is no file."""
        if not self.path.exists():
            return Preferences()
        data = self._parsed(self.text())
        unknown = [key for key in data if key not in (*_KNOWN, *_GONE)]
        told = [UnknownNameError("entry", key, _KNOWN).message for key in unknown]
        self.remark = f"{self.path.name}: {' '.join(told)}" if told else ""
        return _checked(data, self.path)

    def remember(self, **values: Any) -> None:
        """Change some preferences; everything else in the file stays as it is.

        The forms are merged by game.
        """
        change_file(self.path, _LARGEST, lambda content: self._changed(content, values))

    def _changed(self, content: bytes, values: Mapping[str, Any]) -> bytes | None:
        import tomlkit  # imported late: it takes longer than reading the file

        text = _READER.decode(content, str(self.path))
        data = self._parsed(text)
        before = _checked(data, self.path)
        new = {name: value for name, value in values.items() if not _has(before, name, value)}
        if not new:
            return None
        wanted = copy.deepcopy(data)
        for name, value in new.items():
            _put(wanted, name, value)
        for is_replaced in (False, True):  # replacing a table loses the comments in it
            document = tomlkit.parse(text or HEADING)
            for name, value in new.items():
                if is_replaced:
                    document.pop(name, None)
                    document[name] = wanted[name]
                else:
                    _put(document, name, value)
            changed = tomlkit.dumps(document)
            if _is_toml_of(changed, wanted):
                return changed.encode()
        raise StorageError(f"{self.path} can't be changed without damage.", _REMEDY)

    def text(self, *, is_strict: bool = True) -> str:
        return _READER.read_text(self.path, is_strict=is_strict)

    def _parsed(self, text: str) -> dict[str, Any]:
        import tomllib  # imported late: only needed if there is a file

        try:
            return tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            raise StorageError(f"{self.path} is not TOML ({error}).", _REMEDY) from None


def _has(before: Preferences, name: str, value: Any) -> bool:
    if name == "forms":
        return all(dict(before.forms.get(game, {})) == dict(form) for game, form in value.items())
    return bool(getattr(before, name) == value)


def _put(document: Any, name: str, value: Any) -> None:
    if name == "forms":
        forms = document.setdefault("forms", {})
        for game, form in value.items():
            forms[game] = dict(form)
    else:
        document[name] = list(value) if isinstance(value, tuple) else value


def _is_toml_of(text: str, data: Mapping[str, Any]) -> bool:
    import tomllib

    try:
        return tomllib.loads(text) == data
    except ValueError:
        return False


def _checked(data: Mapping[str, Any], path: Path) -> Preferences:
    def wrong(name: str) -> StorageError:
        return StorageError(f"{path}: {name} {_WRONG.get(name, _NO_SWITCH)}.", _REMEDY)

    found = read_entries(Preferences, data, wrong)
    for name, choices in _CHOICES.items():
        if getattr(found, name) not in ("", *choices):
            raise wrong(name)
    return found


def wants_no_motion(environment: Mapping[str, str]) -> bool:
    """Whether the environment asks for no animations.

    ``BOARDGAMES_REDUCED_MOTION`` is on unless it is empty or 0; Textual has a variable of its own.
    """
    own = environment.get(MOTION_VARIABLE, "")
    return own not in ("", "0") or environment.get("TEXTUAL_ANIMATIONS", "").lower() == "none"
