"""Messages of the agent protocol, version 1: one JSON object per line.

Specified in docs/protocol.md. Both sides use this module: `client` asks agents in other processes,
`agent_server` answers for ours.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, Final

from boardgames_cli import __version__
from boardgames_cli.codec.json_reader import JsonReader
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import CHANCE, AnyGame, Observation, Seat
from boardgames_cli.core.match import StepObservation
from boardgames_cli.core.options import option_values
from boardgames_cli.core.record import step_texts
from boardgames_cli.registry import spec_of

VERSION: Final = 1
LONGEST_LINE: Final = 1 << 20
LONGEST_TEXT: Final = 200
LONGEST_NAME: Final = 100
LONGEST_ERROR: Final = 1000
RANDOM_BITS: Final = 53
"""The size of the random number in ``act``: a float can hold it, for languages without integers."""

_CHANCE: Final = "chance"
_READER: Final = JsonReader("", LONGEST_LINE, GameError)


class LineReader:
    """Assembles lines from the chunks of bytes of a pipe; empty lines are skipped."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._searched = 0

    def feed(self, data: bytes) -> None:
        self._bytes += data

    @property
    def has_more(self) -> bool:
        return bool(self._bytes)

    def next(self) -> bytes | None:
        """The next complete line without its newline; None if there is none yet.

        Raises:
            ValueError: The line is too long.
        """
        while (end := self._bytes.find(b"\n", self._searched)) >= 0:
            line = bytes(self._bytes[:end]).rstrip(b"\r")
            del self._bytes[: end + 1]
            self._searched = 0
            if end >= LONGEST_LINE:
                break
            if line.strip():
                return line
        else:
            self._searched = len(self._bytes)
            if self._searched < LONGEST_LINE:
                return None
        raise ValueError(f"a line of more than {LONGEST_LINE:,} bytes")


def read_message(line: bytes) -> dict[str, Any]:
    """Parse the message on a line.

    Raises:
        ValueError: It is not a message; the error says why.
    """
    try:
        message = _READER.parse(line.decode(), "it")
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8") from None
    except GameError as error:
        raise ValueError(error.message.removesuffix(".")) from None
    if not isinstance(message, dict):
        raise ValueError("it is not a JSON object")
    if not isinstance(message.get("type"), str):
        raise ValueError("it has no type")
    return message


def write_message(kind: str, **fields: Any) -> bytes:
    """A message as a line."""
    return json.dumps({"type": kind, **fields}, allow_nan=False).encode() + b"\n"


def hello(game: AnyGame, seat: Seat, start: float, answer: float | None) -> bytes:
    """The message that starts a game, with the seconds until ``ready`` and for an action."""
    info, seats = game.info, game.seats
    names = info.seat_names if len(info.seat_names) >= seats else map(str, range(1, seats + 1))
    return write_message(
        "hello",
        protocol=VERSION,
        program=f"boardgames {__version__}",
        game=info.id,
        rules_version=info.rules_version,
        options=option_values(game),
        seat=seat,
        seats=seats,
        names=list(names)[:seats],
        limits={"start": start, "answer": answer, "line": LONGEST_LINE},
        encodings=list(spec_of(game).encodings),
    )


def actors(game: AnyGame, state: Any) -> list[int | str]:
    """The seats to act in a state, in the protocol's form."""
    return [_CHANCE if seat == CHANCE else seat for seat in game.to_act(state)]


def observe(
    game: AnyGame,
    seen: Observation[Any, Any],
    acted: Sequence[int | str] = (),
    seconds: float | None = None,
) -> bytes:
    """The message with a seat's observation, who acted last, and the seconds for its action."""
    last = seen.step if isinstance(seen, StepObservation) else None
    step = None if last is None else {str(who): None for who in acted} | step_texts(last)
    return write_message(
        "observe",
        ply=seen.ply,
        position=game.to_json(seen.state),
        to_act=actors(game, seen.state),
        legal=[str(action) for action in seen.legal],
        ids=_ids(game, seen),
        step=step,
        seconds=seconds,
    )


def _ids(game: AnyGame, seen: Observation[Any, Any]) -> list[int] | None:
    if not game.action_count:
        return None
    return [game.action_id(seen.state, action) for action in seen.legal]


def answered_action(
    game: AnyGame, seen: Observation[Any, Any], answer: Mapping[str, Any]
) -> tuple[Any, str]:
    """The legal action in an answer, and what is wrong with the answer as the end of a sentence."""
    ply = answer.get("ply")
    if ply is not None and ply != seen.ply:
        return None, f"answered for ply {_short(ply)} at ply {seen.ply}"
    text, id = answer.get("action"), answer.get("id")
    if isinstance(text, str):
        for action in seen.legal:
            if str(action) == text:
                return action, ""
        return None, f"answered {_short(text)} at ply {seen.ply}, which is not legal"
    if text is not None or not isinstance(id, int) or isinstance(id, bool):
        return None, f"answered at ply {seen.ply} without an action (a text) or an id (a number)"
    for action, known in zip(seen.legal, _ids(game, seen) or (), strict=False):
        if known == id:
            return action, ""
    return None, f"answered with the id {_short(id)} at ply {seen.ply}, which no legal action has"


def text_of(message: Mapping[str, Any], key: str, longest: int = LONGEST_TEXT) -> str:
    """A string field of a message, cleaned for display in one line; empty if missing."""
    text = message.get(key)
    return clean(text, longest) if isinstance(text, str) else ""


def clean(text: str, longest: int) -> str:
    """A text of somebody else in one line, without anything that a terminal would obey."""
    plain = "".join(
        sign if sign.isprintable() and unicodedata.category(sign) != "Cf" else " "
        for sign in unicodedata.normalize("NFC", text[: 2 * longest])
    )
    return " ".join(plain.split())[:longest]


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}..."
