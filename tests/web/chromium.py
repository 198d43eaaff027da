"""A headless Chromium, driven by the DevTools protocol, and pages whose terminal can be read.

https://chromedevtools.github.io/devtools-protocol/ describes the commands and events.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import aiohttp
import pyte

from tests.processes import wait_until

PATIENCE = 60.0
"""Seconds to wait for something that must come; only failures take so long."""

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser")

_OPTIONS = (
    "--headless=new",
    "--no-sandbox",  # it refuses to run as root otherwise
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--disable-sync",
    "--enable-unsafe-swiftshader",  # draws without a graphics card
    "--no-first-run",
    "--remote-debugging-port=0",
)
_KEYS = {
    "Enter": ("Enter", 13, "\r"),
    "ArrowDown": ("ArrowDown", 40, ""),
}


class ChromiumError(Exception):
    """It does not run here."""


def _is_written(place: Path) -> bool:
    # It is made first, and written then.
    return place.exists() and place.read_text().count("\n") == 1


class Chromium:
    """The running program; one for many tests.

    Args:
        folder: Where it keeps its profile.
    """

    def __init__(self, folder: Path) -> None:
        assert PROGRAM is not None
        self._process = subprocess.Popen(
            [PROGRAM, *_OPTIONS, f"--user-data-dir={folder}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        place = folder / "DevToolsActivePort"
        wait_until(lambda: self._has_ended or _is_written(place))
        if self._has_ended:
            raise ChromiumError(f"{PROGRAM} ended with {self._process.returncode}")
        port, path = place.read_text().split("\n")
        self.address = f"ws://127.0.0.1:{port}{path}"

    @property
    def _has_ended(self) -> bool:
        return self._process.poll() is not None

    def close(self) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    @contextlib.asynccontextmanager
    async def connected(self) -> AsyncIterator[Devtools]:
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(self.address, max_msg_size=0) as socket,
        ):
            tools = Devtools(socket)
            reading = asyncio.create_task(tools.read())
            try:
                yield tools
            finally:
                reading.cancel()


class Devtools:
    """One connection to Chromium, with pages that are independent visitors."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._number = 0
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._listeners: dict[str, Callable[[str, Any], None]] = {}

    async def read(self) -> None:
        """Take answers and events until the connection ends."""
        async for message in self._socket:
            data = message.json()
            if "id" in data:
                answer = self._answers.pop(data["id"])
                if not answer.done():
                    answer.set_result(data)
            elif data.get("sessionId") in self._listeners:
                self._listeners[data["sessionId"]](data["method"], data["params"])

    async def call(self, method: str, session: str = "", **parameters: Any) -> Any:
        """Call a method and wait for its result."""
        self._number += 1
        answer = self._answers[self._number] = asyncio.get_running_loop().create_future()
        message = {"id": self._number, "method": method, "params": parameters}
        await self._socket.send_json(message | ({"sessionId": session} if session else {}))
        data = await asyncio.wait_for(answer, PATIENCE)
        assert "error" not in data, (method, data["error"])
        return data["result"]

    async def new_page(self, size: tuple[int, int] = (760, 500), *, is_phone: bool = False) -> Page:
        """A page in a window of its own, which shares no cookies with the others.

        Args:
            size: Its size in pixels.
            is_phone: Whether it has fingers instead of a mouse.
        """
        context = (await self.call("Target.createBrowserContext"))["browserContextId"]
        width, height = size
        target = await self.call(
            "Target.createTarget",
            url="about:blank",
            browserContextId=context,
            width=width,
            height=height,
        )
        attached = await self.call(
            "Target.attachToTarget", targetId=target["targetId"], flatten=True
        )
        page = Page(self, attached["sessionId"], is_phone=is_phone)
        self._listeners[attached["sessionId"]] = page.take
        for domain in ("Page", "Network", "Runtime"):
            await page.call(f"{domain}.enable")
        await page.call("Emulation.setTouchEmulationEnabled", enabled=is_phone)
        await page.resize(size)
        return page


