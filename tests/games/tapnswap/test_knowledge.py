"""What the game knows beside its rules: the heuristic and its manifest."""

from __future__ import annotations

from boardgames_cli.algorithms.position_graph import explore
from boardgames_cli.algorithms.retrograde import solve
from boardgames_cli.games.tapnswap import GAME as SPEC
from boardgames_cli.games.tapnswap.heuristic import evaluate
from boardgames_cli.games.tapnswap.rules import TapnSwap

GAME = TapnSwap()


def test_the_heuristic_mostly_knows_who_wins() -> None:
    solution = solve(explore(GAME, GAME.every_position()))
    decided = [
        (evaluate(GAME, state, 0), solution.verdict(state).outcome)
        for state in GAME.every_position()
        if solution.verdict(state).outcome
    ]
    right = sum(value * outcome > 0 for value, outcome in decided)
    assert right / len(decided) > 0.75


def test_the_rules_for_people_give_the_figures() -> None:
    text = SPEC.rules_text()
    for figure in ("576", "394", "147", "35", "26 moves", "33 moves", "200 moves"):
        assert figure in text, figure
