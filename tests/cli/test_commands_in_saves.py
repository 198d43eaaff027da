"""Programs as agents on the command line, and saves that name them: never run unasked."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from tests.conftest import Program

ODD = Path(__file__).parents[1] / "odd_program.py"
WELL = "cmd:" + shlex.join([sys.executable, "-I", "-S", str(ODD), "well"])


def test_what_it_says_is_in_the_log(program: Program) -> None:
    words = ("--no-save", "--max-plies", "4", "--json", "--seed", "1")  # it has a turn in these
    rich = WELL.replace("well", "rich")
    told = json.loads(program("watch", "senet", "--vs", rich, *words).out)["notes"]
    assert "odd_program" in told[0]["text"]
    assert ': "a [31mred word here!' in told[0]["text"]
    secret = json.loads(program("watch", "kuhn", "--vs", rich, *words).out)["notes"]
    assert secret == []


def unfinished(program: Program, tmp_path: Path) -> Path:
    """A save with a program at the table, which notes in a file that it was run."""
    (tmp_path / "noted.sh").write_text(f"touch {tmp_path}/ran\nexec {WELL.removeprefix('cmd:')}\n")
    code = program("play", "senet", "--vs", f"cmd:sh {tmp_path}/noted.sh", lines=["q"]).code
    assert code == 0
    (tmp_path / "ran").unlink()
    return next((tmp_path / "saves").glob("*.jsonl"))


@pytest.mark.parametrize("words", [["--plain"], ["--json"], []])
def test_a_save_does_not_run_it_unasked(program: Program, tmp_path: Path, words: list[str]) -> None:
    save = unfinished(program, tmp_path)
    result = program("resume", str(save), *words, lines=["q"])
    assert result.code == 4
    assert f"would run a program: sh {tmp_path}/noted.sh" in result.err
    assert "--run-commands" in result.err
    assert not (tmp_path / "ran").exists()


def test_a_save_runs_it_if_that_is_wanted(program: Program, tmp_path: Path) -> None:
    save = unfinished(program, tmp_path)
    assert program("resume", str(save), "--plain", "--run-commands", lines=["q"]).code == 0
    assert (tmp_path / "ran").exists()


def test_a_tournament_does_not_run_it_unasked(program: Program, tmp_path: Path) -> None:
    words = ("tournament", "tapnswap", "-s", WELL, "-s", "random", "--games", "2", "--jobs", "1")
    assert program(*words, "--max-plies", "4", "--out", "out", "--json").code == 0
    refused = program("tournament", "--resume", "out")
    assert refused.code == 4
    assert "The tournament in out would run a program" in refused.err
    assert "boardgames tournament --resume out --run-commands" in refused.err
    assert program("tournament", "--resume", "out", "--run-commands", "--json").code == 0
