"""Files that anybody may have written: endless, huge, poisoned. One line, and the right code."""

from __future__ import annotations

import hashlib
import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardgames_cli.agents.q_table import table_for
from boardgames_cli.algorithms.action_value_table import (
    QTable,
    check_table,
    parse_table,
)
from boardgames_cli.algorithms.learned_file import LearnedFileError
from boardgames_cli.algorithms.strategy import Strategy, parse_strategy
from boardgames_cli.core.errors import GameError, PositionError
from boardgames_cli.games.kuhn.agents import trained
from boardgames_cli.games.kuhn.rules import Kuhn
from boardgames_cli.games.tapnswap.rules import TapnSwap
from tests.conftest import Program
from tests.mutations import damaged

MANY = int(os.environ.get("BOARDGAMES_EXAMPLES", "1"))
fuzzed = settings(max_examples=100 * MANY, derandomize=True, deadline=None)

COMMANDS = (
    "solve tapnswap --position FILE",
    "play senet --plain --position FILE",
    "watch kuhn --json --position FILE",
    "watch pommerman --json --position FILE",
    "agents show cfr:file=FILE",
    "watch kuhn --json --vs cfr:file=FILE",
    "agents show q-table:file=FILE",
    "watch tapnswap --json --vs q-table:file=FILE",
    "train tapnswap --resume --out FILE",
)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("/dev/zero", "it is a device or a pipe, not a file"),
        ("fifo", "it is a device or a pipe, not a file"),
        ("huge", "is too large: at most "),
        ("deep", ""),
        ("digits", "number that is too long"),
        ("beyond", "the number 1e999, which is too large"),
        ("twice", 'has the key "game" twice'),
        ("surrogate", "half a character"),
        ("x" * 5000, ""),
    ],
    ids=lambda value: str(value)[:9],
)
def test_no_file_hangs_or_crashes_a_command(
    program: Program, command: str, file: str, message: str
) -> None:
    os.mkfifo("fifo")
    with Path("huge").open("wb") as holes:
        holes.truncate(3_000_000_000)
    Path("deep").write_text('{"hands":' * 90_000)
    Path("digits").write_text('{"hands": ' + "9" * 309 + "}")
    Path("beyond").write_text('{"hands": [1e999]}')
    Path("twice").write_text('{"game": 1, "game": 2}')
    Path("surrogate").write_text(r'{"hands": "\udc80"}')
    began = time.process_time()
    outcome = program(*command.replace("FILE", file).split(" "))
    assert time.process_time() - began < 3
    assert (outcome.code, outcome.out) == (4, ""), outcome
    assert message in outcome.err
    assert outcome.err.count("\n") == 1
    assert len(outcome.err) < 700


def forged(header: dict[str, Any], rows: list[Any]) -> str:
    """A Q-table whose checksum is right whatever its contents."""
    text = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
    line = json.dumps(header, separators=(",", ":"))
    checksum = hashlib.sha256(f"{line}\n{text}".encode()).hexdigest()
    return json.dumps({**header, "checksum": checksum}, separators=(",", ":")) + "\n" + text


def sound_table() -> dict[str, Any]:
    first, *rows = table_for(TapnSwap()).text().splitlines()
    header = json.loads(first)
    del header["checksum"]
    return {"header": header, "rows": [json.loads(row) for row in rows[:6]]}


@fuzzed
@given(damaged(st.just(sound_table())))
def test_poisoned_tables_are_refused_or_can_be_shown(poisoned: dict[str, Any]) -> None:
    header, rows = poisoned.get("header"), poisoned.get("rows")
    if not isinstance(header, dict) or not isinstance(rows, list):
        return
    try:
        text = forged(header, rows)
    except (ValueError, TypeError):  # no JSON can say that
        return
    try:
        table = parse_table(text)
    except LearnedFileError:
        return
    assert isinstance(table, QTable)
    assert table.facts()
    assert json.dumps(table.curve)
    try:
        check_table(table, TapnSwap())
    except LearnedFileError:
        return


@fuzzed
@given(damaged(st.just(json.loads(trained().to_text()))))
def test_poisoned_strategies_are_refused_or_can_be_shown(poisoned: Any) -> None:
    try:
        text = json.dumps(poisoned)
    except (ValueError, TypeError):
        return
    try:
        strategy = parse_strategy(text, "file")
    except LearnedFileError:
        return
    assert isinstance(strategy, Strategy)
    strategy.fits(Kuhn())
    strategy.rows()
    strategy.curve()
    for row in strategy.table.values():
        assert sum(row.values()) == pytest.approx(1)


def test_a_wrong_curve_is_refused_not_shown(program: Program) -> None:
    table = sound_table()
    for curve in ([{"episodes": "many"}], [{"a": 1}, {"b": 1}], [{"a": None}], [{"a": True}], [3]):
        Path("t").write_text(forged({**table["header"], "curve": curve}, table["rows"]))
        outcome = program("agents", "show", "q-table:file=t")
        assert (outcome.code, outcome.out) == (4, "")
        assert 'the Q-table t: it is damaged: "curve" is wrong' in outcome.err


def test_every_reader_says_its_limit(program: Program) -> None:
    for words, limit in (
        ("solve tapnswap --position huge", "1 MB"),
        ("agents show cfr:file=huge", "16 MB"),
        ("agents show q-table:file=huge", "64 MB"),
    ):
        with Path("huge").open("wb") as holes:
            holes.truncate(10**10)
        assert f"at most {limit} are read" in program(*words.split()).err


def test_errors_of_files_are_game_errors() -> None:
    assert issubclass(LearnedFileError, GameError)
    assert issubclass(PositionError, GameError)
