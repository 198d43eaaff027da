"""The starters in examples/agents: each plays whole games, as far as its tool is here."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from boardgames_cli.agents.remote.program import ExternalAgent
from boardgames_cli.agents.remote.seating import released
from boardgames_cli.core.agent import Budget
from boardgames_cli.core.errors import OptionError
from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.registry import make, make_agent
from boardgames_cli.testing import check_agent

FOLDER = Path(__file__).parents[2] / "examples" / "agents"


def needs(tool: str) -> str:
    found = shutil.which(tool)
    if found is None:
        pytest.skip(f"{tool} is not here")
    return found


@pytest.fixture(scope="session")
def senet_agent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The C agent, compiled without a warning."""
    compiler = needs("cc")
    program = tmp_path_factory.mktemp("c") / "senet_agent"
    words = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O2"]
    subprocess.run([compiler, *words, "-o", program, FOLDER / "senet_agent.c"], check=True)
    return program


def check(command: str, game: str, games: int = 1) -> None:
    """The laws of agents."""
    agent = ExternalAgent(command)
    with released(agent):
        check_agent(agent, make(game), range(1, 1 + games), max_plies=400, budget=Budget(5.0))
        assert agent.about["name"]


@pytest.mark.parametrize("game", ["kuhn", "deepsea", "pommerman"])
def test_python(game: str) -> None:
    check(f"{needs('python3')} {FOLDER}/python_agent.py", game)


@pytest.mark.parametrize("name", ["furthest", "careful"])
def test_senet_by_hand(name: str) -> None:
    check(f"{needs('python3')} {FOLDER}/senet_hands.py {name}", "senet")


@pytest.mark.parametrize("game", ["tapnswap"])
def test_javascript(game: str) -> None:
    check(f"{needs('node')} {FOLDER}/javascript_agent.js", game)


def test_shell() -> None:
    needs("jq")
    game = make("kuhn")
    agent = ExternalAgent(f"sh {FOLDER}/shell_agent.sh")
    try:
        match: AnyMatch = Match(game, seed=3)
        play(match, [agent, make_agent("random", game)])
        assert match.is_over
        assert agent.about["name"] == "First in shell"
    finally:
        agent.close()


def test_c(senet_agent: Path) -> None:
    check(str(senet_agent), "senet")


def test_c_plays_no_other_game(senet_agent: Path) -> None:
    with pytest.raises(OptionError, match="can't play Kuhn poker"):
        ExternalAgent(str(senet_agent)).reset(make("kuhn"), 0)


@pytest.mark.parametrize("kind", ["hurrah", "over", "hurry"])
def test_unknown_types_are_answered_and_known_ones_ignored(kind: str) -> None:
    lines = [{"type": kind}, {"type": "quit"}]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    for tool, name in (("python3", "python_agent.py"), ("node", "javascript_agent.js")):
        words = [needs(tool), str(FOLDER / name)]
        done = subprocess.run(words, input=text, capture_output=True, text=True, check=True)
        answers = [json.loads(line)["type"] for line in done.stdout.splitlines()]
        assert answers == (["error"] if kind == "hurrah" else [])
