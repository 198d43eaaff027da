from __future__ import annotations

import io
from pathlib import Path

import pytest

from boardgames_cli.plain.console import Console
from boardgames_cli.plain.page import step_through
from boardgames_cli.session.replay import Replay
from boardgames_cli.storage.reading import load_record, restore
from boardgames_cli.terminal.signals import SignalWatch
from tests.conftest import Program

pytestmark = pytest.mark.usefixtures("toys")


def stepwise(path: Path, *lines: str) -> str:
    record = load_record(path)
    out = io.StringIO()
    source = io.StringIO("".join(f"{line}\n" for line in lines))
    story = Replay.of_record(restore(record), record)
    step_through(story, Console(SignalWatch(), source, out, io.StringIO()))
    return out.getvalue()


@pytest.fixture
def over(program: Program, tmp_path: Path) -> Path:
    program("play", "cards", "--seed", "1", lines=["1"])
    return tmp_path / "saves" / "cards-1.jsonl"


@pytest.fixture
def unfinished(program: Program, tmp_path: Path) -> Path:
    program("play", "cards", "--seed", "1", "-s", "human:Ann", "-s", "human:Ben", "--shared-screen")
    return tmp_path / "saves" / "cards-1.jsonl"


def test_story_of_a_finished_game_has_no_secrets(program: Program, over: Path) -> None:
    text = program("replay", "cards-1", "--boards").out
    assert text.startswith("   1 chance has acted\n")
    assert "None" not in text
    assert "won" in text or "draw" in text


def test_story_of_an_unfinished_game_keeps_them(program: Program, unfinished: Path) -> None:
    text = program("replay", "cards-1", "--boards").out
    assert text.count("'?'") == 2
    assert "The game is not over; it stands after step 1." in text


def test_going_through_step_by_step(over: Path) -> None:
    text = stepwise(over, "", "", "-", "3", "9", "x", "0", "all")
    prompts = [line.split(">")[0] for line in text.splitlines() if line.startswith("step ")]
    assert prompts == [f"step {ply} of 3" for ply in (0, 1, 2, 1, 3, 3, 3, 0)]
    assert '"9" is not a step from 0 to 3' in text
    assert text.rstrip().splitlines()[-1].endswith((".", "!"))


def test_enter_at_the_end_and_the_end_of_input_leave(over: Path) -> None:
    assert stepwise(over, "3", "").count("step 3 of 3>") == 1
    assert "step 0 of 3>" in stepwise(over)
    assert stepwise(over, "q").count("step ") == 1


def test_agents_that_are_gone_do_not_matter(program: Program, over: Path) -> None:
    over.write_text(over.read_text().replace('"first"', '"vanished"', 1))
    assert "vanished: high" in program("replay", "cards-1").out
