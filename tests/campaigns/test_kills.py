"""Kills: SIGKILL at any moment costs nothing that a person was told.

Typed lines are told by the next prompt: what was typed before it must be in the save, and what is
in the save must have been typed. `tests/storage/test_kill.py` kills in the middle of the saving
code, `tests/e2e/test_friends.py` at a full screen.
"""

from __future__ import annotations

import re
import signal
import time
from pathlib import Path

import pytest

from tests.campaigns.campaign import Campaign, Round
from tests.campaigns.inside import check_manners, inside
from tests.campaigns.processes import QUIETLY, Piped, steps_of
from tests.e2e.screens import Terminal

PEOPLE = ("-s", "human:Ann", "-s", "human:Bob")
GAMES = (
    ("senet", *PEOPLE),
    ("tapnswap", *PEOPLE),
    ("kuhn", *PEOPLE, "--hands", "40", "--shared-screen"),
    ("deepsea", *PEOPLE, "--players", "2", "--drop", "choose"),
    ("pommerman", *PEOPLE, "--mode", "duel"),
)
PROMPT = re.compile(rb"(?:Ann|Bob)> ")


@pytest.mark.parametrize("is_dumb", [False, True], ids=["pipe", "dumb terminal"])
def test_no_typed_action_is_lost(campaign: Campaign, tmp_path: Path, is_dumb: bool) -> None:
    def try_once(here: Round) -> None:
        game, rng = GAMES[here.index % len(GAMES)], here.rng
        words = ("play", *game, "--seed", str(rng.randrange(10**6)), *QUIETLY)
        lines = rng.choices(["1", "2", "3"], k=rng.randrange(8, 40))
        folders = [tmp_path / f"{here.index}-{name}" for name in ("whole", "told", "killed")]
        for folder in folders:
            folder.mkdir()
        saves = [folder / "saves" / f"{game[0]}-1.jsonl" for folder in folders]
        check_manners(inside(folders[0], *words, lines=[*lines, "q"]), (0,))
        process: Piped | Terminal
        process = (
            Terminal(folders[2], *words, TERM="dumb") if is_dumb else Piped(folders[2], *words)
        )
        process.send("".join(f"{line}\n" for line in lines))
        wanted, deadline = rng.randrange(1, len(lines)), time.monotonic() + 60
        while len(PROMPT.findall(process.raw)) < wanted and time.monotonic() < deadline:
            process.pump(0.01)
        time.sleep(rng.uniform(0.0, 0.004))
        process.kill(signal.SIGKILL)
        code = process.end()
        assert code in (0, -signal.SIGKILL), (code, process.raw[-500:])
        prompts = len(PROMPT.findall(process.raw))
        check_manners(inside(folders[1], *words, lines=[*lines[: max(prompts - 1, 0)], "q"]), (0,))
        whole, told, found = map(steps_of, saves)
        assert found[: len(told)] == told, (prompts, process.raw[-300:])
        assert whole[: len(found)] == found
        resume = (
            "resume",
            saves[2].stem,
            *QUIETLY,
            *(word for word in game if word == "--shared-screen"),
        )
        check_manners(inside(folders[2], *resume, lines=["q"]), (0, 2, 4))  # 2: it was over
        # What a killed process has left beside a save goes when it is opened again.
        assert not [path for path in saves[2].parent.iterdir() if path.name.startswith(".")]
        campaign.counts["kills"] += code != 0

    campaign.each(5, 300, try_once)
