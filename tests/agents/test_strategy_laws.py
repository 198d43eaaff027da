"""Strategies, Q-tables and information sets as laws: what is written is read, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardgames_cli.algorithms.action_value_table import (
    QTable,
    parse_table,
)
from boardgames_cli.algorithms.game_tree import (
    GameTree,
    information_set,
    stage_of,
    why_not_extensive,
)
from boardgames_cli.algorithms.learned_file import LearnedFileError
from boardgames_cli.algorithms.strategy import Strategy, parse_strategy
from boardgames_cli.games.kuhn.rules import Kuhn
from boardgames_cli.registry import make
from tests.games.kuhn.tables import every_state
from tests.toys import Cards, Lots, Pennies, Race

GAME = Kuhn()
TREE = GameTree(GAME)
NAMES = st.text(min_size=1, max_size=12)


@st.composite
def rows(draw_: Any) -> dict[str, float]:
    names = draw_(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    weights = draw_(st.lists(st.integers(0, 1000), min_size=len(names), max_size=len(names)))
    weights[0] += 1
    return {name: weight / sum(weights) for name, weight in zip(names, weights, strict=True)}


TABLES = st.dictionaries(NAMES, rows(), min_size=1, max_size=5)
VALUES = st.floats(-1e6, 1e6, allow_nan=False)
ENTRIES = st.dictionaries(NAMES, st.tuples(VALUES, st.integers(0, 10**9)), min_size=1, max_size=4)
Q_ROWS = st.dictionaries(NAMES, ENTRIES, max_size=4)


# -- strategies ----------------------------------------------------------------------------------


@given(TABLES)
def test_a_strategy_that_is_written_is_read(table: dict[str, dict[str, float]]) -> None:
    strategy = Strategy.of(GAME, table, command="by hand")
    again = parse_strategy(strategy.to_text(), "here")
    assert list(again.table) == list(table)
    for name, row in table.items():
        assert list(again.table[name]) == list(row)
        assert sum(again.table[name].values()) == pytest.approx(1, abs=1e-12)
        assert again.table[name] == pytest.approx(row, abs=2e-6)
    assert (again.about, again.fits(GAME)) == ({"command": "by hand"}, None)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
                    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))  # fmt: skip
def test_no_json_at_all_breaks_the_reader(data: Any) -> None:
    whole = json.loads(Strategy.of(GAME, {"J": {"check": 1.0}}).to_text())
    for text in (json.dumps(data), json.dumps(whole | {"strategy": data}),
                 json.dumps(whole | {"strategy": {"J": data}})):  # fmt: skip
        try:
            strategy = parse_strategy(text, "here")
        except LearnedFileError as error:
            told = ("here" in error.message, bool(error.todo))
        else:
            told = (True, all(abs(sum(row.values()) - 1) < 1e-9
                                for row in strategy.table.values()))  # fmt: skip
        assert told == (True, True)


def test_a_policy_is_of_the_legal_actions_only() -> None:
    states = [state for state in every_state(GAME) if GAME.to_act(state) in ((0,), (1,))]
    table = {
        information_set(GAME, GAME.observe(state, GAME.to_act(state)[0])): {
            "check": 0.25, "bet": 0.75,
        }
        for state in states
    }  # fmt: skip
    strategy = Strategy.of(GAME, table)
    assert len(table) == 12
    for state in states:
        view = GAME.observe(state, GAME.to_act(state)[0])
        policy = strategy.policy(GAME, view)
        assert set(policy) == set(view.legal)
    extra = Strategy.of(GAME, {name: {**row, "raise": 0.0} for name, row in table.items()})
    with pytest.raises(LearnedFileError, match="does not say what to do"):
        extra.policy(GAME, GAME.observe(states[0], GAME.to_act(states[0])[0]))
    with pytest.raises(LearnedFileError, match="does not say what to do"):
        extra.profile(TREE)


# -- Q-tables ------------------------------------------------------------------------------------


@given(Q_ROWS, st.integers(0, 10**9), st.booleans())
def test_a_table_that_is_written_is_read(q_rows: Any, episodes: int, shared: bool) -> None:
    table = QTable("tapnswap", 1, q_rows, episodes, shared, {"seed": 1}, "by hand")
    again = parse_table(table.text())
    assert again == table
    assert again.shape == (len(q_rows), sum(map(len, q_rows.values())))
    assert again.text() == table.text()


def test_facts_of_a_table_without_a_curve_say_nothing_of_its_strength() -> None:
    names = [name for name, _ in QTable("tapnswap", 1, {}, 3, True, {}, "c").facts()]
    assert names == ["game", "size", "learned from", "made by"]
    odd = QTable("tapnswap", 1, {}, 3, True, {}, "", ({"kept": "x"},))
    assert "exact value kept" not in dict(odd.facts())


# -- information sets ----------------------------------------------------------------------------


def test_an_information_set_is_what_looks_the_same() -> None:
    named: dict[str, set[str]] = {}
    for state in every_state(GAME):
        for seat in GAME.to_act(state):
            if seat >= 0:
                seen = GAME.observe(state, seat)
                key = json.dumps(GAME.to_json(seen.state)) + str(seat)
                named.setdefault(information_set(GAME, seen), set()).add(key)
    assert len(named) == 12
    assert all(len(views) == 1 for views in named.values())


def test_the_usual_name_tells_seats_and_positions_apart() -> None:
    game = Cards()
    names = set()
    for seat in (0, 1):
        seen = game.observe(game.initial_state(), seat)
        name = information_set(game, seen)
        assert json.loads(name)["seat"] == seat
        names.add(name)
    assert len(names) == 2


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (Kuhn(), None),
        (Race(), None),
        (Pennies(), None),
        (Lots(), "it "),
        (make("deepsea"), "it needs two seats, one winning what the other loses"),
    ],
    ids=lambda value: getattr(getattr(value, "info", None), "id", ""),
)
def test_games_that_trees_are_made_for(game: Any, reason: str | None) -> None:
    found = why_not_extensive(game)
    assert found == reason if reason is None else (found or "").startswith(reason)


def test_a_match_is_learned_from_its_stage() -> None:
    assert stage_of(Kuhn(hands=9, first=2)) == Kuhn(hands=1, first=stage_of(Kuhn()).first)  # type: ignore[attr-defined]
    race = Race()
    assert stage_of(race) is race
