"""Games over ssh, as people use them: with the ssh client of their system, and only for games."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncssh
import pytest

from boardgames_cli.core.errors import StorageError
from boardgames_cli.online.client.arrival import list_tables, sit_down
from boardgames_cli.online.codes import read_address
from boardgames_cli.online.messages import Join
from boardgames_cli.web import ssh as over_ssh
from boardgames_cli.web.sessions import ELSEWHERE, STOPPED, Sessions
from boardgames_cli.web.ssh import (
    GUEST,
    HOST_KEY,
    NO_SCREEN,
    NOT_KEPT,
    SshConnection,
    SshServer,
    host_key,
)
from boardgames_cli.web.visitors import Visitor, visitor_of
from tests.e2e.screens import Terminal
from tests.processes import wait_until
from tests.web.served import Served

with_client = pytest.mark.skipif(
    shutil.which("ssh") is None, reason="needs ssh (apt-get install openssh-client)"
)


class Client:
    """How somebody calls ssh.

    Args:
        served: The server.
        key: The file of their private key.
    """

    def __init__(self, served: Served, key: Path | None = None) -> None:
        self._folder = served.folder
        found = re.search(r"ssh -p (\d+) (\S+)", served.said)
        assert found is not None, served.said
        self._host = found[2]
        options = {
            "StrictHostKeyChecking": "accept-new",
            "UserKnownHostsFile": served.folder / "known_hosts",
            "IdentitiesOnly": "yes",
            "IdentityFile": key or "none",
            "IdentityAgent": "none",
            "LogLevel": "ERROR",
        }
        self._words = ["ssh", "-F", "none", "-p", found[1]]
        for name, value in options.items():
            self._words += ["-o", f"{name}={value}"]

    def terminal(self, term: str = "xterm-256color") -> Terminal:
        """Connect in a terminal of some kind."""
        return Terminal(self._folder, program=[*self._words, self._host], TERM=term)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Connect without a terminal; the words stand before the host up to ``--``."""
        before, after = list(words), list[str]()
        if "--" in before:
            place = before.index("--")
            before, after = before[:place], before[place + 1 :]
        return subprocess.run(
            [*self._words, *before, self._host, *after],
            capture_output=True,
            text=True,
            timeout=60,
            stdin=subprocess.DEVNULL,
            check=False,
        )


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path, "kuhn", "tapnswap", "--ssh", "0") as running:
        yield running


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "id_ed25519"
    path.touch(0o600)
    path.write_bytes(asyncssh.generate_private_key("ssh-ed25519").export_private_key())
    return path


def at_menu(terminal: Terminal) -> Terminal:
    """Wait for the menu, and close the greeting of the first visit."""
    terminal.wait_for("Welcome")
    terminal.send("\r")
    while "Welcome" in terminal.text:
        terminal.pump()
    terminal.wait_for("enter start")
    return terminal


@with_client
def test_a_stranger_plays_and_leaves(served: Served) -> None:
    terminal = at_menu(Client(served).terminal())
    terminal.resize(120, 30)
    terminal.wait_for(r"Race|Cards|cards")
    wait_until(lambda: len(served.children()) == 1)
    while max(len(line) for line in terminal.text.splitlines()) <= 80:
        terminal.pump()
    terminal.send("q")
    assert terminal.end() == 0
    terminal.check_given_back()
    assert NOT_KEPT in terminal.text
    wait_until(lambda: not served.children())
    wait_until(lambda: not served.visitors.exists() or not [*served.visitors.glob("*/saves")])


@with_client
def test_a_key_finds_the_session_again(served: Served, key: Path) -> None:
    client = Client(served, key)
    first = at_menu(client.terminal())
    first.send("2")
    first.wait_for("TapnSwap  2 players")
    sessions = served.children()
    first.kill(signal.SIGKILL)
    first.end()

    second = client.terminal()
    second.wait_for("TapnSwap  2 players")
    assert served.children() == sessions, "the same program"
    third = client.terminal()
    third.wait_for("TapnSwap  2 players")
    assert second.end() == 1
    second.check_given_back()
    assert ELSEWHERE in second.text

    os.kill(served.pid, signal.SIGTERM)
    assert third.end() == 1
    served.stop()
    third.check_given_back()
    assert STOPPED in third.text
    (own,) = [one for one in served.visitors.iterdir() if one.name not in ("tables", "cache")]
    assert stat.S_IMODE(own.stat().st_mode) == 0o700


