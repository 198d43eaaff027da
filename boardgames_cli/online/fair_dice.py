"""Provable dice: a seed to which everybody contributes, and that anybody can check afterwards.

The server draws a secret and publishes its hash before anybody contributes. Every client then adds
a random number, without knowing the secret, and the seed of the match is a hash of all of them, so
that no side alone decides it. After the end the secret is revealed. This is the usual commitment
scheme of coin flipping by telephone (Blum 1983). The secrets of further games are a chain of hashes
(Lamport 1981): what is revealed after a game is the promise of the next one.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass
from typing import Annotated, Any, Final

from boardgames_cli.codec.derived import object_codec
from boardgames_cli.codec.fields import Text
from boardgames_cli.core.errors import GameError, PositionError
from boardgames_cli.core.match import AnyMatch, Match

_BYTES: Final = 32
_SEED_BITS: Final = 64
MOST_GAMES: Final = 1000
"""The length of the chain: how many games one secret is good for."""
_HEX: Final = re.compile(rf"[0-9a-f]{{{2 * _BYTES}}}")


class Hex(Text):
    """Thirty-two bytes in hexadecimal digits."""

    def read(self, data: object, field: str) -> str:
        text = super().read(data, field)
        if not _HEX.fullmatch(text):
            raise PositionError(f"{field} is not {_BYTES} bytes in hexadecimal digits.")
        return text


@dataclass(frozen=True, slots=True)
class FairDice:
    """Everything that the seed of a match was made of."""

    secret: Annotated[str, Hex()]
    """The server's secret."""
    nonces: tuple[Annotated[str, Hex()], ...]
    """The numbers of the clients, in the order of their seats."""

    @property
    def commitment(self) -> str:
        """The hash of the secret, which the server published first."""
        return commitment_of(self.secret)

    @property
    def seed(self) -> int:
        mixed = hashlib.sha256(":".join((self.secret, *self.nonces)).encode()).digest()
        return int.from_bytes(mixed) >> (8 * len(mixed) - _SEED_BITS)


class UnfairDiceError(GameError):
    """Dice differ from those that the seed gives, or were not agreed upon."""


def new_secret() -> str:
    """A secret of a server or a client: 32 random bytes."""
    return secrets.token_hex(_BYTES)


def secret_of(root: str, game: int) -> str:
    """The server's secret for a game at a table, of which 1 is the first: the hash of the next."""
    for _ in range(MOST_GAMES - game):
        root = commitment_of(root)
    return root


def commitment_of(secret: str) -> str:
    """The hash of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def check_promise(dice: FairDice, commitment: str, nonce: str) -> None:
    """Check revealed dice against what a client was promised at the start.

    Args:
        dice: What the server revealed.
        commitment: The hash that it published before the game.
        nonce: The number that the client contributed.

    Raises:
        UnfairDiceError: The secret is another one, or the client's number was left out.
    """
    if dice.commitment != commitment:
        raise UnfairDiceError("the server revealed another secret than it had promised.")
    if nonce not in dice.nonces:
        raise UnfairDiceError("the number that this side added is not among those of the seed.")


def check_dice(match: AnyMatch, dice: FairDice) -> int:
    """Check that all chance outcomes of a match are those of its agreed seed.

    Returns:
        The number of outcomes that were checked.

    Raises:
        UnfairDiceError: The seed is another one, or an outcome is.
    """
    if dice.seed != match.seed:
        raise UnfairDiceError("the seed of this game is not the one that was agreed upon.")
    again: AnyMatch = Match(
        match.game, seed=dice.seed, start=match.start, max_plies=match.max_plies
    )
    count = 0
    for number, step in enumerate(match.steps, start=1):
        if not step.is_chance:
            again.take(step)
            continue
        count += 1
        drawn = again.resolve_chance()
        if drawn != step.outcome:
            raise UnfairDiceError(f"step {number} is {step.outcome}, but the seed gives {drawn}.")
    return count


def read_dice(data: Any) -> FairDice:
    """Dice from the header of a save."""
    try:
        return object_codec(FairDice).read(data, "dice")
    except PositionError as error:
        raise UnfairDiceError(f"the save's dice can't be read: {error.message}") from None
