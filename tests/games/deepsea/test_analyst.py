"""Deep Sea judged by rounds played on: what is clear comes out, with its reason."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import Any

import pytest

from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.evaluation.reviewer import ReviewedGame, review_of
from boardgames_cli.games.deepsea.actions import (
    DIVE,
    KEEP,
    LEAVE,
    RETURN,
    TAKE,
)
from boardgames_cli.games.deepsea.agents.plans import Plan, tuned_plan
from boardgames_cli.games.deepsea.analyst import PLAYS, DeepSeaAnalyst, plan_of
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.games.deepsea.state import DeepSeaState
from boardgames_cli.registry import find_game, make_agent
from tests.games.deepsea.test_rules import sea

GAME = DeepSea(players=2, rounds=1)
ANALYST = DeepSeaAnalyst(GAME)


def deep_down(**changes: Any) -> DeepSeaState:
    """A diver with two chips away from home, with little oxygen left, about to choose its way."""
    return sea(GAME, phase="direction", pos=[8, 3], held=[[[1], [2]], []], blank=[1, 9],
               oxygen=11, **changes)  # fmt: skip


def test_who_is_deep_with_little_oxygen_turns_back() -> None:
    state = deep_down()
    judgement = ANALYST.judge(GAME.observe(state, 0))
    assert judgement.best.action == RETURN
    dive = judgement.of(DIVE)
    assert dive.loss > 2 * dive.loss_error
    assert judgement.method.plays == PLAYS
    reason = ANALYST.reason(GAME.observe(state, 0), DIVE, RETURN)
    assert reason.kind == "dived on too long"
    assert "steps from home, carrying 2 chips" in reason.text
    assert "oxygen 11 and a lap of all divers uses 2" in reason.text
    assert "back in " in reason.text


@pytest.mark.parametrize(
    ("played", "better", "kind"),
    [
        (DIVE, RETURN, "dived on too long"), (RETURN, DIVE, "turned back too early"),
        (TAKE, LEAVE, "took a chip too many"), (LEAVE, TAKE, "left a chip"),
        (KEEP, GAME.actions[4], "kept too heavy a load"),
        (GAME.actions[4], KEEP, "put down a chip"),
    ],
)  # fmt: skip
def test_each_plan_of_mistake_has_its_words(played, better, kind) -> None:  # type: ignore[no-untyped-def]
    assert ANALYST.reason(GAME.observe(deep_down(), 0), played, better).kind == kind


def test_chances_to_win_are_those_of_the_points_in_the_end() -> None:
    state = deep_down()
    behind = ANALYST.value(state)
    ahead = ANALYST.value(deep_down(points=[60, 0]))
    assert ahead.returns[0] == pytest.approx(behind.returns[0] + 60)
    assert ahead.chances[0] > 0.99 > behind.chances[0]
    assert sum(behind.chances) == pytest.approx(1)


def played(game: DeepSea, table: Sequence[str], seed: int) -> AnyMatch:
    match: AnyMatch = Match(game, seed=seed)
    play(match, [make_agent(agent, game) for agent in table])
    return match


@pytest.mark.parametrize(
    "table",
    [
        *((level,) * seats
          for level in ("risk:care=0.41", "risk", "greedy", "random") for seats in (2, 3, 4, 6)),
        ("risk", "random"), ("risk", "greedy"), ("risk", "greedy", "random"),
        ("risk:care=0.41", "greedy", "risk"), ("random", "risk", "greedy", "risk:care=0.41"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_the_start_promises_what_the_agents_at_the_table_bring(table: tuple[str, ...]) -> None:
    game = DeepSea(players=len(table))
    count = 24 if len({*table}) == 1 else 60
    matches = [played(game, table, seed) for seed in range(7000, 7000 + count)]
    made = [(*match.returns, statistics.fmean(match.returns)) for match in matches]
    promised = DeepSeaAnalyst(game, table).value(matches[0].state_at(0)).returns
    told = (*promised, statistics.fmean(promised))
    for number, came in enumerate(zip(*made, strict=True)):
        error = statistics.stdev(came) / math.sqrt(len(came))
        assert told[number] == pytest.approx(statistics.fmean(came), abs=3 * error + 1)


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_rounds_to_come_are_promised_what_they_bring(seats: int) -> None:
    game = DeepSea(players=seats)
    analyst = DeepSeaAnalyst(game, ("risk",) * seats)
    games = [played(game, ("risk",) * seats, seed).state.ledger.by_round for seed in range(150)]
    second, third = ([made for of_game in games for made in of_game[at]] for at in (1, 2))
    last = analyst.later(sea(game, round=1), 0)
    assert last.mean == pytest.approx(statistics.mean(third), abs=0.9)
    assert last.variance == pytest.approx(statistics.variance(third), rel=0.25)
    both = analyst.later(sea(game), 0)
    assert both.mean == pytest.approx(statistics.mean(second) + statistics.mean(third), abs=1.5)
    assert analyst.later(sea(game, round=2), 0) == (0.0, 0.0)


def test_an_agent_that_is_gone_counts_as_its_successor() -> None:
    game = DeepSea(players=2)
    old, new = (DeepSeaAnalyst(game, (name, "random")) for name in ("planner:fear=2", "risk"))
    assert old.plans == new.plans


def test_greedy_turns_back_half_the_times_it_should() -> None:
    state = deep_down()
    analyst = DeepSeaAnalyst(GAME, ("greedy",) * 2)
    judged = analyst.judge(GAME.observe(state, 0))
    stays = analyst.plans[0].hesitation
    assert stays == pytest.approx(0.5, abs=0.1)
    mixed = (1 - stays) * judged.of(RETURN).returns[0] + stays * judged.of(DIVE).returns[0]
    assert judged.expected[0] == pytest.approx(mixed)


@pytest.mark.slow
def test_who_plays_as_its_kind_does_has_neither_lost_nor_gained_by_its_choices() -> None:
    careless = ("risk:care=0.41",) * 2
    match = played(GAME, careless, seed=4)
    review = review_of(ReviewedGame(match, ("A", "B")), DeepSeaAnalyst(GAME, careless))
    for seat in (0, 1):
        one = review.summary(seat)
        assert one.own == one.others == 0
        assert one.cost > 0, "to do better was possible"
        assert abs(one.rest) <= 3 * one.error


def test_people_are_taken_for_the_plan_of_the_agents_they_play_with() -> None:
    def plans(*table: str) -> tuple[Plan, ...]:
        return DeepSeaAnalyst(GAME, table).plans

    tuned, half = tuned_plan(2), tuned_plan(2).reckless(0.5)
    assert plans() == (tuned, tuned)
    assert plans("human:Ann", "random")[0] == tuned, "not at random"
    assert plans("human:Ann", "risk:care=0.5") == (half, half)
    assert plans("human:Ann", "reckoner:care=0.5") == (half, half), "as saved"
    assert plans("hard", "no-such-agent") == (tuned, tuned)
    assert all(plan_of(level, 2) is not None for level in find_game("deepsea").levels)
    assert DeepSeaAnalyst(GAME, ("hard", "risk:care=0.5")).method.knows_players
    assert not DeepSeaAnalyst(GAME, ("hard", "human:Ann")).method.knows_players


def test_what_is_marked_is_confirmed_with_other_dice() -> None:
    state = deep_down()
    seen = GAME.observe(state, 0)
    judged = ANALYST.judge(seen)
    confirmed = ANALYST.confirm(seen, (), judged, (DIVE, RETURN))
    told, again = judged.of(DIVE), confirmed.of(DIVE)
    assert again.loss != told.loss
    assert again.loss == pytest.approx(told.loss, abs=3 * told.loss_error)
    assert confirmed.best.action == RETURN
