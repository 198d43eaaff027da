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
import hashlib
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
from boardgames_cli.evaluation.reviewer import digest_of
from boardgames_cli.storage.preferences import PreferencesFile
from tests.campaigns.campaign import Campaign
from tests.campaigns.fuzzing import bases, check_all, check_clean, search
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


POSITIONS: dict[str, list[tuple[str, ...]]] = {
    "senet": [("play", "senet"), ("play", "senet", "--rules", "skyruk", "--pieces", "7")],
    "tapnswap": [("play", "tapnswap")],
    "deepsea": [("play", "deepsea", "--players", "3"), ("play", "deepsea", "--stacks")],
    "pommerman": [("play", "pommerman"), ("play", "pommerman", "--mode", "duel")],
    "kuhn": [],
}
KUHN = [
    {"cards": [2, 0], "actions": ["check", "bet"], "first": 0, "hand": 3, "chips": [2, -2]},
    {"cards": [None, None], "actions": [], "first": 1},
    {"cards": [1, "?"], "actions": ["bet"]},
]


@pytest.mark.parametrize("game", POSITIONS)
def test_positions(campaign: Campaign, tmp_path: Path, game: str) -> None:
    right = KUHN if game == "kuhn" else bases(tmp_path, *POSITIONS[game], moves=4)
    path = tmp_path / "position.json"
    options = {"kuhn": ("--hands", "5"), "deepsea": ("--players", "3")}.get(game, ())
    play = ("play", game, *options, "--position", str(path), "--no-save", "--vs", "random", *ON)
    commands = [play]
    if game == "tapnswap":
        commands.append(("solve", game, "--position", str(path)))
    turns = itertools.cycle(commands)

    def check(data: bytes) -> None:
        path.write_bytes(data)
        check_all(tmp_path, next(turns), lines=("1", "pos", "q"))

    search(campaign, 25, 4000, documents(right), check)


def signed(document: Any) -> str:
    """A Q-table whose checksum is right, if it still has one."""
    if not isinstance(document, list) or not document or not isinstance(document[0], dict):
        return lines(document)
    header = {key: value for key, value in document[0].items() if key != "checksum"}
    packed = [_packed(item) for item in (header, *document[1:])]
    text = "\n".join(packed) + "\n"
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return "\n".join([_packed(header | {"checksum": digest}), *packed[1:]]) + "\n"


def _packed(document: Any) -> str:
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return write(document) if "@raw" in text else text


def test_q_tables(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    trained = ("train", "tapnswap", "--episodes", "40", "--out", str(path), "--seed", "1")
    check_manners(inside(tmp_path, *trained), (0,))
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    few = [rows[0] | {"shape": [4, sum(len(row[1]) for row in rows[1:5])]}, *rows[1:5]]
    watch = ("watch", "tapnswap", "--vs", "random", "--json", "--no-save", "--max-plies", "3")
    commands = itertools.cycle(
        [
            (*watch, "-s", f"q-table:file={path}"),
            ("agents", "show", f"q-table:file={path}"),
            ("train", "tapnswap", "--out", str(path), "--resume", "--episodes", "41"),
        ]
    )

    def check(data: bytes) -> None:
        path.write_bytes(data)
        check_all(tmp_path, next(commands))

    search(campaign, 25, 5000, documents([rows, few], signed) | documents([few], lines), check)


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


def test_strategies(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "strategy.json"
    trained = ("train", "kuhn", "--iterations", "5", "--out", str(path))
    check_manners(inside(tmp_path, *trained), (0,))
    right = json.loads(path.read_text())
    watch = ("watch", "kuhn", "--vs", "random", "--json", "--no-save")
    commands = itertools.cycle(
        [(*watch, "-s", f"cfr:file={path}"), ("agents", "show", f"cfr:file={path}")]
    )

    def check(data: bytes) -> None:
        path.write_bytes(data)
        check_all(tmp_path, next(commands))

    search(campaign, 25, 4000, documents([right]), check)


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


def test_reviews(campaign: Campaign, tmp_path: Path) -> None:
    words = ("watch", "kuhn", "-s", "maniac", "-s", "rock", "--hands", "3", "--seed", "3", *ON)
    check_manners(inside(tmp_path, *words), (0,))
    first = inside(tmp_path, "review", "kuhn-1")
    path = tmp_path / "saves" / "kuhn-1.review.json"
    right = json.loads(path.read_text())

    def check(data: bytes) -> None:
        path.write_bytes(data)
        outcome = inside(tmp_path, "review", "kuhn-1")
        check_manners(outcome, (0,))
        check_clean(outcome)
        assert b'"signed"' in data or outcome.out == first.out

    search(campaign, 25, 20000, documents([right]) | documents([right], signed_review), check)


def signed_review(document: Any) -> str:
    """A review whose digest is right, if it still has one."""
    if isinstance(document, dict) and "digest" in document and "review" in document:
        with contextlib.suppress(ValueError, RecursionError):
            review = json.loads(write(document["review"]))
            document = document | {"digest": digest_of(review), "signed": True}
    return write(document)


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
