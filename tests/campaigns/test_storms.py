"""Storms of keys, clicks, pastes and resizes: nothing that comes late or early ends a screen.

One round opens a screen and does random things there with random delays, from none to a fifth of a
second, so that they arrive while screens come and go. Unlike in `test_keys`, nobody waits until the
screen has settled. The program must not end by an error, and the save must be whole.
"""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.geometry import Size
from textual.pilot import Pilot

from tests.campaigns.campaign import Campaign, Round
from tests.campaigns.inside import check_manners, inside
from tests.campaigns.processes import saves_in
from tests.campaigns.screen import on_screen
from tests.campaigns.test_keys import KEYS, QUICK, SIZES, TYPED

pytestmark = pytest.mark.second_try("presses keys that nobody waits for: no two runs are alike")

PACE = ("--pace", "instant", "--think", "0.02")
SHORT = ("--max-plies", "3")
SCREENS = {
    "quick rematch": ("play", "tapnswap", *("-s", "human") * 2, "--tapnswap-max-plies", "2", *PACE),
    "senet": ("play", "senet", "--vs", "random", "--tutor", *PACE),
    "kuhn": ("play", "kuhn", "-s", "human:Ann", "-s", "human:Ben", "--hands", "2", *PACE),
    "deepsea": ("play", "deepsea", "--vs", "random", "--drop", "choose", *PACE),
    "pommerman": ("play", "pommerman", "--vs", "random", *SHORT, *PACE),
    "real time": ("play", "pommerman", "--vs", "random", "--tick", "0.1", *PACE),
    "watched": ("watch", "kuhn", "--hands", "2", *PACE),
    "menu": (),
    "puzzle": ("puzzle", "kuhn"),
    "replay": ("replay", "tapnswap-1"),
    "review": ("review", "tapnswap-1"),
}
DELAYS = (0.0, 0.0, 0.0, 0.005, 0.02, 0.05, 0.1, 0.2)
ACTIONS = 40
"""Things done in one round."""

_OFTEN = ("1", "enter", "r", "escape", "ctrl+p", "v", "question_mark", "s", "m", "n", "t", "y")
"""Keys that open and close screens, or end a short game."""


@pytest.mark.parametrize("where", SCREENS)
def test_a_storm_ends_no_screen(campaign: Campaign, tmp_path: Path, where: str) -> None:
    def try_once(here: Round) -> None:
        folder = tmp_path / str(here.index)
        folder.mkdir()
        inside(folder, "play", "tapnswap", *("-s", "human") * 2, "--tapnswap-max-plies", "2",
               lines=["1", "1"])  # fmt: skip
        done: list[str] = []

        async def steps(pilot: Pilot[Any]) -> None:
            for _ in range(ACTIONS):
                if not pilot.app.is_running:
                    break
                _do(pilot.app, here.rng, done)
                campaign.counts["actions"] += 1
                await asyncio.sleep(here.rng.choice(DELAYS))

        size = here.rng.choice(SIZES)
        outcome = on_screen(folder, *SCREENS[where], steps=steps, size=size)
        log = [path.read_text() for path in (folder / "state").rglob("errors.log")]
        assert not log, "\n".join([*done, *log])
        assert outcome.code == 0, (done, outcome)
        check_manners(outcome)
        for save in saves_in(folder):
            check_manners(inside(folder, "saves", "show", save.stem), (0,))

    campaign.each(1, 28, try_once)  # 11 screens: 308 storms at the full size


def _do(app: Any, rng: random.Random, done: list[str]) -> None:
    """One random thing, without waiting for what comes of it."""
    kind = rng.choice(("often", "often", "keys", "click", "clicks", "paste", "resize"))
    if kind == "resize":
        size = rng.choice(SIZES)
        done.append(f"resize {size}")
        app._driver._size = size
        app.post_message(events.Resize(Size(*size), Size(*size)))
        return
    if kind == "paste":
        text = rng.choice(TYPED)
        done.append(f"paste {text!r}")
        app.post_message(events.Paste(text))
        return
    if kind in ("click", "clicks"):
        at = (rng.randrange(max(app.size.width, 1)), rng.randrange(max(app.size.height, 1)))
        times = 1 if kind == "click" else 3
        done.append(f"{times} clicks {at}")
        for _ in range(times):
            for press in (events.MouseMove, events.MouseDown, events.MouseUp):
                app.post_message(press(None, *at, 0, 0, 1, False, False, False))
        return
    keys = rng.choices(_OFTEN if kind == "often" else (*KEYS, *QUICK), k=rng.randrange(1, 6))
    done.append(f"at once {' '.join(keys)}")
    for key in keys:
        character = " " if key == "space" else key if len(key) == 1 else None
        app.post_message(events.Key(key, character))
