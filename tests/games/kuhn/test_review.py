"""What a player is told after a match."""

from __future__ import annotations

import pytest

from boardgames_cli.core.match import Match
from boardgames_cli.core.play import play
from boardgames_cli.core.view import RenderContext
from boardgames_cli.games.kuhn.review import accounts, mistakes, review
from boardgames_cli.games.kuhn.rules import Kuhn
from boardgames_cli.registry import make_agent
from tests.games.kuhn.tables import KuhnMatch, play_hand

LOOK = RenderContext(names=("Ann", "Bob"))


def a_match() -> KuhnMatch:
    match: KuhnMatch = Match(Kuhn(hands=3), seed=1)
    play_hand(match, "QJ", "bb")  # Ann bets the queen, Bob calls with the jack
    play_hand(match, "QK", "bc")  # Ann folds the king
    play_hand(match, "JK", "cb")  # Ann checks a jack, which is never wrong; not finished
    return match


def test_mistakes_are_named_with_their_price_and_what_was_better() -> None:
    found = list(mistakes(a_match(), 0))
    assert [(m.hand, m.text, m.better) for m in found] == [
        (1, "bet with the queen", "check"),
        (2, "fold with the king", "call"),
    ]
    assert found[1].cost == pytest.approx(3, abs=1e-3)
    bob = next(mistakes(a_match(), 1))
    assert (bob.text, bob.better) == ("call with the jack", "fold")
    assert bob.cost == pytest.approx(1, abs=1e-3), "a call loses 2 instead of 1"


def test_prices_are_those_of_the_account() -> None:
    match = a_match()
    for seat, account in enumerate(accounts(match)):
        total = sum(mistake.cost for mistake in mistakes(match, seat))
        assert account.given_away == pytest.approx(-total, abs=0.02)


def test_the_review_in_lines() -> None:
    lines = review(a_match(), LOOK, 0)
    assert lines[0].startswith("Ann: +1 chips: luck ")
    assert lines[1].startswith("Bob: -1 chips: luck ")
    assert lines[2] == "What cost Ann chips, on average:"
    assert lines[3] == "  hand 2: fold with the king, 3.00 (better: call)", "the dearest first"
    assert len(lines) == 5
    assert len(review(a_match(), LOOK)) == 2, "a spectator is told of nobody's cards"


def test_who_mixes_as_the_equilibrium_does_made_no_mistake() -> None:
    game = Kuhn(hands=30)
    match: KuhnMatch = Match(game, seed=2)
    play(match, [make_agent("equilibrium:alpha=0.1", game), make_agent("rock", game)])
    assert review(match, LOOK, 0)[-1] == "Ann made no mistake."


def test_where_both_are_right_the_mix_is_told() -> None:
    match: KuhnMatch = Match(Kuhn(), seed=1)
    play_hand(match, "QJ", "cb")
    assert list(mistakes(match, 1)) == [], "a bluff with the jack after a check"
