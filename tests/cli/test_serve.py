"""The verb that serves games; what it does then is tested in tests/web."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import sys
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from boardgames_cli.cli import host, serve
from boardgames_cli.cli.serve import Address, Visitors
from boardgames_cli.core.errors import install_command
from boardgames_cli.online.addresses import place_for_others
from boardgames_cli.online.messages import Open
from boardgames_cli.web.server import Server
from tests.conftest import Program


def test_an_address_that_can_not_be_had(program: Program) -> None:
    assert "can't be served" in program("serve", "--host", "no such host.").err
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        result = program("serve", "--port", str(other.getsockname()[1]))
    assert result.code == 2
    assert f"can't be served ({os.strerror(errno.EADDRINUSE)})." in result.err
    assert "Choose another address or port." in result.err


def test_a_folder_that_cannot_be_used_is_said_before_anybody_comes(
    program: Program, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    result = program("serve", "--save-dir", str(tmp_path / "file" / "saves"))
    assert result.code == 4
    assert "Visitors' games in" in result.err
    assert "can't be saved (" in result.err
    assert "--save-dir" in result.err


@pytest.mark.parametrize("missing", ["aiohttp", "textual_serve"])
def test_without_the_extra_it_says_what_to_install(
    program: Program, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    result = program("serve")
    assert result.code == 2
    assert missing in result.err
    assert install_command("web") in result.err


def test_a_host_without_the_extra_says_so_and_serves_terminals(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "aiohttp", None)
    hosting = serve.open_server("127.0.0.1:0", tmp_path)
    try:
        table, _ = hosting.open(Open("kuhn", {}, ("open", "open")))
        host.announce(hosting, table, is_known=False)
    finally:
        hosting.stop()
    said = capsys.readouterr().out
    assert "no link for browsers: games in a browser need a package that is not" in said
    assert install_command("web") in said
    assert "http://" not in said


def test_where_programs_can_not_open_terminals(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(os, "name", "nt")
        problem = serve.missing()
    assert problem is not None
    assert "Use Linux or macOS" in problem.todo


def announced(capsys: pytest.CaptureFixture[str], address: Address, visitors: Visitors) -> str:
    async def announce() -> None:
        server = Server(serve.settings_for(address, visitors))
        server.port = 8123
        serve._announce([], server)

    asyncio.run(announce())
    return capsys.readouterr().out


def test_it_says_who_can_come(clean_environment: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = announced(capsys, Address(), Visitors())
    assert "http://127.0.0.1:8123\n" in text
    assert "Only this machine can reach it." in text
    text = announced(capsys, Address(host="0.0.0.0"), Visitors())
    assert f"http://{place_for_others('0.0.0.0')}:8123" in text
    assert "there is no password" in text
    assert "http://[::1]:8123" in announced(capsys, Address(host="::1"), Visitors())


def test_it_says_where_games_are_saved(
    clean_environment: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = announced(capsys, Address(), Visitors())
    assert str(clean_environment / "data" / "boardgames" / "visitors") in own
    chosen = announced(capsys, Address(), Visitors(save_dir=Path("there")))
    assert f"saved in {clean_environment / 'there'}." in chosen


def test_the_wheel_has_the_pages(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    wheel = next(WheelBuilder(str(root)).build(directory=str(tmp_path), versions=["standard"]))
    from zipfile import ZipFile

    with ZipFile(wheel) as file:
        packed = set(file.namelist())
    pages = sorted((root / "boardgames_cli" / "web" / "page").iterdir())
    assert len(pages) == 5
    assert {f"boardgames_cli/web/page/{page.name}" for page in pages} <= packed