class Page:
    """A page, with everything that it has asked the network for."""

    def __init__(self, tools: Devtools, session: str, *, is_phone: bool) -> None:
        self._is_phone = is_phone
        self._tools = tools
        self._session = session
        self.requests: list[str] = []
        """Every address that was asked for, websockets included."""
        self.problems: list[str] = []
        """What the page could not do: exceptions, and what the browser refused."""
        self.screen = pyte.Screen(80, 24)
        self._stream = pyte.ByteStream(self.screen)
        self._socket = ""
        self._changed = asyncio.Event()

    async def call(self, method: str, **parameters: Any) -> Any:
        return await self._tools.call(method, self._session, **parameters)

    def take(self, method: str, event: Any) -> None:
        if method == "Network.requestWillBeSent":
            self.requests.append(event["request"]["url"])
        elif method == "Network.webSocketCreated":
            self.requests.append(event["url"])
            self._socket = event["requestId"]
            # A new terminal, which knows nothing of a sequence that the old one has half read.
            self.screen.reset()
            self._stream = pyte.ByteStream(self.screen)
        elif method == "Network.webSocketFrameSent" and event["requestId"] == self._socket:
            word, *rest = json.loads(event["response"]["payloadData"])
            if word == "resize":
                self.screen.resize(rest[0]["height"], rest[0]["width"])
        elif method == "Network.webSocketFrameReceived" and event["requestId"] == self._socket:
            if event["response"]["opcode"] == 2:
                self._stream.feed(base64.b64decode(event["response"]["payloadData"]))
        elif method == "Runtime.exceptionThrown":
            self.problems.append(json.dumps(event["exceptionDetails"])[:500])
        elif method == "Network.loadingFailed" and event.get("blockedReason"):
            self.problems.append(event["blockedReason"])
        self._changed.set()

    # -- what is there -----------------------------------------------------------------------

    @property
    def text(self) -> str:
        """What is on the terminal, as the page has received it."""
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip()

    async def wait_for(self, pattern: str) -> None:
        await self.wait(lambda: re.search(pattern, self.text) is not None, pattern)

    async def wait_for_absence(self, pattern: str) -> None:
        """Wait until the terminal does not show something any more."""
        await self.wait(lambda: re.search(pattern, self.text) is None, f"end of {pattern}")

    async def wait(self, condition: Callable[[], bool], what: str) -> None:
        """Wait until something is true, which only events of the page can make so."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + PATIENCE
        while not condition():
            self._changed.clear()
            left = deadline - loop.time()
            assert left > 0, f"no {what!r} on:\n{self.text}\n{self.problems}"
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), min(left, 1.0))

    async def evaluate(self, expression: str) -> Any:
        """The value of a script's expression, awaited if it is a promise."""
        result = await self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    async def wait_until(self, expression: str) -> None:
        """Wait until an expression of the page is true."""
        deadline = asyncio.get_running_loop().time() + PATIENCE
        while True:
            # Between two documents there is nothing to ask.
            with contextlib.suppress(AssertionError):
                if await self.evaluate(expression):
                    return
            assert asyncio.get_running_loop().time() < deadline, f"never {expression}"
            await asyncio.sleep(0.05)

    async def wait_for_notice(self, pattern: str) -> None:
        """Wait until the page says something instead of showing the terminal."""
        words = "document.getElementById('notice').hidden ? '' : "
        words += "document.getElementById('words').textContent"
        await self.wait_until(f"{json.dumps(pattern)} && ({words}).includes({json.dumps(pattern)})")

    # -- what people do ----------------------------------------------------------------------

    async def open(self, address: str) -> None:
        self.screen.reset()
        await self.call("Page.navigate", url=address)

    async def reload(self) -> None:
        self.screen.reset()
        await self.call("Page.reload")

    async def resize(self, size: tuple[int, int]) -> None:
        """Change the size of the window, in pixels."""
        width, height = size
        await self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=self._is_phone,
        )

    async def press(self, key: str) -> None:
        code, number, text = _KEYS.get(key, ("", ord(key[0].upper()), key))
        details = {"key": key, "windowsVirtualKeyCode": number, "code": code}
        typed = {"text": text} if text else {}
        await self.call("Input.dispatchKeyEvent", type="keyDown", **details, **typed)
        await self.call("Input.dispatchKeyEvent", type="keyUp", **details)

    async def touch_key(self, name: str) -> None:
        """Touch a key of the bar, scrolled to where it is seen."""
        box = await self.evaluate(
            "(() => { const key = [...document.querySelectorAll('#keys button')]"
            f".find((key) => key.textContent === {json.dumps(name)});"
            " key.scrollIntoView({ behavior: 'instant' });"
            " const b = key.getBoundingClientRect();"
            " return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )
        await self._touch(*box)

    async def _touch(self, x: float, y: float) -> None:
        await self.call(
            "Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}]
        )
        await self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    async def click(self, text: str) -> None:
        """Click on a text that the terminal shows, or touch it."""
        for row, line in enumerate(self.screen.display):
            column = line.find(text)
            if column >= 0:
                await self._click_cell(column + len(text) // 2, row)
                return
        raise AssertionError(f"no {text!r} on:\n{self.text}")

    async def _click_cell(self, column: int, row: int) -> None:
        box = await self.evaluate(
            "(() => { const b = document.querySelector('.xterm-screen').getBoundingClientRect();"
            " return [b.x, b.y, b.width, b.height]; })()"
        )
        x = box[0] + (column + 0.5) * box[2] / self.screen.columns
        y = box[1] + (row + 0.5) * box[3] / self.screen.lines
        if self._is_phone:
            await self._touch(x, y)
            return
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            held = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
            await self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **held)
