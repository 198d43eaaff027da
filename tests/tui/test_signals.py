"""Signals while an application is put up, runs, and is taken down."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from boardgames_cli.tui import driver
from boardgames_cli.tui.driver import AppSignals

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")


class App:
    """What signals need of an application."""

    is_on_screen = False

    def __init__(self) -> None:
        self.codes: list[int] = []

    def exit(self, result: None = None, return_code: int = 0) -> None:
        self.codes.append(return_code)


@pytest.fixture
def app() -> App:
    return App()


@pytest.fixture
def watch(app: App) -> Iterator[AppSignals]:
    before, alarm = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGALRM)
    with AppSignals(app) as watch:
        yield watch
    assert signal.getsignal(signal.SIGTERM) is before
    signal.signal(signal.SIGALRM, alarm)


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The codes with which the process would have ended."""
    codes: list[int] = []
    monkeypatch.setattr(os, "_exit", codes.append)
    return codes


async def test_signal_waits_for_the_first_screen(app: App, watch: AppSignals) -> None:
    signal.raise_signal(signal.SIGTERM)
    assert app.codes == []
    watch.let_in()
    assert app.codes == [143]


async def test_first_signal_counts(app: App, watch: AppSignals) -> None:
    signal.raise_signal(signal.SIGHUP)
    signal.raise_signal(signal.SIGTERM)
    watch.let_in()
    assert app.codes == [129]


async def test_who_asks_again_is_heard_at_once(
    watch: AppSignals, ended: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    signal.raise_signal(signal.SIGINT)
    signal.raise_signal(signal.SIGINT)
    assert ended == []  # one press may send two
    monkeypatch.setattr(driver, "_PATIENCE", -1.0)
    signal.raise_signal(signal.SIGINT)
    assert ended == [130]


async def test_a_program_that_does_not_come_to_a_signal_is_ended(
    app: App, watch: AppSignals, ended: list[int]
) -> None:
    watch.let_in()
    signal.raise_signal(signal.SIGTERM)
    assert 0 < signal.alarm(0) <= 5
    signal.raise_signal(signal.SIGALRM)
    assert ended == [], "it has left the screen, and closes the game"
    app.is_on_screen = True
    signal.raise_signal(signal.SIGALRM)
    assert ended == [143]
    app.is_on_screen = False
