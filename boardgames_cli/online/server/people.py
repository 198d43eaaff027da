"""Who is at a table: connected clients, those who took a seat, and what they offer each other."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from boardgames_cli.core.game import Seat
from boardgames_cli.online.codes import is_secret
from boardgames_cli.online.messages import NO_NONCE, Offer, TableState, write

AWAY_SECONDS: Final = 40.0
"""How long the others wait for somebody whose connection was lost before they may choose."""


@dataclass(eq=False, slots=True)
class Guest:
    """One connected client."""

    send: Callable[[str | Iterator[str]], None]
    """Sends a message, or messages that are made one by one as the line takes them; it never
    blocks or fails."""
    drop: Callable[[], None]
    """Ends its connection; a client with a seat comes back by itself."""
    lag: float = 0.0
    """How long its line takes both ways, in seconds."""
    seat: Seat | None = None
    """Its seat; None for a spectator."""
    edition: int = -1
    """The edition of the history that it has been sent; -1 for none."""


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
    guest: Guest | None = None
    """The connection; None while they are away."""
    away_since: float = 0.0
    stand_in: str = ""
    """The agent that plays until they are back."""

    def saved(self) -> dict[str, Any]:
        """What is saved of them."""
        names = ("seat", "name", "token", "nonce", "is_bot")
        return {name: getattr(self, name) for name in names}


@dataclass(slots=True)
class OpenOffer:
    """An offer that is not decided yet."""

    what: Offer
    by: Seat
    agreed: set[Seat] = field(default_factory=set)


class People:
    """Everybody at a table: who took a seat, here or away, and who watches.

    Iterating gives the connected clients.

    Args:
        now: The time in seconds.
    """

    def __init__(self, now: float) -> None:
        self.left_at = now
        """When a client left last."""
        self.players: dict[Seat, Player] = {}
        self.watchers: list[Guest] = []

    def __iter__(self) -> Iterator[Guest]:
        here = [player.guest for player in self.players.values() if player.guest is not None]
        return iter([*here, *self.watchers])

    def send(self, text: str) -> None:
        """Send a message to everybody."""
        for guest in self:
            guest.send(text)

    def tell(self, kind: str, **fields: Any) -> None:
        """Send a message of a type to everybody."""
        self.send(write(kind, **fields))

    def sit(self, player: Player, guest: Guest) -> None:
        """Give a client the seat of a player."""
        guest.seat = player.seat
        player.guest = guest
        self.players[player.seat] = player

    def drop(self, guest: Guest, now: float) -> Player | None:
        """A client is gone; the player who is away now, if it was one."""
        self.left_at = now
        if guest in self.watchers:
            self.watchers.remove(guest)
        player = None if guest.seat is None else self.players.get(guest.seat)
        if player is None or player.guest is not guest:
            return None
        player.guest, player.away_since = None, now
        return player

    def holder_of(self, token: str) -> Player | None:
        """The player whose seat a token holds."""
        return next((one for one in self.players.values() if is_secret(token, one.token)), None)

    def absent(self, now: float) -> list[Player]:
        """Those who may be replaced: away long enough, and nobody sits in for them."""
        return [
            player
            for player in self.players.values()
            if player.guest is None
            and not player.stand_in
            and now - player.away_since >= AWAY_SECONDS
        ]

    def state(self, now: float) -> TableState:
        """What everybody is told of them."""
        players = self.players.values()
        return TableState(
            here=tuple(player.seat for player in players if player.guest is not None),
            away=tuple(
                (player.seat, max(0, math.ceil(player.away_since + AWAY_SECONDS - now)))
                for player in players
                if player.guest is None
            ),
            watchers=len(self.watchers),
            bots=tuple(player.seat for player in players if player.is_bot),
        )
