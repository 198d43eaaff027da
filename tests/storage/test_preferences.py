from __future__ import annotations

from pathlib import Path

import pytest

from boardgames_cli.core.errors import StorageError
from boardgames_cli.storage.preferences import PreferencesFile


@pytest.fixture
def file(tmp_path: Path) -> PreferencesFile:
    return PreferencesFile(tmp_path / "config" / "config.toml")


def test_entries_that_mean_nothing_are_named(file: PreferencesFile) -> None:
    file.path.parent.mkdir()
    file.path.write_text('theem = "dark"\nlessons = ["senet"]\n')
    file.read()
    assert 'unknown entry "theem". Did you mean "theme"?' in file.remark
    assert "lessons" not in file.remark


def test_nothing_is_written_when_nothing_changes(file: PreferencesFile) -> None:
    file.remember(theme="light", forms={"senet": {"rules": "skyruk"}})
    before = file.path.stat()
    file.remember(theme="light", forms={"senet": {"rules": "skyruk"}})
    assert file.path.stat().st_mtime_ns == before.st_mtime_ns
    assert file.path.stat().st_ino == before.st_ino


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("theme = ", "is not TOML"),
        ("a = " + "[" * 5000, "is not TOML"),
        ('theme = "pink"', "theme is none of dark, light, monochrome"),
        ("pace = 3", "pace is none of"),
        ('names = "Ann"', "names is not a list of texts"),
        ("names = [1]", "names is not a list of texts"),
        ("auto_forced = 1", "auto_forced is neither true nor false"),
        ("last_game = 1", "last_game is not text"),
        ("[keymap]\nx = 1", "keymap is not a table of texts"),
        ("forms = 3", "forms is not a table of tables"),
        ("[forms]\nsenet = 3", "forms is not a table of tables"),
        ("\xff", "UTF-8"),
    ],
)
def test_a_damaged_file_is_named_and_never_written(
    file: PreferencesFile, text: str, problem: str
) -> None:
    file.path.parent.mkdir()
    file.path.write_bytes(text.encode("latin-1"))
    with pytest.raises(StorageError, match=problem) as caught:
        file.read()
    assert "config.toml" in caught.value.message
    with pytest.raises(StorageError, match=problem):
        file.remember(theme="light")
    assert file.path.read_bytes() == text.encode("latin-1")
