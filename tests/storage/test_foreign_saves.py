"""Saves as anybody may have written them: one bad file is one marked row, and never more."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest

from boardgames_cli.core.errors import RecordError, StorageError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.storage import reading
from boardgames_cli.storage.reading import LARGEST_SAVE, load_record, make_game
from boardgames_cli.storage.store import Store, new_header
from boardgames_cli.testing.scene import one_step
from tests.conftest import Program

HEADER: Final[dict[str, Any]] = {
    "boardgames": 1, "game": "senet", "rules_version": 1,
    "options": {"rules": "kendall", "pieces": 5}, "seed": 7, "seats": ["human", "random"],
}  # fmt: skip
MOMENT: Final = 1_700_000_000

DIGITS: Final = "9" * 400
DEEP: Final = "[" * 100_000

LINES: Final = {
    "a result beyond float": '{"result": [1' + "0" * 309 + ", -1]}",
    "a result that is infinite": '{"result": [1e999, -1]}',
    "a result that is not a number": '{"result": [NaN, NaN]}',
    "a result of infinity": '{"result": [Infinity, -Infinity]}',
    "a ply beyond everything": '{"digest": "0", "ply": ' + DIGITS + "}",
    "a ply before everything": '{"note": "x", "ply": -1}',
    "a number that is too long": '{"note": "x", "ply": ' + "9" * 5000 + "}",
    "a nesting without end": DEEP,
    "no text": "\udc80\udcff",
    "half a letter": '{"0": "\\ud800"}',
    "a key twice": '{"0": "1>2", "0": "3>4"}',
    "a null byte": "\0",
}
HEADERS: Final[dict[str, tuple[dict[str, Any], str]]] = {
    "a long option": ({"options": {"pieces": int(DIGITS)}}, ""),
    "an option that is not a number": ({"options": {"pieces": float("nan")}}, ""),
    "an option that is infinite": ({"options": {"pieces": float("inf")}}, ""),
    "an option that is a list": ({"options": {"rules": [[]]}}, "rules can't be"),
    "an option of Python": ({"options": {"self": 1}}, 'unknown senet option "self"'),
    "an option of no game": ({"options": {"colour": 5}}, 'unknown senet option "colour"'),
    "a game that is none": ({"game": "chess"}, 'unknown game "chess"'),
    "a strange game": ({"game": "../../etc/passwd"}, "unknown game"),
    "a long seed": ({"seed": int(DIGITS), "game": "no such game"}, ""),
    "a strange start": (
        {"start": {"cones": [10**400], "spools": "x" * 99, "player": None}},
        "",
    ),
    "later rules": ({"rules_version": 99}, "version 99 of the rules"),
    "a strange version": ({"rules_version": int(DIGITS)}, ""),
    "a strange format": ({"boardgames": int(DIGITS)}, ""),
}
BAD: Final = {
    **{
        name: (f"{json.dumps(HEADER)}\n{line}\n", "bad.jsonl, line 2: ")
        for name, line in LINES.items()
    },
    **{
        name: (json.dumps({**HEADER, **change}) + "\n", told)
        for name, (change, told) in HEADERS.items()
    },
    "a header without an end": ("x" * (LARGEST_SAVE // 100), "line 1: this can't be read as JSON"),
    "an empty file": ("", "the file is empty"),
}
"""Texts of saves, and what is told of each."""


@pytest.fixture
def store(clean_environment: Path) -> Store:
    """Two good saves, older than the bad one."""
    store = Store(clean_environment / "saves")
    for _ in range(2):
        match: AnyMatch = Match(Senet(), seed=7)
        journal = store.create(new_header(match.game, seed=7, seats=("human", "random")))
        for _ in range(6):
            one_step(match)
            journal.record(match)
        journal.close()
    os.utime(store.find("senet-1"), (MOMENT + 3, MOMENT + 3))
    os.utime(store.find("senet-2"), (MOMENT, MOMENT))
    return store


def put(store: Store, text: str) -> Path:
    path = store.folder / "bad.jsonl"
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    os.utime(path, (MOMENT + 5, MOMENT + 5))
    return path


def check_one_row(store: Store, program: Program) -> None:
    """The bad save is a marked row for every list and an error of its own for every reader."""
    rows = {summary.name: summary for summary in store.summaries()}
    first, last = rows["senet-1"], rows["senet-2"]
    assert (first.problem, last.problem, first.plies) == ("", "", 6)
    latest = store.latest()
    assert latest is not None
    assert latest.name == "senet-1"
    lines = program("saves").out.splitlines()
    assert sorted(line.split()[0] for line in lines[1:]) == ["bad", "senet-1", "senet-2"]
    listed = program("saves", "--json").out
    assert len(json.loads(listed, parse_constant=lambda name: pytest.fail(name))) == 3
    assert program(lines=["q"]).code == 0
    for verb in (("saves", "show"), ("replay",), ("resume",)):
        outcome = program(*verb, "bad", lines=["q"])
        assert outcome.code == 4, (verb, outcome)
        assert "Internal error" not in outcome.err
        assert outcome.err.count("\n") == 1
    assert program("resume", lines=["q"]).code == 0
    assert "bad is deleted" in program("saves", "delete", "bad", "-y").out


@pytest.mark.parametrize("name", BAD)
def test_a_bad_save_is_a_marked_row(store: Store, program: Program, name: str) -> None:
    text, told = BAD[name]
    path = put(store, text)
    with pytest.raises(RecordError) as caught:
        store.resume("bad")
    assert told in str(caught.value)
    if name == "half a letter":  # that is only found out by the rules
        os.utime(path, (MOMENT - 1, MOMENT - 1))
    else:
        assert told in store.summaries()[0].problem
        assert "bad.jsonl" not in program("saves").out, "its name stands in the row once"
    check_one_row(store, program)


def test_rules_that_fail_are_a_marked_row(
    store: Store, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, json.dumps({**HEADER, "game": "chess"}) + "\n")
    real = make_game

    def broken(header: Any) -> AnyGame:
        if header.game == "chess":
            raise ZeroDivisionError("a plug-in's own mistake")
        return real(header)

    with monkeypatch.context() as patch:
        patch.setattr(reading, "make_game", broken)
        assert "ZeroDivisionError: a plug-in's own mistake" in store.summaries()[0].problem
        assert len(program("saves").out.splitlines()) == 4
    check_one_row(store, program)


@pytest.mark.parametrize("moment", [10**12, -(10**12), 253402300800.0, 2.0**40, 1e300])
def test_a_time_beyond_all_calendars_is_only_a_time(
    store: Store, program: Program, monkeypatch: pytest.MonkeyPatch, moment: float
) -> None:
    real = Path.stat

    # Not every file system can hold such times, and those that can are no everyday places.
    def strange(path: Path, **how: bool) -> Any:
        status = real(path, **how)
        return SimpleNamespace(
            st_mode=status.st_mode, st_size=status.st_size, st_dev=status.st_dev,
            st_ino=status.st_ino, st_mtime=moment,
        )  # fmt: skip

    with monkeypatch.context() as patch:
        patch.setattr(Path, "stat", strange)
        summaries = store.summaries()
        listed = program("saves").out, program("saves", "--json").out
    assert [summary.problem for summary in summaries] == ["", ""]
    assert [summary.plies for summary in summaries] == [6, 6]
    years = {summary.modified.year for summary in summaries}
    assert years <= {1969, 1970, 9999} or moment == 2.0**40
    assert len(listed[0].splitlines()) == 3
    assert len(json.loads(listed[1])) == 2


def pipe(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(3_000_000_000)


@pytest.mark.skipif(os.name != "posix", reason="pipes and devices are files there only")
@pytest.mark.parametrize("make", [pipe, device])
def test_pipes_and_devices_are_no_saves(
    store: Store, program: Program, make: Callable[[Path], None]
) -> None:
    path = store.folder / "bad.jsonl"
    make(path)
    with pytest.raises(StorageError, match="it is a device or a pipe"):
        reading.load_record(path)
    assert list(store.names()) == ["senet-1", "senet-2"]
    for words in (("saves", "show"), ("replay",), ("resume",), ("saves", "delete")):
        for name in ("bad", str(path)):
            assert "There is no save" in program(*words, name).err
    assert path.is_fifo() or path.is_symlink()


def test_no_more_is_read_than_a_save_can_hold(store: Store, program: Program) -> None:
    path = store.folder / "bad.jsonl"
    huge(path)
    os.utime(path, (MOMENT + 5, MOMENT + 5))
    assert "it is larger than 64 MB" in store.summaries()[0].problem
    with pytest.raises(StorageError, match="it is larger than 64 MB"):
        load_record(store.find("bad"))
    check_one_row(store, program)
