"""What a player is told after a match of Kuhn poker."""

from __future__ import annotations

import pytest

from boardgames_cli.core.match import Match
from boardgames_cli.evaluation.review_result import Review
from boardgames_cli.evaluation.review_text import closing_lines, mistake_lines
from boardgames_cli.evaluation.reviewer import ReviewedGame, review_of
from boardgames_cli.games.kuhn.analyst import KuhnAnalyst
from boardgames_cli.games.kuhn.rules import Kuhn
from tests.games.kuhn.tables import KuhnMatch, play_hand


def a_match() -> KuhnMatch:
    match: KuhnMatch = Match(Kuhn(hands=3), seed=1)
    play_hand(match, "QJ", "bb")  # Ann bets the queen, Bob calls with the jack
    play_hand(match, "QK", "bc")  # Ann folds the king
    play_hand(match, "JK", "cbc")  # Ann checks a jack and folds it, which is never wrong
    return match


def reviewed(match: KuhnMatch) -> Review:
    kuhn = match.game
    assert isinstance(kuhn, Kuhn)
    return review_of(ReviewedGame(match, ("Ann", "Bob")), KuhnAnalyst(kuhn))


def test_mistakes_are_named_with_their_price_and_what_was_better() -> None:
    review = reviewed(a_match())
    found = [decision for _, decision in review.mistakes(0)]
    assert [(one.moment, one.choice.label, one.best.label) for one in found] == [
        ("hand 1, queen", "bet", "check"),
        ("hand 2, king", "fold", "call"),
    ]
    assert found[1].loss == pytest.approx(3)
    assert "wins every showdown" in found[1].reason.text
    bob = review.mistakes(1)[0][1]
    assert (bob.choice.label, bob.best.label) == ("call", "fold")
    assert bob.loss == pytest.approx(1), "a call loses 2 instead of 1"
    assert "loses every showdown" in bob.reason.text


def test_prices_are_those_of_the_account() -> None:
    review = reviewed(a_match())
    for seat in (0, 1):
        losses = sum(decision.loss for _, decision in review.mistakes(seat))
        assert review.summary(seat).own == pytest.approx(-losses)


def test_the_review_in_lines() -> None:
    review = reviewed(a_match())
    lines = closing_lines(review, 0)
    assert lines[0].startswith("Ann: accuracy ")
    assert "luck" in lines[2]
    assert lines[3] == "What cost Ann most:"
    assert lines[4].startswith("  hand 2, king. Ann: fold ?? loses 3.00 chips"), "the dearest first"
    assert len(lines) == 6
    assert len(closing_lines(review)) == 3, "a spectator is told of nobody's cards"
    assert len(mistake_lines(review)) == 8, "each with its reason"


def test_where_both_are_right_neither_is_a_mistake_and_the_mix_is_told() -> None:
    match: KuhnMatch = Match(Kuhn(), seed=1)
    play_hand(match, "QJ", "cbc")
    review = reviewed(match)
    assert review.mistakes() == [], "a bluff with the jack after a check"
    bluff = review.steps[3].decisions[0]
    assert sorted(choice.frequency for choice in bluff.choices) == pytest.approx([1 / 3, 2 / 3])  # type: ignore[type-var]
    assert bluff.choice.words == "in equilibrium 33 %"
