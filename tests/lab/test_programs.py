"""Every benchmark tells what it measures, refuses what is not a number, and runs.

What they measure is not tested: it depends on the machine.
"""

from __future__ import annotations

import importlib.util
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from boardgames_cli.games import senet

FOLDER = Path(__file__).parents[2] / "lab"
HELPERS = {"arguments.py", "simulated_tournaments.py", "speed.py"}
ELSEWHERE = {"other_environments.py", "pgx_speed.py"}
"""What benchmarks run in another Python, which has other packages and not this one."""
SCRIPTS = sorted({path.name for path in FOLDER.glob("*.py")} - HELPERS - ELSEWHERE)
WITH_FILES = {"senet_learning.py"}
"""What needs files to run, and is run by a test of its own."""

TABLE = Path(senet.__file__).parent / "data" / "kendall.endings"

TINY = {
    "agent_processes.py": ("--decisions 2", "there us"),
    "cluster.py": ("--workers 1 --batches 3", "processor milliseconds a batch"),
    "deepsea_chances.py": ("--games 2 --each 30", "of variance unseen for each point"),
    "deepsea_speed.py": ("--games 2 --repeat 1", "games/s (median of 1 runs"),
    "deepsea_tuning.py": (
        "--seats 2 --plain --generations 1 --candidates 2 --games 2",
        "2 seats: {'weighs': True",
    ),
    "deepsea_strength.py": ("medium --seats 3 --deals 1", "a decision, 99 %"),
    "encoder_speed.py": ("--games kuhn --plies 40 --rounds 1", "us/decision"),
    "environments.py": (
        "--games pommerman --rounds 1 --seconds 0.01",
        "not given",
    ),
    "general_agents.py": ("--game kuhn --games 2 --simulations 5", "ours is"),
    "instructions.py": ("--keys 1", "first board"),
    "level_mistakes.py": ("kuhn --games 2", "mean loss"),
    "kuhn_speed.py": ("--games 5 --iterations 1", "iterations of CFR+"),
    "match_speed.py": ("--games tapnswap --rounds 1 --seconds 0.01", "not installed"),
    "online.py": (
        "--tables 2 --think 0.01 --connections 5 --steps 2 --kills 1",
        "kills, ",
    ),
    "pommerman_chances.py": ("--games 6 --each 60", "tie_weights = ("),
    "pommerman_deaths.py": ("--games 1", "deaths of 1 agents"),
    "pommerman_speed.py": ("--seconds 0.01 --decisions 2", "hard: median"),
    "rating_coverage.py": ("--trials 1 --deals 4", "hold the truth in"),
    "review_puzzles.py": ("tapnswap --first 2", "2 of 2 puzzles are sure"),
    "review_accuracy.py": ("tapnswap --games 1", "| perfect | 1 | 0.00%"),
    "review_calibration.py": ("kuhn --review 2 --games 3", "corrections exceed 3 stated errors"),
    "review_endings.py": ("--choices 40", "mistakes by both"),
    "review_rollouts.py": ("--positions 1 --plays 3", "mistakes by both"),
    "review_truth.py": (
        "tapnswap --games 2 --marks 3 --plays 2 --agents random --strong perfect",
        "| tapnswap | 2 of ",
    ),
    "screen.py": ("--runs 1", "key to repaint"),
    "senet_exact.py": ("random --choices 3", "optimal"),
    "senet_learner.py": (
        "--rounds 1 --positions 256 --hidden 4 --out begun.json",
        "skyruk: 1 rounds",
    ),
    "senet_levels.py": ("medium/easy --games 2", "| skyruk | 7 | medium/easy | "),
    "senet_full_game.py": (f"--out {TABLE} --positions some.npz --count 5", "is there already"),
    "senet_solver.py": ("--up-to 1 --out small.endings", "the side that begins wins 53.34 %"),
    "senet_speed.py": ("--games 1", "rules alone"),
    "startup.py": ("--runs 1", "--version"),
    "mutants.py": ("--only practice --each 1 --jobs 1", "planted and found"),
    "tapnswap_rules.py": ("--seconds 0.02", "games/s"),
    "tapnswap_training.py": ("--episodes 500", "exact value kept in"),
    "vector.py": ("--boards 2 --seconds 0.01", "SyncVectorEnv, readable rules"),
    "tournament.py": ("--games kuhn --rounds 1 --seconds 0.01", "one job / two"),
}
NEEDS = {
    **dict.fromkeys(("encoder_speed.py", "kuhn_speed.py", "rating_coverage.py"), "numpy"),
    "deepsea_tuning.py": "numpy",
    "environments.py": "pettingzoo",
    "review_rollouts.py": "numba",
    "pommerman_chances.py": "numba",
    "senet_learner.py": "numba",
    "senet_levels.py": "numba",
    "senet_solver.py": "numba",
    "senet_full_game.py": "numba",
    "vector.py": "numba",
}
NEEDS["general_agents.py"] = "pyspiel"
NEEDS["cluster.py"] = "distributed"
NEEDS["online.py"] = "aiohttp"
TOO_SLOW = {"instructions.py"}
"""Valgrind takes a minute for one board."""

