"""Agents of other packages on the command line: they can't spoil, stop or read anything."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardgames_cli.session import driven_match
from tests.conftest import Program
from tests.processes import is_alive, wait_until
from tests.strangers import installed


@pytest.fixture(autouse=True)
def strangers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(driven_match, "GRACE_SECONDS", 0.1)
    with installed("guest", "odd", "learner", "chatty"):
        yield


def watch(program: Program, *words: str) -> tuple[int, dict[str, object], str]:
    done = program("watch", "tapnswap", "--seed", "1", "--json", "--no-save", *words)
    return done.code, json.loads(done.out), done.err


@pytest.mark.parametrize(
    ("way", "told"),
    [
        ("hog", "did not answer within 0.1 s"),
        ("stop", "ended unexpectedly (it was stopped by signal SIGSTOP)"),
    ],
)
def test_one_that_hangs_does_not_hang_the_program(program: Program, way: str, told: str) -> None:
    words = ("-s", f"odd:way={way}", "-s", "random", "--think", "0.1", "--max-plies", "3")
    code, result, err = watch(program, *words)
    assert code == 5
    assert result["plies"] == 3
    assert err.count(f"{told}. Played at random instead") == 2


def test_it_does_not_eat_a_persons_lines(program: Program) -> None:
    words = ("play", "tapnswap", "--first", "1", "--vs", "odd:way=print", "--seed", "1", "--plain")
    done = program(*words, lines=["1", "1", "quit"])
    assert done.code == 0
    assert "stray output" not in done.out
    assert done.out.count("EOFError") == 2, "it was asked twice and read nothing"


def test_what_is_wrong_with_it_is_told_before_the_game(program: Program) -> None:
    done = program("watch", "tapnswap", "-s", "odd:colour=red", "--json")
    assert (done.code, done.out) == (2, "")
    assert 'Unknown odd option "colour"' in done.err
    assert not Path("saves").exists(), "no save is begun"
    done = program("watch", "tapnswap", "-s", "odd:way=error,when=supports", "--json")
    assert (done.code, done.out) == (5, "")
    when = "when it was asked whether it plays this game"
    assert f'Agent "odd" failed {when} (ValueError: out of ideas)' in done.err


def test_lists_stay_clean_when_it_prints(program: Program) -> None:
    done = program("agents", "show", "chatty", "--game", "tapnswap", "--json")
    assert json.loads(done.out)["agent"] == "chatty"
    assert "here I am" in done.err
    done = program("agents", "tapnswap", "--json")
    names = [agent["name"] for agent in json.loads(done.out)[0]["agents"]]
    assert {"guest", "odd", "learner", "chatty"} <= set(names)


def test_ours_need_no_processes() -> None:
    code = (
        "import sys\n"
        "from boardgames_cli.cli.main import run\n"
        "run(['watch', 'senet', '--json', '--no-save', '--max-plies', '4'])\n"
        "print([name for name in sorted(sys.modules) if '.agents.remote.' in name])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    # It knows how to seat such agents, and imports nothing that runs them.
    assert done.stdout.splitlines()[-1] == "['boardgames_cli.agents.remote.seating']"


PROGRAM = """
import sys
sys.path[:0] = {path!r}
from tests.strangers import installed
from boardgames_cli.cli.main import main
with installed("odd"):
    main()
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_signals_come_through_while_it_holds_the_interpreter(
    number: signal.Signals, tmp_path: Path
) -> None:
    code = PROGRAM.format(path=[str(Path(__file__).parents[2])])
    words = ["watch", "tapnswap", "-s", "odd:way=leave", "--think", "600", "--json", "--no-save"]
    note = tmp_path / "pid"
    program = subprocess.Popen(
        [sys.executable, "-c", code, *words],
        env={**os.environ, "TEST_PID_FILE": str(note)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_until(lambda: note.exists() and note.read_text() != "")
    program.send_signal(number)
    out, err = program.communicate(timeout=60)
    assert program.returncode == 128 + number
    assert out == ""
    assert "Traceback" not in err
    wait_until(lambda: not is_alive(int(note.read_text())))
