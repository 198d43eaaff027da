from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from boardgames_cli.algorithms.action_value_table import QTable
from boardgames_cli.algorithms.learned_file import LearnedFileError
from boardgames_cli.algorithms.retrograde import Outcome, solve
from boardgames_cli.core.errors import OptionError
from boardgames_cli.core.options import build
from boardgames_cli.games.tapnswap.rules import TapnSwap
from boardgames_cli.registry import make
from boardgames_cli.training.q_learning import (
    LONGEST,
    OPPONENTS,
    Evaluator,
    QLearning,
    QSettings,
    resume,
)
from boardgames_cli.training.training_run import training_command
from tests.algorithms.toys import Walk

GAME = TapnSwap()


def trained(game: Any = GAME, **values: Any) -> QLearning[Any, Any]:
    learner = QLearning(game, QSettings(**values))
    while learner.episodes < learner.settings.episodes:
        learner.block()
    return learner


def test_exact_values_teach_by_the_moves_of_a_perfect_opponent_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Handing it the wrong verdicts makes it play badly, but leaves nothing wrong in the table.
    plain = trained(opponent="perfect", episodes=2000)
    alone = trained(episodes=2000)
    real = solve

    def upside_down(graph: Any) -> Any:
        solution = real(graph)
        solution.verdicts[:] = [
            dataclasses.replace(verdict, outcome=Outcome(-verdict.outcome))
            for verdict in solution.verdicts
        ]
        return solution

    monkeypatch.setattr("boardgames_cli.training.q_learning.solve", upside_down)
    misled = trained(opponent="perfect", episodes=2000)
    assert misled.values != plain.values
    assert trained(episodes=2000).values == alone.values
    solution = real(misled.graph)
    for values, verdict in zip(misled.values, solution.verdicts, strict=True):
        if verdict.outcome is Outcome.LOSS and verdict.plies == 2:
            assert max(values) <= 0.0
        if verdict.outcome is Outcome.WIN and verdict.plies == 1:
            assert min(values) >= -1.0


@pytest.mark.parametrize("opponent", OPPONENTS)
def test_every_opponent_teaches(opponent: str) -> None:
    learner = trained(opponent=opponent, episodes=5000)
    point = Evaluator(learner).measure().data
    assert point["kept"] >= (480 if opponent == "perfect" else 530)
    assert point["score"] > 0.95
    # The worst move wherever there is one that spoils something.
    learner.best[:] = [values.index(min(values)) for values in learner.values]
    point = Evaluator(learner).measure().data
    assert point["kept"] < (300 if opponent == "perfect" else 250)
    assert point["score"] < 0.3


@pytest.mark.parametrize(
    "values",
    [
        {"rate": 1.0},
        {"epsilon": 0.3, "episodes": 20_000},
        {"discount": 0.99},
        {"seed": 99},
        {"opponent": "random,self"},
    ],
    ids=str,
)
def test_other_settings_learn_it_too(values: dict[str, Any]) -> None:
    point = Evaluator(trained(**{"episodes": 10_000, **values})).measure().data
    assert point["positions"] == 534
    assert point["kept"] >= point["positions"] - 2


def test_values_become_the_discounted_exact_ones() -> None:
    learner = trained(rate=1.0, episodes=20_000, epsilon_end=1.0, discount=0.9)
    solution = solve(learner.graph)
    for values, verdict in zip(learner.values, solution.verdicts, strict=True):
        wanted = int(verdict.outcome) * 0.9 ** (verdict.plies - 1)
        assert max(values) == pytest.approx(wanted, abs=1e-9)


def test_a_game_in_which_a_side_moves_twice() -> None:
    learner = trained(Walk("double"), episodes=500, epsilon_end=1.0, discount=0.5, rate=1.0)
    by_place = {json.loads(key)["place"]: row for key, row in learner.table().rows.items()}
    names = {
        json.dumps({"place": place}, separators=(",", ":")): place for place in ["a6", "b6", "b7"]
    }
    first = {names.get(key, key): value for key, (value, _) in by_place["a5"].items()}
    assert first["a6"] == 0.125  # the winner's own second move must not turn the sign
    assert max(value for value, _ in by_place["b6"].values()) == -0.5


