"""Keys and mouse: whatever is pressed, clicked, pasted or resized on any screen, nothing crashes.

One round opens a screen and does random things there: keys of the screen and others, clicks and
wheel turns anywhere, pastes of text with control characters, sizes from 1x1 up, the command
palette, typed lines. Nobody waits until the screen has settled: the delays are from none to a fifth
of a second, so that much arrives while screens come and go. The program must end with exit code 0,
without an error of its own, and the saves must be whole.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.geometry import Size
from textual.pilot import Pilot

from tests.campaigns.campaign import Campaign, Round
from tests.campaigns.inside import check_manners, inside, saves_in
from tests.campaigns.screen import on_screen
from tests.online.test_killed import free_port

pytestmark = pytest.mark.second_try("presses keys that nobody waits for: no two runs are alike")

FAST = ("--pace", "instant", "--think", "0.02")
PEOPLE = ("-s", "human:Ann", "-s", "human:Ben")
SLOWLY = ("--pace", "fast", "--think", "0.02")
GAMES = ("senet", "tapnswap", "kuhn", "deepsea", "pommerman")
KEYS = (
    "1", "2", "3", "9", "0", "up", "down", "left", "right", "tab", "shift+tab", "enter", "space",
    "colon", "slash", "escape", "u", "U", "i", "f2", "L", "e", "left_square_bracket",
    "right_square_bracket", "left_curly_bracket", "right_curly_bracket", "p", "plus", "minus",
    "full_stop", "x", "ctrl+s", "y", "question_mark", "f1", "v", "b", "f", "a", "c", "r", "n",
    "ctrl+p", "pageup", "pagedown", "home", "end", "backspace", "delete", "q", "w", "s", "d",
    "ctrl+a", "ctrl+z", "f12", "ctrl+w", "ctrl+u", "N", "E", "ctrl+backslash", "comma",
)  # fmt: skip
OFTEN = ("1", "enter", "r", "escape", "ctrl+p", "v", "question_mark", "s", "m", "n", "t", "y")
"""Keys that open and close screens, or end a short game."""
HOST = ("--listen", f"127.0.0.1:{free_port()}")
SCREENS = {
    "senet": ("play", "senet", "--vs", "random", *FAST),
    "tapnswap": ("play", "tapnswap", *PEOPLE, *FAST),
    "kuhn": ("play", "kuhn", *PEOPLE, "--hands", "9", *FAST),
    "deepsea": ("play", "deepsea", "--vs", "grabber", "--drop", "choose", *FAST),
    "pommerman": ("play", "pommerman", "--vs", "random", "--mode", "radio", *FAST),
    "real time": ("play", "pommerman", "--vs", "random", "--tick", "0.1", *FAST),
    "watched": ("watch", "kuhn", "--hands", "20", *SLOWLY),
    "watched team": ("watch", "pommerman", "--mode", "team", "--vs", "random", *SLOWLY),
    "menu": (),
    "quick rematch": ("play", "tapnswap", *PEOPLE, "--tapnswap-max-plies", "2", *FAST),
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
    "drill": ("drill",),
    **{f"lesson {game}": ("learn", game) for game in GAMES},
    **{f"puzzle {game}": ("puzzle", game) for game in GAMES},
}
"""All screens, and whatever they lead to; a key after a colon is pressed first."""
TYPED = ("1", "undo", ":hint", ":quit", "nonsense", "help", ":", "\x1b[2J", "x" * 300, "é😀\u202e",
         "tap L>R", ":save_as", ":theme", "[red]", "save a/b", "pause", ":menu")  # fmt: skip
SIZES = ((80, 24), (60, 20), (120, 40), (1, 1), (10, 3), (59, 19), (200, 60), (80, 5), (5, 80))
DELAYS = (0.0, 0.0, 0.0, 0.005, 0.02, 0.05, 0.1, 0.2)
ACTIONS = 25
"""Things done on each screen in one round."""
PARTS = 6


@pytest.mark.parametrize("part", range(PARTS))
def test_whatever_is_done_ends_no_screen(campaign: Campaign, tmp_path: Path, part: int) -> None:
    def try_once(here: Round) -> None:
        for where in list(SCREENS)[part::PARTS]:
            _try_screen(campaign, here, tmp_path / f"{here.index}-{where}", where)

    campaign.each(1, 28, try_once)


def _try_screen(campaign: Campaign, here: Round, folder: Path, where: str) -> None:
    folder.mkdir()
    for game in ("kuhn", "tapnswap", "tapnswap"):
        inside(folder, "watch", game, "--vs", "random", "--pace", "instant")
    for game in ("kuhn", "tapnswap"):  # what a home screen tells of
        inside(folder, "play", game, "--vs", "random", "--no-color", lines=["1"] * 300)
    done = [where]

    async def steps(pilot: Pilot[Any]) -> None:
        await pilot.press(*where.split(": ")[1:])
        while pilot.app.is_running and len(done) < ACTIONS:
            for event in _something(pilot.app, here.rng, done):
                pilot.app.post_message(event)
            campaign.counts["actions"] += 1
            await asyncio.sleep(here.rng.choice(DELAYS))

    while len(done) < ACTIONS:  # whoever has left comes again
        outcome = on_screen(folder, *SCREENS[where], steps=steps, size=here.rng.choice(SIZES))
        log = [path.read_text() for path in (folder / "state").rglob("errors.log")]
        assert not log, "\n".join([*done, *log])
        assert outcome.code == 0, (done, outcome)
        check_manners(outcome)
    for save in saves_in(folder):
        check_manners(inside(folder, "saves", "show", save.stem), (0,))


def _something(app: Any, rng: random.Random, done: list[str]) -> Iterator[events.Event]:
    kind = rng.choice(("often", "own", "keys", "click", "clicks", "wheel", "type", "paste", "size"))
    at = (rng.randrange(max(app.size.width, 1)), rng.randrange(max(app.size.height, 1)))
    text = rng.choice([*TYPED, "a\nb\n", "\x00\x1b]0;x\x07", "1" * 5000, ""])
    size = Size(*rng.choice(SIZES))
    if kind == "size":
        done.append(f"resize {size}")
        yield events.Resize(size, size)
    elif kind == "paste":
        done.append(f"paste {text!r}")
        yield events.Paste(text)
    elif kind == "type":
        done.append(f"type {text!r}")
        yield from (_key("colon"), events.Paste(text), _key("enter"))
    elif kind in ("click", "clicks", "wheel"):
        done.append(f"{kind} {at}")
        presses = (events.MouseMove, events.MouseDown, events.MouseUp)
        turns = (events.MouseScrollUp, events.MouseScrollDown)
        for press in turns if kind == "wheel" else presses * (1 if kind == "click" else 3):
            button = 0 if kind == "wheel" else rng.choice((1, 1, 3))
            yield press(None, *at, 0, 0, button, False, False, False)
    else:
        own = sorted(app.screen.active_bindings) if kind == "own" else []
        keys = rng.choices(own or (OFTEN if kind == "often" else KEYS), k=rng.randrange(1, 6))
        done.append(f"at once {' '.join(keys)}")
        yield from map(_key, keys)


def _key(key: str) -> events.Key:
    return events.Key(key, " " if key == "space" else key if len(key) == 1 else None)
