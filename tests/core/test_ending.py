"""How a match ended, and what every seat has reached."""

from __future__ import annotations

import pytest

from boardgames_cli.core.game import DRAWN, LOST, WON, Ending
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.games.pommerman.actions import MOVES
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import Bomb, Bomber, PommermanState


def last_two_die_together(mode: str) -> AnyMatch:
    """A and B stand beside a bomb that goes off in the next step; C and D died before."""
    agents = tuple(Bomber(60 + seat, seat < 2, 1, 3, False) for seat in range(4))
    state = PommermanState(agents=agents, bombs=(Bomb(60, 1, 3, 0, 0),), step=40)
    match: AnyMatch = Match(Pommerman(mode=mode), seed=1, start=state)
    for seat in (0, 1):
        match.submit(seat, MOVES[0])
    assert match.returns == (-1, -1, -1, -1)
    return match


def test_who_died_earlier_has_lost_although_the_last_two_die_together() -> None:
    alone = last_two_die_together("ffa")
    assert alone.ending == Ending("over", (DRAWN, DRAWN, LOST, LOST))
    assert alone.has_result
    assert not alone.winners
    team = last_two_die_together("team")
    assert team.ending == Ending("over", (DRAWN,) * 4), "a side lives as long as one of it"


@pytest.mark.parametrize(
    ("seats", "loser", "outcomes"),
    [(2, 0, (LOST, WON)), (2, None, (DRAWN, DRAWN)), (3, 1, (DRAWN, LOST, DRAWN))],
)
def test_of_more_than_two_nobody_wins_because_somebody_gave_up(
    seats: int, loser: int | None, outcomes: tuple[str, ...]
) -> None:
    reason = "draw" if loser is None else "resigned"
    assert Ending.by_players(reason, seats, loser).outcomes == outcomes
