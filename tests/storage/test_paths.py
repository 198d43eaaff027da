"""Where things are kept: what was chosen, then the environment, then a folder here, then home."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardgames_cli.storage.paths import SAVES_VARIABLE, data_folder, log_file, save_folders


@pytest.fixture(autouse=True)
def home(clean_environment: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv(SAVES_VARIABLE)
    return clean_environment


def test_the_folder_of_the_user_is_the_last_resort(home: Path) -> None:
    assert save_folders()[0] == home / "data" / "boardgames" / "saves"
    assert save_folders()[0] == data_folder() / "saves"
    assert not save_folders()[0].exists(), "asking makes nothing"


def test_a_folder_here_comes_before_it(home: Path) -> None:
    (home / "saves").mkdir()
    assert save_folders()[0] == Path("saves")


def test_a_file_of_that_name_is_no_folder(home: Path) -> None:
    (home / "saves").write_text("about my saves")
    assert save_folders()[0] == data_folder() / "saves"


def test_the_variable_comes_before_a_folder_here(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "saves").mkdir()
    monkeypatch.setenv(SAVES_VARIABLE, "elsewhere")
    assert save_folders()[0] == Path("elsewhere")
    monkeypatch.setenv(SAVES_VARIABLE, "")
    assert save_folders()[0] == Path("saves"), "an empty variable says nothing"


def test_what_was_chosen_comes_first(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SAVES_VARIABLE, "elsewhere")
    assert save_folders(Path("mine"))[0] == Path("mine")


def test_errors_are_logged_outside_of_the_saves(home: Path) -> None:
    assert log_file().name == "errors.log"
    assert log_file().is_relative_to(home / "state")
    assert not log_file().is_relative_to(data_folder())
