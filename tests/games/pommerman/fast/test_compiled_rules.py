"""The compiled rules, step by step against the readable ones."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

pytest.importorskip("numba", reason="the compiled rules need the extra `fast` (numba)")

import numpy as np

from boardgames_cli.algorithms.fast.jit import make_seed
from boardgames_cli.games.pommerman.actions import Layout
from boardgames_cli.games.pommerman.board import FIRST_AGENT, POWERS, RIGID, WOOD, bits
from boardgames_cli.games.pommerman.fast.arrays import (
    BOMB,
    BOMBS,
    CELLS,
    FIRE,
    FIRES,
    pack,
    pack_options,
    padded,
    unpack,
)
from boardgames_cli.games.pommerman.fast.batch import BoardBatch
from boardgames_cli.games.pommerman.fast.playouts import (
    FUSE,
    SAFE,
    SCRATCH_LENGTH,
    escape,
    survey,
)
from boardgames_cli.games.pommerman.fast.step import (
    EVEN,
    RUNNING,
    WORK_LENGTH,
    outcome,
    play_step,
)
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.rules.layout import flaw
from boardgames_cli.games.pommerman.rules.step import final_returns
from boardgames_cli.games.pommerman.state import Bomb, Bomber, PommermanState
from boardgames_cli.games.pommerman.view.moves import burn_times
from tests.games.pommerman.crowds import (
    at_rest,
    crowded,
    living,
    moves_at_bombs,
    piled_up,
    scrum,
)
from tests.games.pommerman.records import joint_moves

FFA, DUEL = Pommerman(), Pommerman(mode="duel")
FALLING: dict[str, Any] = {"collapse": True, "first_collapse": 20, "steps": 90}
OPTIONS: list[dict[str, Any]] = [
    {},
    {"items_block": True, "caps": True, **FALLING},
    {"mode": "team", "items_block": True, **FALLING},
    {"mode": "team", "caps": True, "view": 2},
    {"mode": "duel", "items_block": True, "caps": True},
    {"mode": "duel", **FALLING},
]
"""Each two options meet, and each two of their values."""


class Both:
    """The same game, by the rules and by the compiled rules."""

    def __init__(self, game: Pommerman, state: PommermanState) -> None:
        self.game, self.state = game, state._replace(words=())
        self.flat, self.options = pack(game, state), pack_options(game)
        self.work = np.zeros(WORK_LENGTH, dtype=np.int32)

    def step(self, moves: Sequence[int]) -> None:
        given = joint_moves(list(moves[: self.game.seats]), None)
        self.state = self.game.apply(self.state, given)._replace(words=())
        play_step(self.flat, np.array(moves, dtype=np.int32), self.options, self.work)

    def check(self, where: Any) -> None:
        assert unpack(self.game, self.flat) == self.state, where
        wanted = final_returns(self.state, teams=self.game.is_team, steps=self.game.steps)
        found = outcome(self.flat, self.options)
        if wanted is None:
            assert found == RUNNING, where
        else:
            assert found != RUNNING, where
            lost = 0.0 if found == EVEN else -1.0
            paid = (1.0 if found >> seat & 1 else lost for seat in range(4))
            assert tuple(paid)[: self.game.seats] == wanted, where


def events(before: PommermanState, after: PommermanState) -> set[str]:
    """What happened in a step, as far as one can tell afterwards."""
    found = {"collapse"} if after.rigid != before.rigid else set()
    if after.fallen:
        found.add("fallen")
    rolling = {bomb.owner for bomb in before.bombs if bomb.direction}
    if any(bomb.direction and bomb.owner not in rolling for bomb in after.bombs):
        found.add("kick")
    gone = len(before.bombs) - len(after.bombs)
    if gone > 1 and "collapse" not in found:
        due = sum(bomb.life <= 1 for bomb in before.bombs)
        found.add("chain" if due < gone else "explosion")
    for old, new in zip(before.agents, after.agents, strict=True):
        if new.strength > old.strength or new.kicks > old.kicks:
            found.add("power-up")
        if old.alive and not new.alive:
            found.add("death")
    return found


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_step_is_that_of_the_rules(options: dict[str, Any]) -> None:
    game = Pommerman(**options)
    happened: Counter[str] = Counter()
    for seed, make in itertools.product(range(150), (crowded, piled_up, scrum)):
        rng = random.Random(f"{options} {seed}")
        both = Both(game, make(game, rng))
        both.check(seed)
        for _ in range(rng.randint(1, 9)):
            before = both.state
            moves = moves_at_bombs(before, game.board_spec.size, rng)
            both.step([*moves, 0, 0][:4])
            both.check(seed)
            happened.update(events(before, both.state))
    wanted = {"kick", "chain", "power-up", "death"}
    if game.collapse:
        wanted |= {"collapse", "fallen"}
    assert all(happened[what] > 3 for what in wanted), happened


def test_the_order_of_bombs_and_fires_does_not_matter() -> None:
    for seed in range(150):
        rng = random.Random(seed)
        both = Both(FFA, crowded(FFA, rng))
        flat = both.flat
        for start, count, width in ((BOMB, flat[BOMBS], 5), (FIRE, flat[FIRES], 1)):
            part = flat[start : start + count * width].reshape(-1, width)
            part[:] = part[rng.sample(range(count), count)].copy()
        for _ in range(4):
            both.step([rng.randrange(6) for _ in range(4)])
            both.check(seed)


def test_a_redacted_state_is_refused() -> None:
    state = crowded(FFA, random.Random(1))
    for unfit in (FFA.redact(state, 0), PommermanState()):
        with pytest.raises(ValueError, match="determinize"):
            pack(FFA, unfit)


# -- whole games -------------------------------------------------------------------------------


def layout_of(game: Pommerman, state: PommermanState) -> Layout:
    board = [0] * game.board_spec.size**2
    for kind, mask in ((RIGID, state.rigid), (WOOD, state.wood)):
        for cell in bits(mask):
            board[cell] = kind
    for seat, agent in enumerate(state.agents):
        board[agent.cell] = FIRST_AGENT + seat
    hidden = zip(POWERS, state.hidden, strict=True)
    items = sorted((cell, kind) for kind, mask in hidden for cell in bits(mask))
    return Layout(tuple(board), tuple(items))


@pytest.mark.parametrize("game", [FFA, DUEL], ids=lambda game: game.mode)
def test_boards_are_as_those_of_chance(game: Pommerman) -> None:
    boards = BoardBatch(game, 200, seed=1)
    boards.begin(np.zeros(200, dtype=np.int32), np.zeros((200, game.seats), dtype=np.int32))
    walls: Counter[int] = Counter()
    kinds: Counter[int] = Counter()
    for numbers in boards.states:
        state = unpack(game, numbers)
        assert flaw(game.board_spec, layout_of(game, state), game.item_count) == ""
        assert state == game.apply_chance(game.initial_state(), layout_of(game, state))
        walls.update(bits(state.rigid))
        kinds.update({kind: mask.bit_count() for kind, mask in enumerate(state.hidden)})
    rng = random.Random(1)
    theirs: Counter[int] = Counter()
    for _ in range(200):
        board = game.sample_chance(game.initial_state(), rng).board
        theirs.update(cell for cell, value in enumerate(board) if value == RIGID)
    # Both count the same chances, 200 times each: six standard deviations apart at most.
    most = 6 * (2 * 200 / 4) ** 0.5
    assert all(abs(walls[cell] - theirs[cell]) < most for cell in range(game.board_spec.size**2))
    assert max(kinds.values()) - min(kinds.values()) < 0.1 * sum(kinds.values())


# -- the policy of playouts ----------------------------------------------------------------------


def surveyed(game: Pommerman, state: PommermanState) -> tuple[Any, Any]:
    flat, scratch = pack(game, state), np.zeros(SCRATCH_LENGTH, dtype=np.int32)
    survey(flat, scratch)
    return flat, scratch


def test_the_survey_knows_when_it_burns() -> None:
    for seed in range(100):
        # Bombs at rest and no wood, which shields at first and later doesn't; nobody in the way.
        whole = at_rest(living(crowded(FFA, random.Random(seed))))
        state = PommermanState(whole.rigid, bombs=whole.bombs, agents=whole.agents)
        wanted = burn_times(FFA.step_rules, state)
        scratch = surveyed(FFA, state)[1]
        for cell in range(121):
            assert scratch[FUSE + padded(cell, 11)] == wanted.get(cell, SAFE), (seed, cell)
    assert CELLS > 121


def test_the_escape_leads_round_the_corner_and_sees_a_trap() -> None:
    # The corridor of the agents' test: only right, round the corner, is it safe.
    walls = sum(1 << 8 + column for column in range(8) if column != 4)
    agents = (Bomber(3, True, 1, 3, False), Bomber(63, True, 1, 3, False))
    state = PommermanState(walls, bombs=(Bomb(2, 3, 8, 1, 0),), agents=agents)
    flat, scratch = surveyed(DUEL, state)
    assert escape(flat, scratch, make_seed(1), padded(3, 8), -1, 0) == 4
    shut = PommermanState(walls | 1 << 12, bombs=state.bombs, agents=agents)
    flat, scratch = surveyed(DUEL, shut)
    assert escape(flat, scratch, make_seed(1), padded(3, 8), -1, 0) == -1


# -- without numba ------------------------------------------------------------------------------


def test_nobody_else_needs_numba() -> None:
    code = (
        "import sys, boardgames_cli as bg;"
        "from boardgames_cli.registry import make_agent;"
        "make_agent('hard', bg.make('pommerman'));"
        "print({'numba', 'numpy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
