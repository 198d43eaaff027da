"""``saves delete``: saves, and nothing else, however they are named."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.conftest import Program

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
    assert "not a save" in outcome.err or "There is no save" in outcome.err
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
