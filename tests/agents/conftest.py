from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from boardgames_cli.agents.remote import child
from boardgames_cli.agents.remote import client as remote_client
from tests.agents.seats import Seat


@pytest.fixture
def time_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that end by themselves get the time to do so, however busy the machine is."""
    monkeypatch.setattr(child, "_ENDING_SECONDS", 60.0)


@pytest.fixture
def grace(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Give agents that are late so many seconds more."""
    return lambda seconds: monkeypatch.setattr(remote_client, "GRACE_SECONDS", seconds)


@pytest.fixture
def seat(grace: Callable[[float], None]) -> Iterator[Seat]:
    """Seat an agent; it is not waited for long, and is ended when the test is over."""
    grace(0.2)
    seated = []

    def take_seat(agent: Any) -> Any:
        seated.append(agent)
        return agent

    yield take_seat
    for agent in seated:
        agent.close()


@pytest.fixture
def mark(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mark the processes of agents, so that `left_behind` finds them by the folder of the test."""
    monkeypatch.setenv("XDG_TEST_MARK", f"{tmp_path}/")
