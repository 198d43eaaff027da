"""`new-game` writes games that work: checked, typed, and within the contract at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from boardgames_cli.cli.main import run
from boardgames_cli.core.agent import Budget
from boardgames_cli.core.match import Match, play
from boardgames_cli.core.plugins import GAME_GROUP
from boardgames_cli.registry import find_game, make, make_agent, make_encoder
from boardgames_cli.testing import check_agent, check_encoder, check_game, check_spec, check_view
from tests.plugins import Plugins

ROOT = Path(__file__).parents[2]
FLAGS = {"board": [], "dice": ["--chance"], "cup": ["--hidden"]}


@pytest.mark.parametrize(("name", "seats"), [("board", 2), ("dice", 6), ("cup", 3)])
def test_it_keeps_the_contract(
    name: str, seats: int, tmp_path: Path, plugins: Plugins, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = f"new-{name}{seats}"
    folder = tmp_path / id
    assert run(["new-game", id, *FLAGS[name], "--seats", str(seats), "--out", str(folder)]) == 0
    monkeypatch.syspath_prepend(folder)
    plugins.add(GAME_GROUP, id, f"boardgames_{id.replace('-', '_')}:GAME")
    spec = find_game(id)
    game = make(id)
    assert game.seats == seats
    played = Match(game, seed=1)
    play(played, [make_agent("random", game)] * seats)
    assert {seat for step in played.steps for seat in step.joint} == set(range(seats))
    check_spec(spec)
    check_game(game, seeds=range(2))
    check_view(spec.make_view(game), seeds=range(1))
    check_encoder(make_encoder(game), seeds=range(1))
    # Whole games are played on for each node.
    check_agent(make_agent("hard", game), game, range(1), max_plies=6, budget=Budget(nodes=12))


@pytest.mark.slow
def test_it_is_formatted_linted_and_typed(tmp_path: Path) -> None:
    ruff = ["--no-cache", "--config", str(ROOT / "pyproject.toml")]
    for name, flags in FLAGS.items():
        for id in (f"a-{name}", f"a1234567-123456789-12345-{name}"):
            assert run(["new-game", id, *flags, "--out", str(tmp_path / id)]) == 0
            check(tmp_path / id, "ruff", "format", "--check", *ruff)
            check(tmp_path / id, "ruff", "check", *ruff)
        check(tmp_path / id, "mypy", f"--cache-dir={tmp_path / 'cache'}")


def check(folder: Path, *words: str) -> None:
    done = subprocess.run([sys.executable, "-m", *words], cwd=folder, capture_output=True)
    assert not done.returncode, done.stdout.decode() + done.stderr.decode()
