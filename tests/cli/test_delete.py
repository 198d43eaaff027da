"""``saves delete``: saves, and nothing else, however they are named."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.conftest import Program
from tests.storage.window_of import open_elsewhere

BUNDLED = Path(__file__).parents[2] / "boardgames_cli"


@pytest.fixture
def folder(clean_environment: Path, program: Program) -> Path:
    """A folder with one save in it, and other files around."""
    assert program("play", "senet", "--seed", "1", lines=["q"]).code == 0
    here = clean_environment
    (here / "victim.jsonl").write_text('{"name": "Ann"}\n')
    (here / "notes.jsonl").write_text("dear diary\n")
    return here


@pytest.mark.parametrize(
    "name", ["../victim", "victim.jsonl", "./victim.jsonl", "notes.jsonl", "{}/victim.jsonl"]
)
def test_what_is_no_save_is_not_deleted(folder: Path, program: Program, name: str) -> None:
    name = name.format(folder)
    outcome = program("saves", "delete", name, "--yes")
    assert outcome.code == 4
    assert "not a save" in outcome.err or "there is no save" in outcome.err
    assert (folder / "victim.jsonl").exists()
    assert (folder / "notes.jsonl").exists()


def test_no_table_of_the_program_is_deleted(folder: Path, program: Program) -> None:
    tables = list(BUNDLED.rglob("*.jsonl"))
    for number, table in enumerate(tables):
        copy = folder / f"table{number}.jsonl"
        shutil.copy(table, copy)
        if table.name.startswith("sample"):
            continue
        assert "not a save" in program("saves", "delete", str(copy), "-y").err
        shutil.copy(table, folder / "saves" / copy.name)
        assert "not a save" in program("saves", "delete", copy.stem, "-y").err
        assert copy.exists()
        assert (folder / "saves" / copy.name).exists()


def test_a_save_elsewhere_is_named_whole(folder: Path, program: Program, keyboard: Program) -> None:
    other = folder / "senet-1.jsonl"
    shutil.copy(folder / "saves" / "senet-1.jsonl", other)
    asked = program("saves", "delete", "./senet-1.jsonl")
    assert f"{other} was not deleted" in asked.err
    kept = keyboard("saves", "delete", "./senet-1.jsonl", lines=["n"])
    assert f"Delete {other} for good?" in kept.err
    assert other.exists()
    assert f"{other} is deleted." in keyboard("saves", "delete", str(other), lines=["y"]).out
    assert not other.exists()
    assert (folder / "saves" / "senet-1.jsonl").exists()
    assert "Delete senet-1 for good?" in keyboard("saves", "delete", "senet-1", lines=["y"]).err
    assert not (folder / "saves" / "senet-1.jsonl").exists()


def test_a_link_is_deleted_and_not_what_it_leads_to(folder: Path, program: Program) -> None:
    link = folder / "saves" / "linked.jsonl"
    real = folder / "real.jsonl"
    shutil.move(folder / "saves" / "senet-1.jsonl", real)
    link.symlink_to(real)
    assert program("saves", "delete", "linked", "-y").code == 0
    assert not link.is_symlink()
    assert real.exists()


def test_a_save_that_is_played_in_another_process_stays(folder: Path, program: Program) -> None:
    with open_elsewhere(folder / "saves", "senet-1"):
        outcome = program("saves", "delete", "senet-1", "-y")
        assert outcome.code == 4
        assert "senet-1 is open in another window" in outcome.err
        assert "senet-1 is open in another window" in program("resume", "senet-1").err
        assert program("saves", "show", "senet-1").code == 0, "reading is allowed"
    assert program("saves", "delete", "senet-1", "-y").code == 0


def test_a_damaged_save_takes_one_short_line_of_the_list(program: Program, tmp_path: Path) -> None:
    program("play", "senet", "--save-dir", str(tmp_path), lines=["q"])
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "bad.jsonl").write_text("{")
    (tmp_path / "blank.jsonl").write_text("\n{}\n")
    listed = program("saves", "--save-dir", str(tmp_path)).out
    assert len(listed.splitlines()) == 5
    assert "unreadable" in listed
    assert "  the file is empty.\n" in listed
    assert "  its first line is blank.\n" in listed
    assert "  line 1: this can't be read as JSON.\n" in listed
    shown = program("saves", "show", "senet-1", "--save-dir", str(tmp_path)).out
    assert "notes" not in shown
