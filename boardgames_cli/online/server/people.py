"""Who is at a table: connected clients, those who took a seat, and what they offer each other."""

from __future__ import annotations

import asyncio
import unicodedata
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from aiohttp import web

from boardgames_cli.codec.derived import object_codec
from boardgames_cli.core.errors import SeatError
from boardgames_cli.core.game import Seat
from boardgames_cli.online.codes import is_secret
from boardgames_cli.online.messages import Offer, write

NO_NONCE: Final = "0" * 64
"""The random number of a client that contributes none."""
AWAY_SECONDS: Final = 120.0
"""How long the others wait for somebody whose connection was lost before they may choose."""
_LOOKS: Final = str.maketrans(
    "\u0410\u0412\u0415\u0417\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0405\u0406"
    "\u0408\u051a\u051c\u0430\u0432\u0435\u0437\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443"
    "\u0445\u0455\u0456\u0458\u051b\u051d\u04bb\u0501\u0391\u0392\u0395\u0396\u0397\u0399\u039a"
    "\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03b1\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5"
    "\u03c7\u03c9",
    "ABE3KMHOPCTYXSIJQWabe3kmhopctyxsijqwhdABEZHIKMNOPTYXaikvoptuxw",
)
"""Cyrillic and Greek letters, and the Latin ones that they look like."""
_STROKES: Final = str.maketrans("i1|0", "lllo")
_MOST_UNSENT: Final = 1 << 20
_MOST_WAITING: Final = 10_000
"""A client that lets more bytes or messages than this wait is dropped."""
_BURST: Final = 200
_MESSAGES_A_SECOND: Final = 100.0
"""How fast a client is read; faster ones wait."""


def looks_of(name: str) -> str:
    """What a name looks like: the same for names that people take for one another.

    Marks and spaces count for nothing, and Cyrillic and Greek letters for the Latin ones that they
    look like (a small part of Unicode Technical Standard 39).
    """
    plain = unicodedata.normalize("NFKD", name).translate(_LOOKS).casefold()
    return "".join(filter(str.isalnum, plain)).translate(_STROKES) or name


@dataclass(eq=False, slots=True)
class Guest:
    """A connected client: its websocket, and the messages that wait to be sent.

    What it may see and do at a table, only the table knows; see `People`.
    """

    socket: web.WebSocketResponse
    address: str
    """What limits apply to: a visitor of this server, or a network."""
    loop: asyncio.AbstractEventLoop
    drop: Callable[[], None]
    """Ends the connection at once, without a closing message; a client with a seat comes back by
    itself."""
    _waiting: deque[str | Iterator[str]] = field(default_factory=deque)
    _size: int = 0
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _allowance: float = _BURST
    _counted: float = 0.0
    came_from_client: bool = True
    """Whether no other process has handed it on."""
    is_lost: bool = False
    """Whether nothing can be sent any more."""

    def __post_init__(self) -> None:
        self._counted = self.loop.time()

    def send(self, message: str | Iterator[str]) -> None:
        """Queue a message, or messages that are made when the client takes them.

        A client that reads too slowly is dropped; one message may have any length.
        """
        if self.is_lost:
            return
        if self._size > _MOST_UNSENT or len(self._waiting) > _MOST_WAITING:
            self.is_lost = True
            self._waiting.clear()
            self.drop()
        else:
            self._waiting.append(message)
            self._size += len(message) if isinstance(message, str) else 0
        self._wake.set()

    def end(self, reason: str) -> None:
        """End the connection, once the client has been told why."""
        self.send(write("closed", message=reason))
        self.is_lost = True
        self._wake.set()

    async def write(self) -> None:
        """Send what is queued until the connection is lost."""
        while not self.is_lost:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                message = self._waiting.popleft()
                try:
                    if isinstance(message, str):
                        self._size -= len(message)
                        await self.socket.send_str(message)
                        continue
                    for text in message:
                        await self.socket.send_str(text)
                        await asyncio.sleep(0)  # a long history must not hold others up
                except (ConnectionError, RuntimeError):
                    self.is_lost = True
                    return
        await self.socket.close()

    def excess(self) -> float:
        """Count a message; the seconds to wait before the next one is read."""
        now = self.loop.time()
        grown = self._allowance + (now - self._counted) * _MESSAGES_A_SECOND
        self._allowance = min(_BURST, grown) - 1
        self._counted = now
        return max(0.0, -self._allowance / _MESSAGES_A_SECOND)


