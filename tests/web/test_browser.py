"""Games in a real browser: what a visitor sees, types, clicks and comes back to."""

from __future__ import annotations

import asyncio
import re
import signal
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.web.sessions import LEFT, STOPPED
from boardgames_cli.web.visitors import COOKIE
from tests.processes import is_alive, wait_until
from tests.web.chromium import Chromium, Devtools, Page
from tests.web.served import Served, begin_game, steps

pytestmark = pytest.mark.second_try("waits for a server and its clients")

READY = r" 1  \d+>\d+"
"""The first choice of a person in Senet."""


async def test_the_first_visit(chromium: Chromium, tmp_path: Path) -> None:
    with Served(tmp_path, "senet") as served:
        async with chromium.connected() as tools:
            page = await tools.new_page()
            await page.open(served.address)
            await page.wait_for("Welcome")
            assert await page.evaluate("document.title") == "Senet"
            icon = await page.evaluate(
                "fetch(document.querySelector('link[rel=icon]').href)"
                ".then(r => r.headers.get('content-type') + ' ' + r.status)"
            )
            assert icon == "image/svg+xml 200"

            # No click before: the keys are the terminal's at once.
            await page.press("Enter")
            await page.wait_for_absence("Welcome")
            columns = page.screen.columns
            await page.resize((600, 460))
            await page.wait(lambda: page.screen.columns < columns, "fewer columns")
            await page.wait_for(r"^ Senet[^\n]*v medium *\n")
            assert await page.evaluate("document.documentElement.scrollWidth") <= 600

            await page.press("q")
            await page.wait_for("Leave the game")
            await page.press("1")
            await page.wait_for_notice(LEFT)
            assert not served.children()
            assert await page.evaluate("document.activeElement.textContent") == "Open it again"

            bar = "getComputedStyle(document.querySelector('.xterm-viewport')).overflowY"
            assert await page.evaluate(bar) == "hidden", "no white bar beside the last column"

            own = (served.address, served.address.replace("http", "ws"))
            assert [url for url in page.requests if not url.startswith(own)] == []
            assert any("terminal.ttf" in url for url in page.requests)
            assert page.problems == []


async def sit_down(tools: Devtools, served: Served) -> tuple[Page, Path]:
    """Open a game between two people that was begun before, in a browser that was here before."""
    token, save = begin_game(served.visitors)
    page = await tools.new_page()
    await page.call("Network.setCookie", name=COOKIE, value=token, url=served.address)
    await page.open(served.address)
    await page.wait_for(READY)
    return page, save


def moves(save: Path) -> list[dict[str, Any]]:
    return [step for step in steps(save) if "chance" not in step]


async def test_two_visitors_play_and_come_back(chromium: Chromium, tmp_path: Path) -> None:
    async with chromium.connected() as tools:
        with Served(tmp_path, "senet") as served:
            ann, ann_save = await sit_down(tools, served)
            ben, ben_save = await sit_down(tools, served)
            await ann.press("1")
            await asyncio.to_thread(wait_until, lambda: len(moves(ann_save)) > 0)
            assert moves(ben_save) == []
            second = re.search(r" 2  (\d+>\d+)", ben.text)
            assert second is not None, ben.text
            await ben.click(second[1])
            await asyncio.to_thread(wait_until, lambda: len(moves(ben_save)) > 0)
            assert moves(ben_save)[0] != moves(ann_save)[0]

            await ann.wait_for(READY)
            sessions = served.children()
            assert len(sessions) == 2
            await ann.reload()
            (move,) = moves(ann_save)[0].values()
            await ann.wait_for(rf"(Ann|Ben) {move}")
            await ann.wait_for(READY)
            assert served.children() == sessions, "a reload comes back to the same session"

            assert served.stop(signal.SIGINT) == 130
            await ann.wait_for_notice(STOPPED)
            assert not [pid for pid in sessions if is_alive(pid)]
            played = {save: moves(save) for save in (ann_save, ben_save)}
            assert all(played.values())
            assert served.saves() == sorted(played), "no game was begun anew"


async def test_real_time_waits_for_who_leaves_the_page(chromium: Chromium, tmp_path: Path) -> None:
    async with chromium.connected() as tools:
        with Served(tmp_path, "pommerman") as served:
            page = await tools.new_page()
            await page.call(
                "Emulation.setEmulatedMedia",
                features=[{"name": "prefers-reduced-motion", "value": "reduce"}],
            )
            await page.open(served.address)
            await page.wait_for("Welcome")
            environment = Path(f"/proc/{served.children()[0]}/environ").read_bytes().split(b"\0")
            assert b"BOARDGAMES_REDUCED_MOTION=1" in environment
            assert await page.evaluate("(window.dispatchEvent(new Event('pagehide')), true)"), (
                "the page is kept in memory, as browsers do that go back to it"
            )
            await page.wait_for_notice("The connection to the server was lost.")
            await page.evaluate(
                "window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"
            )
            await page.wait_for("Welcome")
            assert page.problems == []
