"""Luck and skill: they add up, luck evens out, and the equilibrium makes no mistakes."""

from __future__ import annotations

import itertools

import pytest

from boardgames_cli.algorithms.best_response import profile_of, profile_value
from boardgames_cli.algorithms.game_tree import GameTree
from boardgames_cli.core.match import Match
from boardgames_cli.core.play import play
from boardgames_cli.games.kuhn import theory
from boardgames_cli.games.kuhn.review import accounts, advantages
from boardgames_cli.games.kuhn.rules import Kuhn
from boardgames_cli.registry import make_agent
from tests.games.kuhn.tables import KuhnMatch, play_hand

DEALS = ["".join(deal) for deal in itertools.permutations("JQK", 2)]
LINES = ("cc", "cbc", "cbb", "bc", "bb")
TREE = GameTree(Kuhn())


def one_hand(deal: str, line: str, game: Kuhn | None = None) -> KuhnMatch:
    match: KuhnMatch = Match(game or Kuhn(), seed=1)
    play_hand(match, deal, line)
    return match


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("deal", DEALS)
def test_the_parts_add_up_and_the_seats_mirror_each_other(deal: str, line: str) -> None:
    match = one_hand(deal, line)
    first, second = accounts(match)
    assert (first.result, second.result) == match.returns
    for account in (first, second):
        assert account.seating + account.skill + account.luck == pytest.approx(account.result)
        assert account.given_away <= 1e-3
    assert first.luck == pytest.approx(-second.luck)
    assert first.skill == pytest.approx(-second.skill)
    assert first.seating == pytest.approx(theory.VALUE)


@pytest.mark.parametrize("spec", ["random", "maniac", "rock", "always-call"])
@pytest.mark.parametrize("seat", [0, 1])
def test_luck_is_nothing_on_average_and_skill_the_whole_difference(spec: str, seat: int) -> None:
    # The mean over all 30 ends, exactly: somebody against the equilibrium.
    agents = {seat: make_agent(spec, Kuhn()), 1 - seat: make_agent("equilibrium", Kuhn())}
    profile = profile_of(TREE, agents)
    luck = skill = 0.0
    for deal, line in itertools.product(DEALS, LINES):
        probability = 1 / 6
        for length, letter in enumerate(line):
            words = [{"c": "check", "b": "bet"}[done] for done in line[:length]]
            row = profile[TREE.find(" ".join([deal[length % 2], *words]))]
            probability *= row[letter == "b"]
        account = accounts(one_hand(deal, line))[seat]
        luck += probability * account.luck
        skill += probability * account.skill
    value = profile_value(TREE, profile) * (-1 if seat else 1)
    fair = theory.VALUE * (-1 if seat else 1)
    assert luck == pytest.approx(0, abs=1e-4)
    assert skill == pytest.approx(value - fair, abs=1e-4)


def test_a_clear_mistake_costs_what_it_costs() -> None:
    # Folding a king to a bet throws away the pot and the bet: 3 chips.
    _, second = accounts(one_hand("JK", "bc"))
    assert second.given_away == pytest.approx(-3, abs=1e-3)
    assert second.mistakes == 1
    assert accounts(one_hand("JK", "bb"))[1].mistakes == 0


def test_no_choice_of_the_equilibrium_is_ever_a_mistake() -> None:
    for name, row in theory.equilibrium(0.25).table.items():
        for action, chance in row.items():
            if chance:
                assert advantages()[name][action] == pytest.approx(0, abs=1e-3), name
    assert min(min(row.values()) for row in advantages().values()) < -2


def test_a_whole_match_of_the_equilibrium_is_luck_alone() -> None:
    game = Kuhn(hands=30, first=2)
    match: KuhnMatch = Match(game, seed=5)
    play(match, [make_agent("equilibrium", game), make_agent("equilibrium", game)])
    first, second = accounts(match)
    assert first.skill == pytest.approx(0, abs=1e-2)
    assert first.mistakes == second.mistakes == 0
    assert first.seating == pytest.approx(0), "both acted first equally often"
    assert first.luck == pytest.approx(first.result, abs=1e-2)


def test_a_hand_that_is_not_finished_does_not_count() -> None:
    match = one_hand("KJ", "cc", Kuhn(hands=3))
    before = accounts(match)
    play_hand(match, "QK", "b")
    assert accounts(match) == before
    assert accounts(Match(Kuhn(), seed=1))[0].result == 0


def test_the_line_for_people() -> None:
    text = accounts(one_hand("JK", "bc"))[0].line()
    assert text.startswith("+1 chips: luck ")
    assert " chips: luck " in text
    nothing = accounts(Match(Kuhn(), seed=1))[1].line()
    assert nothing == "+0 chips: luck +0.0, skill +0.0"
