"""How often to bluff: what the bundled puzzles call right can't be exploited, and all else can."""

from __future__ import annotations

import itertools
import re

import pytest

from boardgames_cli.algorithms.exploitability import strategy_quality
from boardgames_cli.algorithms.strategy import Strategy
from boardgames_cli.evaluation.puzzles import Puzzle, bundled_puzzles
from boardgames_cli.games.kuhn import agents
from boardgames_cli.games.kuhn.rules import Kuhn

GAME = Kuhn()
ALL = [puzzle for puzzle in bundled_puzzles("kuhn") if puzzle.share_of]
SHARES = {f"{100 * number / 6:.0f} %": number / 6 for number in range(7)}


def exploitability(bluffs: float, changes: dict[str, float]) -> float:
    """What is given away by the equilibrium of that bluff with other shares of bets in places."""
    table = {name: dict(row) for name, row in agents.equilibrium(bluffs).table.items()}
    for name, bet in changes.items():
        table[name] = {"check": 1 - bet, "bet": bet}
    return strategy_quality(GAME, Strategy.of(GAME, table)).exploitability


def asked_at(puzzle: Puzzle) -> str:
    return Kuhn().information_set(puzzle.observation(puzzle.rulebook()))


def given(puzzle: Puzzle) -> float:
    """The share of bluffs that a question takes for granted, to a sixth or a ninth."""
    found = re.search(r"bluffs (\d+) %", puzzle.task)
    return round(int(found[1]) * 18 / 100) / 18 if found else 0.0


@pytest.mark.parametrize("puzzle", ALL, ids=lambda one: one.task)
def test_what_is_right_gives_nothing_away_and_what_is_wrong_does(puzzle: Puzzle) -> None:
    assert puzzle.share_of == "bet"
    if asked_at(puzzle) == "J":
        return  # it leaves the other shares open; see below
    for choice in puzzle.right:
        assert exploitability(given(puzzle), {asked_at(puzzle): SHARES[choice]}) < 1e-9
    assert len(puzzle.losses) >= 5
    for choice in puzzle.losses:
        assert exploitability(given(puzzle), {asked_at(puzzle): SHARES[choice]}) > 1e-3
        off = min(abs(SHARES[choice] - SHARES[right]) for right in puzzle.right)
        side = "rarely" if SHARES[choice] < SHARES[puzzle.answer] else "often"
        assert puzzle.verdict(choice) == f"{100 * off:.0f} points too {side}"


def test_the_jack_can_bluff_up_to_a_third_of_the_time() -> None:
    (puzzle,) = [one for one in ALL if asked_at(one) == "J"]
    assert puzzle.right == ("33 %", "17 %", "0 %")
    for choice in puzzle.right:
        assert exploitability(SHARES[choice], {}) < 1e-9
    grid = [number / 6 for number in range(7)]
    for bluffs in (1 / 2, 1.0):
        found = [
            exploitability(0.0, {"J": bluffs, "K": kings, "Q check bet": calls})
            for kings, calls in itertools.product(grid, grid)
        ]
        assert min(found) > 1e-3, "whatever the king and the queen do"


def test_every_question_is_put_once() -> None:
    assert len({one.task for one in ALL}) == len(ALL) == 11
