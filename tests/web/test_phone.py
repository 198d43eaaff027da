"""Games on a phone, in a real browser with emulated fingers."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from boardgames_cli.tui.screens.frame import LEAST_HEIGHT, LEAST_WIDTH
from tests.web.chromium import Chromium
from tests.web.served import Served

pytestmark = pytest.mark.second_try("waits for a server and its clients")

UPRIGHT, SIDEWAYS = (375, 667), (667, 375)
ON_SCREEN = """(() => { const b = document.getElementById('keys').getBoundingClientRect();
    return b.height > 30 && b.bottom <= innerHeight && document.documentElement.scrollWidth
    <= innerWidth; })()"""
FONT = "document.getElementById('terminal').dataset.fontSize"
NO_NOTICE = "document.getElementById('notice').hidden"
KEYBOARD = "document.querySelector('#terminal textarea').inputMode"


@pytest.mark.parametrize("size", [UPRIGHT, SIDEWAYS])
async def test_a_game_is_played_with_fingers(
    chromium: Chromium, tmp_path: Path, size: tuple[int, int]
) -> None:
    with Served(tmp_path, "senet") as served:
        async with chromium.connected() as tools:
            page = await tools.new_page(size, is_phone=True)
            await page.open(served.address)
            await page.wait_for("Welcome")
            assert page.screen.columns >= LEAST_WIDTH
            assert page.screen.lines >= LEAST_HEIGHT
            assert await page.evaluate(ON_SCREEN)
            assert await page.evaluate(KEYBOARD) == "none", "the phone's keyboard covers nothing"

            await page.touch_key("enter")
            await page.wait_for_absence("Welcome")
            await page.wait_for(r" 1  \d+>\d+")
            await page.touch_key("?")
            await page.wait_for("esc close")
            await page.touch_key("esc")
            await page.wait_for_absence("esc close")
            (step,) = re.findall(r"step \d+\b", page.text)
            await page.touch_key("1")
            await page.wait_for_absence(rf"{step}\b")

            await page.touch_key("abc")
            await page.wait_until(f"{KEYBOARD} === 'text'")
            await page.touch_key("abc")
            await page.wait_until(f"{KEYBOARD} === 'none'")
            assert page.problems == []


async def test_a_phone_is_turned_and_a_window_is_too_small(
    chromium: Chromium, tmp_path: Path
) -> None:
    with Served(tmp_path) as served:
        async with chromium.connected() as tools:
            page = await tools.new_page(UPRIGHT, is_phone=True)
            await page.open(served.address)
            await page.wait_for("Welcome")
            sessions, font = served.children(), await page.evaluate(FONT)
            await page.resize(SIDEWAYS)
            # The page is loaded again with another font.
            await page.wait_until(f"{NO_NOTICE} && {FONT} !== '{font}'")
            await page.wait(lambda: page.screen.columns > 80 and "Welcome" in page.text, "turned")
            assert served.children() == sessions
            # What is shown is drawn in pieces and may still move to its place in the new window:
            # touched again, then.
            while "Welcome to" in page.text:
                if " 1  Play" in page.text:
                    await page.click(" 1  Play")
                await asyncio.sleep(1.0)

            await page.resize((180, 300))
            await page.wait_for_notice("Turn the phone, or make the window larger.")
            await page.resize(UPRIGHT)
            await page.wait(lambda: LEAST_WIDTH <= page.screen.columns < 70, "upright again")
            assert served.children() == sessions
