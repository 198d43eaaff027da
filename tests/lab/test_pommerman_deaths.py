"""The benchmark that tells what agents die of, on deaths whose cause is plain."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.agents.random import RandomAgent
from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.core.record import Header, lines_after
from boardgames_cli.games.pommerman.actions import MOVES
from boardgames_cli.games.pommerman.board import BOMB, LEFT, RIGHT, STOP, UP, grid_of
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import Bomb, Bomber, PommermanState

DUEL = Pommerman(mode="duel")
GRID = grid_of(8)
WALLS = sum(1 << GRID.cell(1, column) for column in range(8) if column != 4)
"""Row 0 is a corridor with one way out, at column 4."""


@pytest.fixture
def deaths(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "lab"))
    monkeypatch.delitem(sys.modules, "pommerman_deaths", raising=False)
    import pommerman_deaths

    return pommerman_deaths


def bomber(row: int, column: int) -> Bomber:
    return Bomber(GRID.cell(row, column), True, 1, 3, False)


def played(
    own: list[int], opponent: list[int], where: tuple[int, int], bomb: Bomb | None
) -> AnyMatch:
    """A game in which both do as they are told and then stop; the first begins at row 0."""
    state = PommermanState(
        WALLS, bombs=(bomb,) if bomb else (), agents=(bomber(0, 2), bomber(*where))
    )
    match: AnyMatch = Match(DUEL, seed=1, start=state)
    while not match.is_over and match.ply < 14:
        for seat, moves in enumerate((own, opponent)):
            if seat in match.waiting_for:
                match.submit(seat, MOVES[moves.pop(0) if moves else STOP])
    return match


def bomb_of(owner: int, life: int) -> Bomb:
    return Bomb(GRID.cell(0, 0), life, 8, owner, 0)


def test_own_bomb(deaths: Any) -> None:
    (death,) = deaths.deaths_in(played([BOMB], [], (7, 7), None), 0)
    assert (death.step, death.by) == (10, "own bomb")
    assert death.cause == "own walk without a way out", "it stayed"


def test_own_bomb_where_there_is_no_way_out(deaths: Any) -> None:
    # Too far along a corridor that another bomb already sweeps.
    match = played([LEFT, BOMB], [], (7, 7), bomb_of(1, 4))
    (death,) = deaths.deaths_in(match, 0)
    assert (death.step, death.by) == (4, "own bomb and another's")


def test_a_body_in_the_way(deaths: Any) -> None:
    match = played([RIGHT, RIGHT, RIGHT], [], (0, 3), bomb_of(1, 4))
    (death,) = deaths.deaths_in(match, 0)
    assert death.by == "another's bomb"
    assert death.cause == "walk failed: a body was there"


def test_two_want_the_same_cell(deaths: Any) -> None:
    match = played([RIGHT, RIGHT, RIGHT, RIGHT], [STOP, UP, UP, UP], (1, 4), bomb_of(1, 4))
    (death,) = deaths.deaths_in(match, 0)
    assert death.cause == "walk failed: contested"


def test_anothers_new_bomb(deaths: Any) -> None:
    match = played([STOP] * 3, [STOP, STOP, BOMB], (0, 4), None)
    (death,) = deaths.deaths_in(match, 0)
    assert (death.step, death.by) == (12, "another's bomb")


def test_who_lives_did_not_die(deaths: Any) -> None:
    match = played([RIGHT, RIGHT, 2, 2, 2], [], (7, 7), bomb_of(1, 6))
    assert list(deaths.deaths_in(match, 0)) == []
    tally = deaths.Tally()
    deaths.examine(match, (0,), tally)
    assert (tally.deaths, tally.agents) == ([], 1)
    assert 0 < tally.doomed < tally.steps


def test_the_collapse(deaths: Any) -> None:
    game = Pommerman(mode="duel", collapse=True, first_collapse=1, steps=9)
    state = PommermanState(agents=(bomber(0, 0), bomber(4, 4)))
    match: AnyMatch = Match(game, seed=1, start=state)
    while not match.is_over:
        for seat in match.waiting_for:
            match.submit(seat, MOVES[STOP])
    (death,) = deaths.deaths_in(match, 0)
    assert (death.by, death.cause) == ("the collapse", "the ring fell")


def test_recorded_games_are_read(deaths: Any, tmp_path: Path) -> None:
    folder = tmp_path / "records" / "0000"
    folder.mkdir(parents=True)
    for number, seats in enumerate((("hard", "random"), ("random", "random"), ("random", "hard"))):
        match: AnyMatch = Match(DUEL, seed=number)
        play(match, [RandomAgent(), RandomAgent()])
        header = Header("pommerman", 1, {"mode": "duel"}, number, seats)
        lines = [header.line(), *lines_after(match, 0)]
        (folder / f"{number}.jsonl").write_text("".join(f"{line}\n" for line in lines))
    games = list(deaths.recorded(tmp_path, "hard"))
    assert [own for _, own in games] == [(0,), (1,)]
    tally = deaths.Tally()
    for match, own in games:
        deaths.examine(match, own, tally)
    assert tally.games == tally.agents == 2
    assert len(tally.deaths) == 2 - tally.won
