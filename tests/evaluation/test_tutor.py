"""The tutor: what it asks about, what it lets through, and what it keeps to itself."""

from __future__ import annotations

import pytest

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.match import Match
from boardgames_cli.evaluation.oracle import Oracle
from boardgames_cli.evaluation.tutor import Tutor
from boardgames_cli.games.kuhn.actions import Action
from boardgames_cli.games.kuhn.rules import Kuhn
from boardgames_cli.session.opening import open_session
from boardgames_cli.session.session import Session
from boardgames_cli.session.settings import Settings, Setup
from tests.analysis import refuse_analysis
from tests.games.kuhn.tables import KuhnMatch, play_hand


def decisions(game: str, start: dict[str, object] | None = None, **options: object) -> Session:
    setup = Setup(game, options, seats=("human", "human"), seed=5, start=start)
    return open_session(setup, Settings(save=False, tutor=True, is_shared=True))


def tutor_of(session: Session) -> Tutor:
    return Tutor(Oracle(session.match, marks=True), session.note_warning)


def play_to_a_blunder(session: Session) -> list[str]:
    """Play first choices until something loses much; the moves, and the one that would lose."""
    tutor = tutor_of(session)
    moves: list[str] = []
    while not session.match.is_over:
        (seat,) = session.match.waiting_for
        tutor.wait(seat)
        legal = session.observe(seat).legal
        for action in legal:
            if tutor.warning(seat, action) is not None:
                return [*moves, str(action)]
        session.submit(seat, legal[0])
        moves.append(str(legal[0]))
    raise AssertionError("nobody could do anything wrong")


def test_it_doubts_exactly_what_loses_much() -> None:
    session = decisions("tapnswap")
    match, tutor = session.match, tutor_of(session)
    doubted = 0
    for _ in range(40):
        if match.is_over:
            break
        (seat,) = match.waiting_for
        tutor.wait(seat)
        legal = session.observe(seat).legal
        found = {action: tutor.warning(seat, action) for action in legal}
        # In an exact game the best choice is never doubted, and the others only for a loss.
        assert any(warning is None for warning in found.values())
        for action, warning in found.items():
            if warning is not None:
                doubted += 1
                assert str(action) in warning.values
                assert "(exact)" in warning.values
                assert warning.sentence.endswith(".")
        session.submit(seat, next(action for action in legal if found[action] is None))
    assert doubted > 3


def test_what_is_not_judged_yet_or_of_another_moment_goes_through() -> None:
    session = decisions("tapnswap")
    tutor = tutor_of(session)
    legal = session.observe(0).legal
    assert all(tutor.warning(0, action) is None for action in legal)
    tutor.wait(0)
    session.submit(0, legal[0])
    assert all(tutor.warning(0, action) is None for action in legal)


def test_a_warning_counts_as_a_hint_and_tells_no_secret() -> None:
    session = decisions("kuhn")
    remark = tutor_of(session).note_warning(1)
    assert remark in [line.text for line in session.log.remarks]
    assert session.hints_taken == 1


@pytest.mark.usefixtures("toys")
def test_a_game_that_nothing_can_judge_is_refused_in_a_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refuse_analysis(monkeypatch)
    with pytest.raises(GameError, match="there is no tutor here: Cards can't be reviewed"):
        decisions("cards")


def test_in_a_match_of_many_hands_the_values_are_those_of_this_hand() -> None:
    game = Kuhn(hands=5)
    match: KuhnMatch = Match(game, seed=1)
    play_hand(match, "KJ", "bb")  # the first player is two chips ahead
    play_hand(match, "JK", "b")  # the second player first: folds the king or calls?
    (seat,) = match.waiting_for
    tutor = Tutor(Oracle(match, marks=True), lambda _: "")
    tutor.wait(seat)
    told = tutor.warning(seat, Action.CHECK)
    assert told is not None
    assert told.values == (
        "fold: expected in this hand -1.00 chips; +2.00 chips with the best choice (exact)."
    )
    assert "a fold loses 1" in told.reason
