"""What would become a puzzle, in endings whose exact values another program worked out."""

from __future__ import annotations

import gzip
import json
from collections import Counter

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.evaluation.mining import CLEAR_ERRORS
from boardgames_cli.games.senet.rules import Senet
from tests.games.senet.test_heuristics import SAMPLE, position

GAP = 0.06
"""The gap of the bundled puzzles; docs/puzzles.md."""


def test_the_answers_of_clear_positions_are_right() -> None:
    games = {rules: Senet(rules) for rules in ("kendall", "skyruk")}
    clear: Counter[bool] = Counter()
    with gzip.open(SAMPLE, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            game = games[row["rules"]]
            analyst = analyst_for(game)
            for steps, known in row["by_steps"].items():
                if len(known["values"]) < 2:
                    continue
                state = game.from_json(position(row) | {"steps": int(steps)})
                judged = analyst.judge(game.observe(state, state.player))
                second = judged.choices[1]
                if second.loss < max(CLEAR_ERRORS * second.loss_error, 2 * GAP):
                    continue
                clear[judged.method.is_exact] += 1
                assert game.action_id(state, judged.best.action) in known["best"]
    assert clear[True] >= 15
    assert clear[False] == 19, "by the rounded table, which sees no more of them than there are"
