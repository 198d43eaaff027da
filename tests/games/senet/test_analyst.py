"""Senet's reviews state errors that are true: neither too small nor hiding mistakes."""

from __future__ import annotations

import gzip
import json
import math

import pytest

from boardgames_cli.core.analyst import Mark
from boardgames_cli.games.senet.analyst import LOSS_ERROR, VALUE_ERROR, SenetAnalyst
from boardgames_cli.games.senet.rules import Senet
from tests.games.senet.test_heuristics import SAMPLE


def gaps(rules: str) -> tuple[list[float], list[float]]:
    """Values and losses less the exact ones, in returns, of all moves judged by the evaluation."""
    game, values, losses = Senet(rules), [], []
    analyst = SenetAnalyst(game)
    with gzip.open(SAMPLE, "rt", encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["rules"] == rules]
    for row in rows:
        position = {key: row[key] for key in ("cones", "spools", "player")}
        for steps, known in row["by_steps"].items():
            state = game.from_json(position | {"steps": int(steps), "pieces": 5})
            exact = {int(id): 2 * value - 1 for id, value in known["values"].items()}
            judgement = analyst.judge(game.observe(state, state.player))
            if judgement.method.is_exact or len(exact) < 2:
                continue
            for choice in judgement.choices:
                value = exact[game.action_id(state, choice.action)]
                values.append(choice.returns[state.player] - value)
                losses.append(choice.loss - (max(exact.values()) - value))
    return values, losses


def root_mean_square(numbers: list[float]) -> float:
    return math.sqrt(math.fsum(one**2 for one in numbers) / len(numbers))


@pytest.mark.parametrize("rules", ["kendall", "skyruk"])
def test_the_stated_errors_are_those_of_endings_whose_values_are_known(rules: str) -> None:
    values, losses = gaps(rules)
    assert len(losses) > 300
    for measured, stated in (
        (root_mean_square(values), VALUE_ERROR[rules]),
        (root_mean_square(losses), LOSS_ERROR[rules]),
    ):
        assert measured <= stated * 1.02
        assert stated <= 1.5 * measured, "an error that is too large hides mistakes"


@pytest.mark.parametrize("rules", ["kendall", "skyruk"])
def test_no_loss_that_earns_a_mark_is_hidden_by_the_stated_error(rules: str) -> None:
    scale = SenetAnalyst(Senet(rules)).scale
    assert scale.mark(0.101, LOSS_ERROR[rules]) is Mark.INACCURACY
