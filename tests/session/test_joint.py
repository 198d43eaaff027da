from __future__ import annotations

import pytest

from boardgames_cli.core.agent import UNLIMITED
from boardgames_cli.core.errors import IllegalActionError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.registry import make
from boardgames_cli.session.driven_match import DrivenMatch
from tests.toys import Pennies


def driven(game: AnyGame) -> tuple[AnyMatch, DrivenMatch]:
    match: AnyMatch = Match(game, seed=1)
    return match, DrivenMatch(match, (), UNLIMITED, print)


def duel() -> tuple[AnyMatch, DrivenMatch]:
    match, table = driven(make("pommerman", mode="duel"))
    table.resolve_chance()
    return match, table


def order(match: AnyMatch, text: str) -> object:
    return match.game.parse(match.state, 0, text)


def last(match: AnyMatch) -> dict[int, str]:
    return {seat: str(action) for seat, action in match.steps[-1].joint.items()}


def test_the_last_choice_of_each_counts_and_silence_lets_time_pass() -> None:
    match, table = duel()
    table.choose(0, order(match, "up"))
    table.choose(0, order(match, "bomb"))
    assert (match.ply, match.committed) == (1, {})
    table.take_step()
    assert last(match) == {0: "bomb", 1: "stop"}
    assert table.chosen == {}, "choices are forgotten when the match goes on"


@pytest.mark.parametrize(("seat", "words"), [(0, "not a move"), (7, "no seat 7")])
def test_what_is_not_legal_is_refused(seat: int, words: str) -> None:
    match, table = duel()
    action = "fly" if seat == 0 else order(match, "up")
    with pytest.raises(IllegalActionError, match=words):
        table.choose(seat, action)
    assert table.chosen == {}


def test_a_game_that_waits_for_everybody_does_not_go_on_alone() -> None:
    match, table = driven(Pennies())
    table.choose(0, "heads")
    with pytest.raises(IllegalActionError, match="seat 2 must choose in Pennies"):
        table.take_step()
    assert (match.ply, match.committed) == (0, {})
    table.choose(1, "tails")
    table.take_step()
    assert last(match) == {0: "heads", 1: "tails"}
