"""The fast copy of fire and bombs, against the rules."""

from __future__ import annotations

import random

from boardgames_cli.games.pommerman.agents.forecast import (
    HORIZON,
    Scenery,
    Timeline,
    arrivals,
    foresee,
    spread,
    survivors,
)
from boardgames_cli.games.pommerman.agents.situation import look_at
from boardgames_cli.games.pommerman.board import BOMB, STOP
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.rules.step import play_step
from boardgames_cli.games.pommerman.state import Bomb, PommermanState
from boardgames_cli.games.pommerman.view.moves import fires
from tests.games.pommerman.crowds import at_rest, crowded, living

FFA, BLOCKING = Pommerman(), Pommerman(items_block=True)


def scenery(game: Pommerman, state: PommermanState) -> Scenery:
    powers = state.open_powers if game.items_block else 0
    return Scenery(11, state.rigid, state.wood, powers, state.flames, state.bombs, state.agents)


def taken(state: PommermanState) -> int:
    return state.rigid | state.wood | sum(1 << bomb.cell for bomb in state.bombs)


def test_fire_is_that_of_the_rules() -> None:
    rolled = 0
    for seed in range(600):
        # Who burns no longer stands in the way, which the copy leaves out.
        state = living(crowded(FFA, random.Random(seed)))
        rolled += any(bomb.direction for bomb in state.bombs)
        timeline = foresee(scenery(FFA, state))
        assert timeline.burning == fires(FFA.step_rules, state, HORIZON), seed
        for blocked in timeline.blocked:
            assert blocked == taken(state), seed
            state = play_step(FFA.step_rules, state, [STOP] * 4)
        assert timeline.wood == state.wood
    assert rolled > 100


def test_a_bomb_to_come_is_that_of_the_rules() -> None:
    for seed in range(270):
        rng = random.Random(seed)
        whole = at_rest(living(crowded(FFA, rng), 0))
        own = whole.agents[0]
        if any(bomb.cell == own.cell for bomb in whole.bombs) or not own.ammo:
            continue
        state = PommermanState(whole.rigid, whole.wood, bombs=whole.bombs, agents=whole.agents)
        delay = rng.randrange(3)
        more = [Bomb(own.cell, 10 + delay, own.strength, 0, 0)]
        timeline = foresee(scenery(FFA, state), more)
        for step in range(HORIZON):
            state = play_step(FFA.step_rules, state, [BOMB if step == delay else STOP, 0, 0, 0])
            if not state.agents[0].alive:
                break
            assert timeline.burning[step] == state.burning, seed


def test_a_ring_that_collapses_is_that_of_the_rules() -> None:
    game = Pommerman(collapse=True, first_collapse=100, steps=500)
    for seed in range(60):
        rng = random.Random(seed)
        # Nobody but the observer, who is out of it: the copy leaves out that others die.
        whole = living(crowded(game, rng))
        state = PommermanState(
            *(whole.rigid, whole.wood),
            flames=whole.flames,
            bombs=whole.bombs,
            agents=whole.agents,
            step=rng.randrange(88, 100),
        )
        timeline = look_at(game, state, 0).timeline
        for burning, blocked in zip(timeline.burning, timeline.blocked, strict=True):
            assert blocked == taken(state), seed
            state = game.apply(state, {})
            ring = game.step_rules.grid.ring(0) if state.step == 100 else 0
            assert burning & ~ring == state.burning, seed
            assert burning & ring == ring, "who stands there dies"
        assert timeline.wood == state.wood


def test_power_ups_stop_bombs_if_the_options_say_so() -> None:
    differ = 0
    for seed in range(300):
        whole = living(crowded(FFA, random.Random(seed)))
        state = PommermanState(
            *(whole.rigid, whole.wood, whole.powers), bombs=whole.bombs, agents=whole.agents
        )
        # A power-up may burn or be passed later; the first step is exact.
        free, held = (foresee(scenery(game, state)).blocked[1] for game in (FFA, BLOCKING))
        differ += free != held
        assert held == taken(play_step(BLOCKING.step_rules, state, [STOP] * 4))
    assert differ > 3


def test_survivors_are_those_of_a_walk_through_all_paths() -> None:
    for seed in range(60):
        state = crowded(FFA, random.Random(seed))
        timeline = foresee(scenery(FFA, state))
        start = state.agents[0].cell
        cells = {start}
        for blocked, burning in zip(timeline.blocked, timeline.burning, strict=True):
            entered = {
                other
                for cell in cells
                for other in FFA.step_rules.grid.near[cell]
                if not blocked >> other & 1
            }
            cells = {cell for cell in cells | entered if not burning >> cell & 1}
        found = survivors(11, timeline, 1 << start)
        assert found == sum(1 << cell for cell in cells)
        assert arrivals(11, timeline, 1 << start, 0)[-1] == found


def test_spreading_stops_at_the_edges() -> None:
    assert spread(8, 1 << 7) == 1 << 7 | 1 << 6 | 1 << 15
    assert spread(8, 1 << 8) == 1 << 8 | 1 << 0 | 1 << 9 | 1 << 16
    assert spread(8, 1 << 63) == 1 << 63 | 1 << 62 | 1 << 55
    assert survivors(8, Timeline((0,), ((1 << 64) - 1,), 0), 1) == 0
