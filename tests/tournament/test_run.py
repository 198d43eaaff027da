"""Whole tournaments: what they come to depends on the description alone."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.agents.remote.process_pool import Pool
from boardgames_cli.core.errors import GameError, RecordError, StorageError
from boardgames_cli.tournament.folder import CONFIG_FILE, RESULTS_FILE, RunFolder
from boardgames_cli.tournament.players import name_entrants
from boardgames_cli.tournament.pools import Dispatcher, InProcessPool
from boardgames_cli.tournament.run import Tournament
from boardgames_cli.tournament.tournament_config import TournamentConfig
from tests.tournament.test_dispatch import Shaky

PLAIN = TournamentConfig("kuhn", name_entrants(["random", "rock", "maniac"]), games=20)
TESTED = TournamentConfig(
    "tapnswap", name_entrants(["easy", "random", "greedy"]), games=3000, sprt=(0.0, 40.0)
)


def play(config: TournamentConfig, path: Path, pool: Pool | None = None) -> Tournament:
    folder = RunFolder.open(path) if path.exists() else RunFolder.create(path, config)
    try:
        tournament = Tournament(folder.config)
        dispatcher = Dispatcher(pool or InProcessPool(), folder.config, patience=0.2)
        tournament.run(folder, dispatcher, lambda _: None)
    finally:
        folder.close()
    return tournament


def results(path: Path) -> list[dict[str, Any]]:
    lines = (path / RESULTS_FILE).read_text().splitlines()
    return [{k: v for k, v in json.loads(line).items() if k != "seconds"} for line in lines]


@pytest.mark.parametrize("config", [PLAIN, TESTED], ids=["plain", "sprt"])
def test_the_order_in_which_workers_finish_changes_nothing(
    tmp_path: Path, config: TournamentConfig
) -> None:
    one = play(config, tmp_path / "one")
    five = play(config, tmp_path / "five", Shaky({}))
    assert results(tmp_path / "one") == results(tmp_path / "five")
    assert one.tally.deals == five.tally.deals
    assert one.tests == five.tests
    plies = [[sums.plies for sums in run.tally.totals(3)] for run in (one, five)]
    assert plies[0] == plies[1]


@pytest.mark.slow
@pytest.mark.parametrize("config", [PLAIN, TESTED], ids=["plain", "sprt"])
def test_a_tournament_goes_on_from_wherever_it_was_torn(
    tmp_path: Path, config: TournamentConfig
) -> None:
    whole = play(config, tmp_path / "whole")
    data = (tmp_path / "whole" / RESULTS_FILE).read_bytes()
    wanted = results(tmp_path / "whole")
    first_game = data.index(b"\n") + 1
    for end in (0, first_game, *(round(share * len(data)) for share in (0.03, 0.5, 0.97, 1.0))):
        path = tmp_path / f"torn {end}"
        path.mkdir()
        (path / CONFIG_FILE).write_text(config.text())
        (path / RESULTS_FILE).write_bytes(data[:end])
        again = play(config, path)
        assert results(path) == wanted
        assert again.tally.deals == whole.tally.deals
        assert again.tests == whole.tests
        assert (path / RESULTS_FILE).read_bytes().endswith(b"\n")


def test_a_sequential_test_ends_its_pairing_alone(tmp_path: Path) -> None:
    config = dataclasses.replace(TESTED, records=True)
    tournament = play(config, tmp_path / "t", Shaky({}))
    assert all(test.is_decided for test in tournament.tests.values())
    lines = results(tmp_path / "t")
    games = Counter(tuple(sorted(line["entrants"])) for line in lines)
    for (lineup, _), test in tournament.tests.items():
        assert games[lineup] == 2 * test.deals < 3000
    assert len(set(games.values())) > 1
    assert tournament.tally.games == len(lines)
    assert len(list((tmp_path / "t" / "records").rglob("*.jsonl"))) == len(lines)


def test_a_sequential_test_needs_two_seats() -> None:
    config = TournamentConfig(
        "deepsea", name_entrants(["random", "greedy"]), ({"players": 3},), sprt=(0.0, 20.0)
    )
    with pytest.raises(GameError, match="two seats"):
        Tournament(config)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda text: text.replace('"deal":3', '"deal":4'), "deal 3"),
        (lambda text: text.replace("[0,1]", "[1,0]", 1), "deal 0"),
        (lambda text: text.split("\n", 1)[1], "game of deal 0 is missing at line 2"),
        (lambda text: text.replace('"seed":', '"seed":1', 1), "deal 0"),
        (lambda text: text + "\n".join(text.splitlines()[-2:]) + "\n", "more results"),
        (lambda text: "hello\n" + text, "line 1"),
        (lambda text: text.replace('"plies"', '"flies"', 1), "line 1"),
    ],
)
def test_a_damaged_or_foreign_file_is_refused_and_left_as_it_is(
    tmp_path: Path, change: Any, told: str
) -> None:
    play(PLAIN, tmp_path / "t")
    file = tmp_path / "t" / RESULTS_FILE
    damaged = change(file.read_text())
    assert damaged != file.read_text()
    file.write_text(damaged)
    with pytest.raises(RecordError, match=told):
        play(PLAIN, tmp_path / "t")
    assert file.read_text() == damaged


def test_only_one_process_can_go_on_with_a_tournament(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "t", PLAIN)
    with pytest.raises(StorageError, match="another process"):
        RunFolder.open(tmp_path / "t")
    folder.close()
    RunFolder.open(tmp_path / "t").close()


def test_folders_of_one_day_get_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = [RunFolder.create(None, PLAIN) for _ in range(2)]
    first, second = (str(folder.path) for folder in made)
    assert first.startswith("kuhn-20")
    assert second == f"{first}-2"
    for folder in made:
        folder.close()
