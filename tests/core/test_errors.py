"""Errors as users read them, and as worker processes send them."""

from __future__ import annotations

import pickle

import pytest

from boardgames_cli.core.errors import (
    LONGEST_MESSAGE,
    GameError,
    PositionError,
    RecordError,
    UnknownNameError,
)


def test_a_long_quotation_is_cut() -> None:
    error = PositionError(f"steps is {[1] * 1000!r}.", "It is 1 to 5.")
    assert len(error.message) == LONGEST_MESSAGE
    assert error.message.startswith("steps is [1, 1")
    assert "..." in error.message
    assert str(error).endswith("1, 1].   It is 1 to 5.")


@pytest.mark.parametrize(
    "error",
    [
        GameError("No.", "Go home."),
        PositionError("x" * 1000),
        RecordError("It is torn.", "Mend it.", line=3),
        UnknownNameError("game", "sennet", ["senet"]),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_survives_the_way_between_processes(error: GameError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert (str(copy), vars(copy)) == (str(error), vars(error))
