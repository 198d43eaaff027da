"""Goofspiel is played as RULES.md says, and gives what is published."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from boardgames_cli import GameError, Match, find_game, make, make_agent, play
from boardgames_cli.testing import check_agent

from boardgames_goofspiel.agents import Matching
from boardgames_goofspiel.rules import Bid, Goofspiel, State


def test_the_highest_bid_takes_the_prize_and_equal_ones_nothing() -> None:
    game = Goofspiel(bidders=3, cards=3)
    state = State((3, 1, 2), ((3, 3, 1), (1, 2, 3), (2, 1, 2)))
    assert game.points(state) == [0, 0, 1]
    assert game.returns(state) == (-1.0, -1.0, 2.0)


def test_a_win_is_shared() -> None:
    assert Goofspiel(cards=3).returns(State((1, 2, 3), ((1, 1), (2, 2), (3, 3)))) == (0.0, 0.0)


def test_a_card_is_bid_once() -> None:
    game = Goofspiel(cards=3)
    state = State((3, 2), ((3, 1),))
    assert game.legal_actions(state, 0) == [Bid(1), Bid(2)]
    with pytest.raises(GameError, match="illegal: your 3 is gone"):
        game.parse(state, 0, "bid 3")


@pytest.mark.parametrize(
    ("prizes", "bids"),
    [
        ([3, 3], [[1, 2]]),
        ([4], []),
        ([], [[1, 2]]),
        ([1, 2], [[1, 2, 3]]),
        ([1, 2], [[1, 2], [1, 3]]),
    ],
)
def test_impossible_positions_are_refused(prizes: list[int], bids: list[list[int]]) -> None:
    with pytest.raises(GameError):
        Goofspiel(cards=3).from_json({"prizes": prizes, "bids": bids})


@pytest.mark.parametrize(("cards", "gain"), [(4, Fraction(5, 2)), (6, Fraction(35, 6))])
def test_matching_gains_what_is_published_against_random_bids(cards: int, gain: Fraction) -> None:
    # Ross, 1971: the sum of k (2k - n - 1) / n over the prizes k, 28 points with n = 13 cards.
    formula = sum(Fraction(k * (2 * k - cards - 1), cards) for k in range(1, cards + 1))
    assert formula == gain
    game, prizes = Goofspiel(cards=cards), tuple(range(1, cards + 1))
    played = [
        game.points(State(prizes, tuple(zip(prizes, bids, strict=True))))
        for bids in itertools.permutations(prizes)
    ]
    assert Fraction(sum(one - other for one, other in played), len(played)) == gain


def test_the_agent_matches() -> None:
    game = make("goofspiel", cards=4)
    check_agent(Matching(), game, seeds=range(1))
    match = Match(game, seed=1)
    play(match, [Matching(), make_agent("random", game)])
    assert all(
        bids[0] == prize for prize, bids in zip(match.state.prizes, match.state.bids, strict=True)
    )


def test_the_number_of_seats_follows_the_option() -> None:
    assert [make("goofspiel", bidders=n).seats for n in find_game("goofspiel").info.seats] == [
        2,
        3,
        4,
    ]
