"""The folder of saves."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.core.errors import StorageError
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.storage.files import LockedFile
from boardgames_cli.storage.reading import load_record
from boardgames_cli.storage.store import Store, new_header
from boardgames_cli.testing.scene import one_step

SEATS = ("human:name=Ann", "random")


@pytest.fixture
def saves(tmp_path: Path) -> Store:
    return Store(tmp_path / "saves")


def save(saves: Store, plies: int = 30, seed: int = 4, **options: Any) -> tuple[str, AnyMatch]:
    game = Senet(**options)
    journal = saves.create(new_header(game, seed=seed, seats=SEATS))
    match: AnyMatch = Match(game, seed=seed)
    while match.waiting_for and match.ply < plies:
        one_step(match)
        journal.record(match)
    journal.close()
    return journal.name, match


def reopened(saves: Store, name: str) -> AnyMatch:
    match, journal, _ = saves.resume(name)
    journal.close()
    return match


def test_names_count_upwards_and_are_not_used_again_too_soon(saves: Store) -> None:
    assert [save(saves, 1)[0] for _ in range(3)] == ["senet-1", "senet-2", "senet-3"]
    saves.delete("senet-2")
    assert save(saves, 1)[0] == "senet-4"
    assert sorted(saves.names()) == ["senet-1", "senet-3", "senet-4"]


def test_a_name_taken_in_the_last_moment_is_passed_over(
    saves: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = LockedFile.create
    calls = []

    def slow(path: Path, data: bytes) -> LockedFile:
        calls.append(path.stem)
        if len(calls) == 1:
            real(path, b"another window was faster\n").close()
        return real(path, data)

    monkeypatch.setattr(LockedFile, "create", slow)
    assert save(saves, 1)[0] == "senet-2"
    assert calls == ["senet-1", "senet-2"]


def test_the_list_has_the_last_used_first_and_says_what_is_wrong(saves: Store) -> None:
    for age, plies in enumerate((10, 10**6, 20)):
        name, _ = save(saves, plies)
        os.utime(saves.find(name), (1000 + age, 1000 + age))
    (saves.folder / "broken.jsonl").write_text("nonsense\n")
    os.utime(saves.folder / "broken.jsonl", (1003, 1003))
    (saves.folder / "notes.txt").write_text("not a save")
    broken, third, second, first = saves.summaries()
    assert [broken.name, third.name, second.name, first.name] == list(saves.names())
    assert "broken.jsonl, line 1: this can't be read as JSON" in broken.problem
    assert (third.plies, third.is_finished, third.problem) == (20, False, "")
    assert (second.is_finished, sorted(second.result or ())) == (True, [-1.0, 1.0])
    latest = saves.latest()
    assert latest is not None
    assert latest.name == third.name


def test_an_empty_or_missing_folder_has_no_saves(saves: Store) -> None:
    assert (list(saves.names()), saves.summaries(), saves.latest()) == ([], [], None)
    assert not saves.folder.exists()


@pytest.mark.parametrize(
    "name", ["nothing", "", "../secret", "a\0b", "x" * 5000], ids=lambda name: name[:9]
)
def test_a_save_that_is_not_there(saves: Store, name: str) -> None:
    save(saves, 1)
    with pytest.raises(StorageError, match="there is no save") as caught:
        load_record(saves.find(name))
    assert caught.value.todo == "Saves: senet-1"


def test_a_file_whose_name_is_no_name_of_a_save_is_listed_by_its_path(saves: Store) -> None:
    saves.folder.mkdir(parents=True, exist_ok=True)
    nameless = saves.folder / ".jsonl"
    nameless.write_text("{")
    assert list(saves.names()) == [str(nameless)]
    with pytest.raises(StorageError, match="there is no save"):
        saves.find("senet-1")


def test_a_whole_save_is_written_under_a_new_name(saves: Store) -> None:
    name, match = save(saves, 5)
    data = saves.find(name).read_bytes()
    path = saves.keep("before-the-storm", data)
    assert path.read_bytes() == data
    assert reopened(saves, "before-the-storm").steps == match.steps
    with pytest.raises(StorageError, match=r"there is a save .* already"):
        saves.keep("before-the-storm", data)
    for bad in ("", "../up", "a b", ".hidden", "x" * 81, "a/b", "\N{SNOWMAN}"):
        with pytest.raises(StorageError, match="can't be the name") as caught:
            saves.keep(bad, data)
        # The message must leave room for the remedy in a line of the screen.
        assert len(caught.value.message) < 60
        assert "at most 80" in caught.value.todo


def test_a_save_torn_inside_a_letter_is_copied_and_resumed(saves: Store) -> None:
    name, match = save(saves, 5)
    with saves.find(name).open("ab") as file:
        file.write('{"note": "é'.encode()[:-1])
    saves.keep("copy", saves.find(name).read_bytes())
    for each in (name, "copy"):
        again, journal, record = saves.resume(each)
        journal.close()
        assert record.torn
        assert again.steps == match.steps
        assert not load_record(saves.find(each)).torn


def test_a_last_line_without_its_end_is_completed_before_going_on(saves: Store) -> None:
    name, match = save(saves, 5)
    path = saves.find(name)
    path.write_bytes(path.read_bytes()[:-1])
    again, journal, record = saves.resume(name)
    assert (record.torn, record.unterminated, again.ply) == (False, True, 5)
    one_step(again)
    journal.record(again)
    journal.close()
    assert load_record(saves.find(name)).restore(match.game).ply == 6


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission(saves: Store) -> None:
    name, _ = save(saves, 5)
    saves.folder.chmod(0o500)
    try:
        with pytest.raises(StorageError, match="can't be written") as caught:
            save(saves)
        assert "--save-dir" in caught.value.todo
        with pytest.raises(StorageError, match="can't be deleted"):
            saves.delete(name)
    finally:
        saves.folder.chmod(0o700)


def test_a_save_that_is_a_folder_is_not_there(saves: Store) -> None:
    (saves.folder / "odd.jsonl").mkdir(parents=True)
    assert list(saves.names()) == []
    with pytest.raises(StorageError):
        load_record(saves.find("odd"))


def test_other_json_is_no_save(saves: Store) -> None:
    saves.folder.mkdir(parents=True, exist_ok=True)
    (saves.folder / "table.jsonl").write_text('{"boardgames q-table": 1}\n')
    assert (list(saves.names()), saves.summaries()) == ([], [])
