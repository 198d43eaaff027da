"""Node counts: the plainest and strictest test of rules. To add a position, add it to the TOML.

When a count is off, the failure shows the count below every first step, so that the wrong branch
is found by comparing with another program, move by move.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.algorithms.game_tree import NodeCounts, count_nodes, successors
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.record import step_texts
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.registry import make
from tests.games.senet import slow_rules
from tests.games.senet.positions import slow
from tests.toys import Cards, Pennies, Race

FOLDER = Path(__file__).parent
NOT_POSITION = ("name", "rules", "depth", "nodes")


def listed(id: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = tomllib.loads((FOLDER / f"{id}.toml").read_text())["position"]
    return rows


def read(row: dict[str, Any]) -> tuple[Senet, Any]:
    game = make("senet", rules=row["rules"], pieces=row["pieces"])
    assert isinstance(game, Senet)
    data = {key: value for key, value in row.items() if key not in NOT_POSITION}
    return game, game.from_json({"steps": None, **data})


def split(game: AnyGame, state: Any, depth: int) -> str:
    lines = [
        f"{', '.join(step_texts(step).values())}: {count_nodes(game, after, depth - 1)}"
        for step, after in successors(game, state)
    ]
    return "\n".join(lines)


@pytest.mark.parametrize("row", listed("senet"), ids=lambda row: row["name"])
def test_node_counts_of_senet(row: dict[str, Any]) -> None:
    game, state = read(row)
    counts = count_nodes(game, state, row["depth"])
    assert counts == NodeCounts(**row["nodes"]), split(game, state, row["depth"])


@pytest.mark.parametrize("row", listed("senet"), ids=lambda row: row["name"])
def test_the_slow_rules_confirm_the_counts(row: dict[str, Any]) -> None:
    game, state = read(row)
    chance, decision, terminal = slow_rules.count(slow(game, state), row["depth"])
    assert row["nodes"] == {"chance": chance, "decision": decision, "terminal": terminal}


def test_the_positions_cover_starts_and_ends() -> None:
    rows = listed("senet")
    starts = [(row["rules"], row["pieces"]) for row in rows if row["name"].startswith("start")]
    assert len(set(starts)) == 4
    assert any(row["nodes"]["terminal"] for row in rows)
    assert len(rows) >= 20


def test_counting_itself() -> None:
    # By hand: the deal, 6 deals, 12 first guesses, 24 second ones.
    assert count_nodes(Cards(), Cards().initial_state(), 9) == NodeCounts(1, 18, 24)
    # Joint moves: 1 + 4 + 16 decisions, 64 ends.
    assert count_nodes(Pennies(), Pennies().initial_state(), 9) == NodeCounts(0, 21, 64)
    assert count_nodes(Race(), Race().initial_state(), 0) == NodeCounts(chance=1)
    assert count_nodes(Race(), Race().initial_state(), 2) == NodeCounts(1 + 4, 2, 0)


def test_the_split_names_every_first_step() -> None:
    text = split(Race(), Race().initial_state(), 2)
    assert text.splitlines() == [
        "roll 1: NodeCounts(chance=2, decision=1, terminal=0)",
        "roll 2: NodeCounts(chance=2, decision=1, terminal=0)",
    ]
