"""``boardgames train kuhn``: counterfactual regret minimisation from the command line."""

from __future__ import annotations

import json
import signal
from importlib import resources
from pathlib import Path

import pytest

from boardgames_cli.algorithms.strategy import read_strategy
from boardgames_cli.games.kuhn import agents
from tests.cli.eager import start, wait_for
from tests.conftest import Program

BUNDLED = (resources.files("boardgames_cli.games.kuhn") / "data/equilibrium.json").read_text()
DEFAULT = Path("kuhn-strategy.json")


def test_its_own_command_makes_the_bundled_strategy_too(program: Program) -> None:
    words = agents.trained().about["command"].split()
    assert words[:3] == ["boardgames", "train", "kuhn"]
    assert program(*words[1:], "--out", "s").code == 0
    assert Path("s").read_text() == BUNDLED


def test_the_result_for_people(program: Program) -> None:
    text = program("train", "kuhn", "--iterations", "200", "--averaging", "uniform").out
    size, text = text.split("\n", 1)
    assert size == "Kuhn poker: 58 histories in 12 information sets"
    assert text.startswith("  iterations  exploitability ")
    # The first iteration calls half the time, and counts like every other.
    assert "\n  K bet          check   0.2 %  bet  99.8 %\n" in text
    assert "made by: boardgames train kuhn --iterations 200 --variant cfr+ --averaging uni" in text
    assert text.endswith("file: kuhn-strategy.json\n")


def test_the_result_as_json(program: Program) -> None:
    words = ["--json", "--iterations", "20", "--variant", "cfr", "--out", "s"]
    result = json.loads(program("train", "kuhn", *words).out)
    assert (result["game"], result["file"]) == ("kuhn", "s")
    assert (result["iterations"], result["finished"]) == (20, True)
    assert result["settings"] == {
        "iterations": 20, "variant": "cfr", "averaging": "linear",
    }  # fmt: skip
    assert [point["iterations"] for point in result["curve"]] == [1, 2, 5, 10, 20]
    assert result["iterations_per_second"] > 0
    assert set(result["strategy"]) == set(agents.trained().table)


def test_the_file_is_played_watched_answered_and_shown(program: Program) -> None:
    assert program("train", "kuhn", "--iterations", "500").code == 0
    seat = f"cfr:file={DEFAULT}"
    played = program("play", "kuhn", "--vs", seat, "--plain", "--no-save", lines=["bet", "q"])
    assert played.code == 0, played.err
    watched = program("watch", "kuhn", "--hands", "20", "-s", seat, "-s", "maniac", "--json")
    assert json.loads(watched.out)["over"]
    answered = program("watch", "kuhn", "-s", f"best-response:to={seat}", "-s", seat, "--json")
    assert json.loads(answered.out)["over"]
    shown = json.loads(program("agents", "show", seat, "--json").out)
    assert shown["game"] == "kuhn"
    assert shown["facts"]["size"] == "12 information sets"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_keeps_what_was_learned(program: Program, number: int, code: int) -> None:
    # More than anybody waits for: it must be the signal that ends it.
    process = start("train", "kuhn", "--iterations", "100000000", "--out", "begun")
    wait_for(Path("begun"), process)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert "Stopped. To play from it: boardgames play kuhn --vs cfr:file=begun" in err
    about = read_strategy(Path("begun")).about
    assert 0 < about["iterations"] < 100_000_000
    assert f"made by: {about['command']}" in out
    # What it says made it makes it again, but for the curve: the end is always measured.
    assert program(*about["command"].split()[1:], "--out", "again").code == 0
    begun, again = read_strategy(Path("begun")), read_strategy(Path("again"))
    assert (begun.table, begun.about["value"]) == (again.table, again.about["value"])
    assert program("watch", "kuhn", "-s", "cfr:file=begun", "--json").code == 0
