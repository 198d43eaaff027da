"""Where things are kept: what was chosen, then the environment, then a folder here, then home."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardgames_cli.storage.paths import SAVES_VARIABLE, data_folder, log_file, save_folders


@pytest.fixture(autouse=True)
def home(clean_environment: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv(SAVES_VARIABLE)
    return clean_environment


@pytest.mark.parametrize(
    ("variable", "has_folder", "chosen", "expected"),
    [
        (None, False, None, "data/boardgames/saves"),
        (None, True, None, "data/boardgames/saves"),
        ("elsewhere", True, None, "elsewhere"),
        ("", True, None, "data/boardgames/saves"),  # an empty variable says nothing
        ("elsewhere", True, Path("mine"), "mine"),
    ],
)
def test_where_saves_are(
    home: Path, monkeypatch: pytest.MonkeyPatch, variable: str | None, has_folder: bool,
    chosen: Path | None, expected: str,
) -> None:  # fmt: skip
    if variable is not None:
        monkeypatch.setenv(SAVES_VARIABLE, variable)
    if has_folder:
        (home / "saves").mkdir()
    assert save_folders(chosen)[0].absolute() == home / expected
    assert not (home / expected).exists(), "asking makes nothing"


def test_a_file_of_that_name_is_no_folder(home: Path) -> None:
    (home / "saves").write_text("about my saves")
    assert save_folders()[0] == data_folder() / "saves"


def test_errors_are_logged_outside_of_the_saves(home: Path) -> None:
    assert log_file().name == "errors.log"
    assert log_file().is_relative_to(home / "state")
    assert not log_file().is_relative_to(data_folder())
