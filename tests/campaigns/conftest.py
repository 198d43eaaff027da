"""The fixture of the campaigns, and their counts at the end of a run."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator

import pytest

from tests.campaigns.campaign import Campaign

_PROPERTY = "campaign"

if sys.platform != "linux":  # they read /proc, or limit another process
    collect_ignore = ["test_keys.py", "test_strangers.py"]


@pytest.fixture
def campaign(
    request: pytest.FixtureRequest, record_property: Callable[[str, object], None]
) -> Iterator[Campaign]:
    """The campaign of a test, with the size and the seed of the command line."""
    config = request.config
    found = Campaign(
        request.node.nodeid,
        config.getoption("--campaign-seed"),
        config.getoption("--campaign-size"),
        config.getoption("--campaign-round"),
    )
    yield found
    record_property(_PROPERTY, json.dumps(found.counts))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what every campaign counted."""
    reports = terminalreporter.stats.get("", [])  # pytest keeps the ends of passed tests there
    lines = [
        f"{report.nodeid.removeprefix('tests/campaigns/')}: "
        + ", ".join(f"{count} {name}" for name, count in json.loads(str(value)).items())
        for report in reports
        for name, value in getattr(report, "user_properties", ())
        if name == _PROPERTY
    ]
    if lines:
        terminalreporter.section("campaigns")
        for line in sorted(lines):
            terminalreporter.line(line)
