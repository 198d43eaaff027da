"""Keys and mouse: whatever is pressed, clicked, pasted or resized on any screen, nothing crashes.

Every screen is opened, one after another in one process, and random things are done there: keys of
the screen and others, digits, clicks and wheel turns anywhere, pastes of text with control
characters, sizes from 1x1 up, the command palette, typed lines. The program must end with exit code
0, without an error of its own, and the saves must be whole.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.errors import NoWidget
from textual.pilot import OutOfBounds, Pilot, WaitForScreenTimeout

from tests.campaigns.campaign import Campaign, Round
from tests.campaigns.inside import check_manners, inside
from tests.campaigns.processes import saves_in
from tests.campaigns.screen import on_screen
from tests.online.test_killed import free_port

FAST = ("--pace", "instant", "--think", "0.02")
SLOWLY = ("--pace", "fast", "--think", "0.02")
GAMES = ("senet", "tapnswap", "kuhn", "deepsea", "pommerman")
SCREENS = {
    "senet": ("play", "senet", "--vs", "random", *FAST),
    "tapnswap": ("play", "tapnswap", "-s", "human:Ann", "-s", "human:Ben", *FAST),
    "kuhn": ("play", "kuhn", "-s", "human:Ann", "-s", "human:Ben", "--hands", "9", *FAST),
    "deepsea": ("play", "deepsea", "--vs", "grabber", "--drop", "choose", *FAST),
    "pommerman": ("play", "pommerman", "--vs", "random", "--mode", "radio", *FAST),
    "real time": ("play", "pommerman", "--vs", "random", "--tick", "0.1", *FAST),
    "watched": ("watch", "kuhn", "--hands", "20", *SLOWLY),
    "watched team": ("watch", "pommerman", "--mode", "team", "--vs", "random", *SLOWLY),
    "menu": (),
    "replay": ("replay", "tapnswap-1"),
}
KEYS = (
    "1", "2", "3", "9", "0", "up", "down", "left", "right", "tab", "shift+tab", "enter", "space",
    "colon", "slash", "escape", "u", "U", "i", "f2", "L", "e", "left_square_bracket",
    "right_square_bracket", "left_curly_bracket", "right_curly_bracket", "p", "plus", "minus",
    "full_stop", "x", "ctrl+s", "y", "question_mark", "f1", "v", "b", "f", "a", "c", "r", "n",
    "ctrl+p", "pageup", "pagedown", "home", "end", "backspace", "delete", "q", "w", "s", "d",
    "ctrl+a", "ctrl+z", "f12", "ctrl+w", "ctrl+u", "N", "E", "ctrl+backslash", "comma",
)  # fmt: skip
QUICK = ("1", "2", "3", "enter", "escape", "q", "question_mark", "ctrl+p", "v", "n", "pageup",
         "ctrl+s", "u", "space", "c", "r", "y", "i", "e")  # fmt: skip
HOST = ("--listen", f"127.0.0.1:{free_port()}")
EVERYWHERE = {
    **SCREENS,
    **{f"menu: {key}": () for key in ("n", "a", "t", "f", "comma", "v", "d")},
    "senet, seven": ("play", "senet", "--rules", "skyruk", "--pieces", "7", "--vs", "easy", *FAST),
    "tapnswap, short": ("play", "tapnswap", "--max-plies", "12", "--level", "adaptive", *FAST),
    "kuhn, one hand": ("play", "kuhn", "--vs", "easy", "--tutor", *SLOWLY),
    "deepsea, six": ("play", "deepsea", "--players", "6", "--rounds", "1", "--vs", "easy", *FAST),
    "pommerman, alone": ("play", "pommerman", "--collapse", "--vs", "easy", *FAST),
    "pommerman, two": ("play", "pommerman", "--mode", "duel", *("-s", "human") * 2, *FAST),
    "watched senet": ("watch", "senet", "--vs", "random", *SLOWLY),
    "watched deepsea": ("watch", "deepsea", "--vs", "random", *SLOWLY),
    "table of two": ("host", "tapnswap", "-s", "human:Ann", "-s", "random", *HOST),
    "table of four": ("host", "pommerman", "-s", "human:Ann", "--vs", "random", *HOST),
    "waiting": ("host", "kuhn", "-s", "human:Ann", "-s", "open", *HOST),
    "review": ("review", "kuhn-1"),
    "review of moves": ("review", "tapnswap-2"),
    "replay": ("replay", "tapnswap-2"),
    "profile": ("review", "--all"),
    "drill": ("drill",),
    **{f"lesson {game}": ("learn", game) for game in GAMES},
    **{f"puzzle {game}": ("puzzle", game) for game in GAMES},
}
"""All screens, and whatever they lead to; a key after a colon is pressed first."""
TYPED = ("1", "undo", ":hint", ":quit", "nonsense", "help", ":", "\x1b[2J", "x" * 300, "é😀\u202e",
         "tap L>R", ":save_as", ":theme", "[red]", "save a/b", "pause", ":menu")  # fmt: skip
SIZES = ((80, 24), (60, 20), (120, 40), (1, 1), (10, 3), (59, 19), (200, 60), (80, 5), (5, 80))
_LONGEST_SITTING = 100
_PATIENCE = 30.0
EVENTS = (25, 500)
"""Events of each of `EVERYWHERE`, small and large."""


def test_nothing_crashes_in_one_go(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All screens in one process, one after another; half of the keys are those of the screen."""
    wait = Pilot._wait_for_screen

    async def wait_unless_left(pilot: Pilot[Any], timeout: float = _PATIENCE) -> bool:
        for _ in range(int(timeout)):
            with contextlib.suppress(WaitForScreenTimeout):
                return await wait(pilot, timeout=1)
            if pilot.app._exit:  # who leaves does not answer
                return False
        raise WaitForScreenTimeout(f"{pilot.app.screen} does not answer")

    async def wait_shortly(*_: float) -> None:
        await asyncio.sleep(0)

    monkeypatch.setattr(Pilot, "_wait_for_screen", wait_unless_left)
    for module in ("textual.app", "textual.pilot"):  # they wait for agents to stop thinking
        monkeypatch.setattr(f"{module}.wait_for_idle", wait_shortly)

    def try_once(here: Round) -> None:
        for game in ("kuhn", "tapnswap", "tapnswap"):
            inside(tmp_path, "watch", game, "--vs", "random", "--pace", "instant")
        for game in ("kuhn", "tapnswap"):  # what a home screen tells of
            inside(tmp_path, "play", game, "--vs", "random", "--no-color", lines=["1"] * 300)
        for name, words in EVERYWHERE.items():
            _try_for_long(campaign, here.rng, tmp_path, name, words)

    campaign.each(1, 1, try_once)


