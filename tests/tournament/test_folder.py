"""The folder of a tournament: made, used anew, refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from boardgames_cli.core.errors import GameError, RecordError, StorageError
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
    with pytest.raises(GameError, match="already exists"):
        RunFolder.create(path, CONFIG)


def test_all_files_can_be_read_by_the_same_people(tmp_path: Path) -> None:
    RunFolder.create(tmp_path / "run", CONFIG).close()
    assert len({file.stat().st_mode for file in (tmp_path / "run").iterdir()}) == 1


def test_a_tournament_of_an_older_version_is_finished_by_it(tmp_path: Path) -> None:
    path = tmp_path / "tournament.toml"
    path.write_text(CONFIG.text().replace("tournament = 2", "tournament = 1"))
    with pytest.raises(RecordError, match=r"format 2\..*Finish it with version 0\.2"):
        TournamentConfig.read(path)


def test_a_tournament_that_was_killed_while_it_was_made_goes_on(tmp_path: Path) -> None:
    config = replace(CONFIG, positions=('{"cards": [null, null]}',))
    path = tmp_path / "run"
    path.mkdir()
    RunFolder.create(path, config).close()
    names = ["positions.jsonl", "results.jsonl", "tournament.toml"]
    # They are made in the order tournament.toml, positions.jsonl, results.jsonl.
    for missing in ([], ["results.jsonl"], ["results.jsonl", "positions.jsonl"]):
        for name in missing:
            (path / name).unlink()
        RunFolder.open(path).close()
        assert sorted(file.name for file in path.iterdir()) == names
