"""One table with a browser, a terminal and a spectator, whose server is killed; and bots at one."""

from __future__ import annotations

import asyncio
import datetime
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import aiohttp
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from boardgames_cli.online.client.arrival import list_tables, sit_down
from boardgames_cli.online.codes import read_address
from boardgames_cli.online.messages import Open
from boardgames_cli.web.visitors import COOKIE
from tests.e2e.screens import Terminal, environment
from tests.online.servers import begin, play_at_random
from tests.online.test_killed import free_port
from tests.web.chromium import Chromium, Page
from tests.web.served import Served
from tests.web.test_server import Guest

pytestmark = pytest.mark.second_try("waits for a server, a browser and terminals")

_MOST_STILL = 150
"""How often neither screen may have changed in a game that goes on: a minute."""

CHOICE = r"1  (check|fold|bet|call)"


async def menu(page: Page, served: Served) -> None:
    """Open the page, and close the greeting of the first visit."""
    await page.open(served.address)
    await page.wait_for("Welcome")
    await page.press("Enter")
    await page.wait_for_absence("Welcome")
    await page.wait_for("enter start")


async def type_text(page: Page, text: str) -> None:
    for key in text:
        await page.press(key)


async def until(terminal: Terminal, pattern: str) -> None:
    """Wait for a terminal while the pages are heard."""
    await asyncio.to_thread(terminal.wait_for, pattern)


async def finish(page: Page, terminal: Terminal, saves: Path) -> None:
    """Play until the game is over and saved at the terminal, always the first choice."""
    shown, stood_still = "", 0
    while stood_still < _MOST_STILL:
        if [*saves.glob("*.jsonl")]:
            return
        for text, press in ((page.text, page.press), (terminal.text, None)):
            key = "Enter" if "enter next hand" in text else "1" if re.search(CHOICE, text) else ""
            if key and press is not None:
                await press(key)
            elif key:
                terminal.send("\r" if key == "Enter" else key)
        await asyncio.to_thread(terminal.pump, 0.2)
        before, shown = shown, f"{page.text}{terminal.text}"
        stood_still = stood_still + 1 if shown == before else 0
        await asyncio.sleep(0.2)
    raise AssertionError(f"it goes on:\n{page.text}\n{terminal.text}")


