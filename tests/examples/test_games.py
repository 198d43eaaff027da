"""The games in examples/games: installed as packages, they keep the contract and are played."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.fresh_environment import ROOT, Environment, fresh_environment

FOLDER = ROOT / "examples" / "games"
GAMES = sorted(path.name for path in FOLDER.iterdir() if path.is_dir())
LEVELS = ("easy", "medium", "hard")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with copies of the games, installed beside boardgames in an environment."""
    folder = tmp_path_factory.mktemp("games")
    shutil.copytree(
        FOLDER, folder / "games", ignore=shutil.ignore_patterns("__pycache__", ".*_cache")
    )
    packages = [folder / "games" / game for game in GAMES]
    fresh_environment(folder / "env").install(*packages)
    return folder


def run(home: Path, *words: str, lines: str = "", **variables: str) -> str:
    """What a program of the environment prints."""
    environment = Environment(home / "env")
    done = subprocess.run(
        [environment.bin / words[0], *words[1:]],
        input=lines,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        cwd=home,
        env={**environment.variables, "BOARDGAMES_SAVES": str(home / "saves"), **variables},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


@pytest.mark.parametrize("game", GAMES)
def test_it_passes_its_own_tests(home: Path, game: str) -> None:
    # Another order of sets than in this process: it must not show.
    tests = str(home / "games" / game / "tests")
    words = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", tests)
    assert "passed" in run(home, "python", *words, PYTHONHASHSEED="4711")


@pytest.mark.parametrize("game", GAMES)
def test_it_is_played_saved_and_reviewed(home: Path, tmp_path: Path, game: str) -> None:
    short = {
        "connect4": (),
        "ur": ("--pieces", "3"),
        "leduc": ("--hands", "2"),
        "goofspiel": ("--cards", "4"),
    }
    words = ["play", game, "--vs", "easy", "--seed", "1", "--plain", *short[game]]
    own = {"BOARDGAMES_SAVES": str(tmp_path)}
    assert "Aim: " in run(home, "boardgames", *words, lines="quit\n", **own)
    assert game in run(home, "boardgames", "saves", **own)
    run(home, "boardgames", "resume", f"{game}-1", "--plain", lines="1\n" * 60, **own)
    assert "The figures: " in run(home, "boardgames", "review", f"{game}-1", "--plain", **own)


@pytest.mark.parametrize("game", GAMES)
def test_its_levels_play_a_tournament(home: Path, game: str) -> None:
    levels = [word for level in LEVELS for word in ("-s", level)]
    words = ["tournament", game, *levels, "--games", "2", "--seed", "1", "--think", "0.01"]
    found = json.loads(run(home, "boardgames", *words, "--json"))
    assert {entrant["name"] for entrant in found["entrants"]} == set(LEVELS)


LEARNING = """
import gymnasium
import boardgames_cli as bg
import boardgames_cli.environments

env = bg.aec_env("connect4", render_mode="ansi")
env.reset(seed=1)
assert "player_0" in env.render()
for agent in env.agent_iter():
    seen, reward, is_terminated, is_truncated, info = env.last()
    assert seen in env.observation_space(agent)
    env.step(None if is_terminated else env.action_space(agent).sample(seen["action_mask"]))
env = gymnasium.make(
    "boardgames/Connect4-v0", opponents=["easy"], seat="random", render_mode="rgb_array"
)
_, info = env.reset(seed=1)
assert env.render().shape == (480, 800, 3)  # the font was installed
is_over = False
while not is_over:
    _, reward, is_over, _, info = env.step(env.action_space.sample(info["action_mask"]))
print(reward)
"""


def test_it_is_an_environment_without_a_line_of_its_own(home: Path) -> None:
    pytest.importorskip("pettingzoo")
    assert run(home, "python", "-c", LEARNING).strip() in ("-1.0", "0.0", "1.0")


def test_the_program_is_the_installed_one(home: Path) -> None:
    where = run(home, "python", "-c", "import boardgames_cli; print(boardgames_cli.__file__)")
    assert Path(where.strip()).is_relative_to(home)
    assert run(home, "boardgames", "rules", "connect4").startswith("# Connect")


@pytest.mark.parametrize("game", GAMES)
def test_it_uses_the_public_interface_alone(game: str) -> None:
    for path in (FOLDER / game / f"boardgames_{game}").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
                "boardgames_cli"
            ):
                assert node.module == "boardgames_cli", path


def test_nothing_of_the_program_names_them() -> None:
    sources = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "boardgames_cli").rglob("*.py")
    )
    for game in GAMES:
        assert f"boardgames_{game}" not in sources


def test_seats_and_time_follow_from_the_rules_whatever_options_are_called(home: Path) -> None:
    four = ("-s", "easy") * 4
    words = ("watch", "goofspiel", *four, "--cards", "3", "--json", "--no-save", "--seed", "1")
    assert len(json.loads(run(home, "boardgames", *words))["returns"]) == 4
    # Everybody acts at once, but nothing is done for who is late.
    assert "--tick" not in run(home, "boardgames", "play", "goofspiel", "--help")


def test_a_level_is_what_the_package_ships_and_no_path(home: Path) -> None:
    run(home, "boardgames", "watch", "leduc", "-s", "hard", "-s", "hard", "--seed", "1", "--plain")
    saves = [path.read_text(encoding="utf-8") for path in (home / "saves").glob("leduc-*.jsonl")]
    seats = [json.loads(save.splitlines()[0])["seats"] for save in saves]
    assert ["cfr", "cfr"] in seats


def test_agents_promises_only_what_training_gives(home: Path) -> None:
    listed = run(home, "boardgames", "agents", "ur")
    assert "it has no secrets" in listed
    assert "which boardgames train makes" not in listed


def test_puzzles_are_found_in_endings_that_are_solved(home: Path) -> None:
    made = run(home, "boardgames", "puzzle", "ur", "--make", "1", "--out", "ur.json", "--seed", "1")
    assert "ur.json has 1 puzzles" in made
    assert '"method": "exact: the table of endings"' in (home / "ur.json").read_text()
