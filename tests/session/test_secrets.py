"""Undo where something is hidden: what was shown stays shown."""

from __future__ import annotations

import pytest

from boardgames_cli.core.errors import IllegalActionError
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.session.seats import SeatHolder
from boardgames_cli.session.session import Session
from tests.toys import Cards

ANN = SeatHolder("human:name=Ann", "Ann", None)
BOB = SeatHolder("human:name=Bob", "Bob", None)


def dealt(*holders: SeatHolder) -> Session:
    match: AnyMatch = Match(Cards(), seed=1)
    match.resolve_chance()
    return Session(match, holders)


def test_a_decision_that_showed_nothing_can_be_taken_back() -> None:
    session = dealt(ANN, BOB)
    session.submit(0, "high")
    session.undo()
    assert session.match.ply == 1


def test_nothing_is_undone_after_the_cards_were_shown() -> None:
    session = dealt(ANN, BOB)
    session.submit(0, "high")
    session.submit(1, "low")
    with pytest.raises(IllegalActionError, match="can't be hidden again"):
        session.undo()
    assert session.match.ply == 3


def test_a_deal_is_never_undone() -> None:
    with pytest.raises(IllegalActionError, match="can't be hidden again"):
        dealt(ANN, BOB).undo()
