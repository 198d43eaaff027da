"""Draw the pictures of the documents anew: ``python docs/screenshots.py``.

Everything is seeded, so a picture only changes when the program does.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from boardgames_cli.core.text import Glyphs
from boardgames_cli.session.opening import open_session
from boardgames_cli.session.settings import Pace, Settings, Setup
from boardgames_cli.tui.app import build_app

HERE = Path(__file__).parent

SHOTS = {
    "senet": (
        Setup("senet", seats=("human:Ann",), seed=5),
        (84, 25),
        "down up 1 2 1 2 1 2 3 1 2 down",
    ),
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


MOVING: Final = "senet"
"""The game that begins the README: a picture after every key, one after the other."""
SECONDS: Final = 2


async def draw(name: str, folder: Path) -> None:
    """Play the keys and keep what the screen shows."""
    setup, size, keys = SHOTS[name]
    settings = Settings(pace=Pace.INSTANT, glyphs=Glyphs.UNICODE, save=False)
    app = build_app(open_session(setup, settings), settings)
    pictures = []
    async with app.run_test(size=size) as pilot:
        await pilot.pause(0.5)
        for key in keys.split():
            await pilot.press(key)
            await pilot.pause(0.3)
            pictures.append(app.export_screenshot(title=f"boardgames play {name}"))
    picture = moving(pictures) if name == MOVING else pictures[-1]
    # Without the web fonts: a picture in a README must not ask other servers for anything.
    picture = re.sub(r"@font-face \{.*?\}", "", picture, flags=re.DOTALL)
    (folder / f"{name}.svg").write_text(picture, encoding="utf-8")


def moving(pictures: Sequence[str]) -> str:
    """One picture that shows each in turn; where nothing may move, the last."""
    (size,) = set(re.findall(r'^<svg[^>]*viewBox="([^"]+)"', "\n".join(pictures), re.MULTILINE))
    turns = "".join(
        f'<g class="turn" style="animation-delay: {SECONDS * number}s">{picture}</g>'
        for number, picture in enumerate(pictures)
    )
    period, share = SECONDS * len(pictures), 100 / len(pictures)
    return f"""<svg viewBox="{size}" xmlns="http://www.w3.org/2000/svg"><style>
.turn {{ visibility: hidden; animation: turn {period}s step-end infinite; }}
@keyframes turn {{ 0% {{ visibility: visible; }} {share:.2f}% {{ visibility: hidden; }} }}
@media (prefers-reduced-motion) {{
  .turn {{ animation: none; }}
  .turn:last-child {{ visibility: visible; }}
}}
</style>{turns}</svg>
"""


if __name__ == "__main__":
    for shot in SHOTS:
        asyncio.run(draw(shot, HERE))
