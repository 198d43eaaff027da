"""Files that anybody may have written: endless, huge, poisoned. One line, and the right code."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from boardgames_cli.agents.q_table import table_for
from boardgames_cli.games.tapnswap.rules import TapnSwap
from tests.conftest import Program


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
