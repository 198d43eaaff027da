"""A save belongs to the window that plays it, whatever happens to its name meanwhile."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.core.errors import StorageError
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.session.opening import open_session, resume_session
from boardgames_cli.session.session import Session
from boardgames_cli.session.settings import Settings, Setup
from boardgames_cli.storage import files
from boardgames_cli.storage.files import LockedFile
from boardgames_cli.storage.journal import SaveGoneError
from boardgames_cli.storage.reading import LARGEST_SAVE, load_record, restore
from boardgames_cli.storage.store import Store, new_header
from boardgames_cli.testing.scene import one_step
from tests.session.test_saving import go_on

SETUP = Setup("senet", seats=("random", "random"), seed=1)


def table(folder: Path, steps: int = 5) -> Session:
    session = open_session(SETUP, Settings(save_folder=folder))
    go_on(session, steps)
    return session


def take_back(session: Session, steps: int = 1) -> None:
    for _ in range(steps):
        session.match.undo()
    session.saving.rewrite()


def on_disk(session: Session) -> AnyMatch:
    assert session.journal is not None
    return restore(load_record(session.journal.path))


def remarks(session: Session) -> str:
    return "\n".join(line.text for line in session.log.remarks)


def test_a_save_that_is_played_is_not_deleted(tmp_path: Path) -> None:
    session = table(tmp_path)
    store = Store(tmp_path)
    with pytest.raises(StorageError, match="senet-1 is open in another window"):
        store.delete("senet-1")
    take_back(session)
    with pytest.raises(StorageError, match="senet-1 is open in another window"):
        store.delete("senet-1")
    session.close()
    store.delete("senet-1")
    assert list(store.names()) == []


def test_a_name_that_another_game_has_now_is_left_to_it(tmp_path: Path) -> None:
    mine = table(tmp_path, 9)
    (tmp_path / "senet-1.jsonl").unlink()
    theirs = table(tmp_path, 3)
    assert theirs.journal is not None
    assert mine.journal is not None
    assert theirs.journal.name == "senet-1"
    take_back(mine)
    go_on(mine, 4)
    go_on(theirs, 2)
    assert (on_disk(mine).steps, on_disk(theirs).steps) == (mine.match.steps, theirs.match.steps)
    assert mine.journal.name == "senet-2"
    assert "senet-1.jsonl was removed or replaced by another program. It goes on as" in remarks(
        mine
    )
    assert not remarks(theirs)
    for session in (mine, theirs):
        session.close()
        assert session.saving.exit_code(0) == 0


@pytest.mark.parametrize("first", [go_on, take_back])
def test_a_save_that_has_vanished_is_written_anew(tmp_path: Path, first: Any) -> None:
    session = table(tmp_path / "saves", 9)
    shutil.rmtree(tmp_path / "saves")
    first(session)
    assert on_disk(session).steps == session.match.steps
    go_on(session, 2)
    assert on_disk(session).steps == session.match.steps
    assert remarks(session).count("by another program") == 1
    assert "by another program" in load_record(tmp_path / "saves" / "senet-1.jsonl").notes[0][1]
    with pytest.raises(StorageError, match="another window"):
        Store(tmp_path / "saves").resume("senet-1")
    session.close()
    again = resume_session("senet-1", Settings(save_folder=tmp_path / "saves"))
    assert again.match.steps == session.match.steps
    again.close()


def test_a_save_with_a_name_of_its_own_goes_on_under_the_next(tmp_path: Path) -> None:
    table(tmp_path).close()
    Store(tmp_path).keep("evening", (tmp_path / "senet-1.jsonl").read_bytes())
    session = resume_session("evening", Settings(save_folder=tmp_path))
    other = tmp_path / "new"
    other.write_text("something else")
    other.replace(tmp_path / "evening.jsonl")
    go_on(session)
    assert session.journal is not None
    assert session.journal.name == "evening-1"
    assert (tmp_path / "evening.jsonl").read_text() == "something else"
    session.close()


def test_a_journal_never_writes_into_a_file_that_is_not_its_own(tmp_path: Path) -> None:
    journal = Store(tmp_path).create(new_header(Senet(), seed=1, seats=("random", "random")))
    match: AnyMatch = Match(Senet(), seed=1)
    one_step(match)
    moved = tmp_path / "moved"
    journal.path.rename(moved)
    journal.path.symlink_to(os.devnull)
    for write in (journal.record, journal.rewrite, lambda match: journal.note(match, "x")):
        with pytest.raises(SaveGoneError, match="removed or replaced"):
            write(match)
    assert journal.path.is_symlink()
    assert len(moved.read_text().splitlines()) == 1
    journal.recreate(match)
    assert restore(load_record(journal.path)).steps == match.steps
    journal.close()


def test_who_lost_a_save_by_a_take_over_can_acknowledge_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = Match(Senet(), seed=9)
    journal = Store(tmp_path).create(new_header(Senet(), seed=9, seats=("random", "random")))
    one_step(match)
    journal.record(match)
    append = LockedFile.append

    is_asleep = iter([True])

    def wake_too_late(file: LockedFile, data: bytes) -> None:
        if not next(is_asleep, False):
            return append(file, data)
        other = LockedFile.take_over(file.path, LARGEST_SAVE)  # after the check, before the write
        append(file, data)
        return other.close()

    monkeypatch.setattr(LockedFile, "append", wake_too_late)
    one_step(match)
    with pytest.raises(SaveGoneError):
        journal.record(match)
    assert restore(load_record(journal.path)).ply == 1
    journal.close()


def test_what_is_written_during_a_take_over_is_in_the_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    old = LockedFile.create(path, b"one\n")
    replace = files._replace

    def write_meanwhile(path: Path, data: bytes, mode: int) -> int:
        old.append(b"two\n")
        return replace(path, data, mode)

    monkeypatch.setattr(files, "_replace", write_meanwhile)
    new = LockedFile.take_over(path, 100)
    assert path.read_bytes() == b"one\ntwo\n"
    assert new.is_in_place
    assert not old.is_in_place
    old.close()
    new.close()


def test_who_deletes_a_file_leaves_the_one_that_has_just_taken_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    mine = LockedFile.create(path, b"mine")
    others: list[LockedFile] = []
    is_at, is_first = files.is_at, iter([True])

    def and_then_it_is_taken_over(path: Path, file: os.stat_result) -> bool:
        if not next(is_first, False):
            return is_at(path, file)
        others.append(LockedFile.take_over(path, 100))
        others[0].append(b" no more")
        return True  # as it was just before

    monkeypatch.setattr(files, "is_at", and_then_it_is_taken_over)
    mine.unlink()
    assert others[0].is_in_place
    assert path.read_bytes() == b"mine no more"
    assert [*tmp_path.iterdir()] == [path]
    others[0].unlink()
    assert not [*tmp_path.iterdir()]
