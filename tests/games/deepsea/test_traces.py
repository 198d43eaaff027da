"""Every recorded turn of the reference program, and why some are left out."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.games.deepsea.state import DeepSeaState, Ledger, Phase
from tests.games.deepsea.records import load, play_turn, position

ROWS = load("deepsea.jsonl.gz")
DEVIATIONS = load("deepsea-deviations.jsonl.gz")


def comparable(state: DeepSeaState) -> DeepSeaState:
    """Without what the reference does not record: which values were seen, and when."""
    players = len(state.places)
    bare = Ledger(state.points, bytes(16), (b"",) * players, ())
    return state._replace(ledger=bare)


def test_the_records_are_all_there_with_the_rare_cases() -> None:
    assert len(ROWS) == 1500
    assert sum(row["game_over"] for row in ROWS) == 56
    assert sum(row["dice"] is None for row in ROWS) == 291
    rare = {"leap": 500, "drop-tie": 70, "last-tile": 70, "round-end-drowned": 100, "home": 150}
    assert Counter(note for row in ROWS for note in row["notes"]) >= Counter(rare)


@pytest.mark.parametrize("part", range(10))
def test_every_recorded_turn_comes_out_as_recorded(part: int) -> None:
    for number, row in enumerate(ROWS[part::10]):
        game = DeepSea(players=row["players"])
        after = play_turn(game, row)[-1]
        where = (part + 10 * number, row["notes"])
        if row["game_over"]:
            assert after.phase is Phase.OVER, where
            assert list(after.points) == row["after"]["points"], where
        else:
            expected = game.from_json(position(row["after"]))
            assert comparable(after) == comparable(expected), where


@pytest.mark.parametrize("row", DEVIATIONS, ids=lambda row: f"seat{row['current']}")
def test_where_the_reference_leaves_its_rules_we_keep_them(row: dict[str, Any]) -> None:
    game = DeepSea(players=row["players"])
    states = play_turn(game, row)
    after, recorded = states[-1], row["after"]
    (why,) = row["why"]
    if "turns a player round" in why:
        seat = row["current"]
        assert (recorded["dir"][seat], after.diving[seat]) == (0, True)
        assert list(after.places) == recorded["pos"]
    elif "oxygen is left below 0" in why:
        assert recorded["oxygen"] < 0
        assert after.oxygen == 0
        assert list(after.points) == recorded["points_at_round_end"]
    else:
        assert "furthest from the submarine" in why
        seat = int(why.rpartition("seat ")[2].rstrip(")"))
        assert after.current == seat != recorded["current"]
        assert list(after.points) == recorded["points_at_round_end"]
