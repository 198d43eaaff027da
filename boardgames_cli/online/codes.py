"""Codes that people type to join a table, tokens that hold a seat, and addresses of tables."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import re
import secrets
from typing import Final, NamedTuple

from boardgames_cli.core.errors import GameError, SeatError

ALPHABET: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Letters and digits without those that look alike (I, O, 0, 1)."""

DEFAULT_PORT: Final = 7777
ONLY_HERE: Final = "127.0.0.1"
ANYWHERE: Final = "0.0.0.0"  # noqa: S104  # asked for
"""The addresses on which a server listens for this machine alone, or for everybody."""

VISITOR_HEADER: Final = "Boardgames-Visitor"
"""The header in which a visitor's session shows its pass."""
HANDED_ON: Final = "Boardgames-Handed-On"
"""The header of a connection that another server process hands on; it is not handed on again."""

_CODE_LENGTH: Final = 8
_TOKEN_BYTES: Final = 32
_CODE: Final = re.compile(rf"[{ALPHABET}]{{{_CODE_LENGTH}}}")


class AddressError(GameError):
    """An address or a code of a table can't be read."""


class WrongSecretError(SeatError):
    """A code is wrong; somebody may be guessing."""


def new_code() -> str:
    """A random code of 40 bits, such as ``KEGA-3F2P``."""
    letters = "".join(secrets.choice(ALPHABET) for _ in range(_CODE_LENGTH))
    return f"{letters[:4]}-{letters[4:]}"


def read_code(text: str) -> str:
    """A code as typed by a person, in its usual form."""
    letters = text.strip().upper().replace("-", "").replace(" ", "")
    if not _CODE.fullmatch(letters):
        raise AddressError(
            f'"{text}" is not the code of a table.', "A code looks like KEGA-3F2P: 8 signs."
        )
    return f"{letters[:4]}-{letters[4:]}"


def new_token() -> str:
    """A random token of 256 bits, which holds a seat, or by which a browser is known."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def hash_secret(secret: str) -> str:
    """What a server keeps of a token."""
    return hashlib.sha256(secret.encode("utf-8", "backslashreplace")).hexdigest()


def is_secret(secret: str, digest: str) -> bool:
    """Whether a secret has a digest; takes the same time for every wrong one."""
    return hmac.compare_digest(hash_secret(secret), digest)


def new_pass(secret: str, visitor: str) -> str:
    """What a server gives a visitor's session, which connects from the server's own machine."""
    return f"{visitor} {hmac.new(secret.encode(), visitor.encode(), hashlib.sha256).hexdigest()}"


def read_pass(secret: str, text: str) -> str:
    """The visitor that a pass names; empty if the server has not made it."""
    visitor, _, _ = text.partition(" ")
    made = new_pass(secret, visitor).encode()
    return visitor if hmac.compare_digest(made, text.encode("utf-8", "replace")) else ""


def is_loopback(host: str) -> bool:
    """Whether only this machine itself can reach an address."""
    try:
        found = ipaddress.ip_address(host)
        return (getattr(found, "ipv4_mapped", None) or found).is_loopback
    except ValueError:
        return host.lower() == "localhost"


class TableAddress(NamedTuple):
    """Where a table is, as people pass it on."""

    host: str
    port: int
    code: str
    """Empty for a server with a lobby."""
    is_secure: bool = False
    """Whether the connection is encrypted (``https``)."""
    visitor: str = ""
    """What a server gave its visitor's session to tell it from others; see `new_pass`."""

    @property
    def server(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def link(self) -> str:
        return f"http{'s' * self.is_secure}://{self.server}/{self.code}"

    @property
    def is_here(self) -> bool:
        """Whether only this machine reaches it."""
        return is_loopback(self.host)

    def __str__(self) -> str:
        start = "https://" if self.is_secure else ""
        return f"{start}{self.server}/{self.code}" if self.code else f"{start}{self.server}"


def read_address(text: str) -> TableAddress:
    """Read an address such as ``192.0.2.7:7777/KEGA-3F2P``.

    Args:
        text: A host, optionally with ``http://`` or ``https://``, a port and a code. An IPv6
            address stands in brackets. A code alone means this machine.
    """
    given = text.strip()
    scheme, separator, rest = given.rpartition("://")
    if scheme.lower() not in ("", "http", "https"):
        raise AddressError(f'"{scheme}" addresses can\'t be joined.', "Write HOST:PORT/CODE.")
    place, _, code = rest.partition("/")
    if not separator and not code and _CODE.fullmatch(place.upper().replace("-", "")):
        place, code = "localhost", place
    found = re.fullmatch(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]\s/@?#]+)(?::(\d{1,5}))?", place)
    port = int(found[2] or DEFAULT_PORT) if found else 0
    if found is None or not 0 < port < 1 << 16:
        raise AddressError(
            f'"{text}" is not the address of a table.',
            "It looks like 192.0.2.7:7777/KEGA-3F2P, or [2001:db8::7]:7777/KEGA-3F2P.",
        )
    code = read_code(code) if code.strip("/ ") else ""
    return TableAddress(found[1].strip("[]"), port, code, scheme.lower() == "https")
