"""The folder of a tournament: made, used anew, refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardgames_cli.core.errors import GameError, StorageError
from boardgames_cli.tournament.folder import RunFolder
from boardgames_cli.tournament.players import name_entrants
from boardgames_cli.tournament.tournament_config import TournamentConfig

CONFIG = TournamentConfig("kuhn", name_entrants(["random", "rock"]), games=4)


def test_a_folder_whose_tournament_was_killed_at_once_can_be_used(tmp_path: Path) -> None:
    path = tmp_path / "killed"
    path.mkdir()
    (path / ".tournament.toml.12345678.boardgames-tmp").write_text("half of")
    with pytest.raises(StorageError, match=r"has no tournament\.toml"):
        RunFolder.open(path)
    RunFolder.create(path, CONFIG).close()
    assert sorted(file.name for file in path.iterdir()) == ["results.jsonl", "tournament.toml"]
    with pytest.raises(GameError, match="exists already"):
        RunFolder.create(path, CONFIG)
