"""The command line with somebody at a terminal."""

from __future__ import annotations

from functools import partial

import pytest

from tests.conftest import Program
from tests.games.tables import Screen


@pytest.fixture
def keyboard(program: Program) -> Program:
    """`program` with somebody at the keyboard."""
    return partial(program, stream=Screen)
