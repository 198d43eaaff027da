"""Analysts keep the contract, the parts of every review add up, and the laws can fail."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import pytest

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for, why_no_analyst
from boardgames_cli.core.analyst import NoAnalystError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.evaluation.review_result import Review
from boardgames_cli.evaluation.reviewer import ReviewedGame, review_of
from boardgames_cli.registry import make, make_agent
from boardgames_cli.testing import check_analyst
from boardgames_cli.testing.findings import call_game
from tests.analysis import refuse_analysis
from tests.toys import Cards, Pennies, Race
from tests.training.coin import Coin

EXACT = (("tapnswap", {"max_plies": 40}), ("kuhn", {"hands": 3}))
ESTIMATED: tuple[Any, ...] = (
    ("senet", {}),
    pytest.param("senet", {"rules": "skyruk"}, marks=pytest.mark.slow),
)
SIMULATED = (("deepsea", {"players": 2, "rounds": 1}),)
JOINT = (("pommerman", {"mode": "duel", "steps": 60, "first_collapse": 50}),)
COMPILED = pytest.mark.skipif(find_spec("numba") is None, reason="needs the extra `fast` (numba)")


@pytest.mark.parametrize(("id", "options"), [*EXACT, *ESTIMATED])
def test_analysts_keep_the_contract(id: str, options: dict[str, Any]) -> None:
    check_analyst(analyst_for(make(id, **options)), seeds=range(2), max_plies=30)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("id", "options"), [*SIMULATED, *(pytest.param(*one, marks=COMPILED) for one in JOINT)]
)
def test_slow_analysts_keep_the_contract_too(id: str, options: dict[str, Any]) -> None:
    check_analyst(analyst_for(make(id, **options)), seeds=[1], max_plies=25, every=6)


def reviewed(game: AnyGame, agents: list[str], seed: int) -> tuple[AnyMatch, Review]:
    match: AnyMatch = Match(game, seed=seed)
    play(match, [make_agent(agent, game) for agent in agents])
    names = [f"S{seat}" for seat in range(game.seats)]
    return match, review_of(ReviewedGame(match, names), analyst_for(game))


def check_sum(match: AnyMatch, review: Review) -> None:
    for seat in range(match.game.seats):
        one = review.summary(seat)
        assert one.result == match.returns[seat]
        parts = one.start + one.luck + one.own + one.others + one.rest
        assert parts == pytest.approx(one.result, abs=1e-9)
        if review.method.is_exact:
            assert one.error == 0
            assert one.rest == pytest.approx(0, abs=1e-9)
        else:
            assert abs(one.rest) <= 3 * one.error


@pytest.mark.parametrize(
    "game",
    [*(make(id, **options) for id, options in EXACT), Coin(), Pennies(), Cards()],
    ids=call_game,
)
@pytest.mark.parametrize("seed", range(4))
def test_start_luck_and_mistakes_make_the_result(game: AnyGame, seed: int) -> None:
    check_sum(*reviewed(game, ["random", "random"], seed))


@pytest.mark.slow
@pytest.mark.parametrize(("id", "options"), [*ESTIMATED, *SIMULATED])
@pytest.mark.parametrize("agents", [["random", "greedy"], ["greedy", "greedy"]])
def test_within_its_error_so_do_estimates(
    id: str, options: dict[str, Any], agents: list[str]
) -> None:
    check_sum(*reviewed(make(id, **options), agents, seed=1))


@COMPILED
@pytest.mark.parametrize(("id", "options"), JOINT)
def test_where_all_act_at_once_what_they_changed_belongs_to_all(
    id: str, options: dict[str, Any]
) -> None:
    match, review = reviewed(make(id, **options), ["random", "simple"], seed=2)
    for seat in range(match.game.seats):
        one = review.summary(seat)
        assert one.own == one.rest == 0
        assert one.start + one.luck + one.others == pytest.approx(one.result)
    judged = [step.ply for step in review.steps if step.value is not None]
    assert judged[0] == 0
    assert all(ply % analyst_for(match.game).every == 0 for ply in judged[2:])
    assert all(step.decisions for step in review.steps[1:])


def test_a_game_without_a_judge_says_so_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    assert why_no_analyst(make("kuhn")) is None
    assert why_no_analyst(Race()) is None
    refuse_analysis(monkeypatch)
    reason = why_no_analyst(Race())
    assert reason == "Race can't be reviewed: it has no evaluation of positions."
    with pytest.raises(NoAnalystError, match="no evaluation"):
        analyst_for(Cards())
