"""Files as they are written: whole or not at all, private, and without leaving anything behind."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.core.errors import StorageError
from boardgames_cli.core.match import Match
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.storage import files
from boardgames_cli.storage.files import (
    TEMPORARY_SUFFIX,
    create_file,
    remove_leftovers,
    replace_file,
)
from boardgames_cli.storage.reading import load_record, restore
from boardgames_cli.storage.store import Store, new_header
from boardgames_cli.testing.scene import one_step

SEATS = ("random", "random")
LEFTOVER = f".senet-1.jsonl.0a1b2c3d{TEMPORARY_SUFFIX}"


def play(store: Store, name: str, steps: int, undo: bool = False) -> None:
    """Open a save, go on with it, and close it."""
    match, journal, _ = store.resume(name)
    for _ in range(steps):
        one_step(match)
        journal.record(match)
    if undo:
        match.undo()
        journal.rewrite(match)
    journal.close()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A folder with one save of five steps."""
    store = Store(tmp_path / "saves")
    store.create(new_header(Senet(), seed=1, seats=SEATS)).close()
    play(store, "senet-1", 5)
    return store


def names(store: Store) -> set[str]:
    return {path.name for path in store.folder.iterdir()}


def test_only_our_own_temporary_files_are_removed(store: Store) -> None:
    theirs = {".senet-1.jsonl.swp", ".senet-1.jsonl.abcd", ".senet-1.jsonl.un~", "#senet-1.jsonl#"}
    for name in (*theirs, LEFTOVER):
        (store.folder / name).write_text("unsaved work")
    play(store, "senet-1", 1, undo=True)
    assert names(store) == theirs | {"senet-1.jsonl"}


def test_what_is_being_written_is_no_leftover(store: Store) -> None:
    descriptor, temporary = files._write_beside(store.folder / "other.jsonl", b"half", 0o600)
    remove_leftovers(store.folder)
    assert temporary.exists()
    os.close(descriptor)
    remove_leftovers(store.folder)
    assert not temporary.exists()


KILLED = """
import os, signal, sys
from pathlib import Path
from boardgames_cli.storage import files
from boardgames_cli.storage.store import Store
files.os.link = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
store = Store(Path(sys.argv[1]))
store.keep("copy", store.find("senet-1").read_bytes())
"""


@pytest.mark.parametrize("then", ["copy", "resume", "create"])
def test_a_killed_copy_is_cleaned_up_by_whoever_writes_next(store: Store, then: str) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(store.folder)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert len(names(store)) == 2, "it was killed while its temporary file was there"
    if then == "copy":
        store.keep("other", store.find("senet-1").read_bytes())
    elif then == "resume":
        play(store, "senet-1", 1)
    else:
        store.create(new_header(Senet(), seed=1, seats=SEATS)).close()
    assert all(name.endswith(".jsonl") for name in names(store))
    assert not (store.folder / "copy.jsonl").exists()


def test_without_hard_links_saves_are_made_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    store = Store(tmp_path)
    journal = store.create(new_header(Senet(), seed=1, seats=SEATS))
    with pytest.raises(StorageError, match="another window"):
        store.resume("senet-1")
    journal.close()
    store.create(new_header(Senet(), seed=1, seats=SEATS)).close()
    play(store, "senet-1", 5)
    data = store.find("senet-1").read_bytes()
    store.keep("copy", data)
    with pytest.raises(StorageError, match="already"):
        store.keep("copy", data)
    assert names(store) == {"senet-1.jsonl", "senet-2.jsonl", "copy.jsonl"}
    assert restore(load_record(tmp_path / "copy.jsonl")).ply == 5


def test_without_hard_links_a_full_disk_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "link", refuse)
    monkeypatch.setattr(files, "write_all", refuse)
    with pytest.raises(StorageError, match="No space left"):
        Store(tmp_path).create(new_header(Senet(), seed=1, seats=SEATS))
    assert list(tmp_path.iterdir()) == []


def test_undo_leaves_a_link_a_link(store: Store, tmp_path: Path) -> None:
    real = tmp_path / "elsewhere.jsonl"
    (store.folder / "senet-1.jsonl").rename(real)
    (store.folder / "linked.jsonl").symlink_to(real)
    play(store, "linked", 3, undo=True)
    assert (store.folder / "linked.jsonl").is_symlink()
    assert restore(load_record(real)).ply == 7
    play(store, "linked", 1)
    assert restore(load_record(real)).ply == 8
    assert {path.name for path in tmp_path.iterdir()} == {"saves", "elsewhere.jsonl"}


def test_saves_are_private(store: Store) -> None:
    old = os.umask(0)
    try:
        journal = store.create(new_header(Senet(), seed=1, seats=SEATS))
        match: Match[Any, Any, Any] = Match(Senet(), seed=1)
        one_step(match)
        journal.record(match)
        assert journal.path.stat().st_mode & 0o777 == 0o600
        match.undo()
        journal.rewrite(match)
        assert journal.path.stat().st_mode & 0o777 == 0o600
        journal.path.unlink()
        journal.recreate(match)
        journal.close()
        assert journal.path.stat().st_mode & 0o777 == 0o600
        assert store.keep("copy", journal.path.read_bytes()).stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(old)


def test_a_file_with_the_longest_name_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 249 + ".jsonl")
    create_file(path, "a text")
    assert path.read_text() == "a text"


def test_half_a_letter_is_written_as_json_names_it(store: Store) -> None:
    match, journal, _ = store.resume("senet-1")
    journal.note(match, "a name with \udcff in it")
    match.undo()
    journal.rewrite(match)
    journal.close()
    assert load_record(store.find("senet-1")).notes == ((5, "a name with \udcff in it"),)


def test_a_pipe_or_device_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    # As root, a link to a device once made a file of the device.
    pipe, link = tmp_path / "pipe", tmp_path / "link.json"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    with pytest.raises(StorageError, match=r"link\.json can't be written \(it is a device or a"):
        replace_file(link, "text")
    assert pipe.is_fifo()
    assert {path.name for path in tmp_path.iterdir()} == {"pipe", "link.json"}


def test_a_finished_game_has_its_result_once(store: Store) -> None:
    match, journal, _ = store.resume("senet-1")
    while match.waiting_for:
        one_step(match)
        journal.record(match)
    journal.record(match)
    text = journal.path.read_text()
    assert text.count('"result"') == 1
    assert text.splitlines()[-1].startswith('{"result"')
    match.undo()
    journal.rewrite(match)
    assert '"result"' not in journal.path.read_text()
    journal.close()


def test_files_have_the_usual_permissions(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        path = tmp_path / "new.txt"
        create_file(path, "one")
        assert path.stat().st_mode & 0o777 == 0o640
        replace_file(tmp_path / "other.txt", "two")
        assert (tmp_path / "other.txt").stat().st_mode & 0o777 == 0o640
        path.chmod(0o600)
        replace_file(path, "three")
        assert path.stat().st_mode & 0o777 == 0o600, "as it was"
    finally:
        os.umask(old)
