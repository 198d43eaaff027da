"""The chances of a position in reviews: playouts, calibrated by how such games ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

pytest.importorskip("numba", reason="the analyst needs the extra `fast` (numba)")

from boardgames_cli.core.agent import Agent
from boardgames_cli.core.match import Match, play
from boardgames_cli.evaluation.review_text import review_page
from boardgames_cli.evaluation.reviewer import ReviewedGame, Reviewer
from boardgames_cli.games.pommerman.actions import Seen
from boardgames_cli.games.pommerman.analyst import Lives, Playouts, PommermanAnalyst
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.registry import make_agent


def found(*won: float, living: tuple[int, ...] = ()) -> Playouts:
    return Playouts(won, 1 - sum(won), 0.0, living or tuple(int(share > 0) for share in won))


def test_no_playouts_make_anything_certain() -> None:
    *won, tied = found(1.0, 0.0).calibrated()
    assert sum(won) + tied == pytest.approx(1)
    assert won[1] == 0.0, "who has nobody left can't win"
    assert 0.8 < won[0] < 0.995
    assert tied > 0.005
    assert max(found(0.99, 0.01).calibrated()) < 0.995


def test_who_wins_more_playouts_has_the_higher_chance() -> None:
    told = [found(one / 10, 0.1).calibrated() for one in range(1, 9)]
    wins = [won for won, _, _ in told]
    assert wins == sorted(wins)
    assert all(sum(chances) == pytest.approx(1) for chances in told)


def test_nobody_wins_less_often_than_in_playouts() -> None:
    for living in ((1, 1, 0, 0), (1, 1, 1, 0), (1, 1, 1, 1)):
        tied = found(0.05, 0.05, 0.03, 0.02, living=living).calibrated()[-1]
        assert 0.25 < tied < 0.8, "of 85 %; 77 % of such games of two were tied"


def test_the_more_playouts_are_tied_the_likelier_is_a_tie() -> None:
    for living in ((1, 1), (2, 1), (2, 2)):
        told = [Playouts((0, 0), one / 100, 0, living).calibrated()[-1] for one in range(101)]
        assert told == sorted(told)


def test_two_against_one_are_far_ahead_though_most_playouts_are_tied() -> None:
    two, one, _ = found(0.2, 0.1, living=(2, 1)).calibrated()
    assert two > 8 * one, "they won 95 % of such games that were not tied"
    assert two + one == pytest.approx(sum(found(0.1, 0.2, living=(1, 2)).calibrated()[:2]))


def test_playouts_that_are_decided_tell_more_than_tied_ones() -> None:
    decided, tied = found(0.75, 0.25).calibrated(), found(0.15, 0.05).calibrated()
    assert decided[0] / decided[1] > 2 * tied[0] / tied[1]


class Hasty(PommermanAnalyst):
    """Judges no moves, so that a whole game is reviewed at once."""

    def lives(self, seen: Seen, earlier: Sequence[Seen]) -> list[Lives]:
        return [Lives(1.0, 1)] * 6


@pytest.mark.parametrize(
    ("options", "seed", "last"),
    [
        ({"mode": "duel"}, 3, None),
        ({"mode": "ffa"}, 2, (1.0, 0.0, 0.0, 0.0)),
        ({"mode": "ffa"}, 1, (0.5, 0.0, 0.0, 0.5)),  # the last two die at once
        ({"mode": "ffa", "steps": 70}, 1, (1 / 3, 0.0, 1 / 3, 1 / 3)),  # out of time
        ({"mode": "team"}, 8, (0.5, 0.0, 0.5, 0.0)),  # 0 and 3 are dead: its side has won
        ({"mode": "team", "steps": 40}, 7, (0.25,) * 4),  # out of time; 1 is dead
        ({"mode": "ffa", "steps": 70, "rerun_ties": True, "first_collapse": 60}, 1, None),
    ],
)
def test_chances_add_up_and_the_dead_have_none(
    options: dict[str, Any], seed: int, last: tuple[float, ...] | None
) -> None:
    game = Pommerman(**options)
    match: Match = Match(game, seed=seed)  # type: ignore[type-arg]
    seats: list[Agent] = [make_agent("simple", game) for _ in range(game.seats)]  # type: ignore[type-arg]
    play(match, seats)
    reviewer = Reviewer(ReviewedGame(match, [str(seat) for seat in range(game.seats)]), Hasty(game))
    while reviewer.advance():
        pass
    review, was_alive = reviewer.review(), [True] * game.seats
    for ply in range(match.ply):
        value, agents = review.value_at(ply), match.state_at(ply).agents
        alive = [agent.alive for agent in agents] or was_alive
        assert value is not None or alive == was_alive, "a death changes the chances at once"
        was_alive = alive
        if value is None:
            continue
        assert sum(value.chances) == pytest.approx(1)
        assert all(-1 <= one <= 1 for one in value.returns)
        for side in game.teams:
            (chance,) = {value.chances[seat] for seat in side}
            assert len({value.returns[seat] for seat in side}) == 1
            assert (chance > 0) == (game.rerun_ties or any(alive[seat] for seat in side))
    assert review.final is not None
    assert sum(review.final.chances) == pytest.approx(1)
    assert last is None or review.final.chances == pytest.approx(last)


def test_values_of_moves_are_called_survival() -> None:
    reviewer = Reviewer(
        ReviewedGame(Match(Pommerman(), seed=1), "ABCD"), PommermanAnalyst(Pommerman())
    )
    told = str(review_page(reviewer.review(), 0, 400, has_figures=True))
    assert "counted in chances to survive." in told
