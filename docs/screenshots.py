"""Draw the pictures of the README anew: ``python docs/screenshots.py``.

Everything is seeded, so a picture only changes when the program does.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from boardgames_cli.core.text import Glyphs
from boardgames_cli.session.opening import open_session
from boardgames_cli.session.settings import Pace, Settings, Setup
from boardgames_cli.tui.app import build_app

HERE = Path(__file__).parent

SHOTS = {
    "senet": (Setup("senet", seats=("human:Ann",), seed=5), (100, 30), "1 2 1 2 1 2 3 1 2 down"),
    "tapnswap": (Setup("tapnswap", seats=("human:Ann",), seed=5), (100, 30), "1 1 2 down"),
    "pommerman": (
        Setup("pommerman", seats=("human:Ann",), seed=7),
        (108, 32),
        "right right space left left down down down right",
    ),
    "deepsea": (Setup("deepsea", seats=("human:Ann",), seed=5), (100, 30), "1 1 1"),
    "kuhn": (Setup("kuhn", {"hands": 20}, ("human:Ann",), seed=3), (100, 30), "1 2 down"),
}
"""For every game: the table, the size of the window, and the keys that lead to the picture."""


async def draw(name: str) -> None:
    """Play the keys and keep what the screen shows."""
    setup, size, keys = SHOTS[name]
    settings = Settings(pace=Pace.INSTANT, glyphs=Glyphs.UNICODE, save=False)
    app = build_app(open_session(setup, settings), settings)
    async with app.run_test(size=size) as pilot:
        await pilot.pause(0.5)
        for key in keys.split():
            await pilot.press(key)
            await pilot.pause(0.3)
        picture = app.export_screenshot(title=f"boardgames play {name}")
    # Without the web fonts: a picture in a README must not ask other servers for anything.
    picture = re.sub(r"@font-face \{.*?\}", "", picture, flags=re.DOTALL)
    (HERE / f"{name}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    for shot in SHOTS:
        asyncio.run(draw(shot))
