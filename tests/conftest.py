"""What several folders of tests share."""

from __future__ import annotations

import inspect
import io
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from boardgames_cli import registry
from boardgames_cli.evaluation import oracle, tutor
from tests import neighbours, settling
from tests.caches import own_cache
from tests.plugins import Plugins, plugged

# How fast the machine is, and what else it does, is nothing that a law depends on. By default the
# examples are the same in every run, so that a change is to blame for a test that fails; `.ci/run`
# looks for others with the profile "explore" (docs/testing.md).
settings.register_profile(
    "same", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "explore", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("same")

_SLOW_FOLDERS = tuple(f"tests/{room}/" for room in ("campaigns", "e2e", "examples", "lab", "web"))
"""All of their tests need real terminals, servers, browsers, other processes or minutes."""

COLLECTED = pytest.StashKey[list[pytest.Item]]()
"""What the tests of a run are chosen from."""


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


def pytest_configure(config: pytest.Config) -> None:
    """Leave the slow tests out, unless files, folders or marks are named."""
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.option.markexpr:
        config.option.markexpr = "not slow"


@pytest.hookimpl(tryfirst=True)  # before the marks choose
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark whole folders, and give tests with the marker `second_try` one.

    Real terminals, browsers and other processes share the processor with everything else on the
    machine, and a program that gets none for seconds looks like one that hangs. What is broken
    fails twice; the summary counts the reruns. All other tests have one try: one that fails now and
    then tosses a coin, which nobody should overlook. `test_second_tries` counts them.
    """
    config.stash[COLLECTED] = list(items)
    hides_nothing = config.getoption("--campaign-size") != "small"
    for item in items:
        if item.nodeid.startswith(_SLOW_FOLDERS):
            item.add_marker(pytest.mark.slow)
        if item.get_closest_marker("second_try") and not hides_nothing:
            item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print where the time went, by folder."""
    seconds: defaultdict[str, float] = defaultdict(float)
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                path = report.nodeid.partition("::")[0]
                seconds["/".join(path.split("/")[1:-1]) or "tests"] += report.duration
    if terminalreporter.config.option.durations:
        most = sorted(seconds.items(), key=lambda item: -item[1])
        sums = ", ".join(f"{folder} {spent:.0f}" for folder, spent in most)
        terminalreporter.write_line(f"seconds by folder: {sums}")


def _drives_screen(item: pytest.Item) -> bool:
    is_snapshot = "snap_compare" in getattr(item, "fixturenames", ())
    return is_snapshot or inspect.iscoroutinefunction(getattr(item, "function", None))


@dataclass(frozen=True)
class Outcome:
    """What came of one command line."""

    code: int
    out: str
    err: str


Program = Callable[..., Outcome]


@pytest.fixture(scope="module", autouse=True)
def as_it_was() -> Iterator[None]:
    """Let no module change what the next one finds; `monkeypatch` puts back what it changes."""
    before = neighbours.surroundings()
    yield
    changed = neighbours.changes(before, neighbours.surroundings())
    assert not changed, "\n".join(changed)


@pytest.fixture(autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what the program remembers away from the user who runs the tests."""
    monkeypatch.setenv("BOARDGAMES_CONFIG", str(tmp_path_factory.getbasetemp() / "no-config.toml"))
    monkeypatch.setenv("XDG_CACHE_HOME", own_cache(tmp_path_factory.getbasetemp() / "cache"))


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judgements are waited for, however busy the machine is."""
    monkeypatch.setattr(tutor, "PATIENCE_SECONDS", 60.0)
    monkeypatch.setattr(oracle, "LATE_SECONDS", 600.0)


@pytest.fixture(autouse=True)
def settled_screens(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pilots wait for the event loop, not for the processor."""
    if _drives_screen(request.node):
        settling.install(monkeypatch)


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

    def call(
        *words: str, lines: list[str] | None = None, stream: type[io.StringIO] = io.StringIO
    ) -> Outcome:
        monkeypatch.setattr(sys, "stdin", stream("".join(f"{x}\n" for x in lines or [])))
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


@pytest.fixture
def plugins() -> Iterator[Plugins]:
    """The plug-ins that count as installed; none at first."""
    with plugged() as registered:
        yield registered
