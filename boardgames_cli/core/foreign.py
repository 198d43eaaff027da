"""Formats of other programs that play the same game: what they can be asked to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from boardgames_cli.core.errors import PositionError
from boardgames_cli.core.game import Game
from boardgames_cli.core.match import Match

if TYPE_CHECKING:
    from boardgames_cli.core.spec import GameSpec


@dataclass(frozen=True, slots=True)
class Recording:
    """A game that was played, as another program's file can tell it."""

    match: Match[Any, Any]
    names: tuple[str, ...]
    """For every seat what the file calls its owner."""


class ForeignFormat(Protocol):
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

    def read_position(self, game: Game[Any, Any], data: Mapping[str, Any]) -> Any:
        """The state that a position stands for."""

    def write_position(self, game: Game[Any, Any], state: Any) -> dict[str, Any]:
        """A state in this format."""

    def read_recording(self, game: Game[Any, Any], data: Mapping[str, Any]) -> Recording:
        """A recorded game, every step of it played by the game's rules."""

    def write_recording(self, recording: Recording) -> dict[str, Any]:
        """A game in this format."""


def own_position(spec: GameSpec, game: Game[Any, Any], data: dict[str, Any]) -> dict[str, Any]:
    """A position in our own form, whichever of the game's formats it has.

    Args:
        spec: The game's visiting card.
        game: The rulebook.
        data: The JSON object; one that no format knows is returned as it is.

    Raises:
        PositionError: It is an impossible position of another format, or a recorded game.
    """
    for card in spec.formats:
        format = card.load()
        if format.is_recording(data):
            raise PositionError(
                f"this is a recorded game of {card.name}, not a position.",
                f"To see it: boardgames convert {spec.info.id} FILE game.jsonl, "
                "then boardgames replay game.jsonl",
            )
        if format.is_position(data):
            return game.to_json(format.read_position(game, data))
    return data
