"""Who is ahead: exact where a game is solved, estimated where something can say it."""

from __future__ import annotations

from typing import Any

import pytest

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.algorithms.position_graph import explore
from boardgames_cli.algorithms.retrograde import solve
from boardgames_cli.core.game import CHANCE, Observation
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.evaluation.standing import (
    Standing,
    WinChances,
    apportion,
    has_standing,
    standing,
)
from boardgames_cli.games.tapnswap.rules import TapnSwap
from boardgames_cli.games.tapnswap.state import TapnSwapState
from boardgames_cli.registry import make
from tests.toys import Cards, Race, RaceState


def seen_by(seat: int | None, state: Any) -> Observation[Any, Any]:
    return Observation(seat, 0, state, ())


def test_a_solved_game_has_an_exact_verdict_and_a_bar_that_shows_the_distance() -> None:
    game = TapnSwap()
    state = TapnSwapState(hands=((3, 2), (4, 1)), player=0, ply=0)
    verdict = solve(explore(game, game.every_position())).verdict(state)
    first, second = (standing(game, seen_by(seat, state)) for seat in (0, 1))
    assert first is not None
    assert second is not None
    other = {"win": "loss", "loss": "win"}[verdict.outcome.name.lower()]
    assert (first.verdict, second.verdict) == (str(verdict), f"{other} in {verdict.plies}")
    assert first.shares == second.shares
    assert sum(first.shares) == pytest.approx(1)
    assert (first.share > 0.5) == (verdict.outcome > 0)
    assert 0 < min(first.shares) < 0.25, "lost, but not yet"


@pytest.mark.parametrize("id", ["senet", "tapnswap", "deepsea"])
def test_the_bar_says_what_the_review_says(id: str) -> None:
    game = make(id)
    match: AnyMatch = Match(game, seed=4)
    compared = 0
    while match.waiting_for and match.ply < 30:
        play_on(match, 1)
        told = standing(game, seen_by(0, match.state))
        if told is None:
            continue
        value = analyst_for(game).value(match.state)
        assert told.share == pytest.approx(value.heights[0])
        compared += 1
    assert compared > 3


@pytest.mark.usefixtures("toys")
def test_a_duel_with_a_heuristic_has_two_shares() -> None:
    game, state = Race(), RaceState((8, 4), 0, 1)
    for seat in (0, 1):
        found = standing(game, seen_by(seat, state))
        assert found is not None
        assert found.shares[0] > 0.55
        assert sum(found.shares) == pytest.approx(1)
    assert standing(game, seen_by(None, state)) is None


def test_divers_share_what_adds_up_to_all() -> None:
    game = make("deepsea", players=4)
    state = game.initial_state()
    found = standing(game, seen_by(2, state))
    assert found is not None
    assert found.shares == pytest.approx((0.25,) * 4, abs=0.1)
    points = (30, 0, 10, 10)
    ahead = state._replace(ledger=state.ledger._replace(points=points))
    leading = standing(game, seen_by(2, ahead))
    assert leading is not None
    assert sum(leading.shares) == pytest.approx(1)
    assert leading.shares[0] > 0.5 > leading.shares[2] > leading.shares[1]


def test_the_bar_knows_who_sits_at_the_table() -> None:
    game = make("deepsea", players=2)
    state = game.initial_state()
    among = standing(game, seen_by(0, state), ("risk", "risk:care=0.2"))
    assert among is not None
    assert among.shares == analyst_for(game, ("risk", "risk:care=0.2")).value(state).chances
    assert among.shares[0] > 0.6, "a careful diver brings more"


def test_where_nothing_is_known_nothing_is_said() -> None:
    game = Cards()
    assert not has_standing(game)
    assert not has_standing(make("kuhn")), "its analyst would be shown cards, or half of them"
    assert standing(game, seen_by(0, game.initial_state())) is None


@pytest.mark.parametrize("shares", [(1.0,), (1 / 3,) * 3, (0.125, 0.875), (0.006, 0.494, 0.5)])
@pytest.mark.parametrize("total", [0, 7, 100])
def test_whole_shares_add_up(shares: tuple[float, ...], total: int) -> None:
    parts = apportion([share * total for share in shares], total)
    assert sum(parts) == total
    assert all(abs(part - share * total) < 1 for part, share in zip(parts, shares, strict=True))


def race_with(judged: list[int]) -> tuple[AnyMatch, WinChances]:
    game = make("senet")
    match: AnyMatch = Match(game, seed=1)

    def judge(ply: int) -> Standing | None:
        judged.append(ply)
        return standing(game, game.observe(match.state_at(ply), 0, ply))

    return match, WinChances(match, judge)


def play_on(match: AnyMatch, plies: int, choose: int = 0) -> None:
    for _ in range(plies):
        if match.waiting_for == (CHANCE,):
            match.resolve_chance()
        else:
            seat = match.waiting_for[0]
            match.submit(seat, match.observe(seat).legal[choose])


def test_a_course_judges_every_moment_once() -> None:
    judged: list[int] = []
    match, course = race_with(judged)
    play_on(match, 6)
    assert not course.work(0.0), "one moment at a time"
    assert judged == [0]
    while not course.work(0.0):
        pass
    assert course.work(60.0)
    assert judged == list(range(7))
    points = course.points(match.ply)
    assert len(points) == 7
    assert all(point is not None and 0 <= point <= 1 for point in points)
    assert course.points(2) == points[:3]


def test_a_course_forgets_what_is_taken_back() -> None:
    judged: list[int] = []
    match, course = race_with(judged)
    play_on(match, 8)
    course.work(60.0)
    before = course.points(8)
    match.undo()
    match.undo()
    assert course.work(60.0)
    assert course.points(99) == before[: match.ply + 1]
    at = match.ply
    judged.clear()
    play_on(match, 3, choose=-1)
    assert course.work(60.0)
    assert judged == list(range(at + 1, match.ply + 1)), "the moments before are kept"
    assert len(course.points(match.ply)) == match.ply + 1
