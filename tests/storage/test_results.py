from __future__ import annotations

from pathlib import Path
from typing import Any

from boardgames_cli.storage.played_games import (
    PlayedGame,
    ResultTally,
    add_result,
    read_results,
    statistics,
)


def game(
    id: str, *returns: float, names: tuple[str, ...] = ("Ann", "hard"), **more: Any
) -> PlayedGame:
    return PlayedGame(id, "senet", "2026-01-01T10:00:00", (0,), names, returns, **more)


def test_a_game_that_ended_twice_counts_once(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    for played in (game("a", -1, 1), game("b", 1, -1), game("a", 1, -1)):
        add_result(file, played)
    assert [played.id for played in read_results(file)[0]] == ["b", "a"]
    assert statistics(read_results(file)[0])[0].total == ResultTally(2, 2, 0, 0)


def test_damaged_lines_are_left_out_and_counted(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    add_result(file, game("a", 1, -1))
    with file.open("a") as stream:
        stream.write('{"id":"b"}\n[1]\n\n{"id":"c","game":"senet","ended":"","people":[7],')
        stream.write('"names":["x"],"returns":[1]}\n{"id":"d","ga')
    assert read_results(file) == ([game("a", 1, -1)], 4)


def test_statistics() -> None:
    games = [
        game("a", 1, -1),
        game("b", 1, -1, hints=1),
        game("c", -1, 1, names=("Ann", "medium")),
        game("d", 0, 0),
        game("e", 1, -1),
    ]
    (found,) = statistics(games)
    assert (found.game, found.player, found.total) == ("senet", "Ann", ResultTally(5, 3, 1, 1))
    assert found.opponents == {"hard": ResultTally(4, 3, 1, 0), "medium": ResultTally(1, 0, 0, 1)}
    assert (found.best, found.assisted) == (1, 1)


def test_partners_are_no_opponents() -> None:
    names = ("Ann", "foe", "Ben", "rival")
    played = PlayedGame("a", "pommerman", "", (0, 2), names, (1, -1, 1, -1))
    ann, ben = statistics([played])
    assert (ann.player, ben.player) == ("Ann", "Ben")
    assert ann.opponents == ben.opponents == {"foe": ResultTally(1, 1), "rival": ResultTally(1, 1)}
