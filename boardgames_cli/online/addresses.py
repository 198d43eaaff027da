"""Who may connect to a server: host names, origins, and what one address may hold."""

from __future__ import annotations

import asyncio
import ipaddress
import os
from collections import Counter
from collections.abc import Collection
from typing import Any, Final
from urllib.parse import urlsplit

from aiohttp import web

from boardgames_cli.storage.files import reason_of

FIRST_SECONDS: Final = 10.0
"""A connection that has not said what it wants after this time is closed."""
_NETWORK_BITS: Final = 64
"""The length of the part of an IPv6 address that names the network of its owner."""


def limit_connections(runner: web.AppRunner, most: int, *, exempt: str = "") -> None:
    """Close what an address opens beyond a limit, before it has sent anything.

    This machine itself has no limit: proxies and visitors' sessions connect from here.

    Args:
        runner: A server that has been set up.
        most: The maximum number of connections of an address.
        exempt: The address of a proxy on another machine; empty for none.
    """
    server = runner.server
    assert server is not None, "it has been set up"
    made, lost = server.connection_made, server.connection_lost
    places: dict[object, str] = {}
    held: Counter[str] = Counter()

    def connection_made(handler: Any, transport: asyncio.Transport) -> None:
        made(handler, transport)
        peer = transport.get_extra_info("peername")
        remote = str(peer[0]) if peer else ""
        if remote == exempt or is_loopback(remote):
            return
        place = places[handler] = network_of(remote)
        held[place] += 1
        if held[place] > most:
            transport.abort()

    def connection_lost(handler: Any, exc: BaseException | None = None) -> None:
        lost(handler, exc)
        place = places.pop(handler, None)
        if place is not None:
            held[place] -= 1
            if not held[place]:
                del held[place]

    # aiohttp has no hook for a connection without a request.
    server.connection_made = connection_made  # type: ignore[method-assign]
    server.connection_lost = connection_lost  # type: ignore[method-assign]


def close_silent(runner: web.AppRunner, silent: Collection[Any]) -> None:
    """Regularly end connections that have sent no whole request since the last time.

    Args:
        runner: The server.
        silent: The connections that were silent the last time.
    """
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

    Args:
        request: A request.
        host: Where the server listens.

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
    if origin is not None and origin.partition("://")[2] != request.host:
        raise web.HTTPForbidden(text="Only pages of this server may connect to it.")


def network_reason(error: OSError | OverflowError) -> str:
    """The system's reason for an error, without the address that asyncio puts before it."""
    number = getattr(error, "errno", None) or 0
    return os.strerror(number) if number > 0 else reason_of(error)  # resolvers count downwards


def is_loopback(host: str) -> bool:
    """Whether only this machine itself can reach an address."""
    try:
        found = ipaddress.ip_address(host)
        return (getattr(found, "ipv4_mapped", None) or found).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def network_of(address: str) -> str:
    """What limits apply to: an address, or the network of an IPv6 address, whose owner has all."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return address
    return str(found.ipv4_mapped or ipaddress.ip_network((int(found), _NETWORK_BITS), strict=False))
