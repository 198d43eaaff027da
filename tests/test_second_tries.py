"""Second tries are few, have reasons, and hide nothing that depends on the program alone."""

from __future__ import annotations

import pytest

from tests.conftest import COLLECTED

MOST = 60
ONE_TRY = ("tests/test_", "tests/contract/", "tests/core/", "tests/codec/", "tests/perft/")
"""Secrecy, the registry, documents, rules and laws: what fails now and then is broken."""


def test_second_tries_are_few_and_have_reasons(request: pytest.FixtureRequest) -> None:
    items = request.config.stash[COLLECTED]
    tries = {item.nodeid: item.get_closest_marker("second_try") for item in items}
    marked = {name: marker for name, marker in tries.items() if marker is not None}
    assert len(marked) <= MOST, "the number only falls"
    assert [name for name in marked if name.startswith(ONE_TRY)] == []
    assert [name for name, marker in marked.items() if not marker.args] == []
