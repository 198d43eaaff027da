"""Every recorded decision of the reference programs, and the written rules where those err."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState

DATA = Path(__file__).parents[2] / "data"
Row = dict[str, Any]


def rows(name: str) -> list[Row]:
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def read(row: Row, rules: str) -> tuple[Senet, SenetState]:
    game = Senet(rules, row["pieces"])
    keys = ("cones", "spools", "player", "steps", "pieces")
    return game, game.from_json({key: row[key] for key in keys})


def check_legal(game: Senet, state: SenetState, wanted: list[int], number: int) -> None:
    legal = game.legal_actions(state, state.player)
    ids = sorted(game.action_id(state, action) for action in legal)
    assert ids == wanted, f"row {number}: {[str(action) for action in legal]}"


def check_after(game: Senet, state: SenetState, id: int, wanted: Row, number: int) -> None:
    after = game.apply(state, {state.player: game.action_of(state, id)})
    position = game.to_json(after)
    assert (position["cones"], position["spools"]) == (wanted["cones"], wanted["spools"]), number
    assert game.is_over(after) == wanted["done"], number
    if wanted["done"]:
        # The player of a finished position is the reference's way to name the winner.
        assert game.returns(after)[state.player] == 1.0, number
    else:
        assert after.player == wanted["player"], f"row {number}: the wrong side throws next"
        assert game.returns(after) == (0.0, 0.0), number


@pytest.mark.parametrize("rules", ["kendall", "skyruk"])
def test_recorded_decisions(rules: str) -> None:
    recorded = rows(f"senet-{rules}")
    assert len(recorded) == 3000
    for number, row in enumerate(recorded, 1):
        game, state = read(row, rules)
        check_legal(game, state, row["legal"], number)
        check_after(game, state, row["action"], row["after"], number)


@pytest.mark.parametrize("rules", ["kendall", "skyruk"])
def test_the_written_rules_win_where_the_reference_errs(rules: str) -> None:
    recorded = rows(f"senet-{rules}-deviations")
    assert len(recorded) == 200
    for number, row in enumerate(recorded, 1):
        game, state = read(row, rules)
        written = row["written"]
        check_legal(game, state, written["legal"], number)
        if written["after"] is not None:
            check_after(game, state, row["action"], written["after"], number)
        else:
            assert row["action"] not in written["legal"]


def test_the_recorded_decisions_touch_every_house_and_kind_of_move() -> None:
    for rules in ("kendall", "skyruk"):
        recorded = rows(f"senet-{rules}") + rows(f"senet-{rules}-deviations")
        starts = {house for row in recorded for house in row["cones"]}
        assert starts == set(range(30)) - ({26} if rules == "kendall" else set())
        codes = {code % 10 for row in recorded for code in row["legal"] if code}
        assert codes == set(range(10)) - {0} | {0}
        assert any(row["legal"] == [0] for row in recorded)
        assert any(row["after"]["done"] for row in recorded)
