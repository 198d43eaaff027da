from __future__ import annotations

import pytest

from boardgames_cli.agents.remote import child


@pytest.fixture
def time_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that end by themselves get the time to do so, however busy the machine is."""
    monkeypatch.setattr(child, "_ENDING_SECONDS", 60.0)
