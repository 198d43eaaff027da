"""A short game as a person reads it, line by line.

After a change that is meant, write the file anew: ``UPDATE_GOLDEN=1 pytest tests/plain``.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.conftest import Program

GOLDEN = Path(__file__).parent / "golden"
SCRIPTS: dict[str, tuple[list[str], list[str]]] = {
    "senet": (
        ["--vs", "random", "--seed", "4799677"],
        ["1", "", "?", "b", "m", "l", "w", "legend", "pos", "save copy-1", "save copy-1", "save",
         "99", "castle", "5>7", "7", "1", "u", "redo", "undo", "undo", "redo", "2", "1"],
    ),
    # To the end: every kind of move, a refused mirror image, and the fall of the last hand.
    "tapnswap": (
        ["--first", "1", "--vs", "random", "--seed", "185"],
        ["b", "m", "l", "w", "legend", "pos", "i", "swap 9-9", "tap", "tap L>R", "4", "u", "redo",
         "u", "save copy-1", "1", "2", "zzz", "0", "1"],
    ),
    # A whole match, with a letter that is a bet here and no command, and the review of luck.
    "kuhn": (
        ["--hands", "3", "--vs", "always-call", "--seed", "229"],
        ["?", "board", "b", "m", "l", "w", "legend", "pos", "fold", "bet", "c", "u", "redo",
         "mumble", "1"],
    ),
    # A whole round in which the player takes too much.
    "deepsea": (
        ["--players", "2", "--rounds", "1", "--oxygen", "12", "--vs", "greedy-classic",
         "--seed", "312"],
        ["?", "b", "m", "l", "w", "legend", "return", "take", "l", "u", "take", "leave", "dive",
         "1", "2", "1", "2", "2", "return", *["1"] * 60],
    ),
    # By radio, in the fog: words, reports, wrong words, a bomb, and death by it.
    "pommerman": (
        ["--mode", "radio", "--vs", "random", "--seed", "112", "--think", "60", "--steps", "14"],
        ["?", "danger", "bombs", "m", "b 1 2", "danger", "bombs", "w 9 9", "l 3", "zzz", "r 3 7",
         "u", "score", "d", "legend", "u", "redo", *["w"] * 12],
    ),
}  # fmt: skip


@pytest.mark.parametrize("game", SCRIPTS)
def test_transcript(program: Program, game: str) -> None:
    words, lines = SCRIPTS[game]
    outcome = program("play", game, *words, lines=lines)
    assert outcome.code == 0
    assert outcome.err == ""
    said = outcome.out.replace(str(Path.cwd()), "HERE")
    golden = GOLDEN / f"{game}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(said, encoding="utf-8")
    expected = golden.read_text(encoding="utf-8")
    if game == "pommerman" and find_spec("numba") is None:  # what judges it needs the extra `fast`
        expected = expected.replace("Have it judged: boardgames review pommerman-1\n", "")
    assert said == expected


@pytest.mark.parametrize("game", SCRIPTS)
def test_transcript_is_plain_ascii(game: str) -> None:
    text = (GOLDEN / f"{game}.txt").read_text(encoding="utf-8")
    assert text.isascii()
    assert text.replace("\n", "").isprintable()
    told = [line for line in text.splitlines() if not line.startswith("{")]  # data is not told
    assert max(map(len, told)) <= 104


def test_terse_leaves_the_boards_out(program: Program) -> None:
    words = ("play", "senet", "--vs", "random", "--seed", "4799677", "--plain")
    text = program(*words, lines=["1"]).out
    assert "+--" not in text
    assert "+--" in program(*words, "--boards", lines=["1"]).out
    assert "+--" in program(*words[:-1], "--no-color", lines=["1"]).out
    assert text.count("You threw 3") == 1, "by the question"
    assert "\n1 7>10    2 11>14\nYou> " in text
    assert "+--" in program(*words, lines=["b"]).out
    kuhn = ("play", "kuhn", "--first", "2", "--vs", "maniac", "--seed", "2", "--plain")
    assert "\n1 fold           2 call (pay 1)\n" in program(*kuhn, lines=["q"]).out
