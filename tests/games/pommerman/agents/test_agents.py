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
from boardgames_cli.games.pommerman.agents.situation import look_at
from boardgames_cli.games.pommerman.board import BOMB, LEFT, MOVE_NAMES, RIGHT
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import Bomb, PommermanState
from boardgames_cli.registry import make_agent
from boardgames_cli.testing import check_agent
from tests.games.pommerman.agents.duels import (
    ALLEY,
    CORRIDOR,
    DUEL,
    FLIGHT,
    at,
    bomber,
    decide,
    mask,
    position,
)
from tests.toys import Pennies

KINDS: dict[str, Callable[[], Agent[Any, Any]]] = {
    "simple": Simple,
    "hard": Hard,
    "rollouts": lambda: make_agent("rollouts:playouts=300", DUEL),
}
NEEDS_NUMBA = pytest.mark.skipif(not find_spec("numba"), reason="the extra `fast` is not there")


def case(kind: str, name: str, *values: Any) -> Any:
    marks = NEEDS_NUMBA if kind == "rollouts" else ()
    return pytest.param(KINDS[kind], *values, id=f"{kind} {name}", marks=marks)


ALL = pytest.mark.parametrize("kind", [case(kind, "") for kind in KINDS])
ANY = {*MOVE_NAMES}
POCKET = mask((1, 1), (2, 1), (3, 0))
NO_WAY_OUT = position(
    bomber(0, 1, ammo=0),
    rigid=mask((1, 0), (1, 1), (1, 2)),
    bombs=(Bomb(at(0, 3), 4, 8, 1, 0), Bomb(at(0, 0), 1, 2, 1, 0)),
)
KICKER = bomber(0, 1, ammo=0, kicks=True)
IN_THE_WAY: dict[str, Any] = {
    "rigid": mask(*((1, column) for column in range(8))),
    "bombs": (Bomb(at(0, 2), 5, 3, 1, 0),),
}
BLIND_END = position(
    bomber(2, 3),
    bomber(2, 1),
    rigid=mask(
        *((1, column) for column in range(6)), *((3, column) for column in range(4)), (2, 0)
    ),
)
CLEAR: list[tuple[str, str, PommermanState, set[str]]] = [
    ("flees the way that is open", "simple hard rollouts", FLIGHT, {"right"}),
    (
        "waits for the flames to end",
        "simple hard",
        position(bomber(0, 0, ammo=0), rigid=mask((1, 0), (0, 3)), flames=(0, mask((0, 1)), 0)),
        {"stop", "bomb"},
    ),
    (
        "bombs wood",
        "simple hard",
        position(bomber(0, 0), rigid=mask((1, 1)), wood=mask((0, 1))),
        {"bomb"},
    ),
    (
        "does not bomb wood if it can't get away",
        "simple hard",
        position(bomber(0, 0), rigid=POCKET, wood=mask((0, 1))),
        ANY - {"bomb"},
    ),
    (
        "fetches power-ups",
        "simple hard",
        position(bomber(3, 0, ammo=0), powers=(mask((3, 2)), 0, 0)),
        {"right"},
    ),
    ("lives as long as it can", "simple hard rollouts", NO_WAY_OUT, {"right"}),
    ("kicks a bomb out of its only way", "hard", position(KICKER, **IN_THE_WAY), {"right"}),
    ("sees that a bomb kills", "hard rollouts", BLIND_END, {"bomb"}),
    (
        "does not walk where one bomb shuts it in",
        "hard",
        position(bomber(2, 5), bomber(2, 6), rigid=ALLEY, powers=(0, mask((2, 4)), 0)),
        ANY - {"left"},
    ),
]


@pytest.mark.parametrize(
    ("kind", "state", "wanted"),
    [
        case(kind, name, state, wanted)
        for name, kinds, state, wanted in CLEAR
        for kind in kinds.split()
    ],
)
def test_in_clear_cases_it(
    kind: Callable[[], Agent[Any, Any]], state: PommermanState, wanted: set[str]
) -> None:
    assert decide(kind(), state) in wanted


def test_a_kick_is_foreseen_as_the_rules_play_it() -> None:
    state = position(KICKER, **IN_THE_WAY)
    situation = look_at(DUEL, state, 0)
    assert situation.kick(LEFT) is None, "there is none"
    after = DUEL.apply(state, {0: MOVES[RIGHT], 1: MOVES[0]})
    kicked = situation.kick(RIGHT)
    assert kicked is not None
    assert kicked.timeline.burning[1:] == look_at(DUEL, after, 0).timeline.burning[:-1]
    walls = IN_THE_WAY["rigid"]
    for own, wall in ((bomber(0, 1), (0, 4)), (bomber(0, 3, kicks=True), (0, 4)), (KICKER, (0, 3))):
        other = position(own, **IN_THE_WAY | {"rigid": walls | mask(wall)})
        assert look_at(DUEL, other, 0).kick(RIGHT) is None


@pytest.mark.parametrize("kind", [Simple, Hard])
def test_it_leaves_a_ring_that_collapses(kind: Callable[[], Agent[Any, Any]]) -> None:
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


def test_a_trap_is_a_kill_unless_a_bomb_lies_there() -> None:
    situation = look_at(DUEL, BLIND_END, 0)
    assert TrapSearch(situation).of_bomb(at(2, 3), 0) == pytest.approx(KILL, rel=0.3)
    after = DUEL.apply(BLIND_END, {0: MOVES[BOMB], 1: MOVES[0]})
    assert TrapSearch(look_at(DUEL, after, 0)).of_bomb(at(2, 3), 0) == 0


@ALL
@pytest.mark.parametrize("mode", ["radio", "duel"])
def test_agents_keep_the_contract(kind: Callable[[], Agent[Any, Any]], mode: str) -> None:
    check_agent(kind, Pommerman(mode=mode), seeds=range(1), max_plies=6)


@ALL
def test_other_games_are_refused(kind: Callable[[], Agent[Any, Any]]) -> None:
    assert kind().supports(DUEL) is None
    elsewhere: Any = Pennies()
    assert kind().supports(elsewhere) == "it plays Pommerman only"
    with pytest.raises(OptionError, match=r"can't play .*: it plays Pommerman only"):
        kind().reset(elsewhere, 0)


def test_hard_explains_its_moves() -> None:
    agent = Hard()
    agent.reset(DUEL, 0)
    state = position(bomber(0, 0), rigid=POCKET, wood=mask((0, 1)))
    said = agent.explain_actions(DUEL.observe(state, 0), Thinking(random.Random(1)))
    assert said[MOVES[BOMB]] == "no way out"
    assert "best" in said.values()


def test_a_beginner_sees_the_fire_late() -> None:
    # A corridor with a niche to hide in, while the bomb burns down.
    agent = make_agent("easy", DUEL)
    agent.reset(DUEL, 0)
    moves = {}
    for life in range(1, 10):
        bombs = (Bomb(at(0, 2), life, 8, 1, 0),)
        state = position(bomber(0, 3, ammo=0), rigid=CORRIDOR | mask((2, 4)), bombs=bombs)
        seen = DUEL.observe(state, 0)
        moves[life] = {str(agent.act(seen, Thinking(random.Random(seed)))) for seed in range(8)}
    assert moves[2] == {"right"}, "it flees at last"
    assert moves[6] != {"right"}, "it does not mind yet"
    assert decide(Simple(), state) == "right"


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
