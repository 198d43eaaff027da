"""A script that is played by one process after the other, each killed in the middle of it."""

from __future__ import annotations

import json
import random
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.campaigns.inside import Script, check_manners, inside
from tests.campaigns.processes import PROGRAM, Piped, steps_of
from tests.e2e.screens import Terminal

Steps = list[dict[str, Any]]

KILLER = (PROGRAM[0], str(Path(__file__).with_name("kill_at_line.py")))
SAVING = "/boardgames_cli/storage/"
LINES_OF_SAVING = 450
"""About so many lines of the saving code run in one process."""

PEOPLE = ("-s", "human:Ann", "-s", "human:Bob")
GAMES = (
    ("senet", *PEOPLE),
    ("tapnswap", *PEOPLE),
    ("kuhn", *PEOPLE, "--hands", "40", "--shared-screen"),
    ("deepsea", *PEOPLE, "--players", "2", "--drop", "choose"),
    ("pommerman", *PEOPLE, "--mode", "duel"),
)
PROMPT = re.compile(rb"(?:Ann|Bob)(?: \(not saved\))?> ")
LINES = ("1", "2", "1", "3", "u", "b", "save kept", "nonsense", "2")
QUIETLY = ("--plain", "--pace", "instant", "--terse")
MOST_LINES = 40


class Typing:
    """A random script, and what the save holds after each of its lines if nobody kills.

    Args:
        folder: Where that is found out.
        rng: Where the script comes from.
        game: The words that set the game up.
    """

    def __init__(self, folder: Path, rng: random.Random, game: tuple[str, ...]) -> None:
        self.start = ("play", *game, "--seed", str(rng.randrange(10**6)), *QUIETLY)
        self.name = f"{game[0]}-1"
        self.resume: tuple[str, ...] = ("resume", self.name, *QUIETLY)
        self.resume += ("--shared-screen",) if "--shared-screen" in game else ()
        self.lines = [rng.choice(LINES) for _ in range(rng.randrange(8, MOST_LINES))]
        self.states: list[Steps] = []
        folder.mkdir()
        check_manners(inside(folder, *self.start, source=Script(self._typed(folder))), (0,))
        if len(self.states) <= len(self.lines):  # the game was over before the script
            self.lines = self.lines[: len(self.states)]
            self.states.append(steps_of(self.save(folder)))

    def _typed(self, folder: Path) -> Iterator[str]:
        for line in [*self.lines, "q"]:
            self.states.append(steps_of(self.save(folder)))
            yield line

    def save(self, folder: Path) -> Path:
        """The file of the save."""
        return folder / "saves" / f"{self.name}.jsonl"


class Killing:
    """The processes of one script, one after the other.

    Args:
        folder: Where they play.
        script: What they play.
        rng: When they are killed.
    """

    def __init__(self, folder: Path, script: Typing, rng: random.Random) -> None:
        folder.mkdir()
        self._folder = folder
        self._script = script
        self._rng = rng
        self._known: Steps = []
        self.at = 0
        """The line of the script to go on with."""

    @property
    def _words(self) -> tuple[str, ...]:
        is_begun = self._script.save(self._folder).exists()
        return self._script.resume if is_begun else self._script.start

    @property
    def is_done(self) -> bool:
        """Whether the script is at its end."""
        return self.at >= len(self._script.lines)

    def kill_once(self, how: str) -> bool:
        """Start a process, kill it and look at the save; whether it was killed in time."""
        process: Piped | Terminal
        if how == "dumb terminal":
            process = Terminal(self._folder, *self._words, TERM="dumb")
        elif how == "pipe":
            process = Piped(self._folder, *self._words)
        else:
            lines = str(self._rng.randrange(1, LINES_OF_SAVING))
            process = Piped(self._folder, lines, SAVING, "--", *self._words, program=KILLER)
        process.send("".join(f"{line}\n" for line in self._script.lines[self.at :]))
        if isinstance(process, Piped) and how != "pipe":
            process.close_input()
        else:
            self._wait(process)
            process.kill(signal.SIGKILL)
        code = process.end()
        assert code in (0, -signal.SIGKILL), (code, process.raw[-500:])
        self._check(len(PROMPT.findall(process.raw)), process.raw)
        return code != 0

    def _wait(self, process: Piped | Terminal) -> None:
        prompts = self._rng.randrange(0, 12)
        deadline = time.monotonic() + self._rng.choice([0.0, 0.2, 0.4, 2.0])
        while len(PROMPT.findall(process.raw)) < prompts and time.monotonic() < deadline:
            process.pump(0.01)
        time.sleep(self._rng.uniform(0.0, 0.004))

    def _check(self, prompts: int, raw: bytes) -> None:
        """What was told is in the save, and nothing that was not typed."""
        script, found = self._script, steps_of(self._script.save(self._folder))
        story = f"{prompts} prompts from line {self.at}, {len(found)} steps; {raw[-300:]!r}"
        if not prompts:
            before, after = self._known, script.states[self.at]
            assert _between(before, found, after), story
        else:
            self.at += prompts - 1
            before = script.states[self.at]
            after = script.states[min(self.at + 1, len(script.lines))]
            assert found == after or _between(before, found, after), story
            self.at += found != before
            # One of several who choose at the same time chooses again: the step was not complete.
            while self.at and script.states[self.at - 1] == script.states[self.at]:
                self.at -= 1
        self._known = found
        if found:
            check_manners(inside(self._folder, "saves", "show", script.name), (0,))
        listed = json.loads(inside(self._folder, "saves", "--json").out)
        assert not [save for save in listed if save["problem"]], listed

    def finish(self) -> None:
        """Play the rest without being killed: it all ends as if nobody had been."""
        if not self.is_done:
            rest = [*self._script.lines[self.at :], "q"]
            check_manners(inside(self._folder, *self._words, lines=rest), (0,))
        assert steps_of(self._script.save(self._folder)) == self._script.states[-1]
        if inside(self._folder, *self._script.resume, lines=["q"]).code == 0:
            # What a killed process has left beside a save goes when it is opened again.
            names = [path.name for path in (self._folder / "saves").iterdir()]
            assert not [name for name in names if name.startswith(".")], names


def _between(before: Steps, found: Steps, after: Steps) -> bool:
    if found == before:
        return True
    return found[: len(before)] == before and found == after[: len(found)]