def test_endless_games_teach_no_result() -> None:
    learner = trained(Walk("circle"), episodes=500, epsilon=0.5, epsilon_end=0.5)
    assert [max(values) for values in learner.values] == [0.0, 0.0]
    assert all(min(values) < -0.9 for values in learner.values)
    assert learner.plies <= 500 * LONGEST


@pytest.mark.parametrize(
    ("episodes", "values"),
    [
        # 0.5 * 1, and 0.5 * (-0.5 * 0.5)
        (1, [[-0.125], [0.5]]),
        # 0.5 + 0.5 * (1 - 0.5), and -0.125 + 0.5 * (-0.5 * 0.75 + 0.125)
        (2, [[-0.25], [0.75]]),
    ],
)
def test_steps_by_hand(episodes: int, values: list[list[float]]) -> None:
    learner = trained(Walk("lane"), episodes=episodes, rate=0.5, discount=0.5)
    assert learner.values == values
    assert learner.visits == [[episodes], [episodes]]


# -- going on ------------------------------------------------------------------------------------


def test_the_number_of_games_can_be_raised_in_the_middle_of_a_block() -> None:
    learner = resume(GAME, trained(episodes=300).table(), 1000)
    learner.block()
    assert learner.episodes == 500


def test_a_table_that_was_not_trained_here_can_not_be_gone_on_with() -> None:
    table = trained(episodes=250).table()
    once = {**table.settings, "rate_decay": 0.0, "longest": 200, "share": True}
    assert resume(GAME, dataclasses.replace(table, settings=once)).total == 250
    for wrong in ({"alpha": 1}, {"rate": 7}, {"seed": "x"}, {"rate_decay": 0.5}, {"share": False}):
        with pytest.raises(LearnedFileError, match="not trained by this version"):
            resume(GAME, dataclasses.replace(table, settings={**table.settings, **wrong}))


def test_a_table_with_other_positions_can_not_be_gone_on_with() -> None:
    table = trained(episodes=250).table()
    rows = dict(table.rows)
    key = next(iter(rows))
    for damaged in (
        {name: row for name, row in rows.items() if name != key},
        {**rows, key: {"9999": (0.5, 1)}},
    ):
        with pytest.raises(LearnedFileError, match=f"position {key} has other moves"):
            resume(GAME, dataclasses.replace(table, rows=damaged))
    with pytest.raises(LearnedFileError, match="made for senet"):
        QLearning(GAME, QSettings(), None, QTable("senet", 1, rows, 1, True, {}, ""))


def test_seeds_make_a_difference() -> None:
    assert trained(episodes=500, seed=1).values != trained(episodes=500, seed=2).values


# -- settings ------------------------------------------------------------------------------------


@pytest.mark.parametrize("opponent", ["", "self,,random"])
def test_lists_of_nobody_are_refused(opponent: str) -> None:
    with pytest.raises(OptionError, match="opponent"):
        build(QSettings, {"opponent": opponent}, "training")


@pytest.mark.parametrize(
    ("opponent", "expected"),
    [
        ("self", ["self"] * 6),
        ("random,self", ["random"] * 3 + ["self"] * 3),
        ("random, self ,self", ["random"] * 2 + ["self"] * 4),
        ("mixed,perfect,self,random", ["mixed", "mixed", "perfect", "self", "self", "random"]),
    ],
)
def test_opponents_follow_one_another(opponent: str, expected: list[str]) -> None:
    settings = QSettings(episodes=6, opponent=opponent)
    assert [settings.opponent_at(episode) for episode in range(6)] == expected


def test_the_command_has_every_setting() -> None:
    settings = QSettings(episodes=7, opponent="random,self", rate=0.25)
    assert training_command(make("tapnswap"), settings) == (
        "boardgames train tapnswap --episodes 7 --opponent random,self --seed 1 --rate 0.25 "
        "--discount 0.95 --epsilon 1.0 --epsilon-end 0.1"
    )
