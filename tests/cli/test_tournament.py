"""``boardgames tournament`` and ``bench`` as people use them, with real processes."""

from __future__ import annotations

import html
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.cli import output
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.registry import make
from boardgames_cli.testing.scene import one_step
from tests.cli.eager import ROOT
from tests.conftest import Program
from tests.processes import wait_until
from tests.strangers import installed

resource = pytest.importorskip("resource")

KUHN = ("tournament", "kuhn", "-s", "perfect", "-s", "rock", "-s", "random", "--games", "20")
SENET = ("tournament", "senet", "-s", "greedy", "-s", "random", "--seed", "3")
DEALS = 60


def start(*words: str) -> subprocess.Popen[str]:
    """The program as a process, in the folder of the test."""
    return subprocess.Popen(
        [sys.executable, "-m", "boardgames_cli", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def count(folder: str) -> int:
    """How many whole deals of two games are in a folder."""
    path = Path(folder) / "results.jsonl"
    return path.read_bytes().count(b"\n") // 2 if path.exists() else 0


def results(folder: str) -> list[dict[str, Any]]:
    """The results in a folder, but for what is measured."""
    lines = (Path(folder) / "results.jsonl").read_text().splitlines()
    return [{key: v for key, v in json.loads(x).items() if key != "seconds"} for x in lines]


def wait_for_deals(folder: str, deals: int, process: subprocess.Popen[str]) -> None:
    while count(folder) < deals:
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


def workers_of(process: subprocess.Popen[str]) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parent = (path / "stat").read_text().rpartition(")")[2].split()[1]
            words = (path / "cmdline").read_text()
        except OSError:
            continue
        if int(parent) == process.pid and "spawn_main" in words:
            found.append(int(path.name))
    return found


def is_gone(pid: int) -> bool:
    return not Path(f"/proc/{pid}/cmdline").exists() or not Path(f"/proc/{pid}/cmdline").read_text()


def test_the_table_is_the_same_with_one_process_and_with_two(program: Program) -> None:
    one = program(*KUHN, "--jobs", "1", "--out", "one")
    two = program(*KUHN, "--jobs", "2", "--out", "two")
    assert (one.code, two.code) == (0, 0)
    assert one.out.replace("folder: one", "") == two.out.replace("folder: two", "")
    assert "95 % interval" in one.out
    assert one.out.rstrip().endswith("one")
    assert "60 of 60 games" in one.err


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes by /proc")
def test_a_tournament_survives_all_that_ends_processes(program: Program) -> None:
    # So long that it can't end before it is ended; its first deals are those of a short one.
    running = start(*SENET, "--games", "100000", "--jobs", "2", "--out", "t")
    wait_for_deals("t", 1, running)
    workers = workers_of(running)
    os.kill(workers[0], signal.SIGKILL)
    wait_for_deals("t", count("t") + 1, running)
    workers += workers_of(running)
    os.kill(running.pid, signal.SIGKILL)
    running.communicate()
    before = count("t")
    # Its workers end with it, however it ended.
    wait_until(lambda: all(map(is_gone, workers)))
    with (Path("t") / "results.jsonl").open("a") as file:
        file.write('{"deal":')  # as if it had been killed while it wrote

    stopped = start("tournament", "--resume", "t", "--jobs", "2")
    wait_for_deals("t", max(before + 2, DEALS), stopped)
    workers = workers_of(stopped)
    os.kill(stopped.pid, signal.SIGINT)
    _, told = stopped.communicate()
    assert stopped.returncode == 130
    assert told.splitlines()[-1].endswith("To continue: boardgames tournament --resume t")
    assert "Traceback" not in told
    wait_until(lambda: all(map(is_gone, workers)))

    program(*SENET, "--games", str(2 * DEALS), "--jobs", "1", "--out", "short")
    assert results("short") == results("t")[: 2 * DEALS]


def test_a_full_disk_loses_nothing(program: Program) -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))\n"
    driver = f"{limit}from boardgames_cli.cli.main import main; main()"
    full = subprocess.run(
        [sys.executable, "-c", driver, *KUHN, "--jobs", "1", "--out", "t"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert full.returncode == 4
    assert "File too large" in full.stderr
    assert "Traceback" not in full.stderr
    assert 0 < count("t") < 30
    again = program("tournament", "--resume", "t", "--jobs", "1")
    whole = program(*KUHN, "--jobs", "1", "--out", "whole")
    assert again.out.replace("folder: t", "") == whole.out.replace("folder: whole", "")


def test_reports_are_written_and_their_command_plays_it_again(program: Program) -> None:
    outcome = program(*KUHN, "--jobs", "1", "--out", "t")
    page = html.unescape(Path("t", "report.html").read_text(encoding="utf-8"))
    standings = outcome.out.split("\n\n")[0].splitlines()
    for line in standings[2:5]:
        _, name, *numbers = line.split()
        assert [number for number in numbers if number not in page] == []
        assert f">{name}</th>" in page
    command = page.split("<pre>")[1].splitlines()[0].removesuffix("</pre>").split()
    again = program(*command[1:], "--jobs", "2", "--out", "again")
    assert again.out.replace("folder: again", "folder: t") == outcome.out
    done = program("tournament", "--resume", "t")
    assert done.out == outcome.out


def test_one_plays_against_many_and_is_told_what_equals_would_score(program: Program) -> None:
    words = ("deepsea", "-s", "risk", "-s", "random", "--players", "3", "--games", "20")
    outcome = program(
        "tournament", *words, "--format", "one-against-many", "--jobs", "1", "--out", "t", "--json"
    )
    assert outcome.code == 0, outcome.err
    report = Path("t", "report.html").read_text(encoding="utf-8")
    assert "equal sides score 33.3 %" in report
    assert "--format one-against-many" in report
    one, many = json.loads(outcome.out)["entrants"]
    # 20 games are 7 deals of 3; a game is one point, and each of the sides plays it.
    assert (one["name"], one["games"], many["games"]) == ("risk", 21, 42)
    assert one["points"] + many["points"] == 21
    assert one["score"] > 1 / 2 > many["score"]
    assert one["rating"] > many["rating"]


@pytest.mark.parametrize(
    ("words", "games", "command"),
    [
        (
            "senet --games 2 --rules kendall,skyruk --pieces 5 --pieces 7 --max-plies 20",
            8,
            "--rules kendall,skyruk --pieces 5,7 --games",
        ),
        (
            "pommerman --games 1 --mode duel --collapse --no-collapse --max-plies 9",
            4,
            "--mode duel --collapse --no-collapse --games",
        ),
    ],
)
def test_options_with_several_values_make_several_sets(
    program: Program, words: str, games: int, command: str
) -> None:
    rest = ("-s", "random", "-s", "random", "--jobs", "1", "--out", "t", "--json")
    assert json.loads(program("tournament", *words.split(), *rest).out)["games"] == games
    assert command in Path("t", "report.html").read_text(encoding="utf-8").split("<pre>")[1]


def test_a_pairing_that_is_tested_says_what_came_of_it(program: Program) -> None:
    words = ("tapnswap", "-s", "easy", "-s", "random", "--games", "4000", "--sprt", "0,40")
    for jobs in ("1", "2"):
        outcome = program("tournament", *words, "--out", jobs, "--jobs", jobs)
        assert "easy against random: SPRT 0 against 40: H1 accepted" in outcome.out
    assert results("1") == results("2")


def test_luck_and_a_clock_are_kept_and_told(program: Program) -> None:
    words = ("--luck", "--clock", "60s+0.5s", "--out", "t", "--jobs", "1")
    assert "luck a game" in program(*KUHN, *words).out
    assert 'clock = "1m+0.5s"' in Path("t/tournament.toml").read_text()
    report = Path("t/report.html").read_text()
    assert "--luck" in report
    assert "--clock 1m+0.5s" in report
    assert all("decisions" in result for result in results("t")), "every decision is timed"


def test_every_position_is_played_from_all_seats(program: Program) -> None:
    game = make("tapnswap")
    starts = [game.to_json(game.initial_state()), _after(game, 2), _after(game, 4)]
    Path("suite.jsonl").write_text("\n".join(map(json.dumps, starts)) + "\n\n")
    words = ("tournament", "tapnswap", "-s", "medium", "-s", "random", "--positions", "suite.jsonl")
    assert program(*words, "--records", "--out", "t", "--jobs", "1").code == 0
    saves = [
        json.loads(path.read_text().splitlines()[0]) for path in Path("t/records").rglob("*-*")
    ]
    played = sorted((json.dumps(one["start"]), *one["seats"]) for one in saves)
    assert len(played) == 6
    assert len({start for start, *_ in played}) == 3
    assert len(set(played)) == 6
    assert (Path("t") / "positions.jsonl").read_text().count("\n") == 3
    assert program("tournament", "--resume", "t").code == 0


def _after(game: Any, plies: int) -> Any:
    match: AnyMatch = Match(game, seed=2)
    for _ in range(plies):
        one_step(match)
    return game.to_json(match.state)


def test_agents_of_other_packages_play_in_processes_of_their_own(program: Program) -> None:
    words = ("tournament", "race", "-s", "guest", "-s", "random", "--games", "2", "--out", "t")
    with installed("guest", "odd"):
        good = program(*words, "--jobs", "1", "--json")
        bad = program(*words[:2], "-s", "odd:way=die", *words[4:-1], "u", "--jobs", "2", "--json")
        told = [program("tournament", "--resume", folder).out for folder in ("t", "u")]
    assert json.loads(good.out)["games"] == json.loads(bad.out)["games"] == 2
    assert json.loads(good.out)["facts"]["Played"] == "2 games in 1 deal"
    assert ["failures" in text for text in told] == [False, True]
    failures = {row["name"]: row["failures"] for row in json.loads(bad.out)["entrants"]}
    assert failures["odd:way=die"] > 0
    assert failures["random"] == 0


def test_a_terminal_sees_a_table_that_grows(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "is_terminal", lambda _: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    live = program(*KUHN, "--jobs", "1", "--out", "live")
    plain = program(*KUHN, "--jobs", "1", "--out", "plain", "--no-color")
    assert live.code == plain.code == 0
    assert "60 of 60 games" in live.err
    assert "\x1b[" in live.err
    assert all(name in live.err for name in ("entrant", "score", "perfect", "rock", "random"))
    assert "\x1b" not in plain.err
    assert live.out.replace("live", "") == plain.out.replace("plain", "")


def test_long_names_leave_room_for_the_pictures(program: Program) -> None:
    long = "greedy:slips=0.10000000000000000000000000000000000000000000000001"
    words = ("-s", long, "-s", "random", "--games", "2", "--jobs", "1", "--max-plies", "10")
    outcome = program("tournament", "senet", *words, "--out", "t")
    assert outcome.code == 0
    assert long in outcome.out
    assert "note:" not in outcome.err
