"""The compiled evaluation and search of Senet, held to the readable ones."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

pytest.importorskip("numba", reason="compiled rules need the extra `fast` (numba)")

import numpy as np

from boardgames_cli import make_agent
from boardgames_cli.agents import expectimax
from boardgames_cli.core.agent import Budget, Thinking
from boardgames_cli.core.game import CHANCE
from boardgames_cli.games.senet.board import HOUSES, bit
from boardgames_cli.games.senet.ending_tables import Endings, TableLayout
from boardgames_cli.games.senet.fast.moves import RULES
from boardgames_cli.games.senet.fast.search import (
    MOST_INPUTS,
    UNKNOWN,
    SenetSearch,
    chance_in,
    list_inputs,
    make_search,
    number_of,
    starts_of,
    table_of,
)
from boardgames_cli.games.senet.heuristic import INPUTS, evaluate, side_inputs
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState
from tests.games.senet.test_heuristics import random_states

GAMES = [Senet(rules, pieces) for rules in RULES for pieces in (5, 7)]


def before_throws(game: Senet, count: int) -> list[SenetState]:
    states = [state for state in random_states(game, 3) if game.to_act(state) == (CHANCE,)]
    return random.Random(8).sample(states, count)


def test_the_same_inputs_are_listed() -> None:
    rng = random.Random(1)
    found = np.zeros(MOST_INPUTS, np.int64)
    masks = [sum(bit(h) for h in rng.sample(range(1, 31), rng.randint(1, 7))) for _ in range(200)]
    for mask in [*masks, 0b1111111, 0b11 << 28, 0b1111111 << 23]:
        for role in (0, 1):
            count = list_inputs(mask, role, found, 0)
            expected = [role * INPUTS + number for number in side_inputs(mask)]
            assert sorted(found[:count]) == sorted(expected)


def test_it_does_not_begin_after_a_throw_and_knows_no_other_heuristic() -> None:
    game = Senet()
    assert SenetSearch(game, evaluate).value(SenetState(1, 2, 0, 3), 0, 2) is None
    assert make_search(game, lambda *_: 0.0) is None


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_agents_play_alike_with_it_and_without(
    game: Senet, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, seen = random.Random(4), []
    for state in before_throws(game, 4):
        thrown = game.apply_chance(state, game.sample_chance(state, rng))
        seen.append(game.observe(thrown, thrown.player))
    moves, values = [], []
    # Compiling waits until it is worth it: until the agent without it has searched.
    for worthwhile in (math.inf, 1e-9):
        monkeypatch.setattr(expectimax, "WORTHWHILE", worthwhile)
        assert worthwhile < 1 or expectimax.compiled_search(game, evaluate) is None
        agent: Any = make_agent(f"expectimax:depth={3 if game.pieces == 5 else 2}", game)
        agent.reset(game, 0)
        moves.append([agent.act(one, Thinking(random.Random(1))) for one in seen])
        values += [agent.evaluate_actions(one, Thinking(random.Random(1))) for one in seen]
    assert expectimax.compiled_search(game, evaluate) is not None
    assert moves[0] == moves[1]
    for plain, quick in zip(values[:4], values[4:], strict=True):
        assert quick == pytest.approx(plain, abs=1e-12)


def test_a_limit_of_nodes_counts_every_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expectimax, "WORTHWHILE", 0.0)
    game = Senet()
    reports: list[str] = []
    state = SenetState(bit(5) | bit(9), bit(4) | bit(8) | bit(12), 0, 2)
    for nodes in (None, 10**9):
        agent = make_agent("expectimax:depth=2", game)
        agent.reset(game, 0)
        thinking = Thinking(random.Random(1), Budget(nodes=nodes), report=reports.append)
        agent.act(game.observe(state, 0), thinking)
    assert reports[0] == reports[2] == "depth 1, 2 nodes"
    assert reports[1] != reports[3]


@pytest.mark.parametrize("rules", RULES)
def test_compiled_code_looks_up_the_same(rules: str) -> None:
    endings, rng = Endings.load(rules), random.Random(rules)
    table, layout = table_of(endings), TableLayout(rules, 4)
    starts = starts_of(layout)
    for _ in range(500):
        owns, opponents = rng.randint(1, 4), rng.randint(1, 4)
        open_houses = [bit for bit in range(HOUSES) if not layout.closed >> bit & 1]
        spots = [1 << bit for bit in rng.sample(open_houses, owns + opponents)]
        own, opponent = sum(spots[:owns]), sum(spots[owns:])
        assert number_of(own, opponent, RULES[rules], starts) == layout.number(own, opponent)
        known = endings.chance(own, opponent)
        wanted = UNKNOWN if known is None else known
        assert chance_in(own, opponent, table, RULES[rules]) == wanted
    assert chance_in(0, 31, table, RULES[rules]) == 1.0
    assert chance_in(31, 0, table, RULES[rules]) == 0.0
    assert chance_in(31, 32, table, RULES[rules]) == UNKNOWN
