"""What the agents do in clear cases, and that they beat those they must beat."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest

from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.errors import OptionError
from boardgames_cli.games.pommerman.actions import MOVES
from boardgames_cli.games.pommerman.agents.search import KILL, Hard, TrapSearch
from boardgames_cli.games.pommerman.agents.simple import Simple
from boardgames_cli.games.pommerman.agents.situation import longest_life, look_at
from boardgames_cli.games.pommerman.board import BOMB, LEFT, RIGHT, grid_of
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import Bomb, Bomber, PommermanState
from boardgames_cli.registry import make, make_agent
from boardgames_cli.testing import check_agent
from tests.toys import Pennies

DUEL = Pommerman(mode="duel")
GRID = grid_of(8)
Kind = Callable[[], Agent[Any, Any]]


def rollouts() -> Agent[Any, Any]:
    return make_agent("rollouts:playouts=300", DUEL)


NEEDS_NUMBA = pytest.mark.skipif(not find_spec("numba"), reason="the extra `fast` is not there")
ALL = pytest.mark.parametrize(
    "kind",
    [Simple, Hard, pytest.param(rollouts, marks=NEEDS_NUMBA)],
    ids=lambda kind: kind.__name__,
)
BOTH = pytest.mark.parametrize("kind", [Simple, Hard], ids=lambda kind: kind.__name__)


def at(row: int, column: int) -> int:
    return GRID.cell(row, column)


def mask(*places: tuple[int, int]) -> int:
    return sum(1 << at(*place) for place in places)


def position(own: Bomber, opponent: Bomber | None = None, **changes: Any) -> PommermanState:
    return PommermanState(agents=(own, opponent or bomber(7, 7)), **changes)


def bomber(row: int, column: int, ammo: int = 1, strength: int = 3) -> Bomber:
    return Bomber(at(row, column), True, ammo, strength, False)


def choice(kind: Kind, state: PommermanState, seed: int = 1) -> str:
    agent = kind()
    agent.reset(DUEL, 0)
    agent.watch(DUEL.observe(state, 0))
    return str(agent.act(DUEL.observe(state, 0), Thinking(random.Random(seed))))


@ALL
def test_it_flees_the_way_that_is_open(kind: Kind) -> None:
    # A corridor along row 0 with the bomb on its west side: only round the corner is it safe.
    walls = mask(*((1, column) for column in range(8) if column != 4))
    state = position(bomber(0, 3, ammo=0), rigid=walls, bombs=(Bomb(at(0, 2), 3, 8, 1, 0),))
    assert choice(kind, state) == "right"


@BOTH
def test_it_waits_for_the_flames_to_end(kind: Kind) -> None:
    walls = mask((1, 0), (0, 3))
    state = position(bomber(0, 0, ammo=0), rigid=walls, flames=(0, mask((0, 1)), 0))
    assert choice(kind, state) in ("stop", "bomb")


@BOTH
def test_it_bombs_wood_only_if_it_can_get_away(kind: Kind) -> None:
    wood = mask((0, 1))
    shut = position(bomber(0, 0), rigid=mask((1, 1), (2, 1), (3, 0)), wood=wood)
    assert choice(kind, shut) != "bomb"
    open_ = position(bomber(0, 0), rigid=mask((1, 1)), wood=wood)
    assert choice(kind, open_) == "bomb"


@BOTH
def test_it_fetches_power_ups(kind: Kind) -> None:
    state = position(bomber(3, 0, ammo=0), powers=(mask((3, 2)), 0, 0))
    assert choice(kind, state) == "right"


@ALL
def test_with_no_way_out_it_lives_as_long_as_it_can(kind: Kind) -> None:
    bombs = (Bomb(at(0, 3), 4, 8, 1, 0), Bomb(at(0, 0), 1, 2, 1, 0))
    state = position(bomber(0, 1, ammo=0), rigid=mask((1, 0), (1, 1), (1, 2)), bombs=bombs)
    assert longest_life(look_at(DUEL, state, 0)) == RIGHT
    assert choice(kind, state) == "right"


def test_hard_kicks_a_bomb_out_of_its_only_way() -> None:
    walls = mask(*((1, column) for column in range(8)))
    bombs = (Bomb(at(0, 2), 5, 3, 1, 0),)
    kicker = bomber(0, 1, ammo=0)._replace(kicks=True)
    state = position(kicker, rigid=walls, bombs=bombs)
    assert choice(Hard, state) == "right"
    situation = look_at(DUEL, state, 0)
    assert situation.kick(LEFT) is None, "there is none"
    after = DUEL.apply(state, {0: MOVES[RIGHT], 1: MOVES[0]})
    kicked = situation.kick(RIGHT)
    assert kicked is not None
    assert kicked.timeline.burning[1:] == look_at(DUEL, after, 0).timeline.burning[:-1]
    for change in ({"kicks": False}, {"cell": at(0, 3)}):
        other = position(kicker._replace(**change), rigid=walls | mask((0, 4)), bombs=bombs)
        assert look_at(DUEL, other, 0).kick(RIGHT) is None
    shut = position(kicker, rigid=walls | mask((0, 3)), bombs=bombs)
    assert look_at(DUEL, shut, 0).kick(RIGHT) is None


@BOTH
def test_it_leaves_a_ring_that_collapses(kind: Kind) -> None:
    # At the end of a corridor of four cells on the outermost ring, three steps before it falls.
    game = Pommerman(mode="duel", collapse=True, first_collapse=100, steps=140)
    walls = mask((1, 0), (1, 1), (1, 2), (0, 4))
    state = position(bomber(0, 1, ammo=0), bomber(5, 5, ammo=0), rigid=walls, step=97)
    agent = kind()
    agent.reset(game, 0)
    for _ in range(3):
        seen = game.observe(state, 0)
        agent.watch(seen)
        move = agent.act(seen, Thinking(random.Random(1)))
        state = game.apply(state, {0: move, 1: MOVES[0]})
    assert state.step == 100
    assert state.agents[0].alive


def test_hard_changes_its_ways_when_nothing_happens() -> None:
    # Two agents in an empty room, with no bombs: for long nothing happens at all.
    game = Pommerman(mode="duel", steps=400)
    agent = Hard()
    agent.reset(game, 0)
    chosen = []
    for step in range(0, 240, 4):
        seen = game.observe(position(bomber(3, 3, ammo=0), bomber(3, 6), step=step), 0)
        agent.watch(seen)
        chosen.append(str(agent.act(seen, Thinking(random.Random(step)))))
    assert len(set(chosen[:8])) < len(set(chosen[-20:]))


def test_hard_sees_that_a_bomb_kills() -> None:
    # The opponent stands at the blind end of a corridor, we at its mouth.
    walls = mask(
        *((1, column) for column in range(6)), *((3, column) for column in range(4)), (2, 0)
    )
    opponent = bomber(2, 1)
    state = position(bomber(2, 3), opponent, rigid=walls)
    assert choice(Hard, state) == "bomb"
    if find_spec("numba"):
        assert choice(rollouts, state) == "bomb"
    situation = look_at(DUEL, state, 0)
    assert TrapSearch(situation).of_bomb(at(2, 3), 0) == pytest.approx(KILL, rel=0.3)
    after = DUEL.apply(state, {0: MOVES[BOMB], 1: MOVES[0]})
    assert TrapSearch(look_at(DUEL, after, 0)).of_bomb(at(2, 3), 0) == 0, "a bomb lies there"


def test_hard_does_not_walk_where_one_bomb_shuts_it_in() -> None:
    # A blind alley of two cells with a power-up in it, and an enemy right behind us.
    walls = mask((1, 3), (1, 4), (2, 2), (3, 3), (3, 4))
    state = position(bomber(2, 5), bomber(2, 6), rigid=walls, powers=(0, mask((2, 4)), 0))
    assert choice(Hard, state) != "left"


@ALL
@pytest.mark.parametrize("mode", ["radio", "duel"])
def test_agents_keep_the_contract(kind: Kind, mode: str) -> None:
    check_agent(kind, Pommerman(mode=mode), seeds=range(1), max_plies=6)


@ALL
def test_other_games_are_refused(kind: Kind) -> None:
    assert kind().supports(DUEL) is None
    elsewhere: Any = Pennies()
    assert kind().supports(elsewhere) == "it plays Pommerman only"
    with pytest.raises(OptionError, match=r"can't play .*: it plays Pommerman only"):
        kind().reset(elsewhere, 0)


def test_hard_explains_its_moves() -> None:
    agent = Hard()
    agent.reset(DUEL, 0)
    state = position(bomber(0, 0), rigid=mask((1, 1), (2, 1), (3, 0)), wood=mask((0, 1)))
    said = agent.explain_actions(DUEL.observe(state, 0), Thinking(random.Random(1)))
    assert said[MOVES[BOMB]] == "no way out"
    assert "best" in said.values()


def test_a_beginner_sees_the_fire_late() -> None:
    # A corridor with a niche to hide in, while the bomb burns down.
    walls = mask(*((1, column) for column in range(8) if column != 4), (2, 4))
    game = make("pommerman", mode="duel")
    agent = make_agent("easy", game)
    agent.reset(game, 0)
    moves = {}
    for life in range(1, 10):
        bombs = (Bomb(at(0, 2), life, 8, 1, 0),)
        state = position(bomber(0, 3, ammo=0), rigid=walls, bombs=bombs)
        seen = DUEL.observe(state, 0)
        moves[life] = {str(agent.act(seen, Thinking(random.Random(seed)))) for seed in range(8)}
    assert moves[2] == {"right"}, "it flees at last"
    assert moves[6] != {"right"}, "it does not mind yet"
    assert choice(Simple, position(bomber(0, 3, ammo=0), rigid=walls, bombs=bombs)) == "right"


def test_the_levels_below_hard_err_but_keep_a_way_out() -> None:
    state = position(bomber(0, 3), wood=mask((0, 5), (2, 3)), bombs=(Bomb(at(1, 2), 2, 3, 1, 0),))
    seen = DUEL.observe(state, 0)
    moves = {}
    for level in ("hard", "tough", "skilled", "tricky"):
        agent = make_agent(level, DUEL)
        agent.reset(DUEL, 0)
        moves[level] = Counter(
            str(agent.act(seen, Thinking(random.Random(seed)))) for seed in range(200)
        )
    judge = Hard()
    judge.reset(DUEL, 0)
    said = judge.explain_actions(seen, Thinking(random.Random(1)))
    fatal = {str(move) for move, words in said.items() if words == "no way out"}
    assert fatal
    assert not fatal & set().union(*moves.values())
    (best, share), *_ = moves["hard"].most_common()
    assert share >= moves["tough"][best] > moves["skilled"][best] > moves["tricky"][best]


def test_slips_are_random_moves() -> None:
    agent = Simple(slips=1.0)
    agent.reset(DUEL, 0)
    seen = DUEL.observe(position(bomber(3, 3)), 0)
    thinking = Thinking(random.Random(1))
    assert {agent.act(seen, thinking) for _ in range(60)} == set(MOVES)
