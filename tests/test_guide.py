"""The guide to adding a game, followed word for word in a fresh environment.

Where it shows parts of a file, the whole file is that of the example in examples/games/connect4.
"""

from __future__ import annotations

import doctest
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.fresh_environment import ROOT, Environment, fresh_environment

pytestmark = pytest.mark.slow

GUIDES = (ROOT / "docs" / "adding-a-game.md", ROOT / "docs" / "game-details.md")
EXAMPLE = ROOT / "examples" / "games" / "connect4"
LEFT_OUT = re.compile(r"^\.\.\.\n", re.MULTILINE)
BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.DOTALL | re.MULTILINE)
PROGRAMS = {"python": ("python", "-c"), "sh": ("bash", "-eu", "-c")}


@dataclass(frozen=True)
class Block:
    """One block of code or of output."""

    place: str
    language: str
    title: str
    """The file that the block is the content of; empty if it is to be run."""
    text: str


def blocks() -> Iterator[Block]:
    for guide in GUIDES:
        text = guide.read_text(encoding="utf-8")
        for found in BLOCK.finditer(text):
            line = text[: found.start()].count("\n") + 1
            yield Block(f"{guide.name}:{line}", found[1], found[2] or "", found[3])


def whole(block: Block) -> str:
    """The file of the example that a block shows parts of, in their order."""
    text = (EXAMPLE / block.title).read_text(encoding="utf-8")
    at = 0
    for part in (piece.strip("\n") for piece in LEFT_OUT.split(block.text)):
        at = text.find(part, at)
        assert at >= 0, f"{block.place}: not in {block.title} of the example:\n{part}"
        at += len(part)
    return text


def execute(block: Block, folder: Path, environment: Environment) -> str:
    """Run a block and give what it prints."""
    done = subprocess.run(
        [*PROGRAMS[block.language], block.text],
        cwd=folder,
        env=environment.variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, f"{block.place}:\n{done.stdout}"
    return done.stdout


def follow(folder: Path, environment: Environment) -> None:
    """Do what every block says, in order, and compare what is printed."""
    printed = ""
    for block in blocks():
        if block.title:
            path = folder / block.title
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(whole(block), encoding="utf-8")
        elif block.language == "text":
            checker, example = doctest.OutputChecker(), doctest.Example("", block.text)
            assert checker.check_output(example.want, printed, doctest.ELLIPSIS), (
                f"{block.place}: {checker.output_difference(example, printed, doctest.ELLIPSIS)}"
            )
        else:
            printed = execute(block, folder, environment)
            for entered in re.findall(r"^cd (\S+)$", block.text, re.MULTILINE):
                folder = folder / entered


def test_the_guide_leads_from_nothing_to_a_game(tmp_path: Path) -> None:
    environment = fresh_environment(tmp_path / "environment")
    follow(tmp_path, environment)
    # What the reader has in the end.
    folder = tmp_path / "connect4"
    assert [*environment.folder.glob(".local/share/boardgames/saves/connect4-1.jsonl")]
    for path in EXAMPLE.rglob("*.*"):
        if path.suffix in (".py", ".md", ".json") and path.name != "README.md":
            assert (folder / path.relative_to(EXAMPLE)).read_bytes() == path.read_bytes(), path
    sources = (folder / "boardgames_connect4").glob("*.py")
    lines = sum(len(path.read_text().splitlines()) for path in sources)
    assert lines < 400, "the guide promises a small game"


def test_every_block_of_the_guide_is_used() -> None:
    found = list(blocks())
    marks = sum(guide.read_text(encoding="utf-8").count("\n```") for guide in GUIDES)
    assert len(found) == marks / 2
    for before, block in zip([None, *found], found, strict=False):
        if block.language == "text":
            assert before is not None
            assert before.language == "sh", block.place
        elif not block.title:
            assert block.language in PROGRAMS, block.place
