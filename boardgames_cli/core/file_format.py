"""The interface for the file formats of other programs that play the same game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, TypeVar

from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.match import AnyMatch

G = TypeVar("G", bound=AnyGame, contravariant=True)
"""The rulebook of one game."""

S = TypeVar("S")
"""Its states."""


@dataclass(frozen=True, slots=True)
class Recording:
    """A game as recorded in another program's file."""

    match: AnyMatch
    names: tuple[str, ...]
    """The name of each seat's player in the file."""


class FileFormat(Protocol[G, S]):
    """The file format of another program. All files are JSON; input is not trusted.

    Methods that read raise `PositionError` for an impossible position and `RecordError` for an
    impossible recorded game, each naming the field. Methods that write raise `GameError` for
    anything that the format can't express.
    """

    def is_position(self, data: Mapping[str, Any]) -> bool:
        """Whether a JSON object looks like a position of this format."""

    def is_recording(self, data: Mapping[str, Any]) -> bool:
        """Whether a JSON object looks like a recorded game of this format."""

    def join(self, files: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
        """The recorded game in a folder as one object.

        Args:
            files: The JSON objects in the folder, by file name.
        """

    def options(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The options under which our rules match those of the program that wrote an object."""

    def read_position(self, game: G, data: Mapping[str, Any]) -> S:
        """The state that a position stands for."""

    def write_position(self, game: G, state: S) -> dict[str, Any]:
        """A state in this format."""

    def read_recording(self, game: G, data: Mapping[str, Any]) -> Recording:
        """A recorded game; every step is checked against the game's rules."""

    def write_recording(self, game: G, recording: Recording) -> dict[str, Any]:
        """A game in this format."""


AnyFormat: TypeAlias = FileFormat[Any, Any]
"""A format of any game."""
