"""A game of another package: installed, it is played, saved, resumed and watched like ours."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.fresh_environment import Environment, fresh_environment

PLUGIN = Path(__file__).parent / "plugin"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an environment in which boardgames and the plug-in are installed."""
    folder = tmp_path_factory.mktemp("plugin")
    # A copy: building must leave no trace in this tree.
    shutil.copytree(PLUGIN, folder / "nim", ignore=shutil.ignore_patterns("__pycache__"))
    fresh_environment(folder / "env").install(folder / "nim")
    return folder


def run(home: Path, *words: str, lines: str = "") -> subprocess.CompletedProcess[str]:
    """The installed program, in a folder of its own."""
    environment = Environment(home / "env")
    return subprocess.run(
        [environment.bin / words[0], *words[1:]],
        input=lines,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        cwd=home,
        env={**environment.variables, "BOARDGAMES_SAVES": str(home / "saves")},
    )


def test_the_program_is_the_installed_one(home: Path) -> None:
    where = run(home, "python", "-c", "import boardgames_cli; print(boardgames_cli.__file__)")
    assert Path(where.stdout.strip()).is_relative_to(home)


def test_it_keeps_the_contract(home: Path) -> None:
    done = run(home, "python", str(home / "nim" / "check.py"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("keeps the contract") == 4


def test_it_is_listed_with_its_agents_and_rules(home: Path) -> None:
    listed = run(home, "boardgames", "list")
    assert "nim" in listed.stdout
    assert "warning" not in listed.stderr.lower()
    assert "nim-sum" in run(home, "boardgames", "agents", "nim").stdout
    assert run(home, "boardgames", "rules", "nim").stdout.startswith("# Nim")


def test_it_is_played_left_and_resumed(home: Path) -> None:
    words = ["play", "nim", "--heaps", "1-3-5-7", "--vs", "perfect", "--seed", "5", "--plain"]
    played = run(home, "boardgames", *words, lines="D7\nA1\nquit\n")
    assert played.returncode == 0, played.stderr
    assert "took 7 matches from heap D" in played.stdout
    # Not at a move that is illegal: heap D is empty now, and the reason is the game's own.
    resumed = run(home, "boardgames", "resume", "--plain", lines="D1\n" + "1\n" * 30)
    assert resumed.returncode == 0, resumed.stderr
    assert "heap D has 0 matches" in resumed.stdout
    save = next((home / "saves").glob("nim-*.jsonl"))
    lines = save.read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[0])["options"] == {"heaps": "1-3-5-7", "misere": False}
    assert json.loads(lines[1]) == {"0": "D7"}
    assert "result" in json.loads(lines[-1])
    assert "nim-1" in run(home, "boardgames", "saves").stdout


def test_it_is_watched_and_won_by_theory(home: Path) -> None:
    words = ["watch", "nim", "-s", "perfect", "-s", "random", "--seed", "3", "--json"]
    watched = run(home, "boardgames", *words)
    assert watched.returncode == 0, watched.stderr
    facts = json.loads(watched.stdout)
    assert facts["over"]
    assert facts["returns"] == [1.0, -1.0], "3-5-7 is won for who begins and knows how"


def test_its_errors_are_like_ours(home: Path) -> None:
    wrong = run(home, "boardgames", "play", "nim", "--heaps", "9-9")
    assert wrong.returncode == 2
    assert "3-5-7, 1-3-5-7" in wrong.stderr
    assert "Traceback" not in wrong.stderr


LEARNING = """
import gymnasium
import boardgames_cli as bg
import boardgames_cli.environments

env = bg.aec_env("nim", heaps="1-3-5-7", render_mode="ansi")
env.reset(seed=1)
assert "player_0" in env.render()
for agent in env.agent_iter():
    seen, reward, is_terminated, is_truncated, info = env.last()
    assert seen in env.observation_space(agent)
    env.step(None if is_terminated else env.action_space(agent).sample(seen["action_mask"]))
env = gymnasium.make(
    "boardgames/Nim-v0", opponents=["nim-sum"], seat="random", misere=True, render_mode="rgb_array"
)
_, info = env.reset(seed=1)
assert env.render().shape == (480, 800, 3)  # the font was installed
is_over = False
while not is_over:
    action = env.action_space.sample(info["action_mask"])
    _, reward, is_over, _, info = env.step(action)
print(reward)
"""


def test_it_is_an_environment_without_a_line_of_its_own(home: Path) -> None:
    pytest.importorskip("pettingzoo")
    done = run(home, "python", "-c", LEARNING)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() in ("-1.0", "1.0")
    assert "warn" not in done.stderr.lower()
