"""Small files that several windows change: nothing is lost, nothing is damaged."""

from __future__ import annotations

import datetime
import errno
import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.core.errors import StorageError
from boardgames_cli.storage import files
from boardgames_cli.storage.played_games import PlayedGame, add_result, read_results
from boardgames_cli.storage.practice import (
    add_cards,
    note_card,
    note_progress,
    read_deck,
    read_progress,
)
from boardgames_cli.storage.preferences import PreferencesFile

WRITERS = {
    "puzzles": "from boardgames_cli.storage.practice import note_progress\n"
    "for at in range(20): note_progress(path, f'{me}-{at}', 1)",
    "forms": "from boardgames_cli.storage.preferences import PreferencesFile\n"
    "for at in range(20): PreferencesFile(path).remember(forms={f'{me}-{at}': {'a': 'b'}})",
    "results": "from boardgames_cli.storage.played_games import *\n"
    "for at in range(20):\n"
    "    played = PlayedGame(f'{me}-{at}', 'kuhn', '', (0,), ('A', 'B'), (1.0, -1.0))\n"
    "    add_result(path, played)",
}


@pytest.mark.parametrize("kind", WRITERS)
def test_two_windows_lose_nothing(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "file"
    start = f"from pathlib import Path\nimport sys\nme, path = sys.argv[1], Path({str(path)!r})\n"
    words = [sys.executable, "-c", start + WRITERS[kind]]
    programs = [subprocess.Popen([*words, me]) for me in "xyz"]
    assert [program.wait(60) for program in programs] == [0, 0, 0]
    names = {f"{me}-{at}" for me in "xyz" for at in range(20)}
    if kind == "puzzles":
        found = set(read_progress(path).solved)
    elif kind == "forms":
        found = set(PreferencesFile(path).read().forms)
    else:
        found = {game.id for game in read_results(path)[0]}
    assert found == names
    assert list(tmp_path.iterdir()) == [path]


def game(id: str) -> PlayedGame:
    return PlayedGame(id, "kuhn", "2026-11-23", (0,), ("Ann", "Ben"), (1.0, -1.0))


@pytest.mark.parametrize("cut", [1, 10, 40])
def test_a_torn_line_swallows_no_game(tmp_path: Path, cut: int) -> None:
    results = tmp_path / "results.jsonl"
    add_result(results, game("1"))
    add_result(results, game("2"))
    os.truncate(results, results.stat().st_size - cut)
    add_result(results, game("3"))
    games, unreadable = read_results(results)
    whole = ["1", "2", "3"] if cut == 1 else ["1", "3"]
    assert ([one.id for one in games], unreadable) == (whole, 0 if cut == 1 else 1)


def test_a_full_disk_leaves_no_half_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = tmp_path / "results.jsonl"
    add_result(results, game("1"))
    before = results.read_bytes()

    def write(descriptor: int, data: bytes) -> None:
        os.write(descriptor, bytes(data)[:7])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files, "write_all", write)
    with pytest.raises(StorageError, match="No space left"):
        add_result(results, game("2"))
    assert results.read_bytes() == before


@pytest.mark.parametrize(
    "text",
    [
        'forms.kuhn.hands = "3"\n',
        '# mine\nforms.kuhn.hands = "3" # three\npace = "slow"\n',
        '[forms]\nkuhn.hands = "3"\n',
        '[forms.kuhn]\nhands = "3" # three\n',
        'forms = {kuhn = {hands = "3"}}\n',
        'keymap."game.hint" = "f2"\nforms."kuhn".hands = "3"\n',
    ],
)
def test_preferences_in_any_form_of_toml_stay_whole(tmp_path: Path, text: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text)
    expected: dict[str, Any] = tomllib.loads(text)
    changes: list[Mapping[str, Any]] = [
        {"forms": {"senet": {"rules": "skyruk"}}},
        {"theme": "dark"},
        {"forms": {"kuhn": {"hands": "5"}}, "last_game": "kuhn"},
        {"names": ("Ann", "Ben")},
    ]
    for values in changes:
        PreferencesFile(path).remember(**values)
        for name, value in values.items():
            plain = list(value) if isinstance(value, tuple) else value
            expected[name] = expected.get(name, {}) | plain if name == "forms" else plain
        assert tomllib.loads(path.read_text()) == expected
    assert path.read_text().count("# mine") == text.count("# mine")


DAMAGED = [
    *(("the progress of puzzles", text) for text in (
        "{", "[]", '{"days": []}', '{"solved": []}', '{"solved": {"a": -1}}',
        '{"solved": {}, "other": 0}',
    )),
    *(("the deck of the drill", text) for text in (
        "{", "[]", '{"cards": 1, "games": []}', '{"cards": {"a": {"puzzle": {}}}, "games": []}',
        '{"cards": {"a": {"puzzle": {"game": "x"}, "due": "soon"}}, "games": []}',
    )),
]  # fmt: skip


@pytest.mark.parametrize(("what", "text"), DAMAGED)
def test_a_damaged_file_is_refused_and_kept(what: str, text: str, tmp_path: Path) -> None:
    file, today = tmp_path / "file.json", datetime.date.today()
    file.write_text(text)
    is_deck = what == "the deck of the drill"
    with pytest.raises(StorageError, match=what):
        (read_deck if is_deck else read_progress)(file)
    with pytest.raises(StorageError, match=what):
        note_card(file, "a", 1, today) if is_deck else note_progress(file, "a", 1)
    assert file.read_text() == text


def test_what_is_private_is_private_in_every_file(tmp_path: Path) -> None:
    cards = {"what?": {"id": "a", "game": "kuhn"}}
    add_cards(tmp_path / "drill.json", "g", cards, datetime.date.today())
    note_progress(tmp_path / "puzzles.json", "a", 1)
    PreferencesFile(tmp_path / "config.toml").remember(last_game="kuhn")
    add_result(tmp_path / "results.jsonl", game("1"))
    assert {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {0o600}
    assert len(list(tmp_path.iterdir())) == 4
