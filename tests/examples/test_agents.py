"""The starters in examples/agents: each plays whole games, as far as its tool is here."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from boardgames_cli.agents.remote.program import ExternalAgent
from boardgames_cli.core.errors import OptionError
from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.registry import make, make_agent
from tests.examples.load import AGENTS as FOLDER
from tests.examples.load import check


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


@pytest.mark.parametrize(
    ("tool", "words", "game"),
    [
        ("python3", "python_agent.py", "kuhn"),
        ("python3", "python_agent.py", "deepsea"),
        ("python3", "python_agent.py", "pommerman"),
        ("python3", "senet_hands.py furthest", "senet"),
        ("python3", "senet_hands.py careful", "senet"),
        ("node", "javascript_agent.js", "tapnswap"),
    ],
)
def test_starters_keep_the_laws(tool: str, words: str, game: str) -> None:
    check(f"{needs(tool)} {FOLDER}/{words}", make(game))


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
    check(str(senet_agent), make("senet"))


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