async def test_a_table_from_its_opening_to_its_review(chromium: Chromium, tmp_path: Path) -> None:
    port, home = str(free_port()), tmp_path / "ben"
    home.mkdir()
    words = ("kuhn", "tapnswap", "--port", port)
    async with chromium.connected() as tools:
        with Served(tmp_path, *words) as served:
            ann, eve = await tools.new_page(), await tools.new_page()
            await menu(ann, served)
            hands = (
                ("ArrowDown", "▸ Hands"),
                ("e", "enter takes"),
                ("2", "2"),
                ("Enter", "Hands +‹ 2 ›"),
            )
            for key, shown in hands:  # instead of 20
                await ann.press(key)
                await ann.wait_for(shown)
            await ann.press("f")
            await ann.wait_for("Nobody has a table open here")
            await ann.press("1")
            await ann.wait_for("enter takes it")
            await type_text(ann, "Ann")
            await ann.press("Enter")
            await ann.wait_for("waiting for players")
            (table,) = await asyncio.to_thread(list_tables, read_address(served.address))

            ben = Terminal(home, "join", f"127.0.0.1:{port}/{table.code}", "--name", "Ben")
            await ann.wait_for("Ann.*Ben|Ben.*Ann")
            await until(ben, "Ann")
            await menu(eve, served)
            await eve.press("f")
            await eve.wait_for("watch: kuhn, Ann v Ben")
            await eve.press("5")  # below what else there is to do
            await eve.wait_for("Hand 1 of 2")
            await ann.wait_for(CHOICE)
            await ann.press("1")
            await until(ben, CHOICE)
            os.kill(served.pid, signal.SIGKILL)
            served.stop()
        await until(ben, "reconnecting")
        with Served(tmp_path, *words) as served:
            await until(ben, "is up")
            await ann.open(served.address)
            await ann.wait_for("Hand [12] of 2")  # at her seat, without a word
            await finish(ann, ben, home / "saves")
            ben.child.close(force=True)

    def told(*words: str) -> str:
        command = [sys.executable, "-m", "boardgames_cli", *words]
        ways = environment(home)
        done = subprocess.run(command, env=ways, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return done.stdout

    (save,) = (home / "saves").glob("*.jsonl")
    assert "follow from the seed" in told("replay", save.stem, "--verify")
    assert told("review", save.stem, "--plain")


async def test_a_table_of_a_host_has_links_for_browsers(chromium: Chromium, tmp_path: Path) -> None:
    port, home = str(free_port()), tmp_path / "ann"
    home.mkdir()
    words = ["kuhn", "--hands", "2", "-s", "open"]
    words += ("--listen", f"127.0.0.1:{port}", "--save-dir", str(tmp_path / "host"))
    async with chromium.connected() as tools:
        with Served(tmp_path, *words, verb="host") as host:
            to_play, to_watch = re.findall(r"http://\S+", host.said)
            ann = Terminal(home, "join", to_play.removeprefix("http://"), "--name", "Ann")
            await until(ann, to_play)
            ben, eve = await tools.new_page(), await tools.new_page()
            await eve.open(to_watch)
            await eve.wait_for("waiting for players")
            await ben.open(to_play)
            await ben.wait_for("Your name")
            await type_text(ben, "Ben")
            await ben.press("Enter")
            for page in (ben, eve):
                await page.wait_for("Hand 1 of 2")
            await until(ann, CHOICE)
            await ben.open(to_play)  # whose code is void by now
            await ben.wait_for("Hand 1 of 2")
            await eve.open(to_watch)
            await eve.wait_for("Hand 1 of 2")
            await finish(ben, ann, home / "saves")
            await eve.wait_for("Ann.*Ben")
            ann.child.close(force=True)


def certificate(folder: Path) -> list[str]:
    """The options for a certificate that is for another name and signed by nobody."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "games.example.org")])
    now = datetime.datetime.now(datetime.UTC)
    made = x509.CertificateBuilder(
        name, name, key.public_key(), x509.random_serial_number(), now, now.replace(year=9999)
    ).sign(key, hashes.SHA256())
    pem = serialization.Encoding.PEM
    written = {
        "cert": made.public_bytes(pem),
        "key": key.private_bytes(
            pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        ),
    }
    for option, data in written.items():
        (folder / option).write_bytes(data)
    return [word for option in written for word in (f"--{option}", str(folder / option))]


async def test_a_host_with_a_certificate_finds_itself_and_shows_pages(tmp_path: Path) -> None:
    words = ("kuhn", "-s", "human:Ann", *certificate(tmp_path))
    ann = Terminal(tmp_path, "host", *words, "--listen", f"127.0.0.1:{free_port()}", size=(100, 24))
    await until(ann, "copy the line")
    link = re.search(r"https://\S+", ann.text[ann.text.index("browser") :])
    assert link is not None
    place, _, code = link[0].rpartition("/")
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=False)) as client:
        guest = Guest(client, place)
        page = await guest.get(f"/{code}")
        assert page.status == 200
        token = page.cookies[COOKIE]
        assert token["secure"]
        ben = await guest.connect(token.value, f"width=80&height=24&table={code}")
        await ben.wait_for(rb"Your name")
        await ben.send("stdin", "Ben\r")
        await ben.wait_for(rb"Ann to act")
    await until(ann, "Hand 1 of 20")
    ann.child.close(force=True)


def test_a_bot_sits_down_at_a_table_of_a_server(tmp_path: Path) -> None:
    with Served(tmp_path, "kuhn") as served:
        address = read_address(served.address)
        ann = sit_down(address, Open("kuhn", {"hands": 2}, ("human:Ann", "open")))
        bot = subprocess.Popen(
            [
                *(sys.executable, "-m", "boardgames_cli", "join", f"{address}/{ann.welcome.code}"),
                *("--agent", "easy", "--name", "Bot", "--plain"),
            ],
            env=environment(tmp_path),
            stdout=subprocess.PIPE,
            text=True,
        )
        session = begin(ann)
        assert session.names == ("Ann", "Bot")
        play_at_random(session, 1)
        session.close()  # whoever may want a rematch has left, so the bot leaves, too
        said, _ = bot.communicate(timeout=60)
        assert bot.returncode == 0
        assert "Bot" in said
