"""Version 2 of the protocol: what clients and servers say over a network.

It is version 1 (`agents.remote.protocol`) in websocket text frames, one JSON object each, with
messages about the table added. docs/protocol.md specifies it. Nothing that arrives is trusted: a
message is read field by field, and what is unknown is ignored.
"""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Final, TypeAlias, TypeVar

from boardgames_cli.agents.remote import protocol
from boardgames_cli.agents.remote.protocol import clean, read_message
from boardgames_cli.codec.derived import object_codec, read_entries
from boardgames_cli.codec.fields import Key, Text
from boardgames_cli.core.agent import split_agent
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.online.fair_dice import Hex
from boardgames_cli.registry import make
from boardgames_cli.session.seats import HUMAN, LONGEST_NAME

VERSION: Final = 2
"""The version of the protocol. Version 1 is spoken over pipes."""

AGENT_SECONDS: Final = 1.0
"""The thinking time of an agent, on either side."""

LONGEST_MESSAGE: Final = 1 << 16
"""The maximum length of a client's message in bytes."""

LONGEST_CHAT: Final = 140
"""The maximum length of what somebody says, in characters."""

_LONGEST_TEXT: Final = 1000
_LONGEST_LINE: Final = 300


class MessageError(GameError):
    """A message can't be understood."""


class Offer(StrEnum):
    """What somebody may offer, and the others must agree to."""

    UNDO = "undo"
    """Take back the last decision of the seat that offers it."""
    REMATCH = "rematch"
    """Play again with seats exchanged."""
    AGENT = "agent"
    """Let an agent play for whoever is away, until they are back."""
    CLAIM = "claim"
    """End the game, lost for whoever is away."""


@dataclass(frozen=True, slots=True)
class Brief(Text):
    """A string without control characters, of limited length, in one line."""

    longest: int

    def read(self, data: object, field: str) -> str:
        return clean(Text.read(self, data, field), self.longest)  # slots forbid super()


Name: TypeAlias = Annotated[str, Brief(LONGEST_NAME)]
Line: TypeAlias = Annotated[str, Brief(_LONGEST_TEXT)]


@dataclass(frozen=True, slots=True)
class ClientMessage:
    """What a client says."""


@dataclass(frozen=True, slots=True)
class Open(ClientMessage):
    """Open a table, and take its first seat for a person, if it has one."""

    game: Line
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    seats: tuple[Line, ...] = ()
    """The holder of each seat: ``human:NAME`` (who opens it), ``open``, or an agent."""
    clock: Line = ""
    move_time: Line = ""
    tick: Line = ""
    """Seconds between joint steps in real time."""
    is_private: bool = False
    """Whether only those who know its code find it, and it is in no list."""
    contributes: bool = False
    """Whether a ``nonce`` follows once the client knows the server's commitment."""

    @property
    def own_seat(self) -> tuple[Seat, str] | None:
        """The seat and the name of the person who opens it; None if only others play."""
        for seat, holder in enumerate(self.seats):
            kind, given = split_agent(holder)
            if kind == HUMAN:
                return seat, given.get("name", given.get("", ""))
        return None


@dataclass(frozen=True, slots=True)
class Join(ClientMessage):
    """Take an open seat, or watch, as the code says."""

    code: Line
    name: Name = ""
    contributes: bool = False
    """As in `Open`."""
    is_bot: bool = False
    seat: int | None = None
    """The seat that is wanted; by default the first open one."""


@dataclass(frozen=True, slots=True)
class Contribute(ClientMessage):
    """Add a random number to the dice, after the server's commitment is known."""

    nonce: Annotated[str, Hex()]


@dataclass(frozen=True, slots=True)
class Return(ClientMessage):
    """Come back to one's seat after the connection was lost."""

    table: Line
    token: Line


@dataclass(frozen=True, slots=True)
class Act(ClientMessage):
    """A seat's action."""

    action: Line | None = None
    id: int | None = None
    ply: int | None = None
    edition: int | None = None
    """The edition of the history that it refers to; None does not say."""


@dataclass(frozen=True, slots=True)
class Say(ClientMessage):
    """Say something to everybody at the table."""

    text: Annotated[str, Brief(LONGEST_CHAT)]


@dataclass(frozen=True, slots=True)
class Resign(ClientMessage):
    """Give up the game."""


@dataclass(frozen=True, slots=True)
class Propose(ClientMessage):
    """Offer something to the others."""

    what: Offer


@dataclass(frozen=True, slots=True)
class Answer(ClientMessage):
    """Answer an offer."""

    agrees: bool
    what: Offer | None = None
    """The offer that is meant; None means whichever is open."""


