"""Best responses and exploitability, against other ways to find them."""

from __future__ import annotations

import itertools
import random

import pytest

from boardgames_cli.algorithms.exploitability import (
    action_values,
    best_response,
    profile_value,
    quality,
    tremble,
    uniform,
)
from boardgames_cli.algorithms.game_tree import GameTree, Profile
from boardgames_cli.games.kuhn.rules import Kuhn
from tests.games.kuhn import spiel

TREE = GameTree(Kuhn())


def random_profile(tree: GameTree, seed: int) -> list[list[float]]:  # type: ignore[type-arg]
    rng = random.Random(seed)
    profile = []
    for known in tree.information_sets:
        weights = [rng.random() ** 3 for _ in known.actions]
        profile.append([weight / sum(weights) for weight in weights])
    return profile


def pure(seat: int, choice: tuple[int, ...], profile: Profile) -> list[list[float]]:
    """A profile in which a seat does one thing at each of its information sets."""
    rows, choices = [list(row) for row in profile], iter(choice)
    for number, known in enumerate(TREE.information_sets):
        if known.seat == seat:
            index = next(choices)
            rows[number] = [float(index == other) for other in range(2)]
    return rows


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("seat", [0, 1])
def test_no_other_way_to_play_is_better(seat: int, seed: int) -> None:
    # All 64 ways to play without mixing, each valued by the whole tree.
    profile = random_profile(TREE, seed)
    sign = -1 if seat else 1
    best = max(
        sign * profile_value(TREE, pure(seat, choice, profile))
        for choice in itertools.product((0, 1), repeat=6)
    )
    answer = best_response(TREE, profile, seat)
    assert answer.value == pytest.approx(best, abs=1e-12)
    order = [n for n, known in enumerate(TREE.information_sets) if known.seat == seat]
    played = pure(seat, tuple(answer.choices[number] for number in order), profile)
    assert sign * profile_value(TREE, played) == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_open_spiel_finds_the_same(seed: int) -> None:
    pyspiel = spiel.load()
    profile = random_profile(TREE, seed)
    table = {
        known.name: dict(zip(("check", "bet"), row, strict=True))
        for known, row in zip(TREE.information_sets, profile, strict=True)
    }
    game, policy = pyspiel.load_game("kuhn_poker"), spiel.policy(pyspiel, table)
    measured = quality(TREE, profile)
    assert measured.nash_conv == pytest.approx(pyspiel.nash_conv(game, policy), abs=1e-9)
    assert measured.exploitability == pytest.approx(pyspiel.exploitability(game, policy), abs=1e-9)
    value = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)[0]
    assert measured.value == pytest.approx(value, abs=1e-9)


def test_where_an_opponent_never_leads_a_slip_decides() -> None:
    # A rock bets kings only, so a king never faces its bet. If it slips, the king must call.
    rock = [[1.0, 0.0] if "K" not in known.name else [0.0, 1.0] for known in TREE.information_sets]
    answer = best_response(TREE, tremble(rock), 1)
    assert answer.choices[TREE.find("K bet")] == 1
    assert answer.value == pytest.approx(best_response(TREE, rock, 1).value, abs=1e-6)


def test_values_of_actions_by_hand() -> None:
    # Against even mixing, calling a bet with the queen: half a jack, half a king.
    values = action_values(TREE, uniform(TREE))
    assert values[TREE.find("Q bet")] == pytest.approx([-1, 0], abs=1e-6)
    assert values[TREE.find("K bet")] == pytest.approx([-1, 2], abs=1e-6)
    # Betting the king: half the time it is folded to, half called.
    assert values[TREE.find("K")][1] == pytest.approx(1.5, abs=1e-6)


def test_actions_have_a_value_where_the_opponent_never_leads_too() -> None:
    rock = [[1.0, 0.0] if "K" not in known.name else [0.0, 1.0] for known in TREE.information_sets]
    values = action_values(TREE, rock)
    assert values[TREE.find("K bet")] == pytest.approx([-1, 2], abs=1e-6)
    # Facing the rock's bet it certainly has the king.
    assert values[TREE.find("Q bet")] == pytest.approx([-1, -2], abs=1e-6)
