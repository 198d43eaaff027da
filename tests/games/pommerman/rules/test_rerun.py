"""Ties that are played again: on a new board, at last with the collapse, in one match."""

from __future__ import annotations

import random
from typing import Any

import pytest

from boardgames_cli.core.errors import IllegalActionError, UnknownActionError
from boardgames_cli.core.game import CHANCE
from boardgames_cli.core.match import Match
from boardgames_cli.games.pommerman.actions import MOVES, Layout, Move
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import PommermanState
from tests.games.pommerman.crowds import living

Played = Match[PommermanState, Move, Layout]


class Short(Pommerman):
    """A short game in which the third tie counts."""

    @property
    def most_reruns(self) -> int:
        return 2


def short(mode: str, kind: type[Pommerman] = Short, **options: Any) -> Pommerman:
    return kind(mode=mode, rerun_ties=True, steps=8, first_collapse=4, **options)


SHORT = short("duel")


def stand_still(game: Pommerman, reruns: int = 99) -> Played:
    """A match in which nobody ever moves, until it is over or has been tied so often."""
    match: Played = Match(game, seed=1)
    while match.waiting_for and match.state.reruns < reruns:
        if match.waiting_for == (CHANCE,):
            match.resolve_chance()
        else:
            for seat in match.waiting_for:
                match.submit(seat, MOVES[0])
    return match


def boards(match: Played) -> list[PommermanState]:
    return [match.state_at(ply + 1) for ply, step in enumerate(match.steps) if step.is_chance]


@pytest.mark.parametrize(("mode", "last"), [("ffa", -1), ("team", -1), ("radio", -1), ("duel", 0)])
def test_of_three_games_on_three_boards_the_last_falls_in_and_counts(mode: str, last: int) -> None:
    match = stand_still(short(mode))
    starts = boards(match)
    assert [start.reruns for start in starts] == [0, 1, 2]
    assert len({(start.rigid, start.wood, start.hidden) for start in starts}) == 3
    for start in starts:
        fresh = (start.step, start.fallen, start.bombs, start.agents)
        assert fresh == (0, (), (), starts[0].agents), "as at the start of any game"
        assert all(agent.alive for agent in start.agents)
    tied = [match.state_at(ply) for ply, step in enumerate(match.steps) if step.is_chance and ply]
    assert [(state.reruns, state.step) for state in tied] == [(0, 8), (1, 8)]
    for start, state in zip(starts, tied, strict=False):
        assert state.rigid == start.rigid
        assert match.game.returns(state) == (0.0,) * match.game.seats
        assert not match.game.is_over(state)
    # Agents stand on the second ring, which falls after step 5: then nobody is left.
    assert (match.state.reruns, match.state.step) == (2, 5)
    assert not any(agent.alive for agent in match.state.agents)
    assert match.returns == (last,) * match.game.seats


def test_with_the_collapse_all_games_fall_in() -> None:
    match = stand_still(short("ffa", collapse=True))
    assert [match.state_at(ply).step for ply in range(match.ply + 1)][1:8] == [*range(6), 0]
    assert match.state.reruns == 2


def test_ties_are_played_again_with_the_collapse_until_somebody_wins() -> None:
    game = short("duel", Pommerman)
    match = stand_still(game, reruns=6)
    falls = [game.has_collapse(state.reruns) for state in boards(match)]
    assert falls == [False, False, True, True, True, True, True]
    won = living(match.state, 0)._replace(step=3)
    assert game.is_over(won)
    assert game.returns(won) == (1, -1)
    assert game.most_reruns == 99


def duel_at(step: int, alive: tuple[int, ...], reruns: int) -> PommermanState:
    start = boards(stand_still(SHORT))[0]
    return living(start, *alive)._replace(step=step, reruns=reruns)


@pytest.mark.parametrize(
    ("step", "alive", "reruns", "acts", "returns"),
    [
        (8, (0, 1), 0, (CHANCE,), (0, 0)),
        (3, (), 0, (CHANCE,), (0, 0)),
        (3, (), 1, (CHANCE,), (0, 0)),
        (8, (0, 1), 2, (), (-1, -1)),
        (3, (), 2, (), (0, 0)),
        (3, (0,), 0, (), (1, -1)),
        (8, (1,), 1, (), (-1, 1)),
        (7, (0, 1), 1, (0, 1), (0, 0)),
    ],
)
def test_only_ties_are_played_again_up_to_the_limit(
    step: int, alive: tuple[int, ...], reruns: int, acts: tuple[int, ...], returns: tuple[int, ...]
) -> None:
    state = duel_at(step, alive, reruns)
    for eyes in (0, 1, None):
        assert SHORT.to_act(SHORT.redact(state, eyes)) == acts
    assert SHORT.returns(state) == returns
    assert SHORT.is_over(state) == (not acts)


def test_the_dead_are_out_of_the_game_that_is_played() -> None:
    game = short("ffa")
    for reruns in range(3):
        state = boards(stand_still(game))[0]._replace(reruns=reruns)
        assert not game.is_out(state, 0)
        assert game.is_out(living(state, 1, 2, 3), 0)


def test_chance_takes_a_layout_in_a_tie_and_at_no_other_time() -> None:
    tied, running = duel_at(8, (0, 1), 1), duel_at(7, (0, 1), 1)
    text = str(SHORT.sample_chance(tied, random.Random(5)))
    after = SHORT.apply_chance(tied, SHORT.parse_chance(tied, text))
    assert (after.reruns, after.step) == (2, 0)
    with pytest.raises(UnknownActionError, match="no such board"):
        SHORT.parse_chance(tied, f"layout {text[7:].replace('a', '.')}")
    for state in (running, duel_at(8, (0, 1), 2)):
        with pytest.raises(UnknownActionError, match="has been laid out already"):
            SHORT.parse_chance(state, text)
    with pytest.raises(IllegalActionError, match="the board is being laid out"):
        SHORT.parse(tied, 0, "up")
