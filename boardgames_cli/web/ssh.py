"""Games over ssh: the full screen for anybody with an ssh client, and nothing else.

Nobody is asked for a password, as in a browser. Whoever has a key is known by it and finds their
games again. There is no shell, no command, no file and no forwarding: a connection has one
terminal, and in it runs the session of a visitor.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import shutil
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import asyncssh

from boardgames_cli.core.errors import GameError, StorageError
from boardgames_cli.online.addresses import ConnectionLimit, network_of, network_reason
from boardgames_cli.online.codes import new_token
from boardgames_cli.storage.files import PRIVATE_MODE, create_file, reason_of
from boardgames_cli.terminal.guard import RESET
from boardgames_cli.web.sessions import LEFT, STOPPED, ServedSession, Sessions, Size
from boardgames_cli.web.visitors import Visitor

HOST_KEY: Final = "ssh_host_key"
"""The name of the file with the server's private key."""
NO_SCREEN: Final = "The games need a terminal: ssh without a command, from a terminal."
GUEST: Final = "guest"
"""The user who is asked for no key."""
NOT_KEPT: Final = "Without an ssh key your games are not kept."

_FIRST_SECONDS: Final = 30.0
"""A connection without a terminal after this time is closed."""
_CLOSE_SECONDS: Final = 2.0
_LOOK_SECONDS: Final = 0.05
_ALIVE_SECONDS: Final = 15
_MOST_SILENCES: Final = 3
"""After so many unanswered questions whether it is still there a connection is closed."""
_MOST_AN_ADDRESS: Final = 10
_MOST_CONNECTIONS: Final = 200
_MOST_CELLS: Final = 500
_BLOCK: Final = 4096
_TERM: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+-]{0,31}")
_COLORS: Final = ("truecolor", "24bit")


def host_key(folder: Path) -> asyncssh.SSHKey:
    """The server's private key, made at the first time.

    Raises:
        StorageError: It can't be read or written, or others can read it.
    """
    path = folder / HOST_KEY
    try:
        with contextlib.suppress(FileExistsError):
            key = asyncssh.generate_private_key("ssh-ed25519")
            folder.mkdir(parents=True, exist_ok=True)
            create_file(path, key.export_private_key(), PRIVATE_MODE)
            return key
        if stat.S_IMODE(path.stat().st_mode) & ~PRIVATE_MODE:
            raise StorageError(f"others can read the key {path}.", f"chmod 600 {path}")
        return asyncssh.import_private_key(path.read_bytes())
    except (OSError, asyncssh.KeyImportError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else str(error)
        raise StorageError(
            f"the key {path} can't be used ({reason}).", "Move it away; a new one is made."
        ) from error


class SshServer:
    """Listens for ssh clients."""

    def __init__(self, sessions: Sessions, visitor: Callable[[str, str], Visitor]) -> None:
        self.sessions = sessions
        self.visitor = visitor
        self.connections: set[SshConnection] = set()
        self.limit = ConnectionLimit(_MOST_CONNECTIONS, _MOST_AN_ADDRESS)
        self._acceptor: asyncssh.SSHAcceptor | None = None

    async def start(self, host: str, port: int, key: asyncssh.SSHKey) -> int:
        """Listen; return the port."""
        asyncssh.set_log_level("CRITICAL")  # clients' mistakes are not ours to tell
        try:
            self._acceptor = await asyncssh.listen(
                host,
                port,
                server_factory=lambda: SshConnection(self),
                server_host_keys=[key],
                encoding=None,
                line_editor=False,
                allow_scp=False,
                gss_host=None,
                x11_forwarding=False,
                agent_forwarding=False,
                compression_algs=None,  # it would mix secrets with what others choose
                login_timeout=_FIRST_SECONDS,
                keepalive_interval=_ALIVE_SECONDS,
                keepalive_count_max=_MOST_SILENCES,
            )
        except (OSError, OverflowError) as error:
            raise GameError(
                f"{host}, port {port}, can't be served over ssh ({network_reason(error)}).",
                "Choose another port with --ssh.",
            ) from error
        return self._acceptor.get_port()

    async def stop(self) -> None:
        """Close all connections; the sessions have ended before."""
        if self._acceptor is not None:
            self._acceptor.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_CLOSE_SECONDS):
                while self.connections:  # clients leave by themselves when their terminal is gone
                    await asyncio.sleep(_LOOK_SECONDS)
        for connection in [*self.connections]:
            connection.close()
        if self._acceptor is not None:
            await self._acceptor.wait_closed()


