"""Formats of other programs that play the same game: what they can be asked to do."""

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
    """A game that was played, as another program's file records it."""

    match: AnyMatch
    names: tuple[str, ...]
    """For every seat what the file calls its owner."""


class FileFormat(Protocol[G, S]):
    """The files of another program. All are JSON; those it reads may have been damaged by anybody.

    Where a method reads, it raises `PositionError` for a position and `RecordError` for a recorded
    game that is impossible, each with the field to blame. Where it writes, it raises `GameError`
    for what the format has no room for.
    """

    def is_position(self, data: Mapping[str, Any]) -> bool:
        """Whether a JSON object is meant as a position of this format."""

    def is_recording(self, data: Mapping[str, Any]) -> bool:
        """Whether a JSON object is meant as a recorded game of this format."""

    def join(self, files: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
        """The recorded game in a folder as one object.

        Args:
            files: The JSON objects in the folder, by the names of their files.
        """

    def options(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The options with which our rules play as the program did that wrote an object."""

    def read_position(self, game: G, data: Mapping[str, Any]) -> S:
        """The state that a position stands for."""

    def write_position(self, game: G, state: S) -> dict[str, Any]:
        """A state in this format."""

    def read_recording(self, game: G, data: Mapping[str, Any]) -> Recording:
        """A recorded game, every step of it played by the game's rules."""

    def write_recording(self, game: G, recording: Recording) -> dict[str, Any]:
        """A game in this format."""


AnyFormat: TypeAlias = FileFormat[Any, Any]
"""A format of any game."""
