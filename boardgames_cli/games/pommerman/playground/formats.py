"""The files of the original playground, as the program asks for foreign formats."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from boardgames_cli.core.errors import PositionError, RecordError
from boardgames_cli.core.file_format import FileFormat, Recording
from boardgames_cli.games.pommerman.playground import recording, state_file
from boardgames_cli.games.pommerman.playground.configs import RULES, options_of_config
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.rules.layout import board_spec_of
from boardgames_cli.games.pommerman.state import PommermanState

_WHOLE_GAME: Final = "game_state.json"
_STATE_FILE: Final = re.compile(r"\d+\.json")


class Playground:
    """State files, and recorded games in one file or a folder of states."""

    def is_position(self, data: Mapping[str, Any]) -> bool:
        """Whether a JSON object is meant as a state file."""
        return state_file.is_playground(data)

    def is_recording(self, data: Mapping[str, Any]) -> bool:
        """Whether a JSON object is meant as a recorded game."""
        return recording.STATES in data or "finished_at" in data

    def join(self, files: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
        """The game in a folder: its ``game_state.json``, else the numbered state files.

        Raises:
            RecordError: There is neither.
        """
        if _WHOLE_GAME in files:
            return files[_WHOLE_GAME]
        names = sorted(name for name in files if _STATE_FILE.fullmatch(name))
        if not names:
            raise RecordError(
                "there is no recorded game in it.",
                f"A game of the playground is a {_WHOLE_GAME}, or state files: 000.json, 001.json.",
            )
        for name in names:
            if not self.is_position(files[name]):
                raise RecordError(f"{name} is no state file of the playground.", "Remove it.")
        return {recording.STATES: [files[name] for name in names]}

    def options(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The options of the environment that wrote an object, guessed where it does not say."""
        states = data.get(recording.STATES, [data])
        named = options_of_config(data.get("config"))
        return {**RULES, **(named or _guess(states if isinstance(states, list) else []))}

    def read_position(self, game: Pommerman, data: Mapping[str, Any]) -> PommermanState:
        """The state of a state file."""
        return state_file.load_state(game, data)

    def write_position(self, game: Pommerman, state: PommermanState) -> dict[str, Any]:
        """A state file."""
        if not state.agents:
            raise PositionError(
                "there is nothing to write: the board is not laid out yet.",
                "Take a position from a game that has begun.",
            )
        return state_file.dump_state(game, state)

    def read_recording(self, game: Pommerman, data: Mapping[str, Any]) -> Recording:
        """A recorded game."""
        return recording.read_recording(game, data)

    def write_recording(self, game: Pommerman, recorded: Recording) -> dict[str, Any]:
        """A ``game_state.json``."""
        return recording.write_recording(game, recorded)


PLAYGROUND: Final[FileFormat[Pommerman, PommermanState]] = Playground()


def _guess(states: Sequence[Any]) -> dict[str, Any]:
    """The mode that some states allow, by words and size; teams look like free for all."""
    for state in filter(lambda state: isinstance(state, Mapping), states):
        if state_file.RADIO in state or any(isinstance(did, list) for did in _actions(state)):
            return {"mode": "radio"}
        if _value(state, state_file.SIZE) == board_spec_of(2).size:
            return {"mode": "duel"}
    return {}


def _actions(state: Mapping[str, Any]) -> list[Any]:
    listed = _value(state, state_file.ACTIONS)
    return listed if isinstance(listed, list) else []


def _value(state: Mapping[str, Any], key: str) -> Any:
    try:
        return state_file.field(state, key)
    except PositionError:
        return None  # reading the state says what is wrong with it