@with_client
def test_there_is_nothing_but_the_games(served: Served, key: Path, tmp_path: Path) -> None:
    client = Client(served, key)
    http = served.address.rpartition(":")[2]
    told = client.run("--", f"touch {tmp_path}/made")
    assert (told.returncode, told.stdout.strip()) == (1, NO_SCREEN)
    assert not (tmp_path / "made").exists()
    for words in (
        ("-s", "--", "sftp"),
        ("-W", f"127.0.0.1:{http}"),
        ("-N", "-o", "ExitOnForwardFailure=yes", "-R", f"{tmp_path}/socket:127.0.0.1:1"),
        ("-N", "-o", "ExitOnForwardFailure=yes", "-R", "0:127.0.0.1:1"),
    ):
        assert client.run(*words).returncode == 255, words
    assert client.run("-tt", "--", "sh").stdout.strip() == NO_SCREEN
    dumb = client.terminal("dumb")
    assert dumb.end() == 1
    assert NO_SCREEN in dumb.text


@with_client
def test_a_visitor_meets_others_at_a_table(served: Served) -> None:
    ann = at_menu(Client(served).terminal())
    ann.send("f")
    ann.wait_for("Nobody has a table open here")
    ann.send("1")
    ann.wait_for("enter takes it")
    ann.send("Ann\r")
    ann.wait_for("waiting for players")
    (table,) = list_tables(read_address(served.address))
    assert "Ann v open" in table.label
    address = read_address(f"{served.address}/{table.code}")
    ben = sit_down(address, Join(table.code, "Ben"))
    ann.wait_for("Ben")
    ben.close()


@with_client
def test_the_server_is_known_again_by_its_key(tmp_path: Path) -> None:
    for _ in range(2):  # accept-new refuses another key for the same place
        with Served(tmp_path, "kuhn", "--ssh", "0") as served:
            assert Client(served).run("-o", "HostKeyAlias=here", "--", "ls").returncode == 1
    (path,) = tmp_path.glob(f"data/**/{HOST_KEY}")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    made = host_key(tmp_path)
    assert host_key(tmp_path).get_fingerprint() == made.get_fingerprint()
    (tmp_path / HOST_KEY).chmod(0o640)
    with pytest.raises(StorageError, match="others can read"):
        host_key(tmp_path)
    (tmp_path / HOST_KEY).chmod(0o600)
    (tmp_path / HOST_KEY).write_text("no key")
    with pytest.raises(StorageError, match="can't be used"):
        host_key(tmp_path)


class Door:
    """A server whose visitors are noted."""

    def __init__(self, folder: Path) -> None:
        self.visitors: list[Visitor] = []
        sessions = Sessions((), lambda _: {}, 2, 60.0)

        def visitor(token: str, address: str) -> Visitor:
            self.visitors.append(visitor_of(token, folder, address=address))
            return self.visitors[-1]

        self.server = SshServer(sessions, visitor)


def test_nobody_is_known_by_a_key_that_they_only_named(tmp_path: Path) -> None:
    door, key = Door(tmp_path), asyncssh.generate_private_key("ssh-ed25519")
    for is_proven in (True, False, True):
        connection = SshConnection(door.server)
        assert connection.validate_public_key("ann", key.convert_to_public())
        if not is_proven:
            assert connection.get_kbdint_challenge("ann", "", "")
        assert connection.session_requested()
        assert connection.session_requested() is False, "one terminal to a connection"
    first, stranger, again = (visitor.id for visitor in door.visitors)
    assert first == again != stranger


async def test_a_client_that_knows_no_method_gets_in_as_a_guest(tmp_path: Path) -> None:
    door, key = Door(tmp_path), asyncssh.generate_private_key("ssh-ed25519")
    port = await door.server.start("127.0.0.1", 0, host_key(tmp_path))
    plain: dict[str, Any] = {"known_hosts": None, "client_keys": None, "agent_path": None}
    async with asyncssh.connect("127.0.0.1", port, username=GUEST, config=[], **plain) as client:
        assert client.get_extra_info("username") == GUEST
    with pytest.raises(asyncssh.PermissionDenied):
        await asyncssh.connect("127.0.0.1", port, username="ann", config=[], **plain)
    connection = SshConnection(door.server)  # nobody is known by a key that they only named before
    assert connection.validate_public_key("ann", key.convert_to_public())
    assert not connection.begin_auth(GUEST)
    assert connection.session_requested()
    assert door.visitors[-1].id != visitor_of(f"ssh {key.get_fingerprint()}", tmp_path).id
    await door.server.stop()


async def test_an_address_has_only_so_many_connections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(over_ssh, "_FIRST_SECONDS", 1.0)
    door = Door(tmp_path)
    port = await door.server.start("127.0.0.1", 0, host_key(tmp_path))
    opened = [await asyncio.open_connection("127.0.0.1", port) for _ in range(11)]
    greetings = [await reader.read(4) for reader, _ in opened]
    assert greetings == [b"SSH-"] * 10 + [b""]
    for reader, _ in opened:  # who says nothing is closed
        async with asyncio.timeout(20):
            await reader.read()
    assert not door.server.connections
    assert not door.server.limit.held
    for _, writer in opened:
        writer.close()
    await door.server.stop()
