"""The examples in ``docs/hosting``, run by the programs that they are written for."""

from __future__ import annotations

import asyncio
import configparser
import contextlib
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import aiohttp
import pytest
from aiohttp import WSMsgType
from aiohttp.abc import AbstractResolver, ResolveResult

from boardgames_cli.web.visitors import COOKIE
from tests.online.test_killed import free_port
from tests.test_packaging import PROJECT
from tests.web.served import Served
from tests.web.test_table_story import certificate

FOLDER = Path(__file__).parents[2] / "docs" / "hosting"
NAME = "games.example.org"
PATIENCE = 60.0


def program(name: str) -> str:
    """The path of a program of the system; without it the test is skipped."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def changed(text: str, changes: Mapping[str, object]) -> str:
    """An example with what is its reader's to fill in; each is there exactly once."""
    for old, new in changes.items():
        assert text.count(old) == 1, old
        text = text.replace(old, str(new))
    return text


# -- the commands --------------------------------------------------------------------------------


def unit() -> configparser.ConfigParser:
    """The unit of systemd, whose files are ini files with keys in two cases."""
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string((FOLDER / "boardgames.service").read_text(encoding="utf-8"))
    return parser


def command_of_the_unit() -> list[str]:
    return shlex.split(unit()["Service"]["ExecStart"])


def command_of_the_container() -> list[str]:
    text = (FOLDER / "Containerfile").read_text(encoding="utf-8")
    found: list[str] = json.loads(re.findall(r"^ENTRYPOINT (.*)$", text, re.MULTILINE)[0])
    return found


@contextlib.contextmanager
def served(command: list[str], folder: Path) -> Iterator[int]:
    """The server of an example, at a port that is free; gives the port."""
    words, port = command[2:], free_port()
    changes = {"8000": str(port), "${STATE_DIRECTORY}": str(folder), "/data": str(folder)}
    with Served(folder, *(changes.get(word, word) for word in words), verb="serve") as server:
        assert server.address.endswith(f":{port}")
        yield port
        stopped = server.stop()
        assert str(stopped) == unit()["Service"]["SuccessExitStatus"], "or systemd says it failed"


@pytest.mark.parametrize("command", [command_of_the_unit(), command_of_the_container()])
def test_the_commands_serve(command: list[str], tmp_path: Path) -> None:
    assert Path(command[0]).name in PROJECT["scripts"]
    assert command[1] == "serve"
    with served(command, tmp_path) as port, socket.create_connection(("127.0.0.1", port)):
        pass


def test_the_extras_of_the_container_exist() -> None:
    text = (FOLDER / "Containerfile").read_text(encoding="utf-8")
    extras = re.findall(r"(?:source|boardgames-cli)\[([\w,]+)\]", text)
    assert len(extras) == 2
    assert {one for some in extras for one in some.split(",")} <= {
        *PROJECT["optional-dependencies"]
    }


def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    verify = program("systemd-analyze")
    here = Path(sys.executable).with_name("boardgames")
    path = tmp_path / "boardgames.service"
    text = (FOLDER / path.name).read_text(encoding="utf-8")
    path.write_text(changed(text, {"/opt/boardgames/bin/boardgames": here}), encoding="utf-8")
    done = subprocess.run([verify, "verify", path], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    path.write_text(text.replace("NoNewPrivileges", "NoNewPrivilege"), encoding="utf-8")
    done = subprocess.run([verify, "verify", path], capture_output=True, text=True, check=False)
    assert "NoNewPrivilege" in done.stderr, "it knows the settings"


# -- the proxies ---------------------------------------------------------------------------------


class Here(AbstractResolver):
    """Finds every name on this machine."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        return [ResolveResult(hostname=host, host="127.0.0.1", port=port, family=family,
                              proto=0, flags=0)]  # fmt: skip

    async def close(self) -> None:
        pass


def nginx(folder: Path, port: int, behind: int) -> list[str]:
    """The command of nginx with our example between its own lines."""
    command = [program("nginx"), "-p", str(folder), "-c", str(folder / "all.conf"), "-e", "stderr"]
    _, public, _, key = certificate(folder)
    example = changed(
        (FOLDER / "nginx.conf").read_text(encoding="utf-8"),
        {
            "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
            f"/etc/ssl/{NAME}.pem": public,
            f"/etc/ssl/{NAME}.key": key,
            "127.0.0.1:8000": f"127.0.0.1:{behind}",
        },
    )
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"{kind}_temp_path {folder / kind};\n" for kind in kinds)
    (folder / "all.conf").write_text(
        f"daemon off; master_process off; pid {folder / 'pid'};\nevents {{}}\n"
        f"http {{\naccess_log off;\n{paths}{example}}}\n",
        encoding="utf-8",
    )
    done = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "[warn]" not in done.stderr
    return command


def caddy(folder: Path, port: int, behind: int) -> list[str]:
    """The command of Caddy with our example after its own lines."""
    example = (FOLDER / "Caddyfile").read_text(encoding="utf-8")
    path = folder / "Caddyfile"
    path.write_text(
        f"{{\nadmin off\nlocal_certs\nskip_install_trust\nhttp_port {free_port()}\n"
        f"https_port {port}\nstorage file_system {folder / 'caddy'}\n}}\n"
        + changed(example, {"127.0.0.1:8000": f"127.0.0.1:{behind}"}),
        encoding="utf-8",
    )
    words = ["--config", str(path), "--adapter", "caddyfile"]
    done = subprocess.run(
        [program("caddy"), "validate", *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return [program("caddy"), "run", *words]


async def first_page(client: aiohttp.ClientSession, address: str) -> aiohttp.ClientResponse:
    """The page, as soon as the proxy is there and has its certificate."""
    for _ in range(6000):
        with contextlib.suppress(aiohttp.ClientConnectorError):
            async with client.get(address) as page:
                assert page.status == 200
                return page
        await asyncio.sleep(0.01)
    raise AssertionError("the proxy never answered")


async def play(port: int) -> None:
    """Come to the games as a browser does, by the name in the examples."""
    connector = aiohttp.TCPConnector(ssl=False, resolver=Here())
    async with aiohttp.ClientSession(connector=connector) as client:
        address = f"https://{NAME}:{port}"
        cookie = (await first_page(client, address)).cookies[COOKIE]
        assert cookie["secure"], "the server knows that the proxy speaks TLS"
        async with client.ws_connect(
            f"{address}/terminal?width=100&height=30",
            origin=address,
            headers={"Cookie": f"{COOKIE}={cookie.value}"},
        ) as terminal:
            await terminal.send_str(json.dumps(["ping", "0"]))
            written = b""
            while b"Kuhn" not in written:
                message = await asyncio.wait_for(terminal.receive(), PATIENCE)
                assert message.type in (WSMsgType.TEXT, WSMsgType.BINARY), message
                written += message.data if message.type is WSMsgType.BINARY else b""


@pytest.mark.parametrize("proxy", [nginx, caddy])
async def test_the_games_are_played_behind_a_proxy(
    proxy: Callable[[Path, int, int], list[str]], tmp_path: Path
) -> None:
    visitors = tmp_path / "visitors"
    visitors.mkdir()
    with served(command_of_the_unit(), visitors) as behind:
        port = free_port()
        running = subprocess.Popen(
            proxy(tmp_path, port, behind), env={"HOME": str(tmp_path)}, stderr=subprocess.DEVNULL
        )
        try:
            await play(port)
        finally:
            running.terminate()
            running.wait(PATIENCE)
