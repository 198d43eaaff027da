"""Servers on the same network: they announce themselves by multicast DNS, and clients find them.

RFC 6762 and RFC 6763 (DNS-based service discovery). An announcement says that there is a server,
and where; it holds no code and no name of a person. What is found is trusted as little as any
server.
"""

from __future__ import annotations

import contextlib
import importlib.util
import socket
import threading
import time
from typing import TYPE_CHECKING, Any, Final

from boardgames_cli.core.errors import MissingPackageError
from boardgames_cli.online.codes import TableAddress

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, Zeroconf

SERVICE: Final = "_boardgames._tcp.local."
PACKAGE: Final = "zeroconf"

_TLS: Final = b"tls"
_LONGEST_NAME: Final = 40
_MOST: Final = 20
"""The maximum number of servers that are found; more are not people's."""
_LOOK_SECONDS: Final = 0.1
_RESOLVE_MILLISECONDS: Final = 1000


def can_discover() -> bool:
    """Whether the package for it is installed."""
    return importlib.util.find_spec(PACKAGE) is not None


class Announcement:
    """Announces a server in the background until it is closed; nothing happens where it can't."""

    def __init__(self, server: TableAddress) -> None:
        self._server = server
        self._responder: Zeroconf | None = None
        self._thread = threading.Thread(target=self._announce, name="announcing", daemon=True)
        self._thread.start()

    def _announce(self) -> None:
        with contextlib.suppress(Exception):  # no network, no multicast: codes still work
            self._responder = _responder()
            self._responder.register_service(self._info(), allow_name_change=True)

    def _info(self) -> ServiceInfo:
        from zeroconf import ServiceInfo

        host, port = self._server.host, self._server.port
        machine = socket.gethostname().partition(".")[0][:_LONGEST_NAME] or "boardgames"
        return ServiceInfo(
            SERVICE,
            f"{machine} {port}.{SERVICE}",
            port=port,
            parsed_addresses=[str(socket.getaddrinfo(host, None)[0][4][0])],
            properties={_TLS: b"1"} if self._server.is_secure else {},
            server=f"{machine}-boardgames.local.",
        )

    def close(self) -> None:
        self._thread.join()
        if self._responder is not None:
            self._responder.close()


def announced(server: TableAddress) -> Announcement | None:
    """Announce a server, if that is possible, and others can reach it."""
    if server.is_here or not can_discover():
        return None
    return Announcement(server)


def find_servers(seconds: float) -> list[TableAddress]:
    """The servers that answer on this network.

    Raises:
        MissingPackageError: zeroconf is not installed.
        OSError: There is no network.
    """
    if not can_discover():
        raise MissingPackageError("tables on this network", PACKAGE, "online")
    from zeroconf import ServiceBrowser

    responder, names = _responder(), dict[str, None]()

    def note(name: str, **_: Any) -> None:
        names.setdefault(name)

    try:
        browser = ServiceBrowser(responder, SERVICE, handlers=[note])
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:  # in short parts, so that Ctrl+C ends it
            time.sleep(_LOOK_SECONDS)
        browser.cancel()
        found = [
            responder.get_service_info(SERVICE, name, _RESOLVE_MILLISECONDS)
            for name in [*names][:_MOST]
        ]
        return sorted(
            {
                TableAddress(places[0], info.port, "", info.properties.get(_TLS) == b"1")
                for info in found
                if info is not None and info.port and (places := info.parsed_addresses())
            }
        )
    finally:
        responder.close()


def _responder() -> Zeroconf:
    from zeroconf import Zeroconf

    return Zeroconf()
