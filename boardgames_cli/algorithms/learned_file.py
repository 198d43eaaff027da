"""Files of learned data: a header with a format version, a game and its rules version."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from boardgames_cli.codec.json_reader import JsonReader
from boardgames_cli.codec.position import is_whole
from boardgames_cli.core.game import AnyGame

_MADE_FOR: Final[dict[str, type]] = {"game": str, "rules_version": int}


@dataclass(frozen=True, slots=True)
class LearnedFile:
    """One kind of file; its methods raise the reader's type of error."""

    key: str
    """The header key that identifies the kind and holds the format version."""
    name: str
    """The name of the content without an article, such as ``strategy``."""
    reader: JsonReader
    format: int = 1
    """The newest supported format."""

    def header(self, data: Any, subject: str) -> dict[str, Any]:
        """Check that a header has the right kind and format.

        Args:
            data: The JSON value that was read.
            subject: What to call the file in messages.
        """
        if not isinstance(data, dict) or not is_count(data.get(self.key)) or not data[self.key]:
            raise self._error(f"{subject} is not a {self.name} of boardgames.")
        if data[self.key] > self.format:
            raise self.reader.error(
                f"{subject} was written in format {data[self.key]}; "
                f"this version reads 1-{self.format}.",
                "Update boardgames.",
            )
        return data

    def check_fields(
        self, header: Mapping[str, Any], subject: str, fields: Mapping[str, type]
    ) -> None:
        """Refuse a header that lacks a field, or has one of the wrong type.

        Args:
            header: The header.
            subject: What to call the file in messages.
            fields: The types of the fields besides ``game`` and ``rules_version``; whole numbers
                must not be negative.
        """
        for key, kind in {**_MADE_FOR, **fields}.items():
            value = header.get(key)
            if not (is_count(value) if kind is int else isinstance(value, kind)):
                raise self._error(f'{subject} is damaged: "{key}" is missing or wrong.')

    def misfit(self, game: AnyGame, made_for: str, rules_version: int) -> str | None:
        """Why a game can't use a file; None if it can.

        Args:
            game: The game to be played.
            made_for: The id of the game in the file.
            rules_version: The rules version in the file.
        """
        info = game.info
        if made_for != info.id:
            return f"the {self.name} was made for {made_for}, not {info.id}"
        if rules_version != info.rules_version:
            return (
                f"the {self.name} was made for version {rules_version} of the rules of "
                f"{info.name}; this program plays version {info.rules_version}"
            )
        return None

    def check_game(self, game: AnyGame, made_for: str, rules_version: int) -> None:
        """Refuse a game that can't use a file; arguments as for `misfit`."""
        reason = self.misfit(game, made_for, rules_version)
        if reason is not None:
            raise self._error(f"{reason}.")

    def to_text(self, header: Mapping[str, Any], key: str, content: Mapping[str, Any]) -> str:
        """The text of a file as a JSON object.

        Args:
            header: All other entries besides the format, one line each.
            key: The key of the content.
            content: The learned data, written with indentation.
        """
        lines = {self.key: self.format, **header}.items()
        head = "".join(f" {json.dumps(name)}: {json.dumps(value)},\n" for name, value in lines)
        return f'{{\n{head} "{key}": {json.dumps(content, indent=1)}\n}}\n'

    def _error(self, message: str) -> Exception:
        return self.reader.error(message, self.reader.remedy)


def is_count(value: Any) -> bool:
    """Whether a JSON value is a whole number that is not negative."""
    return is_whole(value) and value >= 0
