"""Luck and skill add up, luck evens out, the equilibrium makes no mistakes, and others are told."""

from __future__ import annotations

import itertools

import pytest

from boardgames_cli.algorithms.exploitability import profile_of, profile_value
from boardgames_cli.algorithms.game_tree import GameTree
from boardgames_cli.core.match import Match, play
from boardgames_cli.evaluation.review_result import Review, SeatSummary
from boardgames_cli.evaluation.reviewer import ReviewedGame, review_of
from boardgames_cli.games.kuhn import agents
from boardgames_cli.games.kuhn.analyst import KuhnAnalyst
from boardgames_cli.games.kuhn.rules import Kuhn
from boardgames_cli.registry import make_agent
from tests.games.kuhn.tables import KuhnMatch, play_hand

DEALS = ["".join(deal) for deal in itertools.permutations("JQK", 2)]
LINES = ("cc", "cbc", "cbb", "bc", "bb")
TREE = GameTree(Kuhn())
VALUE = -1 / 18
"""The value of a hand to the player who acts first."""


def one_hand(deal: str, line: str) -> KuhnMatch:
    match: KuhnMatch = Match(Kuhn(), seed=1)
    play_hand(match, deal, line)
    return match


def reviewed(match: KuhnMatch) -> Review:
    kuhn = match.game
    assert isinstance(kuhn, Kuhn)
    return review_of(ReviewedGame(match, ("Ann", "Bob")), KuhnAnalyst(kuhn))


def accounts(match: KuhnMatch) -> tuple[SeatSummary, SeatSummary]:
    review = reviewed(match)
    return review.summary(0), review.summary(1)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("deal", DEALS)
def test_the_parts_add_up_and_the_seats_mirror_each_other(deal: str, line: str) -> None:
    match = one_hand(deal, line)
    first, second = accounts(match)
    assert (first.result, second.result) == match.returns
    for one in (first, second):
        assert one.start + one.own + one.others + one.luck == pytest.approx(one.result)
        assert one.own <= 1e-9
        assert one.rest == pytest.approx(0)
    assert first.luck == pytest.approx(-second.luck)
    assert first.own == pytest.approx(-second.others)
    assert first.start == pytest.approx(VALUE)


@pytest.mark.parametrize("spec", ["random", "maniac", "rock", "always-call"])
@pytest.mark.parametrize("seat", [0, 1])
def test_luck_is_nothing_on_average_and_skill_the_whole_difference(spec: str, seat: int) -> None:
    # The mean over all 30 ends, exactly: somebody against the equilibrium.
    alpha = f"equilibrium:alpha={agents.trained().table['J']['bet']}"
    playing = {seat: make_agent(spec, Kuhn()), 1 - seat: make_agent(alpha, Kuhn())}
    profile = profile_of(TREE, playing)
    luck = skill = 0.0
    for deal, line in itertools.product(DEALS, LINES):
        probability = 1 / 6
        for length, letter in enumerate(line):
            words = [{"c": "check", "b": "bet"}[done] for done in line[:length]]
            row = profile[TREE.find(" ".join([deal[length % 2], *words]))]
            probability *= row[letter == "b"]
        account = accounts(one_hand(deal, line))[seat]
        luck += probability * account.luck
        skill += probability * (account.own + account.others)
    value = profile_value(TREE, profile) * (-1 if seat else 1)
    fair = VALUE * (-1 if seat else 1)
    assert luck == pytest.approx(0, abs=1e-6)
    assert skill == pytest.approx(value - fair, abs=1e-6)


def test_a_whole_match_of_the_equilibrium_is_luck_alone() -> None:
    game = Kuhn(hands=30, first=2)
    match: KuhnMatch = Match(game, seed=5)
    play(match, [make_agent("equilibrium", game), make_agent("equilibrium", game)])
    first, second = accounts(match)
    for one in (first, second):
        assert one.own == pytest.approx(0, abs=1e-6)
        assert one.start == pytest.approx(0), "both acted first equally often"
        assert one.luck == pytest.approx(one.result, abs=1e-6)
    assert reviewed(match).mistakes() == []


def test_mistakes_are_named_with_their_price_and_what_was_better() -> None:
    match: KuhnMatch = Match(Kuhn(hands=3), seed=1)
    play_hand(match, "QJ", "bb")  # Ann bets the queen, Bob calls with the jack
    play_hand(match, "QK", "bc")  # Ann folds the king
    play_hand(match, "JK", "cbc")  # Ann checks a jack and folds it, which is never wrong
    review = reviewed(match)
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


def test_where_both_are_right_neither_is_a_mistake_and_the_mix_is_told() -> None:
    review = reviewed(one_hand("QJ", "cbc"))
    assert review.mistakes() == [], "a bluff with the jack after a check"
    bluff = review.steps[3].decisions[0]
    assert sorted(choice.frequency for choice in bluff.choices) == pytest.approx([1 / 3, 2 / 3])  # type: ignore[type-var]
    assert bluff.choice.words == "in equilibrium 33 %"
