"""Kills: SIGKILL at any moment costs nothing that a person was told.

One round plays a random script of typed lines in a process that is killed again and again: after a
random time, at a random prompt, or after a random number of lines of the saving code itself. Every
process after the first resumes the save. What counts as told: a prompt says that all before it was
done, so with n prompts read the first n - 1 lines of the script must be in the save, and nothing
that was not typed. The reference is the same script in one process that nobody kills. Watched games
are told line by line, and the full screen shows the number of steps in its title.
"""

from __future__ import annotations

import json
import re
import signal
import time
from pathlib import Path

import pytest

from tests.campaigns.campaign import Campaign, Round
from tests.campaigns.inside import check_manners, inside
from tests.campaigns.killing import GAMES, PEOPLE, Killing, Typing
from tests.campaigns.processes import Piped, saves_in, steps_of
from tests.e2e.screens import Terminal

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.second_try("waits for programs that are killed or disturbed"),
]

KILLS_A_ROUND = 6
STEP = re.compile(r"step (\d+)")


@pytest.mark.parametrize("how", ["pipe", "dumb terminal", "inside the saving code"])
def test_no_typed_action_is_lost(campaign: Campaign, tmp_path: Path, how: str) -> None:
    def try_once(here: Round) -> None:
        game = GAMES[here.index % len(GAMES)]
        script = Typing(tmp_path / f"{here.index}-whole", here.rng, game)
        killing = Killing(tmp_path / f"{here.index}-killed", script, here.rng)
        for _ in range(campaign.amount(3, KILLS_A_ROUND)):
            if not killing.is_done:
                campaign.counts["kills"] += killing.kill_once(how)
        killing.finish()

    campaign.each(1, 80, try_once)


def test_no_watched_step_is_lost(campaign: Campaign, tmp_path: Path) -> None:
    def try_once(here: Round) -> None:
        folder = tmp_path / str(here.index)
        folder.mkdir()
        game = here.rng.choice(["senet", "tapnswap", "deepsea"])
        words = ("watch", game, "--vs", "random", "--terse", "--pace", "instant")
        process = Piped(folder, *words, "--seed", str(here.index))
        lines = here.rng.randrange(0, 60)
        process.wait_until(lambda raw: raw.count(b"\n") >= lines)
        process.kill(signal.SIGKILL)
        campaign.counts["kills"] += process.end() != 0
        told = process.raw.decode().split("\n")[:-1]
        saves = saves_in(folder)
        if not saves:
            assert not told, told
            return
        (save,) = saves
        done = inside(folder, "replay", save.stem, "--json")
        check_manners(done, (0,))
        steps = json.loads(done.out)["steps"]
        sentences = [sentence for step in steps for sentence in step["text"]]
        begin = max((n + 1 for n, line in enumerate(told) if line.startswith("Seat ")), default=0)
        news = [line for line in told[begin:] if not line.startswith("Aim: ")]
        assert news[: len(sentences)] == sentences[: len(news)], (news, sentences)
        if len(news) > len(sentences):  # only what follows a finished game may come after
            assert json.loads(done.out)["over"], (news, sentences)
        check_manners(inside(folder, "resume", "--plain", "--terse"), (0, 4))

    campaign.each(3, 120, try_once)


def test_no_step_of_the_full_screen_is_lost(campaign: Campaign, tmp_path: Path) -> None:
    def try_once(here: Round) -> None:
        folder = tmp_path / str(here.index)
        folder.mkdir()
        words: tuple[str, ...] = ("play", here.rng.choice(["senet", "tapnswap"]), *PEOPLE)
        known: dict[str, int] = {}
        for _ in range(campaign.amount(1, 2)):
            terminal = Terminal(folder, *words, "--pace", "instant")
            shown = _press_keys(terminal, here.rng.randrange(0, 12), here.rng.uniform(0, 0.08))
            time.sleep(here.rng.uniform(0.0, 0.01))
            terminal.kill(signal.SIGKILL)
            campaign.counts["kills"] += terminal.end() == -signal.SIGKILL
            for save in saves_in(folder):
                check_manners(inside(folder, "saves", "show", save.stem), (0,))
                words = ("resume", save.stem)
                steps = len(steps_of(save))
                assert steps >= known.get(save.stem, 0), (save.stem, steps, known, terminal.text)
                known[save.stem] = steps
            # The keys may have begun a rematch, which has a save of its own.
            assert max(known.values(), default=0) >= shown, (known, shown, terminal.text)

    campaign.each(1, 60, try_once)


def _press_keys(terminal: Terminal, keys: int, pause: float) -> int:
    """Play; the most steps that the title has shown."""
    most = 0
    deadline = time.monotonic() + 3 + keys * 0.2
    while keys > 0 and time.monotonic() < deadline:
        terminal.pump(max(pause, 0.01))
        found = STEP.search(terminal.screen.display[0])
        if found is not None:
            most = max(most, int(found[1]))
            terminal.send("1")
            keys -= 1
    return most
