"""The players that belong to Kuhn poker, and what is known of the equilibrium."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import pytest

from boardgames_cli.algorithms.exploitability import (
    profile_of,
    profile_value,
    quality,
    strategy_quality,
)
from boardgames_cli.algorithms.game_tree import GameTree
from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.errors import OptionError
from boardgames_cli.core.match import Match, play
from boardgames_cli.games.kuhn import agents
from boardgames_cli.games.kuhn.agents import Equilibrium
from boardgames_cli.games.kuhn.rules import Kuhn
from boardgames_cli.games.kuhn.state import KuhnState
from boardgames_cli.registry import find_game, make_agent
from tests.games.kuhn.tables import BET, CHECK, JACK, KING, QUEEN, KuhnMatch

TREE = GameTree(Kuhn())


def mean_win(spec: str, other: str) -> float:
    """What an agent wins a hand against another, over both places, exactly."""
    values = [
        profile_value(TREE, profile_of(TREE, {seat: make_agent(spec, Kuhn()), 1 - seat: opponent}))
        for seat, opponent in enumerate([make_agent(other, Kuhn())] * 2)
    ]
    return (values[0] - values[1]) / 2


@pytest.mark.parametrize("alpha", [0.0, 0.1, 0.25, 1 / 3])
def test_every_member_of_the_family_is_an_equilibrium(alpha: float) -> None:
    measured = strategy_quality(Kuhn(), agents.equilibrium(alpha))
    assert measured.value == pytest.approx(-1 / 18, abs=1e-12)
    assert measured.nash_conv == pytest.approx(0, abs=1e-12)


def test_what_was_trained_is_a_member_of_the_family() -> None:
    table = agents.trained().table
    expected = agents.equilibrium(table["J"]["bet"]).table
    for name, row in expected.items():
        assert table[name] == pytest.approx(row, abs=2e-3), name


def test_the_equilibrium_can_not_be_beaten() -> None:
    measured = strategy_quality(Kuhn(), agents.trained())
    assert measured.value == pytest.approx(-1 / 18, abs=1e-4)
    assert measured.exploitability < 1e-4


def test_the_equilibrium_wins_from_those_who_err() -> None:
    assert mean_win("equilibrium", "always-call") == pytest.approx(0.144, abs=0.01)
    assert mean_win("equilibrium", "maniac") == pytest.approx(0.111, abs=0.01)
    assert mean_win("equilibrium", "rock") == pytest.approx(0, abs=1e-4), "who folds loses nothing"


def test_levels_are_harder_and_harder_to_exploit() -> None:
    weakness = []
    for spec in find_game("kuhn").levels.values():
        agent = make_agent(spec, Kuhn())
        weakness.append(quality(TREE, profile_of(TREE, {0: agent, 1: agent})).exploitability)
    assert list(find_game("kuhn").levels) == ["easy", "medium", "hard", "perfect"]
    assert weakness == sorted(weakness, reverse=True)
    assert weakness[0] > 0.3
    assert weakness[-1] < 1e-4


@pytest.mark.slow
def test_each_level_wins_from_the_one_below_it() -> None:
    levels = find_game("kuhn").levels
    ladder = ["random", *levels.values()]
    for weaker, stronger in pairwise(ladder):
        # A hand has a standard deviation of 1.6 chips at most; in 100 hands of these 60 % win.
        assert mean_win(stronger, weaker) > 0.035, stronger


def test_the_curious_call_too_often_and_never_fold_a_king() -> None:
    game = Kuhn()
    agent = Equilibrium(alpha=0.0, curiosity=0.5)
    agent.reset(game, 1)
    called = [
        agent.policy(game.observe(KuhnState(((card + 1) % 3, card), (BET,), 0), 1))[BET]
        for card in (JACK, QUEEN, KING)
    ]
    assert called == pytest.approx([1 / 2, 2 / 3, 1])


@pytest.mark.parametrize(
    ("spec", "opens", "answers"),
    [("maniac", "JQK", "JQK"), ("always-call", "K", "JQK"), ("rock", "K", "K")],
)
def test_the_types_do_what_they_are_called_for(spec: str, opens: str, answers: str) -> None:
    game, agent = Kuhn(), make_agent(spec, Kuhn())
    for card in (JACK, QUEEN, KING):
        other = (card + 1) % 3
        opening = game.observe(KuhnState((card, other), (), 0), 0)
        answering = game.observe(KuhnState((other, card), (BET,), 0), 1)
        letter = "JQK"[card]
        thinking = Thinking(random.Random(1))
        assert (agent.act(opening, thinking) is BET) == (letter in opens)
        assert (agent.act(answering, thinking) is BET) == (letter in answers)


def test_it_mixes_as_often_as_it_says() -> None:
    game = Kuhn()
    agent: Equilibrium = Equilibrium(alpha=0.25)
    agent.reset(game, 0)
    seen = game.observe(KuhnState((JACK, KING), (), 0), 0)
    drawn = Counter(agent.act(seen, Thinking(random.Random(f"{n}"))) for n in range(2000))
    assert drawn[BET] == pytest.approx(500, abs=60)


def test_slips_are_taken_evenly() -> None:
    game = Kuhn()
    agent = Equilibrium(slips=0.5)
    agent.reset(game, 1)
    seen = game.observe(KuhnState((QUEEN, KING), (BET,), 0), 1)
    assert agent.policy(seen) == pytest.approx({CHECK: 0.25, BET: 0.75}, abs=1e-4)


@pytest.mark.parametrize("alpha", ["-0.5", "0.4", "lots"])
def test_an_impossible_alpha_is_refused(alpha: str) -> None:
    with pytest.raises(OptionError, match="alpha"):
        make_agent(f"equilibrium:alpha={alpha}", Kuhn())


def test_seats_change_places_in_a_match() -> None:
    # The answer to a rock is to bluff with everything, acting first or second.
    game = Kuhn(hands=200)
    match: KuhnMatch = Match(game, seed=3)
    won = play(match, [make_agent("rock", game), make_agent("best-response:to=rock", game)])
    assert won[1] > 20
    bets = {
        match.observe(1, ply).state.first
        for ply, step in enumerate(match.steps)
        if step.joint.get(1) is BET and not is_king(match, ply)
    }
    assert bets == {0, 1}


def is_king(match: KuhnMatch, ply: int) -> bool:
    return match.observe(1, ply).state.cards[1] == KING
