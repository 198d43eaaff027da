"""What every command prints: its help, typical results, and what it answers to mistakes.

Every file of ``golden/`` is a session at a shell. A new command is a new line ``$ boardgames ...``
there, and below it what is typed, each line after ``< ``; after a change that is meant, write the
files anew: ``UPDATE_GOLDEN=1 pytest tests/cli``.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
from pathlib import Path

import pytest

from boardgames_cli import __version__
from boardgames_cli.cli.main import VERBS
from tests.conftest import Program

GOLDEN = {path.stem: path for path in (Path(__file__).parent / "golden").glob("*.txt")}
SESSION = re.compile(r"^\$ boardgames (.*)\n((?:< .*\n)*)", re.MULTILINE)
SAMPLE = Path(__file__).parents[2] / "saves" / "sample-kuhn.jsonl"
MISTAKES = "mistakes"
ENDING = {"cones": [4, 25], "spools": [], "player": 0, "pieces": 5, "steps": None}
START = {"cones": [0, 2, 4, 6, 8], "spools": [1, 3, 5, 7, 9], "player": 1, "steps": 1, "pieces": 5}
FILES = {
    "half": b'{"hands": [',
    "list": b"[1, 2]",
    "empty": b"{}",
    "over": b'{"hands": [[3, 2], [0, 0]], "player": 1}',
    "nine": b'{"hands": [[9, 2], [0, 1]], "player": 0}',
    "bytes": b"\xff\xfe\x00\x01",
    "start.json": json.dumps(START).encode(),
    "over.json": json.dumps(ENDING).encode(),
    "full/thesis": b"mine",
}
"""What the mistakes are about."""


def test_every_command_has_a_transcript() -> None:
    assert {"program", *VERBS} <= GOLDEN.keys()


@pytest.mark.parametrize("name", sorted(GOLDEN))
def test_transcript(
    request: pytest.FixtureRequest, program: Program, clean_environment: Path, name: str
) -> None:
    if name.startswith("toys"):
        request.getfixturevalue("toys")
    known = GOLDEN[name].read_text(encoding="utf-8")
    is_mistaken = name.startswith(MISTAKES)
    (prepare_mistakes if is_mistaken else prepare)(clean_environment, program)
    text = ""
    for words, typed in SESSION.findall(known):
        outcome = program(*shlex.split(words), lines=re.findall("^< (.*)$", typed, re.MULTILINE))
        if is_mistaken:
            assert (outcome.out, outcome.err.count("\n")) == ("", 1), words
            assert outcome.code in (2, 4), words
        text += f"$ boardgames {words}\n{typed}{outcome.out}"
        text += f"stderr: {outcome.err}" if outcome.err else ""
        text += f"exit code: {outcome.code}\n" if outcome.code else ""
        text += "\n"
    text = text.replace(str(clean_environment), "HERE").replace(__version__, "VERSION")
    text = re.sub(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?([+-]\d\d:\d\d|Z)?", "TIME", text)
    text = re.sub(r"(?<=  )\d{4}-\d\d-\d\d", "DAY", text)
    text = re.sub(r"\d+(\.\d)? (ms|MB)\b", r"N \2", text)
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN[name].write_text(text, encoding="utf-8")
    assert text == GOLDEN[name].read_text(encoding="utf-8")
    if is_mistaken:
        assert {str(path) for path in Path().rglob("*") if path.is_file()} == FILES.keys()


def prepare(here: Path, program: Program) -> None:
    """Saves and positions for the commands to show."""
    saves = here / "saves"
    saves.mkdir()
    shutil.copy(SAMPLE, saves / "kuhn-9.jsonl")
    shutil.copy(SAMPLE, here / "kuhn-9.jsonl")
    os.utime(saves / "kuhn-9.jsonl", (1_000_000_000, 1_000_000_000))
    for game, name in (("tapnswap", "taps.json"), ("deepsea", "deep.json")):
        lines = ["pos", "q"]
        told = program("play", game, "--plain", "--no-save", "--seed", "1", lines=lines).out
        position = next(line for line in told.splitlines() if line.startswith("{"))
        (here / name).write_text(position, encoding="utf-8")
    for steps, name in ((1, "thrown.json"), (None, "before.json")):
        solved = ENDING | {"spools": [7], "steps": steps}  # an independent solver knows it, too
        (here / name).write_text(json.dumps(solved), encoding="utf-8")


def prepare_mistakes(here: Path, _: Program) -> None:
    """Files that are wrong, or in the way."""
    (here / "full").mkdir()
    for name, content in FILES.items():
        (here / name).write_bytes(content)
