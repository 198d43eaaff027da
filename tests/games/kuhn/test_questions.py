"""How often to bluff: what the questions call right can't be exploited, and all else can."""

from __future__ import annotations

import itertools
import re

import pytest

from boardgames_cli.algorithms.exploitability import strategy_quality
from boardgames_cli.algorithms.strategy import Strategy
from boardgames_cli.evaluation.mining import SHARES
from boardgames_cli.games.kuhn import agents
from boardgames_cli.games.kuhn.analyst import Question, questions
from boardgames_cli.games.kuhn.rules import Kuhn, information_set

GAME = Kuhn()
ALL = list(questions(GAME))


def exploitability(bluffs: float, changes: dict[str, float]) -> float:
    """What is given away by the equilibrium of that bluff with other shares of bets in places."""
    table = {name: dict(row) for name, row in agents.equilibrium(bluffs).table.items()}
    for name, bet in changes.items():
        table[name] = {"check": 1 - bet, "bet": bet}
    return strategy_quality(GAME, Strategy.of(GAME, table)).exploitability


def given(question: Question) -> float:
    """The share of bluffs that a question takes for granted, to a sixth or a ninth."""
    found = re.search(r"bluffs (\d+) %", question.task)
    return round(int(found[1]) * 18 / 100) / 18 if found else 0.0


@pytest.mark.parametrize("question", ALL, ids=lambda one: one.task)
def test_what_is_right_gives_nothing_away_and_what_is_wrong_does(question: Question) -> None:
    name = information_set(question.seen)
    if name == "J":
        return  # it leaves the other shares open; see below
    right = {question.low, question.high}
    for share in right:
        assert exploitability(given(question), {name: share}) < 1e-9
    wrong = [share for share in SHARES if all(abs(share - one) > 0.01 for one in right)]
    assert len(wrong) >= 5
    for share in wrong:
        assert exploitability(given(question), {name: share}) > 1e-3


def test_the_jack_can_bluff_up_to_a_third_of_the_time() -> None:
    (question,) = [one for one in ALL if information_set(one.seen) == "J"]
    assert (question.low, question.high) == (0.0, pytest.approx(1 / 3))
    for bluffs in (0.0, 1 / 6, 1 / 3):
        assert exploitability(bluffs, {}) < 1e-9
    grid = [number / 6 for number in range(7)]
    for bluffs in (1 / 2, 1.0):
        found = [
            exploitability(0.0, {"J": bluffs, "K": kings, "Q check bet": calls})
            for kings, calls in itertools.product(grid, grid)
        ]
        assert min(found) > 1e-3, "whatever the king and the queen do"


def test_every_question_is_put_once_to_who_can_act() -> None:
    assert len({one.task for one in ALL}) == len(ALL) == 11
    for question in ALL:
        seat = question.seen.seat
        assert GAME.to_act(question.seen.state) == (seat,)
        assert question.action in question.seen.legal
