"""Snapshots and undo where something is hidden: what was shown stays shown."""

from __future__ import annotations

import pytest

from boardgames_cli.core.errors import IllegalActionError
from boardgames_cli.core.game import CHANCE, Seat, Step
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.presentation.view import RenderContext
from boardgames_cli.core.text import Glyphs
from boardgames_cli.session.seats import SeatHolder
from boardgames_cli.session.session import Session, undo
from boardgames_cli.session.snapshot import take_snapshot
from boardgames_cli.session.viewpoint import PUBLIC, Viewpoint
from tests.toys import Cards, CardsState, CardsView, Peek

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


def test_what_a_step_has_shown_to_a_witness_stays_shown() -> None:
    match: AnyMatch = Match(Peek(), seed=1)
    match.resolve_chance()
    match.submit(0, "high")
    with pytest.raises(IllegalActionError, match="shown since your last decision"):
        undo(match, [0], [0, 1])
    undo(match, [0])
    assert match.ply == 1


class Sealed(Cards):
    """A guess that nobody sees comes before the deal."""

    def to_act(self, state: CardsState) -> tuple[Seat, ...]:
        return (CHANCE,) if state.guesses and not state.cards else (0,)

    def redact_step(
        self, before: CardsState, step: Step[str, str], seat: Seat | None
    ) -> Step[str, str]:
        return step if seat == 0 else Step({}, is_chance=step.is_chance)


@pytest.mark.parametrize("viewpoint", [PUBLIC, Viewpoint((1,)), Viewpoint((1, 2))])
def test_a_snapshot_holds_only_what_its_viewpoint_knows(viewpoint: Viewpoint) -> None:
    game = Sealed()
    match: AnyMatch = Match(game, seed=1)
    match.submit(0, "high")
    match.resolve_chance()
    match.submit(0, "high")
    look: RenderContext[str, str] = RenderContext(Glyphs.ASCII)
    dealt, guessed = (take_snapshot(match, CardsView(game), viewpoint, ply, look) for ply in (2, 3))
    assert dealt.context.last == Step({}, is_chance=True)
    assert dealt.context.last_move == Step({}), "the guess before the deal"
    assert guessed.context.last == guessed.context.last_move == Step({})
    assert match.state.cards not in (dealt.seen.state.cards, guessed.before.cards)
