"""An agent's file may come with the game, and is then named without a path of this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardgames_cli.algorithms.learned_file import LearnedFileError
from boardgames_cli.registry import file_of, make, make_agent

NAMED = [
    ("kuhn", "cfr:file=data/equilibrium.json"),
    ("tapnswap", "q-table:file=data/q-table.jsonl"),
]


@pytest.mark.parametrize(("id", "text"), NAMED)
def test_data_is_the_folder_of_the_game_wherever_the_program_runs(
    id: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    make_agent(text, make(id)).reset(make(id), 0)


def test_what_does_not_come_with_the_game_is_a_file_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = make("kuhn")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert file_of(game, "data/mine.json") == Path("data/mine.json")
    assert file_of(game, "data/../rules.py") == Path("data/../rules.py")
    assert file_of(game, "~/data/equilibrium.json") == tmp_path / "data/equilibrium.json"
    with pytest.raises(LearnedFileError, match="data/mine"):
        make_agent("cfr:file=data/mine.json", game)
