"""What a seat sees can be written as JSON and read back: an agent behind a pipe sees the same."""

from __future__ import annotations

from typing import Any

import pytest

from boardgames_cli.core.errors import PositionError
from boardgames_cli.registry import game_ids, make


@pytest.mark.parametrize("id", game_ids())
@pytest.mark.parametrize("data", [{}, {"agents": [1]}, {"cards": ["?", "?", "?"]}], ids=str)
def test_nonsense_is_refused(id: str, data: dict[str, Any]) -> None:
    with pytest.raises(PositionError):
        make(id).read_seen(data, 0)
