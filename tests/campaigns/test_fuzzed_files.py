"""Fuzzed files: damaged saves, positions, Q-tables and strategies are refused, and nothing breaks.

Each input is a right file with a few of its values, lines or bytes changed: values that are extreme
or of another type, numbers beyond every float, deep nesting, control characters, lone surrogates,
cut and doubled parts. Checksums are mended half of the time, so that what they guard is reached.
Every command that reads such a file is run on it in this process. It must end within the limit,
with exit code 0, 2, 4 or 5, without a traceback, an internal error or a control character; and
one bad save must not keep the good one beside it from being listed and resumed.
"""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from boardgames_cli.core.errors import StorageError
from boardgames_cli.evaluation.puzzles import FORMAT as PUZZLE_FORMAT
from boardgames_cli.evaluation.puzzles import bundled_puzzles
from boardgames_cli.storage.preferences import PreferencesFile
from tests.campaigns.campaign import Campaign
from tests.campaigns.fuzzing import check_all, search
from tests.campaigns.inside import check_manners, inside
from tests.campaigns.mutations import documents, lines, write

SAMPLES = sorted((Path(__file__).parents[2] / "saves").glob("sample-*.jsonl"))
MOST_LINES = 45
ON = ("--plain", "--pace", "instant", "--think", "0.01")
PLAY = ("play", "senet", "--vs", "random", "--seed", "1")
COMMANDS = (
    ("saves",),
    ("saves", "--json"),
    ("saves", "show", "bad"),
    ("replay", "bad"),
    ("replay", "bad", "--json"),
    ("resume", "bad", *ON, "--shared-screen"),
)


def saves() -> list[Any]:
    """The lines of every sample save, whole if it is short, and of its beginning."""
    found = []
    for path in SAMPLES:
        whole = [json.loads(line) for line in path.read_text().splitlines()]
        found += [whole[:MOST_LINES], whole[:6]]
        found += [whole] if len(whole) < 2 * MOST_LINES else []
    return found


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_saves(campaign: Campaign, tmp_path: Path, command: tuple[str, ...]) -> None:
    inside(tmp_path, *PLAY, lines=["1", "q"])
    bad = tmp_path / "saves" / "bad.jsonl"

    def check(data: bytes) -> None:
        bad.write_bytes(data)
        check_all(tmp_path, command, lines=("1", "u", "pos", "q"))
        listed = inside(tmp_path, "saves", "--json")
        (good,) = (save for save in json.loads(listed.out) if save["name"] == "senet-1")
        assert good["state"] == "unfinished", good

    search(campaign, 25, 6000, documents(saves(), lines), check)


def test_a_bad_save_beside_a_good_one(campaign: Campaign, tmp_path: Path) -> None:
    def check(bad: list[bytes]) -> None:
        for path in (tmp_path / "saves").glob("*"):
            path.unlink()
        inside(tmp_path, *PLAY, lines=["1", "q"])
        for number, data in enumerate(bad):
            (tmp_path / "saves" / f"bad-{number}.jsonl").write_bytes(data)
        check_all(tmp_path, ("saves",), ("--plain",), ("resume", *ON), ("doctor",), lines=("q",))
        check_manners(inside(tmp_path, "resume", "senet-1", *ON, lines=["1", "q"]), (0,))

    search(campaign, 10, 1500, st.lists(documents(saves(), lines), max_size=4), check)


def separated(document: Any) -> str:
    """Lines of numbers with commas."""
    rows = document if isinstance(document, list) else [document]
    return "".join(
        ",".join(map(write, row if isinstance(row, list) else [row])) + "\n" for row in rows
    )


def test_q_tables_of_another_program(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "model.csv"
    visits = tmp_path / "data" / "count_model.csv"
    visits.parent.mkdir()
    right: list[Any] = [[0.25 * line, *range(7)] for line in range(625)]
    watch = ("watch", "tapnswap", "--vs", "random", "--json", "--no-save", "--max-plies", "3")
    commands = [
        (*watch, "-s", f"q-table:file={path}"),
        ("agents", "show", f"q-table:file={path}"),
    ]
    files = itertools.cycle([path, visits])

    def check(data: bytes) -> None:
        for file in (path, visits):
            file.write_text(separated(right))
        next(files).write_bytes(data)
        check_all(tmp_path, *commands)

    search(campaign, 15, 3000, documents([right, right[:3]], separated), check)


@pytest.mark.parametrize("game", ["senet", "tapnswap", "kuhn", "deepsea", "pommerman"])
def test_puzzles(campaign: Campaign, tmp_path: Path, game: str) -> None:
    right = [
        {"format": PUZZLE_FORMAT, "puzzles": [dataclasses.asdict(puzzle)]}
        for puzzle in bundled_puzzles(game)[::4]
    ]
    path = tmp_path / "puzzles.json"
    puzzle = ("puzzle", "--file", str(path))
    turns = itertools.cycle([(*puzzle, "--plain"), (*puzzle, "--list")])

    def check(data: bytes) -> None:
        path.write_bytes(data)
        check_all(tmp_path, next(turns), lines=("1", "b", "2", "a", "q"))

    search(campaign, 25, 12000, documents(right), check)


def toml_of(document: Any) -> str:
    """Preferences with tables and dotted keys; values are written as JSON, which TOML resembles."""
    rows = document.items() if isinstance(document, dict) else [("names", document)]
    return "".join(f"{key} = {write(value)}\n" for key, value in rows)


def test_preferences(campaign: Campaign, tmp_path: Path) -> None:
    right: list[Any] = [
        {"theme": "dark", "pace": "slow", "names": ["Ann", "Ben"], "is_introduced": True},
        {"forms.kuhn.hands": "3", "keymap": [], "last_game": "kuhn", "auto_forced": False},
    ]
    path = tmp_path / "config.toml"
    play = ("play", "kuhn", "--vs", "random", "--no-save", *ON)
    turns = itertools.cycle([("config", "show"), play, ("doctor",)])

    def check(data: bytes) -> None:
        path.write_bytes(data)
        outcome = inside(tmp_path, *next(turns), lines=("1", "q"), BOARDGAMES_CONFIG=str(path))
        check_manners(outcome)
        try:
            before = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        except (ValueError, RecursionError):  # such a file is left as it is
            with pytest.raises(StorageError):
                PreferencesFile(path).remember(theme="light")
            assert path.read_bytes() == data
            return
        with contextlib.suppress(StorageError):  # values of other kinds
            PreferencesFile(path).remember(theme="light", forms={"senet": {"rules": "skyruk"}})
            after = tomllib.loads(path.read_text(encoding="utf-8-sig"))
            forms = before.get("forms", {}) | {"senet": {"rules": "skyruk"}}
            assert after == before | {"theme": "light", "forms": forms}

    search(campaign, 25, 20000, documents(right, toml_of), check)
