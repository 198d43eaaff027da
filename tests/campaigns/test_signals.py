"""Signals: at any moment of start-up and play one ends the program cleanly.

One round starts the program in a terminal of its own (plain text, full screen, menu, watched,
replay) and sends SIGTERM, SIGHUP or SIGINT at a random moment: while it imports, just after the
screen was taken, or in play; or it stops the program (SIGSTOP or SIGTSTP), lets it go on and ends
it then. At the end the settings of the terminal are what they were, all modes and the keyboard
protocol are off, the exit code names the signal, there is no traceback, and the save, if there is
one, is whole.
"""

from __future__ import annotations

import random
import re
import signal
from pathlib import Path

import pytest

from tests.campaigns.campaign import Campaign, Round
from tests.campaigns.inside import check_manners, inside
from tests.campaigns.processes import saves_in
from tests.campaigns.pseudo_terminal import PseudoTerminal

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.second_try("waits for programs that are killed or disturbed"),
]

ENDS = {signal.SIGTERM: 143, signal.SIGHUP: 129, signal.SIGINT: 130}
SCREEN = b"\x1b[?1049h"
SENET = ("--vs", "random", "--pace", "instant", "--seed", "3")
COMMANDS = {
    "screen": ("play", "senet", *SENET),
    "menu": (),
    "watched": ("watch", "senet", "--vs", "random", "--seed", "3"),
    "plain": ("play", "senet", *SENET, "--plain"),
    "plain menu": ("--plain",),
    "json": ("watch", "senet", "--vs", "greedy", "--json"),
    "replay": ("replay", "senet-1"),
    "thinking": ("play", "senet", "--vs", "expectimax:depth=20", "--think", "60", "--seed", "3"),
}
FULL_SCREEN = ("screen", "menu", "watched", "replay", "thinking")
UNGUARDED = ("json", "plain menu")
PROMPTS = {"plain": b"You> ", "plain menu": b"choice?"}
TRACEBACK = re.compile(r"Traceback \(most recent.*", re.DOTALL)


@pytest.mark.parametrize("moment", ["start-up", "screen opens", "play", "stopped"])
def test_a_signal_ends_it_cleanly(campaign: Campaign, tmp_path: Path, moment: str) -> None:
    def try_once(here: Round) -> None:
        folder = tmp_path / str(here.index)
        folder.mkdir()
        inside(folder, "play", "senet", *SENET, lines=["1", "1", "q"])
        kinds = list(COMMANDS) if moment in ("start-up", "play") else list(FULL_SCREEN)
        kind = here.rng.choice(kinds)
        number = here.rng.choice(list(ENDS))
        terminal = PseudoTerminal(folder, *COMMANDS[kind])
        try:
            _wait(terminal, moment, kind, here.rng)
            terminal.kill(number)
            code = terminal.end()
            codes = {ENDS[number]}
            if kind in UNGUARDED or moment == "start-up":
                codes |= {-number}  # before it has a handler the system ends it, as rightly
            if kind == "json":
                codes |= {0}  # it was faster
            assert code in codes, (kind, number.name, code, terminal.raw[-1500:])
            _check(terminal)
        finally:
            terminal.close()
        for save in saves_in(folder):
            check_manners(inside(folder, "saves", "show", save.stem), (0,))
        campaign.counts["signals"] += 1

    campaign.each(3, 125, try_once)


def _wait(terminal: PseudoTerminal, moment: str, kind: str, rng: random.Random) -> None:
    if moment == "start-up":
        terminal.pump(rng.uniform(0.0, 1.2) ** 2)
        return
    if kind in FULL_SCREEN:
        terminal.wait_for(SCREEN)
    if moment == "screen opens":
        terminal.pump(rng.choice([0.0, rng.uniform(0.0, 0.06)]))
        return
    if kind in PROMPTS:
        terminal.wait_for(PROMPTS[kind])
    terminal.pump(rng.uniform(0.0, 0.5))
    for _ in range(rng.randrange(0, 3)):
        terminal.send("1\n" if "plain" in kind else rng.choice("1i?p"))
        terminal.pump(rng.uniform(0.0, 0.2))
    if moment == "stopped":
        terminal.kill(rng.choice([signal.SIGSTOP, signal.SIGTSTP]))
        terminal.wait_stopped()
        terminal.pump(rng.uniform(0.0, 0.2))
        terminal.kill(signal.SIGCONT)
        terminal.pump(rng.choice([0.0, rng.uniform(0.0, 0.3)]))


def _check(terminal: PseudoTerminal) -> None:
    text = terminal.raw.decode(errors="replace")
    traceback = TRACEBACK.search(text)
    assert traceback is None or "boardgames_cli/" not in traceback[0], text
    assert "boardgames crashed" not in text, text[-1500:]
    assert "internal error" not in text, text[-1500:]
    assert not terminal.left_on, (terminal.left_on, text[-1500:])
    assert terminal.settings == terminal.before, text[-1500:]