@dataclass(slots=True)
class Player:
    """Somebody who took a seat."""

    seat: Seat
    name: str
    token: str
    """The hash of the token that holds the seat."""
    nonce: str = NO_NONCE
    """The number that they added to the dice; empty while it is awaited."""
    is_bot: bool = False
    away_since: float = field(default=0.0, compare=False)
    """When their connection was lost. Neither this nor what follows is saved."""
    stand_in: str = field(default="", compare=False)
    """The agent that plays until they are back."""

    def saved(self) -> dict[str, Any]:
        return object_codec(Player).write(self)


@dataclass(slots=True)
class OpenOffer:
    """An offer that is not decided yet."""

    what: Offer
    by: Seat
    agreed: set[Seat] = field(default_factory=set)


class People:
    """Everybody at a table: who took a seat, here or away, and who watches.

    Iterating gives the connected clients.
    """

    def __init__(self, now: float) -> None:
        self.left_at = now
        """When a client left last."""
        self.players: dict[Seat, Player] = {}
        self._places: dict[Guest, Player | None] = {}
        """Who each connected client is here, from which all follows that it may see and do; None
        is a spectator. It begins when a client arrives, and ends when it leaves."""

    def __iter__(self) -> Iterator[Guest]:
        return iter([*self._places])

    def __contains__(self, guest: Guest) -> bool:
        return guest in self._places

    @property
    def here(self) -> set[Seat]:
        return {player.seat for player in self._places.values() if player is not None}

    @property
    def watchers(self) -> int:
        return [*self._places.values()].count(None)

    def seat_of(self, guest: Guest) -> Seat | None:
        """The seat of a client at this table; None for a spectator.

        Raises:
            SeatError: It is not at this table.
        """
        if guest not in self._places:
            raise SeatError("you are at no table yet.")
        player = self._places[guest]
        return None if player is None else player.seat

    def send(self, text: str) -> None:
        for guest in self:
            guest.send(text)

    def tell(self, kind: str, **fields: Any) -> None:
        """Send a message of a type to everybody."""
        self.send(write(kind, **fields))

    def watch(self, guest: Guest) -> None:
        self._places[guest] = None

    def sit(self, player: Player, guest: Guest) -> None:
        """Give a client the seat of a player, which any other client loses."""
        for other in [one for one, holder in self._places.items() if holder is player]:
            del self._places[other]
            other.end("You are at this table in another window.")
        self.players[player.seat] = player
        self._places[guest] = player

    def move(self, players: Mapping[Seat, Player]) -> None:
        """Give the players their seats in a new game."""
        self.players = dict(players)
        for seat, player in players.items():
            player.seat, player.stand_in = seat, ""

    def drop(self, guest: Guest, now: float) -> bool:
        """A client is gone; whether a player is away now."""
        player, self.left_at = self._places.pop(guest), now
        if player is not None:
            player.away_since = now
        return player is not None

    def dismiss(self, reason: str) -> None:
        """End all connections; without a reason, clients are told nothing and come back."""
        for guest in self:
            if reason:
                guest.end(reason)
            else:
                guest.drop()
        self._places.clear()

    def holder_of(self, token: str) -> Player | None:
        """The player whose seat a token holds."""
        return next((one for one in self.players.values() if is_secret(token, one.token)), None)

    def absent(self, now: float) -> list[Player]:
        """Those who may be replaced: away long enough, and nobody sits in for them."""
        here = self.here
        return [
            player
            for seat, player in self.players.items()
            if seat not in here and not player.stand_in and now - player.away_since >= AWAY_SECONDS
        ]
