"""Who is at a table: connected clients, those who took a seat, and what they offer each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from boardgames_cli.core.game import Seat
from boardgames_cli.online.messages import NO_NONCE, Offer


@dataclass(eq=False, slots=True)
class Guest:
    """One connected client."""

    send: Callable[[str | Iterator[str]], None]
    """Sends a message, or messages that are made one by one as the line takes them; it never
    blocks or fails."""
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


def offer_fields(offer: OpenOffer | None) -> dict[str, Any]:
    """What a ``table`` message says about the open offer."""
    if offer is None:
        return {"offer": None, "offered_by": None, "agreed": []}
    return {"offer": offer.what.value, "offered_by": offer.by, "agreed": sorted(offer.agreed)}
