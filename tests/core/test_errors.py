"""Errors as users read them, and as worker processes send them."""

from __future__ import annotations

import importlib
import importlib.metadata
import pickle
import sys
from pathlib import Path
from types import ModuleType

import pytest

from boardgames_cli.core import errors
from boardgames_cli.core.errors import (
    LONGEST_MESSAGE,
    GameError,
    PositionError,
    RecordError,
    install_command,
)


def test_a_long_quotation_is_cut() -> None:
    error = PositionError(f"steps is {[1] * 1000!r}.", "It is 1 to 5.")
    assert len(error.message) == LONGEST_MESSAGE
    assert error.message.startswith("steps is [1, 1")
    assert "..." in error.message
    assert str(error).endswith("1, 1].   It is 1 to 5.")


def all_errors() -> list[GameError]:
    made: list[GameError] = [
        errors.UnknownNameError("game", "sennet", ["senet", "kuhn"]),
        errors.MissingPackageError("compiled rules", "numba", "fast"),
        RecordError("broken.", "Restore it.", 7),
        PositionError("x" * 1000),
    ]
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    special = (errors.UnknownNameError, errors.MissingPackageError, RecordError)
    made += [
        kind("what.", "do.")
        for kind in kinds
        if issubclass(kind, GameError) and kind not in special
    ]
    return made


@pytest.mark.parametrize("error", all_errors(), ids=lambda error: type(error).__name__)
def test_errors_pass_between_processes(error: GameError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (again.message, again.todo, str(again)) == (error.message, error.todo, str(error))
    assert vars(again) == vars(error)
    assert again.exit_code in (2, 4, 5)


def test_a_guess_is_made_only_if_one_is_near() -> None:
    error = errors.UnknownNameError("game", "sennet", ["senet", "kuhn"])
    assert error.message == 'unknown game "sennet". Did you mean "senet"?'
    assert error.todo == "Games: senet kuhn"
    assert "Did you mean" not in errors.UnknownNameError("game", "xyz", ["senet"]).message
    assert errors.UnknownNameError("level", "x", []).todo == "Levels: none"


@pytest.mark.parametrize(
    ("marks", "pip", "programs", "command"),
    [
        (["venv"], importlib, [], "{python} -m pip install 'aiohttp>=3.11.2' 'segno"),
        (["venv"], None, ["uv"], "uv pip install --python {python} 'aiohttp>=3.11.2' 'segno"),
        (["venv"], None, [], "{python} -m ensurepip && {python} -m pip install 'aiohttp>=3.11.2'"),
        (
            ["venv/pipx_metadata.json"],
            importlib,
            [],
            "pipx inject venv 'aiohttp>=3.11.2' 'segno",
        ),
        (["CACHEDIR.TAG", "venv"], None, ["uv"], "uvx --with 'aiohttp>=3.11.2' --with 'segno"),
    ],
    ids=["pip", "uv", "without pip", "pipx", "uvx"],
)
def test_an_extra_is_installed_by_what_the_environment_has(
    marks: list[str],
    pip: ModuleType | None,
    programs: list[str],
    command: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    for mark in marks:
        (tmp_path / mark).parent.mkdir(exist_ok=True)
        (tmp_path / mark).touch()
    for program in programs:
        (tmp_path / program).touch(0o755)
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "venv"))
    monkeypatch.setitem(sys.modules, "pip", pip)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert install_command("online").startswith(command.format(python=sys.executable))


def test_in_a_checkout_that_is_not_installed_its_path_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def requires(name: str) -> None:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "requires", requires)
    checkout = Path(__file__).parents[2]
    assert install_command("online").endswith(f"install '{checkout}[online]'")


def test_every_extra_has_packages_to_install() -> None:
    found = importlib.metadata.metadata("boardgames-cli").get_all("Provides-Extra", [])
    assert not [extra for extra in found if install_command(extra).endswith("install")]
