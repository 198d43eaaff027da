"""Starting must stay fast: what is not needed is not imported."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

BEYOND = (
    *("environments", "training", "tournament", "online", "web", "testing"),
    *("algorithms.networks.policy_value_network", "algorithms.fast.boards"),
)
"""The wall: each of these is a leaf that can be read, and deleted, alone.

Senet's own evaluation is a network, which its agents play by."""

HEAVY = ("textual", "numpy", "pydantic", "rich", "asyncio")

SCRIPT = """
import contextlib, io, json, sys
from boardgames_cli.cli.main import run
with contextlib.redirect_stdout(io.StringIO()):
    code = run(sys.argv[1:])
print(json.dumps({"code": code, "modules": sorted(sys.modules)}))
"""


def modules_after(folder: Path, *words: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        stdin=subprocess.DEVNULL,
    )
    result = json.loads(done.stdout)
    assert result["code"] == 0, done.stderr
    return set(result["modules"])


@pytest.mark.parametrize(
    "words",
    [
        ["--version"],
        ["--help"],
        ["play", "--help"],
        ["play", "senet", "--help"],
        ["list"],
        ["saves"],
        [],
    ],
)
def test_nothing_heavy_is_loaded(clean_environment: Path, words: list[str]) -> None:
    loaded = modules_after(clean_environment, *words)
    assert not loaded & set(HEAVY)


def test_the_names_of_agents_need_no_numpy(clean_environment: Path) -> None:
    loaded = modules_after(clean_environment, "agents", "senet")
    assert not loaded & {"numpy", "multiprocessing.connection"}


@pytest.mark.parametrize("words", [["--version"], ["--help"]])
def test_no_game_and_no_table_for_the_top(clean_environment: Path, words: list[str]) -> None:
    loaded = modules_after(clean_environment, *words)
    mine = {name for name in loaded if name.startswith("boardgames_cli.")}
    assert not any(name.startswith("boardgames_cli.games") for name in mine)
    assert "boardgames_cli.session.session" not in mine
    assert "boardgames_cli.registry" not in mine


def test_help_of_one_game_loads_no_other(clean_environment: Path) -> None:
    loaded = modules_after(clean_environment, "play", "senet", "--help")
    rules = {name for name in loaded if name.startswith("boardgames_cli.games.")}
    assert "boardgames_cli.games.senet.rules" in rules
    assert not any(name.endswith(".rules") for name in rules - {"boardgames_cli.games.senet.rules"})


def test_chances_of_deep_sea_need_no_plans() -> None:
    heuristic = "boardgames_cli.games.deepsea.heuristic"
    script = f"import sys, {heuristic}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert heuristic in done.stdout.split()
    assert "boardgames_cli.games.deepsea.agents.plans" not in done.stdout.split()


FIRST_BOARD = """
import asyncio, json, sys
from boardgames_cli.session.opening import open_session
from boardgames_cli.session.settings import Pace, Settings, Setup
from boardgames_cli.tui.app import build_app

async def show():
    settings = Settings(pace=Pace.INSTANT, save=False)
    app = build_app(open_session(Setup("senet", seats=("human",), seed=5), settings), settings)
    async with app.run_test(size=(80, 24)) as pilot:
        while not app.screen.query("#board"):
            await pilot.pause()
        sheets = [str(path) for path, _ in app.stylesheet.source]
    print(json.dumps({"modules": sorted(sys.modules), "sheets": sheets}))

asyncio.run(show())
"""


def test_the_first_board_loads_nothing_of_other_screens(clean_environment: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FIRST_BOARD], capture_output=True, text=True, check=True
    )
    shown = json.loads(done.stdout)
    loaded = {name.removeprefix("boardgames_cli.") for name in shown["modules"]}
    screens = {name for name in loaded if name.startswith("tui.screens.")}
    assert screens == {"tui.screens.frame", "tui.screens.table"}
    assert not loaded & {
        "core.presentation.home_page",
        "core.presentation.lesson",
        "tui.menu",
    }
    assert not {name for name in loaded if name.startswith(BEYOND)}
    assert not any(sheet.endswith("home.tcss") for sheet in shown["sheets"])


def test_a_game_in_plain_text_stays_inside_the_wall(clean_environment: Path) -> None:
    script = (
        "import json, sys; from boardgames_cli.cli.main import run; "
        "run(['play', 'kuhn', '--hands', '1', '--seed', '1', '--plain', '--vs', 'easy']); "
        "sys.stderr.write(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=clean_environment, input="1\n1\n", capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "Saved as kuhn-1." in done.stdout, "the game was played to its end"
    loaded = {name.removeprefix("boardgames_cli.") for name in json.loads(done.stderr)}
    assert not {name for name in loaded if name.startswith(BEYOND)}
