"""Who may connect to a server, how often, and where it is for others and for itself."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import os
import socket
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any, Final
from urllib.parse import urlsplit

from aiohttp import web

from boardgames_cli.core.errors import GameError
from boardgames_cli.online.codes import DEFAULT_PORT, is_loopback
from boardgames_cli.storage.files import reason_of

FIRST_SECONDS: Final = 10.0
"""A connection that has not said what it wants after this time is closed."""
_ANYWHERE: Final = ("0.0.0.0", "::", "")  # noqa: S104  # recognised, never a default
_NOWHERE: Final = ("192.0.2.1", "2001:db8::1")
"""Addresses for documentation; connecting a datagram socket to one sends nothing."""
_MOST_PORTS: Final = 20
_NETWORK_BITS: Final = 64
"""The length of the part of an IPv6 address that names the network of its owner."""


class ConnectionLimit:
    """Counts the connections of everybody, each of them once, and refuses more than a limit.

    Args:
        most: The maximum number of connections.
        most_each: The maximum number of those of an address or a visitor.
        exempt: The address of a proxy on another machine; empty for none.
    """

    def __init__(self, most: int, most_each: int, exempt: str = "") -> None:
        self.most = most
        self.most_each = most_each
        self.exempt = exempt
        self.held: Counter[str] = Counter()
        """Who has connections, and how many."""

    def take(self, who: str) -> bool:
        """Count a connection, unless there are too many."""
        if self.held[who] >= self.most_each or self.held.total() >= self.most:
            return False
        self.held[who] += 1
        return True

    def leave(self, who: str) -> None:
        self.held -= Counter([who])

    def is_told_apart(self, remote: str) -> bool:
        """Whether an address has connections of many: proxies and visitors' sessions are there."""
        return remote == self.exempt or is_loopback(remote)

    def watch(self, runner: web.AppRunner) -> None:
        """Close what an address opens beyond the limit, before it has sent anything."""
        server = runner.server
        assert server is not None, "it has been set up"
        made, lost = server.connection_made, server.connection_lost
        places: dict[object, str] = {}

        def connection_made(handler: Any, transport: asyncio.Transport) -> None:
            made(handler, transport)
            remote = remote_of(transport)
            if self.is_told_apart(remote):
                return
            place = network_of(remote)
            if self.take(place):
                places[handler] = place
            else:
                transport.abort()

        def connection_lost(handler: Any, exc: BaseException | None = None) -> None:
            lost(handler, exc)
            place = places.pop(handler, None)
            if place is not None:
                self.leave(place)

        # aiohttp has no hook for a connection without a request.
        server.connection_made = connection_made  # type: ignore[method-assign]
        server.connection_lost = connection_lost  # type: ignore[method-assign]

    @contextlib.contextmanager
    def holding(self, request: web.Request, who: str) -> Iterator[None]:
        """A context that counts the connection of a request, unless `watch` has counted it.

        Raises:
            web.HTTPServiceUnavailable: There are too many.
        """
        is_counted = not self.is_told_apart(remote_of(request.transport))
        if not is_counted and not self.take(who):
            raise web.HTTPServiceUnavailable(text="Too many connections. Try it later.")
        try:
            yield
        finally:
            if not is_counted:
                self.leave(who)


def remote_of(transport: asyncio.BaseTransport | None) -> str:
    """The address at the other end of a connection; empty if it is lost."""
    peer = None if transport is None else transport.get_extra_info("peername")
    return str(peer[0]) if peer else ""


def close_silent(runner: web.AppRunner, silent: Collection[Any]) -> None:
    """Regularly end connections that have sent no whole request since the last time."""
    if runner.server is None:
        return  # it was stopped
    # aiohttp has no limit for the time that a request may take to arrive, and no public name for
    # the request that is being answered.
    now = {one for one in runner.server.connections if one._current_request is None}
    for one in now.intersection(silent):
        one.force_close()
    asyncio.get_running_loop().call_later(FIRST_SECONDS, close_silent, runner, now)


def check_host(request: web.Request, host: str) -> None:
    """Refuse foreign host names for this machine, against DNS rebinding.

    Raises:
        web.HTTPForbidden: Only this machine is served, but the host name is another.
    """
    try:
        name = urlsplit(f"//{request.host}").hostname or ""
    except ValueError:
        name = ""
    if is_loopback(host) and not is_loopback(name):
        raise web.HTTPForbidden(text="This server is only for the machine it runs on.")


def check_origin(request: web.Request) -> None:
    """Refuse websockets of foreign pages.

    Raises:
        web.HTTPForbidden: A browser opens it for a page of another server.
    """
    origin = request.headers.get("Origin")
    if origin is None:
        return
    scheme, _, host = origin.partition("://")
    # A proxy with TLS that nobody has named (--proxy) lets an encrypted page seem to be none.
    if host != request.host or scheme not in (request.scheme, "https"):
        raise web.HTTPForbidden(text="Only pages of this server may connect to it.")


def network_reason(error: OSError | OverflowError | UnicodeError) -> str:
    """The system's reason for an error, without the address that asyncio puts before it."""
    if isinstance(error, UnicodeError):
        return "no machine can have this name"
    number = getattr(error, "errno", None) or 0
    return os.strerror(number) if number > 0 else reason_of(error)  # resolvers count downwards


def network_of(address: str) -> str:
    """What limits apply to: an address, or the network of an IPv6 address, whose owner has all."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return address
    return str(found.ipv4_mapped or ipaddress.ip_network((int(found), _NETWORK_BITS), strict=False))


def place_here(host: str) -> str:
    """The address by which this machine reaches what listens on an address."""
    own = "::1" if host == "::" else "127.0.0.1"
    return own if host in _ANYWHERE else host


def place_for_others(host: str) -> str:
    """The address by which other machines reach what listens on an address."""
    if host not in _ANYWHERE:
        return host
    is_newer = host == "::"  # then it listens to IPv6 only
    family = socket.AF_INET6 if is_newer else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((_NOWHERE[is_newer], 9))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


def read_listen(text: str) -> tuple[str, int, int]:
    """Read ``ADDRESS:PORT``, ``ADDRESS`` or ``:PORT``.

    Returns:
        The address, the port, and how many ports may be tried from there on: without a port, the
        next free one will do.
    """
    host, separator, port = text.rpartition(":")
    is_any = not separator or text.endswith("]")
    if is_any:
        host, port = text, str(DEFAULT_PORT)
    if not port.isdecimal() or int(port) >= 1 << 16:
        reason = "a port is a number up to 65535"
        raise GameError(f'"{text}" can\'t be listened on: {reason}.', f"Write {host}:7777.")
    place = host.strip("[]") or "0.0.0.0"  # noqa: S104  # asked for
    return place, int(port), _MOST_PORTS if is_any else 1
