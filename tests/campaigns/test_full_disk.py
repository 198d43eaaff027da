"""Full disk: a game that can't be saved says so, and never ends as if it were.

A real process may write files up to a random size only (`RLIMIT_FSIZE`, the same error path as a
full disk). The limit falls at a random moment of play and may be lifted again. Or the folder of the
saves is taken away in the middle. Whatever happens, each action that was told is in a save, or the
program has said that the game is not being saved and ends with exit code 4. It never crashes.
"""

from __future__ import annotations

import random
import re
import resource
import shutil
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from tests.campaigns.campaign import Campaign, Round
from tests.campaigns.inside import check_manners, inside
from tests.campaigns.killing import GAMES, PROMPT, Steps, Typing
from tests.campaigns.processes import Piped, saves_in, steps_of
from tests.e2e.screens import Terminal

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.second_try("waits for programs that are killed or disturbed"),
]

UNLIMITED = resource.RLIM_INFINITY
STEP = re.compile(r"step (\d+)")
NOT_SAVED = re.compile(r"can't be written|not (being )?saved|could not be saved")
# Python keeps a compiled module of which it could write a part only.
NO_BYTECODE: dict[str, Any] = {"PYTHONDONTWRITEBYTECODE": "1"}
BOXES = re.compile(r"[\s\u2500-\u259f]+")


def limit_files(process: int, size: int) -> None:
    """Let a process write files up to a size only; more is an error, not a signal, in Python."""
    resource.prlimit(process, resource.RLIMIT_FSIZE, (size, UNLIMITED))


def take_away(folder: Path, rng: random.Random) -> None:
    """Make the save unreachable in one of several ways, as another program might."""
    saves = folder / "saves"
    way = rng.choice(["folder deleted", "folder moved", "save moved", "file in its place"])
    if way == "folder deleted":
        shutil.rmtree(saves)
    elif way == "save moved":
        for save in saves_in(folder):
            save.rename(folder / save.name)
    else:
        saves.rename(folder / "elsewhere")
    if way == "file in its place":
        saves.write_text("in the way")


@pytest.mark.parametrize("fault", ["full", "full for a while", "taken away"])
def test_plain_text(campaign: Campaign, tmp_path: Path, fault: str) -> None:
    def try_once(here: Round) -> None:
        rng = here.rng
        script = Typing(tmp_path / f"{here.index}-whole", rng, GAMES[here.index % len(GAMES)])
        folder = tmp_path / str(here.index)
        folder.mkdir()
        process = Piped(folder, *script.start, **NO_BYTECODE)
        begun = rng.randrange(1, len(script.lines))
        _play(process, script.lines[:begun], begun + 1)
        if fault == "taken away":
            take_away(folder, rng)
        else:
            size = script.save(folder).stat().st_size
            limit_files(process.child.pid, rng.choice([0, size, size + rng.randrange(200)]))
        rest = script.lines[begun:]
        if fault == "full for a while":
            pause = rng.randrange(len(rest) + 1)
            _play(process, rest[:pause], begun + pause + 1)
            limit_files(process.child.pid, UNLIMITED)
            rest = rest[pause:]
        # Leaving may ask for another place, as long as nothing can be saved.
        places = rng.choice([["q"], ["", "q"], [str(folder / "other"), "q"]])
        process.send("".join(f"{line}\n" for line in [*rest, "q", *places]))
        code = process.end()
        text = process.raw.decode() + process.errors
        _check(folder, script.states[len(PROMPT.findall(process.raw)) - 1], code, text)
        campaign.counts[f"exit code {code}"] += 1

    campaign.each(2, 60, try_once)


def _play(process: Piped, lines: list[str], prompts: int) -> None:
    process.send("".join(f"{line}\n" for line in lines))
    process.wait_until(lambda raw: len(PROMPT.findall(raw)) >= prompts)


def _check(folder: Path, told: Steps, code: int, text: str) -> None:
    assert code in (0, 4), (code, text)
    assert "Traceback" not in text
    assert "internal error" not in text
    assert "boardgames crashed" not in text
    kept = [steps_of(path) for path in folder.rglob("*.jsonl")]
    is_kept = any(steps[: len(told)] == told for steps in kept)
    if not is_kept:
        assert code == 4, ("steps are missing, but all seems well", text)
    if code == 4:
        assert NOT_SAVED.search(text), text
    for path in saves_in(folder):
        check_manners(inside(folder, "saves", "show", str(path)), (0,))


def test_full_screen(campaign: Campaign, tmp_path: Path) -> None:
    def try_once(here: Round) -> None:
        rng, folder = here.rng, tmp_path / str(here.index)
        folder.mkdir()
        game = rng.choice(["senet", "tapnswap"])
        words = ("play", game, "--vs", "random", "--pace", "instant")
        terminal = Terminal(folder, *words, size=(100, 40), **NO_BYTECODE)
        terminal.wait_for(r"step \d+")
        _press(terminal, "1" * rng.randrange(0, 5))
        if rng.random() < 0.3:
            take_away(folder, rng)
        else:
            size = sum(path.stat().st_size for path in saves_in(folder))
            limit_files(terminal.child.pid, rng.choice([0, size, size + rng.randrange(200)]))
        keys = "".join(rng.choice("1112iueu") for _ in range(rng.randrange(1, 12)))
        text = _press(terminal, keys)
        is_mended = rng.random() < 0.3
        if is_mended:
            limit_files(terminal.child.pid, UNLIMITED)
            text += _press(terminal, "1")
        shown = STEP.search(terminal.screen.display[0])
        code, said = _leave(terminal)
        steps = max((len(steps_of(path)) for path in saves_in(folder)), default=-1)
        text += said
        assert code in (0, 4, 143), (code, text[-1000:])
        assert "boardgames crashed" not in text
        assert "Traceback" not in text
        if shown is not None and steps < int(shown[1]):
            assert code != 0, ("steps are missing, but all seems well", steps, shown[0])
            assert NOT_SAVED.search(text), text[-2000:]
        campaign.counts[f"exit code {code}"] += 1

    campaign.each(1, 60, try_once)


def _press(terminal: Terminal, keys: str) -> str:
    """Press keys one after the other; all that the screen said, without its boxes."""
    texts = []
    for key in keys:
        terminal.send(key)
        terminal.pump(0.1)
        texts.append(terminal.text)
    terminal.pump(0.2)
    return BOXES.sub(" ", "\n".join([*texts, terminal.text]))


def _leave(terminal: Terminal) -> tuple[int, str]:
    """Quit as a person would, after that by a signal; the exit code and what was said."""
    text = ""
    for key in ("\x1b", "q", "1", "q", "1", "1"):
        if terminal.child.isalive():
            text += _press(terminal, key)
    deadline = time.monotonic() + 3
    while terminal.child.isalive() and time.monotonic() < deadline:
        terminal.pump(0.1)
    if terminal.child.isalive():
        terminal.kill(signal.SIGTERM)
    code = terminal.end()
    return code, text + BOXES.sub(" ", terminal.text)