class SshConnection(asyncssh.SSHServer):
    """A client's connection. Everything but one terminal is refused, as is the default."""

    def __init__(self, server: SshServer) -> None:
        self._server = server
        self._address = ""
        self._key = ""
        """The fingerprint of the key by which the visitor was recognised."""
        self._connection: asyncssh.SSHServerConnection | None = None
        self._has_terminal = False
        self._is_counted = False

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        server, self._connection = self._server, conn
        self._address = network_of(str(conn.get_extra_info("peername")[0]))
        server.connections.add(self)
        self._is_counted = server.limit.take(self._address)
        if not self._is_counted:
            conn.abort()
        asyncio.get_running_loop().call_later(_FIRST_SECONDS, self._close_unused)

    def connection_lost(self, exc: Exception | None) -> None:
        self._server.connections.discard(self)
        if self._is_counted:
            self._server.limit.leave(self._address)

    def _close_unused(self) -> None:
        if not self._has_terminal:
            self.close()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()

    def begin_auth(self, username: str) -> bool:
        """Ask for a key, which gives the visitor's games back; nobody needs one.

        Every client asks first to be let in without any, and shows no key once it is. So clients
        that know nothing else (the method ``none``) get in under one name only.
        """
        self._key = ""  # it may have been named under another name
        return username != GUEST

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Accept any key. It is proven by a signature before the client is let in by it."""
        self._key = key.get_fingerprint()
        return True

    def kbdint_auth_supported(self) -> bool:
        """Whether clients without a key get in."""
        return True

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> bool:
        """Let a client in without a question; keys that were only named count for nothing."""
        self._key = ""
        return True

    def session_requested(self) -> SshTerminal | bool:
        """Open a terminal, the only one of this connection."""
        if self._has_terminal:
            return False
        self._has_terminal = True
        # No cookie looks like this: browsers can't be this visitor.
        visitor = self._server.visitor(
            f"ssh {self._key}" if self._key else new_token(), self._address
        )
        return SshTerminal(self._server.sessions, visitor, is_known=bool(self._key))


class SshTerminal(asyncssh.SSHServerProcess[bytes]):
    """The client's terminal, which shows a session."""

    def __init__(self, sessions: Sessions, visitor: Visitor, *, is_known: bool) -> None:
        super().__init__(lambda _: self._show(), None, 0, allow_scp=False)
        self._sessions = sessions
        self._visitor = visitor
        self._is_known = is_known
        self._session: ServedSession | None = None

    def subsystem_requested(self, subsystem: str) -> bool:
        return False

    def break_received(self, msec: int) -> bool:
        return True

    def signal_received(self, signal: str) -> None:
        """Ignore it: keys arrive as what is typed."""

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        if self._session is not None:
            self._session.resize(_size(width, height))

    async def _show(self) -> None:
        term = self.term_type or ""
        if self.command is not None or not _TERM.fullmatch(term) or term == "dumb":
            await self.cut_off(NO_SCREEN)
            return
        colors = self.env.get("COLORTERM", "")
        visitor = replace(self._visitor, term=term, colors=colors if colors in _COLORS else "")
        try:
            session = await self._sessions.open(visitor, _size(*self.term_size[:2]))
        except GameError as error:
            await self.cut_off(str(error))
            return
        self._session = session
        with contextlib.suppress(asyncssh.Error, OSError):
            await session.attach(self, _size(*self.term_size[:2]))
            while data := await self.stdin.read(_BLOCK):
                session.take_input(data)
            await self.wait_closed()  # whoever types no more may still look
        # The client has gone: whoever has a key may come back to the running session.
        session.detach(self)
        if not self._is_known:
            await session.end(LEFT)
            shutil.rmtree(self._visitor.folder, ignore_errors=True)

    async def send_bytes(self, data: bytes) -> None:
        """Show the program's output, as fast as the client takes it."""
        self.stdout.write(data)
        await self.stdout.drain()

    async def cut_off(self, reason: str) -> None:
        if self.is_closing():
            return
        if not self._is_known and reason in (LEFT, STOPPED):
            reason = NOT_KEPT
        told = RESET if self._session is not None else ""
        self.stdout.write(f"{told}{reason}\r\n".encode())
        self.exit(0 if reason in (LEFT, NOT_KEPT) else 1)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.wait_closed(), _CLOSE_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        # A client that is told to go while it closes its terminal would report an error.
        asyncio.get_running_loop().call_later(_CLOSE_SECONDS, self.channel.get_connection().close)


def _size(columns: int, rows: int) -> Size:
    return min(columns or 80, _MOST_CELLS), min(rows or 24, _MOST_CELLS)
