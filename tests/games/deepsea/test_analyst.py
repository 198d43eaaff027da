"""Deep Sea judged by rounds played on: what is clear comes out, with its reason."""

from __future__ import annotations

import pytest

from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.games.deepsea.actions import DIVE, KEEP, LEAVE, RETURN, TAKE
from boardgames_cli.games.deepsea.analyst import PLAYS, DeepSeaAnalyst, explain
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.games.deepsea.state import DeepSeaState, Phase

GAME = DeepSea(players=2, rounds=1)
ANALYST = DeepSeaAnalyst(GAME)


def deep_down() -> DeepSeaState:
    """A diver with two chips away from home, with little oxygen left, about to choose its way."""
    match: AnyMatch = Match(GAME, seed=3)
    match.submit_chance(GAME.parse_chance(match.state, "start 1"))
    state: DeepSeaState = match.state
    return state._replace(
        phase=Phase.DIRECTION,
        current=0,
        oxygen=11,
        places=(8, 3),
        held=(bytes((1, 2)), b""),
        trail=bytes((0,)) + state.trail[1:],
    )


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
    assert "of plays after return" in reason.text


@pytest.mark.parametrize(
    ("played", "better", "kind"),
    [
        (DIVE, RETURN, "dived on too long"), (RETURN, DIVE, "turned back too early"),
        (TAKE, LEAVE, "took a chip too many"), (LEAVE, TAKE, "left a chip"),
        (KEEP, GAME.actions[4], "kept too heavy a load"),
        (GAME.actions[4], KEEP, "put down a chip"),
    ],
)  # fmt: skip
def test_each_kind_of_mistake_has_its_words(played, better, kind) -> None:  # type: ignore[no-untyped-def]
    assert explain(deep_down(), 0, (played, better), (None, None)).kind == kind


def test_chances_to_win_are_those_of_the_points_in_the_end() -> None:
    state = deep_down()
    behind = ANALYST.value(state)
    ahead = ANALYST.value(state._replace(ledger=state.ledger._replace(points=(60, 0))))
    assert ahead.returns[0] == pytest.approx(behind.returns[0] + 60)
    assert ahead.chances[0] > 0.99 > behind.chances[0]
    assert sum(behind.chances) == pytest.approx(1)
