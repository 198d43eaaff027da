"""Keeping a save up to date: what is said when that fails, and where a game can go on."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardgames_cli.core.errors import EXIT_FILE, StorageError
from boardgames_cli.session.opening import open_session, resume_session
from boardgames_cli.session.parting import closing_message
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.settings import Settings, Setup
from boardgames_cli.storage import files
from boardgames_cli.storage.reading import load_record, restore
from boardgames_cli.storage.store import Store


@contextlib.contextmanager
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A disk on which half of what is written still fits."""

    def write_half(descriptor: int, data: bytes) -> None:
        os.write(descriptor, data[: len(data) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(files, "write_all", write_half)
        yield


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    made = open_session(
        Setup("senet", seats=("human", "random"), seed=2), Settings(save_folder=tmp_path)
    )
    go_on(made, 4)
    yield made
    made.close()


def go_on(session: Session, steps: int = 1) -> None:
    for _ in range(steps):
        seat = session.match.waiting_for[0]
        if seat < 0:
            session.resolve_chance()
        else:
            session.submit(seat, session.observe(seat).legal[0])


def on_disk(path: Path) -> int:
    return restore(load_record(path)).ply


def remarks(session: Session) -> list[str]:
    return [line.text for line in session.log.remarks]


def test_nothing_raises_while_the_disk_is_full(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert session.journal is not None
    with full_disk(monkeypatch):
        go_on(session, 3)
        session.remark("Ann took a hint.")
        go_on(session, 2)
        assert session.saving.warning == "Not saved: 5 steps (No space left on device)."
        assert session.saving.exit_code(0) == session.saving.exit_code(143) == EXIT_FILE
        assert on_disk(session.journal.path) == 4
    told = remarks(session)
    assert [text.startswith("This game is not being saved: ") for text in told] == [True, False]
    session.remark("Ben took a hint.")
    assert remarks(session)[2:] == [
        "Ben took a hint.", "The game is being saved again; nothing is missing.",
    ]  # fmt: skip
    assert session.saving.warning == ""
    assert session.saving.exit_code(143) == 143
    assert on_disk(session.journal.path) == 9
    assert [text for _, text in load_record(session.journal.path).notes] == remarks(session)


def test_an_undo_that_is_not_saved_counts_too(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    while session.next_event() is not Event.HUMAN:
        go_on(session)
    assert session.journal is not None
    go_on(session)
    with full_disk(monkeypatch):
        session.undo()
        assert session.saving.missing == "the last change"
        go_on(session)
        assert session.saving.missing == "1 step"
        session.redo if session.match.can_redo else session.undo()
        assert session.saving.exit_code(0) == EXIT_FILE
    session.close()
    assert session.saving.is_complete, "closing tries once more"
    assert on_disk(session.journal.path) == session.match.ply


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("usb", "usb/senet-1.jsonl"),
        ("new folder/", "new folder/senet-1.jsonl"),
        ("usb/evening", "usb/evening.jsonl"),
        ("usb/evening.jsonl", "usb/evening.jsonl"),
        ("usb/v1.2", "usb/v1.2.jsonl"),
        ("~/evening", "home/evening.jsonl"),
        ("evening", "evening.jsonl"),
    ],
)
def test_a_game_goes_on_in_another_place(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, place: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for folder in ("usb", "home"):
        (tmp_path / folder).mkdir()
    with full_disk(monkeypatch):
        go_on(session, 3)
    target = tmp_path / place
    assert session.saving.move(text).resolve() == target
    assert session.saving.is_complete
    go_on(session, 2)
    assert (on_disk(target), on_disk(tmp_path / "senet-1.jsonl")) == (9, 4)
    assert target.stat().st_mode & 0o777 == 0o600
    with pytest.raises(StorageError, match="another window"):
        Store(tmp_path).resume(str(target))
    assert session.journal is not None
    said = closing_message(session, Settings(save_folder=tmp_path))
    where = f"evening --save-dir {tmp_path}" if text == "evening" else str(session.journal.path)
    assert f"boardgames resume {where}" in said.replace("'", "")
    session.close()
    resume_session(str(target), Settings()).close()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("senet-1", "already exists"),
        ("no/such/folder", "No such file or directory"),
        ("a\0b", "null"),
        ("a\0b/", "null"),
        ("~nobody-of-that-name/x", "home"),
        ("senet-1.jsonl/x", "Not a directory"),
        ("x" * 300, "too long"),
    ],
)
def test_a_place_that_can_not_be_changes_nothing(
    session: Session, monkeypatch: pytest.MonkeyPatch, text: str, why: str
) -> None:
    assert session.journal is not None
    before = session.journal.path
    monkeypatch.chdir(before.parent)
    with pytest.raises(StorageError, match=why) as caught:
        session.saving.move(text)
    assert caught.value.todo
    go_on(session)
    assert (session.journal.path, on_disk(before)) == (before, 5)


def test_a_copy_has_what_the_save_has_not(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with full_disk(monkeypatch):
        go_on(session, 3)
        with pytest.raises(StorageError, match="No space left"):
            session.saving.keep_copy("copy")
    path = session.saving.keep_copy("copy")
    assert (on_disk(path), on_disk(tmp_path / "senet-1.jsonl")) == (7, 4)


def test_a_torn_save_on_a_full_disk_can_be_played(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.close()
    path = tmp_path / "senet-1.jsonl"
    with path.open("a") as file:
        file.write('{"chan')
    with full_disk(monkeypatch):
        again = resume_session("senet-1", Settings(save_folder=tmp_path))
        go_on(again)
        assert again.saving.missing == "1 step"
    go_on(again)
    again.close()
    assert (on_disk(path), load_record(path).torn) == (6, False)


def test_what_was_discarded_stays_away(session: Session, tmp_path: Path) -> None:
    session.saving.discard()
    go_on(session, 2)
    session.remark("too late")
    session.close()
    assert list(tmp_path.iterdir()) == []
    assert session.saving.exit_code(0) == 0


def test_what_took_the_place_of_a_save_is_not_discarded(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "senet-1.jsonl"
    path.unlink()
    path.write_text("somebody else's")
    session.saving.discard()
    assert path.read_text() == "somebody else's"


def test_without_a_save_there_is_nothing_to_miss() -> None:
    session = open_session(Setup("senet", seats=("human", "random")), Settings(save=False))
    go_on(session, 3)
    assert (session.saving.warning, session.saving.retry()) == ("", True)
    for what in (session.saving.move, session.saving.keep_copy):
        with pytest.raises(StorageError, match="not saved"):
            what("x")
    session.close()
