"""The open save: appended, rewritten after undo, and right again after a full disk."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.storage.files import create_file, replace_file
from boardgames_cli.storage.journal import Journal
from boardgames_cli.storage.reading import load_record, restore
from boardgames_cli.storage.store import Store, new_header
from boardgames_cli.testing.scene import one_step


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    made = Store(tmp_path).create(new_header(Senet(), seed=9, seats=("random", "random")))
    yield made
    made.close()


def go_on(match: AnyMatch, journal: Journal, steps: int) -> None:
    for _ in range(steps):
        one_step(match)
        journal.record(match)


def on_disk(journal: Journal) -> AnyMatch:
    return restore(load_record(journal.path))


def test_every_step_is_on_disk_at_once(journal: Journal) -> None:
    match: AnyMatch = Match(Senet(), seed=9)
    for ply in range(1, 45):
        go_on(match, journal, 1)
        assert on_disk(journal).ply == ply


def test_undo_rewrites_and_keeps_the_notes(journal: Journal) -> None:
    match: AnyMatch = Match(Senet(), seed=9)
    go_on(match, journal, 25)
    journal.note(match, "hint taken")
    for _ in range(10):
        match.undo()
    journal.rewrite(match)
    assert on_disk(journal).steps == match.steps
    go_on(match, journal, 2)
    assert on_disk(journal).steps == match.steps
    assert load_record(journal.path).notes == ((25, "hint taken"),)
    assert [path.name for path in journal.path.parent.iterdir()] == [journal.path.name]


def test_a_finished_game_has_its_result_once(journal: Journal) -> None:
    match: AnyMatch = Match(Senet(), seed=9)
    while match.waiting_for:
        go_on(match, journal, 1)
    journal.record(match)
    text = journal.path.read_text()
    assert text.count('"result"') == 1
    assert text.splitlines()[-1].startswith('{"result"')
    match.undo()
    journal.rewrite(match)
    assert '"result"' not in journal.path.read_text()


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
