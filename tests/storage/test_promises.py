"""What docs/file-formats.md promises of all files, asked of every reader of files."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from boardgames_cli.algorithms.action_value_table import read_table
from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.algorithms.strategy import read_strategy
from boardgames_cli.cli.tournament import read_positions
from boardgames_cli.core.errors import EXIT_FILE, GameError, StorageError
from boardgames_cli.core.match import Match
from boardgames_cli.evaluation.puzzles import bundled_puzzles, read_puzzles, write_puzzles
from boardgames_cli.evaluation.review_result import to_json
from boardgames_cli.evaluation.reviewer import (
    FORMAT,
    ReviewedGame,
    digest_of,
    load_review,
    review_key,
    review_of,
)
from boardgames_cli.online.client.arrival import KeptSeat, KeptSeats
from boardgames_cli.registry import find_game, make
from boardgames_cli.session.opening import POSITIONS
from boardgames_cli.storage.played_games import PlayedGame, read_results
from boardgames_cli.storage.practice import (
    DrillCard,
    DrillDeck,
    note_card,
    note_progress,
    read_deck,
    read_progress,
)
from boardgames_cli.storage.preferences import PreferencesFile
from boardgames_cli.storage.reading import load_record, summarize
from boardgames_cli.tournament.folder import CONFIG_FILE, RunFolder, stored_config
from boardgames_cli.tournament.players import name_entrants
from boardgames_cli.tournament.tournament_config import TournamentConfig
from tests.storage.test_drill_deck import TODAY

SAVE: Final = (Path(__file__).parents[2] / "saves/sample-kuhn.jsonl").read_text("utf-8")
SEAT: Final = KeptSeat("here:1", "ABCD", "t", "token", "nonce", "Ann")
KUHN: Final = make("kuhn", hands=1)
ANALYST: Final = analyst_for(KUHN)
REVIEWED: Final = ReviewedGame(Match(KUHN, seed=1), ("A", "B"))


class Reader(NamedTuple):
    """One way in which a file is read, with the text of a sound file."""

    text: str
    read: Callable[[Path], Any]
    name: str = "file.json"
    is_json: bool = True
    has_blanks: bool = True
    """Whether blank lines may be added."""
    has_limit: bool = True


def _record(path: Path) -> Any:
    record = load_record(path)
    return record.header, record.steps, record.result


def _summary(path: Path) -> Any:
    summary = summarize(path)
    if summary.problem:
        raise StorageError(summary.problem)
    return summary.header, summary.plies, summary.result


def _results(path: Path) -> Any:
    games, unreadable = read_results(path)
    if unreadable:
        raise StorageError("lines were left out")
    return games


def _review(path: Path) -> Any:
    with warnings.catch_warnings(record=True, action="always") as told:
        found = load_review(ReviewedGame(REVIEWED.match, REVIEWED.names, file=path), ANALYST)
    if found is None:
        raise StorageError("".join(str(one.message) for one in told))
    return found


def _kept(path: Path) -> Any:
    KeptSeats(path).keep(SEAT)
    return KeptSeats(path).find(SEAT.server, SEAT.code, None)


def _remembered(path: Path) -> Any:
    PreferencesFile(path).remember(last_game="kuhn")
    return PreferencesFile(path).read()


def _solved(path: Path) -> Any:
    return note_progress(path, "a", 1).solved, read_progress(path).solved


def _answered(path: Path) -> Any:
    return note_card(path, "a", 1, TODAY), read_deck(path).games


def _data(game: str, name: str) -> str:
    return find_game(game).data_text(name) or ""


def _policy_value(path: Path) -> Any:
    pytest.importorskip("numpy", reason="such networks need the extra `numpy`")
    from boardgames_cli.algorithms.networks.policy_value_network import read_policy_value

    return read_policy_value(path)


PLAYED: Final = PlayedGame("1", "kuhn", "2026", (0,), ("A\u2028n", "B"), (1.0, -1.0))
DECK: Final = json.dumps(
    dataclasses.asdict(DrillDeck({"a": DrillCard({"game": "kuhn"}, TODAY.isoformat())}))
)
ROW: Final = (
    '{"deal": 0, "options": 0, "seed": 1, "entrants": [0, 1], "returns": [1.0, -1.0], "plies": 5}\n'
)
NETWORK: Final = (
    '{"boardgames_policy_value_network": 1, "game": "kuhn", "rules_version": 1, "options": {}, '
    '"encoding": "e", "hidden": 2, "weights": ""}\n'
)
PLAN: Final = TournamentConfig("kuhn", name_entrants(["random", "rock"])).text()


FOUND: Final = to_json(review_of(REVIEWED, ANALYST))
REVIEW: Final = json.dumps(
    {
        "boardgames_review": FORMAT,
        "key": review_key(REVIEWED, ANALYST),
        "digest": digest_of(FOUND),
        "review": FOUND,
    }
)


def _deals(path: Path) -> object:
    (path.parent / CONFIG_FILE).write_text(PLAN)
    with contextlib.closing(RunFolder.open(path.parent)) as folder:
        return [*folder.deals({})]


READERS: Final = {
    "save": Reader(SAVE, _record),
    "list of saves": Reader(SAVE, _summary, "kuhn-1.jsonl"),
    "plan of a tournament": Reader(
        PLAN, lambda path: stored_config(path.parent), "tournament.toml", is_json=False
    ),
    "results of a tournament": Reader(ROW * 2, _deals, "results.jsonl", has_limit=False),
    "statistics": Reader(
        json.dumps(dataclasses.asdict(PLAYED), ensure_ascii=False) + "\n", _results
    ),
    "puzzles": Reader(write_puzzles(bundled_puzzles("kuhn")[:2]), read_puzzles),
    "progress": Reader('{"solved": {}, "streak": 0, "longest_streak": 0}\n', read_progress),
    "changed progress": Reader('{"solved": {}, "streak": 0, "longest_streak": 0}\n', _solved),
    "deck": Reader(DECK, read_deck),
    "changed deck": Reader(DECK, _answered),
    "preferences": Reader(
        'theme = "dark"\n\n[forms.kuhn]\nhands = "4"\n',
        lambda path: PreferencesFile(path).read(),
        is_json=False,
    ),
    "changed preferences": Reader('theme = "dark"\n# so be it\n', _remembered, is_json=False),
    "seats": Reader(json.dumps([dataclasses.asdict(SEAT)]), _kept),
    "review": Reader(REVIEW, _review),
    "Q-table": Reader(_data("tapnswap", "q-table.jsonl"), read_table, has_blanks=False),
    "strategy": Reader(_data("kuhn", "equilibrium.json"), read_strategy),
    "network": Reader(NETWORK, _policy_value),
    "position": Reader('{"hands": [[1, 1], [2, 0]],\n"player": 0}\n', POSITIONS.read_object),
    "positions": Reader(
        '{"hands": [[1, 1], [2, 0]], "player": 0}\n' * 2,
        lambda path: read_positions(path, [make("tapnswap")]),
    ),
}
SOUND: Final[dict[str, Callable[[str], bytes]]] = {
    "as it is": str.encode,
    "byte order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "CR LF": lambda text: text.replace("\n", "\r\n").encode(),
    "blank lines": lambda text: (text.replace("\n", "\n\n") + " \r\n").encode(),
}
UNSOUND: Final[dict[str, Callable[[str], bytes]]] = {
    "not UTF-8": lambda text: text.encode("utf-16"),
    "nothing like it": lambda _: b"once upon a time\n",
    "a repeated key": lambda text: text.replace("{", '{"x": 1, "x": 1, ', 1).encode(),
    "a long number": lambda text: text.replace("{", f'{{"x": 1{"0" * 300}, ', 1).encode(),
    "no number": lambda text: text.replace("{", '{"x": NaN, ', 1).encode(),
    "too deep": lambda text: text.replace("{", f'{{"x": {"[" * 101}{"]" * 101}, ', 1).encode(),
}
"""The last four are about JSON alone."""


@pytest.mark.parametrize("how", SOUND)
@pytest.mark.parametrize("kind", READERS)
def test_a_sound_file_is_read_however_it_is_written(kind: str, how: str, tmp_path: Path) -> None:
    reader = READERS[kind]
    if how == "blank lines" and not reader.has_blanks:
        return
    path, plain = tmp_path / reader.name, tmp_path / "plain" / reader.name
    plain.parent.mkdir()
    for file, content in ((plain, reader.text.encode()), (path, SOUND[how](reader.text))):
        file.write_bytes(content)
        if reader.name == "results.jsonl":
            (file.parent / "tournament.toml").write_text(PLAN)
    assert reader.read(path) == reader.read(plain)


@pytest.mark.parametrize("how", [*UNSOUND, "too large", "a pipe"])
@pytest.mark.parametrize("kind", READERS)
def test_any_other_file_is_refused_in_one_line(kind: str, how: str, tmp_path: Path) -> None:
    reader = READERS[kind]
    path = tmp_path / reader.name
    if how == "a pipe":
        os.mkfifo(path)
    elif how == "too large":
        path.write_text(reader.text)
        os.truncate(path, 200_000_000)
    else:
        path.write_bytes(UNSOUND[how](reader.text))
    about_json = how in list(UNSOUND)[2:]
    if (about_json and not reader.is_json) or (how == "too large" and not reader.has_limit):
        return
    with pytest.raises(GameError) as caught:
        reader.read(path)
    assert caught.value.exit_code == EXIT_FILE
    assert "\n" not in str(caught.value)
    assert "elete it" not in str(caught.value)
