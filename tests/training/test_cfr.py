"""Counterfactual regret minimisation finds equilibria, of any game of its kind."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.algorithms.exploitability import quality, strategy_quality
from boardgames_cli.algorithms.game_tree import GameTree, TreeError
from boardgames_cli.algorithms.regret_solver import Cfr, CfrSettings
from boardgames_cli.algorithms.strategy import read_strategy
from boardgames_cli.core.background import Progress
from boardgames_cli.core.game import CHANCE, AnyGame
from boardgames_cli.games.kuhn import agents
from boardgames_cli.games.kuhn.rules import Kuhn
from boardgames_cli.registry import make
from boardgames_cli.testing import check_game
from boardgames_cli.training.regret_minimization import (
    CfrRun,
)
from tests.toys import Cards, Pennies, Race
from tests.training.coin import Coin

TREE = GameTree(Kuhn())
VARIANTS = list(itertools.product(("cfr", "cfr+", "linear"), ("uniform", "linear")))


def test_what_the_literature_says_of_the_value_and_of_every_equilibrium() -> None:
    learner = Cfr(TREE, CfrSettings())
    learner.run(3000)
    measured = quality(TREE, learner.average())
    assert measured.value == pytest.approx(-1 / 18, abs=1e-4)
    assert measured.exploitability < 1e-4
    rows = {known.name: learner.average()[n][1] for n, known in enumerate(TREE.information_sets)}
    alpha = rows["J"]
    assert 0 <= alpha <= 1 / 3
    expected = agents.equilibrium(alpha).table
    for name, bet in rows.items():
        assert bet == pytest.approx(expected[name]["bet"], abs=0.01), name


class Textbook:
    """CFR as the papers write it: recursive, over states, with dictionaries. Slow and plain."""

    def __init__(self, settings: CfrSettings) -> None:
        self.game = Kuhn()
        self.is_plus = settings.variant == "cfr+"
        self.is_linear = settings.averaging == "linear"
        self.has_weights = settings.variant == "linear"
        self.regrets = {known.name: [0.0, 0.0] for known in TREE.information_sets}
        self.sums = {known.name: [0.0, 0.0] for known in TREE.information_sets}

    def iterate(self, number: int) -> None:
        for updated in [(0,), (1,)] if self.is_plus else [(0, 1)]:
            now = {name: self.matched(name) for name in self.regrets}
            self.walk(self.game.initial_state(), (1.0, 1.0), 1.0, now, updated, number)
            if self.is_plus:
                for regrets in self.regrets.values():
                    regrets[:] = [max(regret, 0.0) for regret in regrets]

    def matched(self, name: str) -> list[float]:
        positive = [regret * (regret > 1e-12) for regret in self.regrets[name]]
        return [p / sum(positive) for p in positive] if sum(positive) else [0.5, 0.5]

    def walk(
        self, state: Any, reach: tuple[float, float], chance: float,
        now: dict[str, list[float]], updated: tuple[int, ...], number: int,
    ) -> float:  # fmt: skip
        """The value of a state for seat 0."""
        game = self.game
        seats = game.to_act(state)
        if not seats:
            return game.returns(state)[0]
        if seats == (CHANCE,):
            return sum(
                p * self.walk(game.apply_chance(state, o), reach, chance * p, now, updated, number)
                for o, p in game.chance_outcomes(state)
            )
        seat = seats[0]
        name = game.information_set(game.observe(state, seat))
        values = []
        for action, probability in zip(game.legal_actions(state, seat), now[name], strict=True):
            own = reach[seat] * probability
            after = (reach[0], own) if seat else (own, reach[1])
            following = game.apply(state, {seat: action})
            values.append(self.walk(following, after, chance, now, updated, number))
        value = sum(v * p for v, p in zip(values, now[name], strict=True))
        if seat in updated:
            sign = -1 if seat else 1
            for index in (0, 1):
                regret = sign * chance * reach[1 - seat] * (values[index] - value)
                self.regrets[name][index] += regret * (number if self.has_weights else 1)
                weight = number if self.is_linear else 1
                self.sums[name][index] += weight * reach[seat] * now[name][index]
        return value


@pytest.mark.parametrize(("variant", "averaging"), VARIANTS)
def test_it_is_what_the_papers_say_step_by_step(variant: str, averaging: str) -> None:
    settings = CfrSettings(variant=variant, averaging=averaging)
    learner, textbook = Cfr(TREE, settings), Textbook(settings)
    for number in range(1, 31):
        learner.run(1)
        textbook.iterate(number)
        for row, known in zip(learner.average(), TREE.information_sets, strict=True):
            sums = textbook.sums[known.name]
            expected = [total / sum(sums) for total in sums] if sum(sums) else [0.5, 0.5]
            assert row == pytest.approx(expected, abs=1e-12), (number, known.name)


def test_a_joint_step_is_two_decisions_of_which_the_second_does_not_see_the_first() -> None:
    tree = GameTree(Pennies())
    scores = {known.name for known in tree.information_sets if known.seat == 1}
    assert len(tree.information_sets) == 2 * len(scores) == 2 * (1 + 2 + 3)
    learner = Cfr(tree, CfrSettings())
    learner.run(500)
    measured = quality(tree, learner.average())
    assert measured.value == pytest.approx(0, abs=1e-3)
    assert measured.exploitability < 1e-3
    always = [[1.0, 0.0] for _ in tree.information_sets]
    assert quality(tree, always).best == (3.0, 3.0)


@pytest.mark.parametrize("prize", [1, 3, 9])
def test_secrets_made_by_players(prize: int) -> None:
    # A 2 x 2 matrix game, solved by hand: both choose "right" with probability 2 / (3 + prize).
    game = Coin(prize)
    check_game(game, seeds=range(3))
    tree = GameTree(game)
    learner = Cfr(tree, CfrSettings())
    learner.run(2000)
    rows = learner.average()
    right = 2 / (3 + prize)
    assert [row[1] for row in rows] == pytest.approx([right, right], abs=0.01)
    value = (1 - prize) / (3 + prize)
    assert quality(tree, rows).value == pytest.approx(value, abs=1e-3)


def test_a_game_without_secrets_is_solved_like_by_backward_induction() -> None:
    game = Race(6)

    def value(state: Any) -> float:
        seats = game.to_act(state)
        if not seats:
            return game.returns(state)[0]
        if seats == (CHANCE,):
            return sum(
                p * value(game.apply_chance(state, o)) for o, p in game.chance_outcomes(state)
            )
        legal = game.legal_actions(state, seats[0])
        values = [value(game.apply(state, {seats[0]: action})) for action in legal]
        return min(values) if seats[0] else max(values)

    tree = GameTree(game)
    learner = Cfr(tree, CfrSettings())
    learner.run(100)
    measured = quality(tree, learner.average())
    assert measured.value == pytest.approx(value(game.initial_state()), abs=1e-2)
    assert measured.exploitability < 1e-2


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (Cards(), "one winning what the other loses"),
        (make("senet"), "more than 20,000 histories"),
        (Kuhn(hands=2), "two different decisions"),
    ],
    ids=str,
)
def test_games_of_another_kind_are_refused(game: AnyGame, reason: str) -> None:
    with pytest.raises(TreeError, match=reason):
        GameTree(game)


class Forgetful(Kuhn):
    """A player who is asked a second time has forgotten the card."""

    def information_set(self, seen: Any) -> str:
        name = super().information_set(seen)
        return name[2:] if name.endswith("check bet") else name


class Muddled(Kuhn):
    """Everything has the same name."""

    def information_set(self, seen: Any) -> str:
        return "?"


def test_players_who_forget_are_refused() -> None:
    with pytest.raises(TreeError, match='at "check bet" a seat would have forgotten'):
        GameTree(Forgetful())
    with pytest.raises(TreeError, match='two different decisions are both called "\\?"'):
        GameTree(Muddled())


def test_a_run_reports_measures_and_saves(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.json"
    reports: list[Progress] = []
    run = CfrRun(Kuhn(hands=20), CfrSettings(iterations=600), path)
    run.run(reports.append)
    assert [point.done for point in run.points] == [1, 2, 5, 10, 20, 50, 100, 200, 500, 600]
    assert reports[-1].done == reports[-1].total == 600
    assert reports[-1].seconds_left == 0
    strategy = read_strategy(path)
    assert strategy.fits(Kuhn()) is None, "of a match the one hand is trained"
    about = strategy.about
    assert about["iterations"] == 600
    measured = strategy_quality(Kuhn(), strategy)
    assert measured.exploitability == pytest.approx(about["exploitability"], abs=1e-5)
