"""Kills: SIGKILL at any moment costs nothing that a person was told.

Typed lines are told by the next prompt: what was typed before it must be in the save, and what is
in the save must have been typed. Watched games are told line by line, and the full screen shows the
number of steps in its title. `tests/storage/test_kill.py` kills in the middle of the saving code.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from boardgames_cli.storage.reading import load_record
from tests.campaigns.campaign import Campaign, Round
from tests.campaigns.inside import QUIETLY, check_manners, inside, saves_in
from tests.e2e.screens import Terminal, environment

PEOPLE = ("-s", "human:Ann", "-s", "human:Bob")
GAMES = (
    ("senet", *PEOPLE),
    ("tapnswap", *PEOPLE),
    ("kuhn", *PEOPLE, "--hands", "40", "--shared-screen"),
    ("deepsea", *PEOPLE, "--players", "2", "--drop", "choose"),
    ("pommerman", *PEOPLE, "--mode", "duel"),
)
PROMPT = re.compile(rb"(?:Ann|Bob)> ")
STEP = re.compile(r"step (\d+)")


def test_no_typed_action_is_lost(campaign: Campaign, tmp_path: Path) -> None:
    def try_once(here: Round) -> None:
        game, rng = GAMES[here.index % len(GAMES)], here.rng
        words = ("play", *game, "--seed", str(rng.randrange(10**6)), *QUIETLY)
        lines = rng.choices(["1", "2", "3"], k=rng.randrange(8, 40))
        folders = [tmp_path / f"{here.index}-{name}" for name in ("whole", "told", "killed")]
        for folder in folders:
            folder.mkdir()
        saves = [folder / "saves" / f"{game[0]}-1.jsonl" for folder in folders]
        check_manners(inside(folders[0], *words, lines=[*lines, "q"]), (0,))
        process = Terminal(folders[2], *words, TERM="dumb")
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
        whole, told, found = (load_record(save).steps if save.exists() else () for save in saves)
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


def test_no_watched_step_is_lost(campaign: Campaign, tmp_path: Path) -> None:
    def try_once(here: Round) -> None:
        folder = tmp_path / str(here.index)
        folder.mkdir()
        words = ["watch", here.rng.choice(["senet", "tapnswap", "deepsea"]), "--vs", "random"]
        words += ["--plain", "--pace", "instant", "--seed", str(here.index)]
        command = [sys.executable, "-m", "boardgames_cli", *words]
        ways = environment(folder)
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=folder, env=ways) as process:
            assert process.stdout is not None
            raw = b"".join(process.stdout.readline() for _ in range(here.rng.randrange(0, 60)))
            process.kill()
            told = (raw + process.stdout.read()).decode().split("\n")[:-1]
        campaign.counts["kills"] += process.returncode != 0
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
        news = [line for line in told[begin:] if not line.startswith(("Aim: ", "Saved after "))]
        assert news[: len(sentences)] == sentences[: len(news)], (news, sentences)
        if len(news) > len(sentences):  # only what follows a finished game may come after
            assert json.loads(done.out)["over"], (news, sentences)
        check_manners(inside(folder, "resume", "--plain"), (0, 4))

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
                steps = len(load_record(save).steps)
                assert steps >= known.get(save.stem, 0), (save.stem, steps, known, terminal.text)
                known[save.stem] = steps
            # The keys may have begun a rematch, which has a save of its own.
            assert max(known.values(), default=0) >= shown, (known, shown, terminal.text)

    campaign.each(1, 60, try_once)


def _press_keys(terminal: Terminal, keys: int, pause: float) -> int:
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