def _try_for_long(
    campaign: Campaign, rng: random.Random, folder: Path, name: str, words: tuple[str, ...]
) -> None:
    left = campaign.amount(*EVENTS)
    done: list[str] = []

    async def steps(pilot: Pilot[Any]) -> None:
        nonlocal left
        await pilot.press(*name.split(": ")[1:])
        while not pilot.app._exit and left > 0 and len(done) < _LONGEST_SITTING:
            before = len(done)
            await rng.choice(_FOR_LONG)(pilot, rng, done)
            if rng.random() < 0.3:
                await pilot.pause()
            events = sum(len(text.split()) - 1 for text in done[before:])
            left -= events
            campaign.counts["events"] += events
            if not pilot.app._exit:
                campaign.counts[type(pilot.app.screen).__name__] += events

    while left > 0:  # whoever has left comes again
        done[:] = [name]
        size = rng.choice(SIZES[:3])
        outcome = on_screen(folder, *words, steps=steps, size=size)
        log = [path.read_text() for path in (folder / "state").rglob("errors.log")]
        assert not log, "\n".join([*done[-40:], *log])
        assert outcome.code == 0, (done[-40:], outcome)
        check_manners(outcome)
    for save in saves_in(folder):
        check_manners(inside(folder, "saves", "show", save.stem), (0,))
    sys.stderr.write(f"{campaign.counts['events']} events: {name}\n")


async def _press(pilot: Pilot[Any], rng: random.Random, done: list[str]) -> None:
    keys = rng.choices(_keys_here(pilot, rng), k=rng.randrange(1, 5))
    done.append(f"press {' '.join(keys)}")
    await pilot.press(*keys)


async def _press_at_once(pilot: Pilot[Any], rng: random.Random, done: list[str]) -> None:
    keys = rng.choices(_keys_here(pilot, rng), k=rng.randrange(2, 8))
    done.append(f"burst {' '.join(keys)}")
    for key in keys:
        character = " " if key == "space" else key if len(key) == 1 else None
        pilot.app.post_message(events.Key(key, character))


def _keys_here(pilot: Pilot[Any], rng: random.Random) -> Sequence[str]:
    """The keys of the screen on top, or any."""
    own = sorted(pilot.app.screen._bindings.key_to_bindings)
    return own if own and rng.random() < 0.5 else KEYS


async def _click(pilot: Pilot[Any], rng: random.Random, done: list[str]) -> None:
    at = (rng.randrange(max(pilot.app.size.width, 1)), rng.randrange(max(pilot.app.size.height, 1)))
    way = rng.choice(["click", "click", "hover", "wheel", "double", "right"])
    done.append(f"{way} {at}")
    try:
        if way == "hover":
            await pilot.hover(offset=at)
        elif way == "wheel":
            pilot.app.screen._forward_event(_wheel(*at, up=rng.random() < 0.5))
        else:
            button = 3 if way == "right" else 1
            await pilot.click(offset=at, times=2 if way == "double" else 1, button=button)
    except (OutOfBounds, NoWidget):  # the pilot looks for a widget, a mouse does not
        done.append("(outside)")


def _wheel(x: int, y: int, up: bool) -> events.MouseEvent:
    kind = events.MouseScrollUp if up else events.MouseScrollDown
    return kind(None, x, y, 0, 0, 0, False, False, False)


async def _type(pilot: Pilot[Any], rng: random.Random, done: list[str]) -> None:
    text = rng.choice(TYPED)
    done.append(f"type {text!r}")
    await pilot.press("colon")
    pilot.app.post_message(events.Paste(text))
    await pilot.pause()
    await pilot.press("enter")


async def _paste(pilot: Pilot[Any], rng: random.Random, done: list[str]) -> None:
    text = rng.choice([*TYPED, "a\nb\n", "\x00\x1b]0;x\x07", "1" * 5000, ""])
    done.append(f"paste {text!r}")
    pilot.app.post_message(events.Paste(text))


async def _resize(pilot: Pilot[Any], rng: random.Random, done: list[str]) -> None:
    size = rng.choice(SIZES)
    done.append(f"resize {size}")
    await pilot.resize_terminal(*size)


_FOR_LONG = (
    *(_press, _press, _press_at_once, _press_at_once, _click, _click), _type, _paste, _resize
)  # fmt: skip
