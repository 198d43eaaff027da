"""Draw the pictures of the documents anew: ``python docs/screenshots.py``.

Everything is seeded, so a picture only changes when the program does.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from tempfile import TemporaryDirectory

from boardgames_cli.core.text import Glyphs
from boardgames_cli.session.opening import open_session
from boardgames_cli.session.recording import export_replay
from boardgames_cli.session.replay import replay_of
from boardgames_cli.session.settings import Pace, Settings, Setup
from boardgames_cli.tui.app import build_app

HERE = Path(__file__).parent

SHOTS = {
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


MOVING, PLIES = "senet", 48
"""The game whose sample save begins the README, and how much of it."""


def animate(folder: Path) -> None:
    """Write the first moves of a sample save as an animation."""
    sample = HERE.parent / "saves" / f"sample-{MOVING}.jsonl"
    lines = sample.read_text(encoding="utf-8").splitlines(keepends=True)
    with TemporaryDirectory() as temporary:
        beginning = Path(temporary, sample.name)
        beginning.write_text("".join(lines[: PLIES + 1]), encoding="utf-8")
        picture = folder / f"{MOVING}.gif"
        picture.unlink(missing_ok=True)
        export_replay(replay_of(beginning), picture)


async def draw(name: str, folder: Path) -> None:
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
    (folder / f"{name}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    animate(HERE)
    for shot in SHOTS:
        asyncio.run(draw(shot, HERE))