PROCESSES = {
    "agent_processes.py",
    "cluster.py",
    "online.py",
    "screen.py",
    "startup.py",
    "tournament.py",
}
"""What starts processes runs in one of its own; the others need no second start of Python."""


def run_here(
    script: str,
    words: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> tuple[int, str, str]:
    """Run a benchmark in this process: its exit code and what it printed."""
    monkeypatch.setattr(sys, "argv", [script, *words])
    monkeypatch.syspath_prepend(str(FOLDER))
    monkeypatch.setenv("COLUMNS", "100")
    code: object = 0
    try:
        runpy.run_path(str(FOLDER / script), run_name="__main__")
    except SystemExit as ended:
        code = ended.code
    printed = capsys.readouterr()
    return code if isinstance(code, int) else 0, printed.out, printed.err


def test_every_benchmark_is_tried() -> None:
    assert sorted(TINY.keys() | WITH_FILES) == SCRIPTS
    assert all((Path(__file__).parent / f"test_{script}").is_file() for script in WITH_FILES)


@pytest.mark.parametrize("script", SCRIPTS)
def test_help_says_what_is_measured_and_how(
    script: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run_here(script, ["--help"], monkeypatch, capsys)
    assert (code, err) == (0, "")
    assert f"    python lab/{script}" in out, "there is an example"
    source = (FOLDER / script).read_text(encoding="utf-8")
    assert source.splitlines()[0].strip('"') in out
    options = out.partition("options:")[2]
    assert "--" in options.replace("--help", ""), "it can be told how much to measure"
    for line in options.splitlines():
        name, _, told = line.strip().partition("  ")
        # A long name has its help on the next line.
        assert told or not name.startswith("-") or len(name) > 20, f"{name} is explained"


@pytest.mark.parametrize(
    "script", [script for script in SCRIPTS if script not in TOO_SLOW | WITH_FILES]
)
def test_benchmarks_run(
    script: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if script in NEEDS and importlib.util.find_spec(NEEDS[script]) is None:
        pytest.skip(f"{script} needs {NEEDS[script]}")
    words, expected = TINY[script]
    monkeypatch.chdir(tmp_path)
    if script in PROCESSES:
        command = [sys.executable, str(FOLDER / script), *words.split()]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        code, out, err = done.returncode, done.stdout, done.stderr
    else:
        code, out, err = run_here(script, words.split(), monkeypatch, capsys)
    told = [line for line in err.splitlines() if not line.startswith("Compiling the rules")]
    assert told == []
    assert code == 0
    assert expected in out


@pytest.mark.parametrize("script", sorted(ELSEWHERE))
def test_what_runs_in_another_python_needs_nothing_of_ours(script: str) -> None:
    source = (FOLDER / script).read_text(encoding="utf-8")
    assert "boardgames_cli" not in source
    compile(source, script, "exec")
    assert any(f'"{script}"' in (FOLDER / one).read_text(encoding="utf-8") for one in SCRIPTS)
