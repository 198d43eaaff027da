from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from boardgames_cli.agents.q_table import table_for
from boardgames_cli.algorithms.action_value_table import read_table
from boardgames_cli.games.tapnswap.rules import TapnSwap
from tests.cli.eager import DRIVER, ROOT, start, wait_for
from tests.conftest import Outcome, Program


def quick(program: Program, *words: str) -> Outcome:
    return program("train", "tapnswap", "--episodes", "1000", *words)


def test_its_own_command_makes_the_bundled_table_too(program: Program) -> None:
    words = table_for(TapnSwap()).command.split()
    assert words[0] == "boardgames"
    assert program(*words[1:], "--out", "t").code == 0
    assert Path("t").read_text() == table_for(TapnSwap()).text()


def test_the_result_as_json(program: Program) -> None:
    result = json.loads(quick(program, "--json", "--seed", "7", "--out", "t").out)
    assert result["episodes"] == 1000
    assert result["finished"]
    assert result["settings"]["seed"] == 7
    assert result["shape"] == [177, 500]
    assert result["curve"][-1]["episodes"] == 1000
    assert result["episodes_per_second"] > 0


def test_a_file_is_not_replaced_unasked(program: Program) -> None:
    Path("t").write_text("my thesis")
    refused = quick(program, "--out", "t")
    assert (refused.code, refused.out) == (4, "")
    assert "t already exists." in refused.err
    assert Path("t").read_text() == "my thesis"
    assert quick(program, "--out", "t", "--force").code == 0
    assert read_table(Path("t")).episodes == 1000


def test_more_games_can_be_added(program: Program) -> None:
    quick(program, "--out", "t")
    assert program("train", "tapnswap", "--out", "t", "--resume", "--episodes", "2000").code == 0
    assert read_table(Path("t")).episodes == 2000
    # Already done: nothing changes.
    before = Path("t").read_bytes()
    assert program("train", "tapnswap", "--out", "t", "--resume").code == 0
    assert Path("t").read_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_keeps_what_was_learned(program: Program, number: int, code: int) -> None:
    settings = ["--episodes", "40000"]
    process = start("train", "tapnswap", "--out", "begun", *settings)
    wait_for(Path("begun"), process)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert "boardgames train tapnswap --resume --out begun" in err
    learned = read_table(Path("begun")).episodes
    assert 0 < learned < 40_000
    assert f"learned from: {learned:,} games" in out
    assert program("train", "tapnswap", "--resume", "--out", "begun").code == 0
    assert program("train", "tapnswap", "--out", "whole", *settings).code == 0
    assert Path("begun").read_bytes() == Path("whole").read_bytes()


def test_a_file_that_can_not_grow_leaves_the_old_one_whole(program: Program) -> None:
    quick(program, "--out", "t")
    before = Path("t").read_bytes()
    words = [sys.executable, "-c", DRIVER, "train", "tapnswap", "--out", "t", "--resume",
             "--episodes", "2000"]  # fmt: skip
    outcome = subprocess.run(
        ["/bin/sh", "-c", 'ulimit -f 4; exec "$@"', "sh", *words],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert outcome.returncode == 4
    assert "t can't be written" in outcome.stderr
    assert Path("t").read_bytes() == before
    assert [file.name for file in Path.cwd().iterdir()] == ["t"]


def test_the_examples_play_only_what_train_writes(program: Program) -> None:
    shown = program("train", "--help").out
    assert "network:file=tapnswap-network.json" in shown
    assert "weights=" not in shown, "train writes networks, no weights"
