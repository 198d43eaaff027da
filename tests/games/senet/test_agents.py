"""The beginner: what it sees, what it does not, and how strong that is."""

from __future__ import annotations

import math
import random
from collections import Counter
from operator import mul
from typing import Any

import pytest
from senet_exact import read_choices

from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.errors import OptionError
from boardgames_cli.games.senet.agents import Chaser
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState
from boardgames_cli.registry import make, make_agent
from tests.games.senet.positions import position


def worths(state: SenetState, rules: str = "kendall") -> dict[str, float]:
    """What each legal move seems to be worth to the beginner."""
    game = Senet(rules)
    return {
        str(move): Chaser().at_sight(state, move)
        for move in game.legal_actions(state, state.player)
    }


def test_it_plays_nothing_else() -> None:
    elsewhere: Any = make("tapnswap")
    assert Chaser().supports(elsewhere) == "it plays Senet only"
    with pytest.raises(OptionError, match=r"can't play TapnSwap: it plays Senet only\.$"):
        Chaser().reset(elsewhere, 0)


def test_a_swap_counts_the_houses_and_the_foremost_dancer_counts_too() -> None:
    found = worths(position(cones=[3, 9, 12], spools=[5, 11, 20], player=0, steps=2))
    assert found == {"3>5": 2.0, "9>11": 2.0, "12>14": -1.0}


def test_a_swap_that_puts_a_rival_ahead_counts_against_a_move() -> None:
    # Pairs stand where both dancers would go, so they must move backward.
    state = position(cones=[8, 20], spools=[6, 10, 11, 22, 23], player=0, steps=2)
    assert worths(state) == {"8>6": -2.0, "20>18": -1.0}


@pytest.mark.parametrize(("rules", "move"), [("kendall", "26>15"), ("skyruk", "27>15")])
def test_it_shuns_the_water_and_bears_off(rules: str, move: str) -> None:
    house = int(move[:2])
    found = worths(position(cones=[5, house], spools=[10], player=0, steps=1), rules)
    assert found[move] == -6.0, "the foremost, and it falls"
    found = worths(position(cones=[5, 28, 29], spools=[10], player=0, steps=3), rules)
    assert found["28>off"] == 2.0


def test_it_takes_what_seems_best_the_most_often() -> None:
    game = Senet()
    state = position(cones=[3, 12], spools=[8, 20], player=0, steps=5)
    seen = game.observe(state, 0)
    agent = Chaser()
    agent.reset(game, 0)
    drawn = Counter(str(agent.act(seen, Thinking(random.Random(seed)))) for seed in range(400))
    assert worths(state) == {"3>8": 5.0, "12>17": -1.0}
    assert drawn["3>8"] / drawn["12>17"] == pytest.approx(8.5, rel=0.3)  # e to the power 6/2.8


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["kendall", "skyruk"])
def test_it_is_no_worse_than_random_in_endings_that_are_solved(rules: str) -> None:
    game = Senet(rules)
    agent = make_agent("easy", game)
    assert isinstance(agent, Chaser)
    lost = {"chaser": 0.0, "random": 0.0}
    for choice in read_choices():
        if choice.rules == rules:
            moves = game.legal_actions(choice.state, choice.state.player)
            chances = [choice.values[game.action_id(choice.state, move)] for move in moves]
            seen = (agent.at_sight(choice.state, move) for move in moves)
            weights = [math.exp(worth / agent.temperature) for worth in seen]
            losses = [max(chances) - chance for chance in chances]
            lost["random"] += sum(losses) / len(losses)
            lost["chaser"] += sum(map(mul, weights, losses)) / sum(weights)
    assert lost["chaser"] < 0.95 * lost["random"]
