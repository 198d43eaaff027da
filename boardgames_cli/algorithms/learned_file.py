"""Files of learned data: a header with a format version, a game and its rules version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, TypeAlias, TypeVar

from boardgames_cli.codec.derived import object_codec, read_entries
from boardgames_cli.codec.fields import Whole, is_whole
from boardgames_cli.codec.json_reader import JsonReader
from boardgames_cli.core.errors import EXIT_FILE, GameError
from boardgames_cli.core.game import AnyGame

T = TypeVar("T")

Count: TypeAlias = Annotated[int, Whole(0)]


class LearnedFileError(GameError):
    """A file of learned data is missing, damaged, or made for another game or other rules."""

    exit_code: ClassVar[int] = EXIT_FILE


@dataclass(frozen=True, slots=True)
class LearnedFile:
    """One kind of file; its methods raise `LearnedFileError`."""

    key: str
    """The header key that identifies the kind and holds the format version."""
    name: str
    """The name of the content without an article, such as ``strategy``."""
    limit: int
    remedy: str
    format: int = 1

    @property
    def reader(self) -> JsonReader:
        return JsonReader(f"the {self.name}", self.limit, LearnedFileError, self.remedy)

    def header(self, data: Any, subject: str) -> dict[str, Any]:
        """Check that a header has the right kind and format; messages call the file `subject`."""
        if not isinstance(data, dict) or not is_count(data.get(self.key)) or not data[self.key]:
            raise self.error(f"{subject} is not a {self.name} of boardgames.")
        if data[self.key] > self.format:
            raise LearnedFileError(
                f"{subject} was written in format {data[self.key]}; "
                f"this version reads 1-{self.format}.",
                "Update boardgames.",
            )
        return data

    def read(
        self,
        kind: type[T],
        header: Mapping[str, Any],
        subject: str,
        **content: Any,
    ) -> T:
        """Read a dataclass whose fields are entries of a header, or given as `content`."""
        return read_entries(kind, header, lambda key: self.wrong(subject, key), **content)

    def wrong(self, subject: str, key: str) -> LearnedFileError:
        """The error for an entry of a header that is missing or invalid."""
        return self.error(f'{subject} is damaged: "{key}" is missing or wrong.')

    def entries(self, value: object, *without: str) -> dict[str, Any]:
        """The header of a file: its format, and the fields of a dataclass without some."""
        return {self.key: self.format, **object_codec(type(value), *without).write(value)}

    def misfit(self, content: Any, game: AnyGame) -> str | None:
        """Why a game can't use the content of a file; None if it can."""
        made_for, rules_version = content.game, content.rules_version
        info = game.info
        if made_for != info.id:
            return f"the {self.name} was made for {made_for}, not {info.id}"
        if rules_version != info.rules_version:
            return (
                f"the {self.name} was made for version {rules_version} of the rules of "
                f"{info.name}; this program plays version {info.rules_version}"
            )
        return None

    def check_game(self, content: Any, game: AnyGame) -> None:
        """Refuse a game that can't use the content of a file."""
        reason = self.misfit(content, game)
        if reason is not None:
            raise self.error(f"{reason}.")

    def error(self, message: str) -> LearnedFileError:
        """The error for a bad file, with the remedy."""
        return LearnedFileError(message, self.remedy)


def is_count(value: Any) -> bool:
    """Whether a JSON value is a whole number that is not negative."""
    return is_whole(value) and value >= 0