@dataclass(frozen=True, slots=True)
class Leave(ClientMessage):
    """Leave the table, for good if the game has not begun."""


@dataclass(frozen=True, slots=True)
class ListTables(ClientMessage):
    """Ask for the tables of the lobby."""


KINDS: Final[Mapping[str, type[ClientMessage]]] = {
    "open": Open,
    "watch": Join,
    "join": Join,
    "nonce": Contribute,
    "return": Return,
    "action": Act,
    "say": Say,
    "resign": Resign,
    "offer": Propose,
    "answer": Answer,
    "leave": Leave,
    "tables": ListTables,
}
"""The types of a client's messages."""

_NAMES: Final = {kind: name for name, kind in KINDS.items()}

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TableState:
    """How a table is, as the server tells everybody at it."""

    state: Line = "waiting"
    """``waiting``, ``playing`` or ``over``."""
    names: tuple[Line, ...] = ()
    here: tuple[Seat, ...] = ()
    away: tuple[tuple[Seat, int], ...] = ()
    """Who is away, and the seconds until the others may replace them."""
    open: tuple[Seat, ...] = ()
    clocks: tuple[int, ...] | None = None
    """The seconds that every seat has left."""
    running: tuple[Seat, ...] = ()
    committed: tuple[Seat, ...] = ()
    """Who has chosen in a joint step that is not complete."""
    offer: Offer | None = None
    offered_by: Seat | None = None
    agreed: tuple[Seat, ...] = ()
    """Who has agreed to the offer."""
    watchers: int = 0
    bots: tuple[Seat, ...] = ()
    """Whose holders are programs that have joined."""


@dataclass(frozen=True)
class Welcome:
    """The server's answer to whoever sits down or watches."""

    game_id: Annotated[Line, Key("game")]
    options: Mapping[str, Any]
    rules_version: int
    commitment: Line
    table: Line = ""
    token: Line = ""
    """Empty for spectators."""
    seat: Seat | None = None
    protocol: int = VERSION
    code: Line = ""
    """The code for open seats; empty for those who may not know it."""
    watch: Line = ""
    """The code for spectators."""
    has_pages: Annotated[bool, Key("pages")] = False
    """Whether the address of the table is a link for browsers, too."""
    clock: Line = ""
    tick: float | None = None
    away: int = 0
    """The seconds after which others may replace whoever is away; 0 if the server does not say."""

    @functools.cached_property
    def game(self) -> AnyGame:
        """The rulebook of its game.

        Raises:
            GameError: The game is not known here, or has no such options.
        """
        return make(self.game_id, **self.options)


@dataclass(frozen=True, slots=True)
class ListedTable:
    """A table in the list of a server."""

    game: Line
    options: Mapping[str, Any]
    names: tuple[Line, ...]
    open: int
    """The number of open seats."""
    clock: Line
    code: Line
    """The code for an open seat; empty if there is none, or who opened the table gives it away."""
    watch: Line
    """The code for spectators; empty as that for a seat."""
    is_away: bool = False
    """Whether its server does not answer."""

    @property
    def label(self) -> str:
        clock = self.clock if self.clock != "no clock" else ""
        how = "away" if self.is_away else "join" if self.code or self.open else "watch"
        return f"{how}: {', '.join(filter(None, (self.game, ' v '.join(self.names), clock)))}"


def read_client(text: str) -> ClientMessage:
    """Read a client's message."""
    message = read_object(text)
    kind = KINDS.get(message["type"])
    if kind is None:
        raise MessageError(f'there is no message of the type "{clean(message["type"], 40)}".')
    return read_fields(kind, message)


def read_object(text: str) -> dict[str, Any]:
    """The JSON object of a message of either side."""
    try:
        return read_message(text.encode())
    except ValueError as error:
        raise MessageError(f"a message can't be read: {error}.") from None


def read_fields(kind: type[T], message: Mapping[str, Any]) -> T:
    """The fields of a message that a dataclass names; others are ignored."""
    name = message.get("type")
    return read_entries(
        kind,
        message,
        lambda key: MessageError(f'"{key}" is missing or wrong in a message of type "{name}".'),
    )


def write_client(message: ClientMessage) -> str:
    """A client's message as text."""
    return write_fields(_NAMES[type(message)], message)


def write_fields(name: str, message: Any) -> str:
    """A message as text whose fields are those of a dataclass."""
    return write(name, **object_codec(type(message)).write(message))


def write(kind: str, **fields: Any) -> str:
    """A message as text."""
    return json.dumps({"type": kind, **fields}, allow_nan=False)


def text_of(message: Mapping[str, Any], key: str) -> str:
    """A text of the server in one line, without anything that a terminal would obey."""
    return protocol.text_of(message, key, _LONGEST_LINE)
