"""What makes a move dangerous: who stands in the way, who may bomb, how far it is to safety."""

from __future__ import annotations

from boardgames_cli.games.pommerman.agents.search import SIGNS, Risks
from boardgames_cli.games.pommerman.agents.situation import Situation, look_at
from boardgames_cli.games.pommerman.board import LEFT, RIGHT, STOP, UP
from boardgames_cli.games.pommerman.state import Bomb, Bomber, PommermanState
from tests.games.pommerman.agents.duels import ALLEY, DUEL, at, bomber, mask


def row_with_a_bomb(opponent: Bomber) -> Situation:
    """A corridor along row 0, we at column 2, a bomb at its west end, ways out at 4 and 6."""
    walls = mask(*((1, column) for column in range(8) if column not in (4, 6)))
    bombs = (Bomb(at(0, 0), 6, 8, 1, 0),)
    return look_at(DUEL, PommermanState(walls, bombs=bombs, agents=(bomber(0, 2), opponent)), 0)


def sign(risks: Risks, move: int, name: str) -> float:
    return risks.signs(move)[list(SIGNS).index(name)]


def test_it_is_fatal_to_walk_into_a_wall_or_to_have_no_way_out() -> None:
    risks = Risks(row_with_a_bomb(bomber(7, 7)))
    assert risks.is_fatal(UP)
    assert not risks.is_fatal(RIGHT)
    walls = mask((1, 0), (1, 1), (0, 2))
    bombs = (Bomb(at(0, 0), 6, 8, 1, 0),)
    shut = PommermanState(walls, bombs=bombs, agents=(bomber(0, 1), bomber(7, 7)))
    assert Risks(look_at(DUEL, shut, 0)).is_fatal(STOP)


def test_an_enemy_in_the_only_way_out_is_a_risk() -> None:
    free = Risks(row_with_a_bomb(bomber(7, 7)))
    shut = Risks(row_with_a_bomb(bomber(0, 3)))
    assert not sign(free, STOP, "none round the others")
    assert sign(shut, STOP, "none round the others")
    assert shut.of(STOP) > 3 * free.of(STOP)


def test_the_nearer_safety_is_the_better() -> None:
    risks = Risks(row_with_a_bomb(bomber(7, 7)))
    name = "steps to where it will not burn"
    assert [sign(risks, move, name) for move in (RIGHT, STOP, LEFT)] == [2, 3, 4]
    assert risks.of(RIGHT) < risks.of(STOP) < risks.of(LEFT)


def test_an_enemy_that_can_shut_us_in_is_a_risk() -> None:
    # A blind alley of two cells, we at its end, and an enemy at its mouth.
    alley = look_at(DUEL, PommermanState(ALLEY, agents=(bomber(2, 3), bomber(2, 5))), 0)
    shut, free = Risks(alley), Risks(row_with_a_bomb(bomber(7, 7)))
    for name in list(SIGNS)[5:9]:
        assert sign(shut, STOP, name), name
        assert not sign(free, STOP, name), name
    assert not sign(shut, STOP, next(iter(SIGNS))), "nothing burns yet"


def test_a_walk_that_has_failed_is_a_risk() -> None:
    table = row_with_a_bomb(bomber(7, 7))
    stuck = (at(0, 3), 2)
    assert Risks(table, (), stuck).of(RIGHT) > Risks(table).of(RIGHT)
    assert Risks(table, (), stuck).of(STOP) == Risks(table).of(STOP)
