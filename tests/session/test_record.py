"""How somebody has done so far, as the end of a game tells it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from boardgames_cli.session.opening import open_session
from boardgames_cli.session.parting import next_opponent, played_game, record_of
from boardgames_cli.session.session import Session
from boardgames_cli.session.settings import Settings, Setup
from boardgames_cli.storage.played_games import PlayedGame, add_result
from tests.session.test_saving import go_on

ANN, BOT = "Ann", "random"


def table(folder: Path, *seats: str) -> Session:
    settings = Settings(save_folder=folder, results_file=folder / "results.jsonl")
    return open_session(Setup("kuhn", {"hands": 1}, seats), settings)


def played(path: Path, rival: str, returns: Sequence[float], game: str = "kuhn") -> None:
    number = len(path.read_text().splitlines()) if path.exists() else 0
    names = (ANN, rival)
    add_result(path, PlayedGame(str(number), game, "now", (0,), names, tuple(returns)))


def test_only_games_of_this_kind_against_these_rivals_count(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    session = table(tmp_path, f"human:{ANN}", BOT)
    played(path, BOT, (1, -1), game="senet")
    played(path, BOT, (-1, 1))
    assert record_of(session, path) == [], "one game is no record"
    played(path, BOT, (0, 0))
    played(path, BOT, (1, -1))
    assert record_of(session, path) == ["Ann against random: 1 of 3 won, 1 drawn."]
    played(path, "rock", (1, -1))
    assert record_of(session, path) == [
        "Ann against random: 1 of 3 won, 1 drawn.",
        "Ann in all: 2 of 4 won, 1 drawn.",
    ]
    session.close()


def test_an_agent_on_several_seats_is_one_rival(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    settings = Settings(save_folder=tmp_path, results_file=path)
    seats = (f"human:{ANN}", "random", "random", "simple")
    session = open_session(Setup("pommerman", {}, seats), settings)
    assert session.names == (ANN, "random B", "random C", "medium")
    assert played_game(session).names == (ANN, "random", "random", "medium")
    names = (ANN, "random", "random", "medium")
    for number in range(2):
        lost = PlayedGame(str(number), "pommerman", "now", (0,), names, (-1, -1, 1, -1))
        add_result(path, lost)
    assert record_of(session, path) == ["Ann against random: 0 of 2 won."]
    session.close()


def test_an_opponent_of_the_ladder_has_the_last_word_and_leads_to_the_next(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    session = table(tmp_path, f"human:{ANN}", "Dizzy")
    while not session.match.is_over:
        go_on(session)
    has_won = session.match.returns[0] > 0
    said = "I flipped a coin. Wrong side." if has_won else "Did I bet? I won anyway!"
    assert record_of(session, path)[0] == f'(@_@) Dizzy: "{said}"'
    assert next_opponent(session, path) is None
    for _ in range(2):
        played(path, "Dizzy", (1, -1))
    ahead = next_opponent(session, path)
    assert ahead is not None
    assert ahead.name == "Curious Cora"
    assert next_opponent(table(tmp_path, f"human:{ANN}", BOT), path) is None
    session.close()


def test_a_file_that_cannot_be_read_costs_the_record_alone(tmp_path: Path) -> None:
    session = table(tmp_path, f"human:{ANN}", BOT)
    (tmp_path / "results.jsonl").mkdir()
    assert record_of(session, tmp_path / "results.jsonl") == []
    session.close()
