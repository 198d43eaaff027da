"""What several folders of tests share."""

from __future__ import annotations

import inspect
import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from boardgames_cli import registry
from boardgames_cli.session import hint_thread, tutor

# How fast the machine is, and what else it does, is nothing that a law depends on.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of `tests.campaigns`; only this file is read early enough to declare them."""
    group = parser.getgroup("campaigns", "random campaigns against the whole program")
    group.addoption(
        "--campaign-size",
        choices=("small", "medium", "large"),
        default="small",
        help="small: seconds, for every run; large: the full numbers, by hand; medium: a tenth",
    )
    group.addoption("--campaign-seed", type=int, default=1, help="all chance derives from it")
    group.addoption("--campaign-round", type=int, help="repeat one round, as a failure names it")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give tests of screens and in real terminals a second try; the summary counts it as a rerun.

    They share the processor with everything else on the machine, and a program that gets none for
    seconds looks like one that hangs. What is broken fails twice.
    """
    for item in items:
        drives_screen = inspect.iscoroutinefunction(getattr(item, "function", None))
        if drives_screen or item.get_closest_marker("terminal") is not None:
            item.add_marker(pytest.mark.flaky(reruns=1))


@dataclass(frozen=True)
class Outcome:
    """What came of one command line."""

    code: int
    out: str
    err: str


Program = Callable[..., Outcome]


@pytest.fixture(autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what the program remembers away from the user who runs the tests."""
    monkeypatch.setenv("BOARDGAMES_CONFIG", str(tmp_path_factory.getbasetemp() / "no-config.toml"))
    monkeypatch.setenv("BOARDGAMES_TABLES", str(tmp_path_factory.getbasetemp() / "no-tables"))


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reasons and the tutor's judgement are waited for, however busy the machine is.

    The program goes on without them after a second. Tests of that say how soon.
    """
    monkeypatch.setattr(tutor, "PATIENCE_SECONDS", 60.0)
    monkeypatch.setattr(hint_thread, "REASON_SECONDS", 60.0)


@pytest.fixture
def clean_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment that says nothing, and an empty folder to be in."""
    for name in ("NO_COLOR", "TEXTUAL_DRIVER", "COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("BOARDGAMES_SAVES", str(tmp_path / "saves"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("BOARDGAMES_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def program(
    clean_environment: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Program:
    """Run the command line in this process: ``program("play", "senet", lines=["1", "q"])``."""
    from boardgames_cli.cli.main import run

    def call(*words: str, lines: list[str] | None = None) -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{x}\n" for x in lines or [])))
        code = run(words)
        out, err = capsys.readouterr()
        return Outcome(code, out, err)

    return call


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the small games of `tests.toys` beside the real ones."""
    for name in ("race", "pennies", "cards"):
        path = f"tests.plain.tables:{name.upper()}"
        monkeypatch.setitem(registry.BUILT_IN_GAMES, name, path)
    monkeypatch.setitem(registry.BUILT_IN_GAMES, "heap", "tests.toys:HEAP")
