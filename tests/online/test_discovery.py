"""Tables that are found on the network, with real multicast where this machine can do it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from zeroconf import Zeroconf

from boardgames_cli.online import discovery
from boardgames_cli.online.codes import TableAddress
from boardgames_cli.online.discovery import Announcement, announced, find_servers
from tests.e2e.screens import Terminal
from tests.e2e.test_plain_terminal import pipe
from tests.online.test_killed import free_port
from tests.web.served import Served

pytestmark = [pytest.mark.slow, pytest.mark.second_try("waits for answers from the network")]


@pytest.fixture(autouse=True)
def nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "_responder", lambda: Zeroconf(["127.0.0.1"]))


@pytest.fixture
def server() -> Iterator[TableAddress]:
    """A server that is announced on this machine only."""
    place = TableAddress("127.0.0.1", free_port(), "")
    announcement = Announcement(place)
    announcement._thread.join()
    if announcement._responder is None or place not in find_servers(3.0):
        announcement.close()
        pytest.skip("this machine has no multicast")
    yield place
    announcement.close()


def test_a_server_is_found_until_it_stops(server: TableAddress) -> None:
    assert server in find_servers(3.0)
    other = server._replace(port=server.port + 1, is_secure=True)
    announcement = Announcement(other)
    announcement._thread.join()
    assert {server, other} <= set(find_servers(3.0))
    announcement.close()
    assert other not in find_servers(3.0)


def test_what_only_this_machine_reaches_is_not_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    outside = TableAddress("192.0.2.7", 7777, "")
    assert announced(TableAddress("127.0.0.1", 7777, "")) is None
    monkeypatch.setattr(discovery, "can_discover", lambda: False)
    assert announced(outside) is None
    with pytest.raises(Exception, match="zeroconf"):
        find_servers(0.1)


def test_nobody_types_an_address(server: TableAddress, tmp_path: Path) -> None:
    del server  # multicast works
    port = free_port()
    place = ("--listen", f"0.0.0.0:{port}")
    with Served(tmp_path, "kuhn", "-s", "open", *place, verb="host") as hosting:
        told = hosting.said
        assert "finds it" in told
        code = re.search(r"/(\S{4}-\S{4})\n", told)
        assert code is not None
        listed = pipe(tmp_path, "join")
        line = next((line for line in listed.stdout.splitlines() if f":{port}" in line), None)
        if line is None:
            pytest.skip("no multicast on the network of this machine")
        assert "join: kuhn, open v open" in line
        for given in re.findall(r"/(\S{4}-\S{4})\n", told):
            assert given not in listed.stdout, "who opened the table gives the codes away"
        ben = Terminal(tmp_path, "join", "--plain", "--name", "Ben")
        ben.wait_for("Which one|Its code")
        if "Which one" in ben.text:  # others on this network have tables, too
            number = re.search(rf"(\d+)  join: .*:{port}", ben.text)
            assert number is not None
            ben.send(f"{number[1]}\r")
            ben.wait_for("Its code")
        ben.send(f"{code[1]}\r")
        ben.wait_for("You are at the table")
        ben.child.close(force=True)
        for said in ("You are at the table", r"You are back at your seat\. Another .* --name"):
            cy = Terminal(
                tmp_path, "join", f"127.0.0.1:{port}/{code[1]}", "--plain", "--name", "Cy"
            )
            cy.wait_for(said)
            cy.child.close(force=True)


def test_a_program_that_ends_takes_its_announcement_back(clean_environment: Path) -> None:
    opened = "from boardgames_cli.cli.serve import server_of_menu; server_of_menu('0.0.0.0:0')"
    done = subprocess.run(
        [sys.executable, "-c", opened], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
