"""What an agent keeps in mind of what the fog has swallowed."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from boardgames_cli.core.match import Match
from boardgames_cli.games.pommerman.agents.memory import Memory
from boardgames_cli.games.pommerman.board import grid_of
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import Bomb, Bomber, PommermanState
from boardgames_cli.testing.scene import one_step

GRID = grid_of(11)
LEFT = sum(1 << cell for cell in range(121) if cell % 11 < 5)
RIGHT = GRID.full & ~LEFT
AGENTS = tuple(Bomber(cell, True, 1, 3, False) for cell in (12, 20, 108, 100))


def seen(step: int, fog: int = RIGHT, **changes: object) -> PommermanState:
    whole: dict[str, object] = {"agents": AGENTS, "step": step, "fog": fog}
    return PommermanState(**(whole | changes))  # type: ignore[arg-type]


def known(*looks: PommermanState) -> PommermanState:
    memory = Memory(11)
    for look in looks:
        memory.watch(look)
    return memory.complete(looks[-1])


def test_what_was_seen_is_kept_and_what_never_was_stays_fog() -> None:
    first = seen(0, rigid=1 << 0, wood=1 << 1, powers=(1 << 2, 1 << 3, 1 << 4))
    after = known(first, seen(1, fog=LEFT))
    assert (after.rigid, after.wood, after.powers) == (first.rigid, first.wood, first.powers)
    assert after.fog == 0
    row = sum(1 << cell for cell in range(11))
    assert known(first, seen(1, fog=GRID.full & ~row)).fog == RIGHT & ~row


def test_what_is_seen_now_wins() -> None:
    first = seen(0, rigid=1 << 0, wood=1 << 1, powers=(1 << 2, 0, 0), bombs=(Bomb(3, 9, 3, 0, 0),))
    after = known(first, seen(1, rigid=1 << 1))
    assert (after.rigid, after.wood, after.powers, after.bombs) == (1 << 1, 0, (0, 0, 0), ())


def test_bombs_burn_down_out_of_sight_until_they_have_gone_off() -> None:
    first = seen(0, bombs=(Bomb(0, 4, 3, 0, 0),))
    lives = [
        [bomb.life for bomb in known(first, seen(step, fog=LEFT)).bombs] for step in range(1, 6)
    ]
    assert lives == [[3], [2], [1], [], []]
    # Looks in between must not let it burn twice as fast.
    by_steps = known(first, *(seen(step, fog=LEFT) for step in (1, 2, 3)))
    assert [bomb.life for bomb in by_steps.bombs] == [1]


def test_a_bomb_that_rolled_away_is_forgotten() -> None:
    first = seen(0, bombs=(Bomb(0, 9, 3, 0, 4), Bomb(11, 9, 3, 0, 0)))
    assert [bomb.cell for bomb in known(first, seen(1, fog=LEFT)).bombs] == [11]


def test_bombs_seen_and_remembered_are_in_order() -> None:
    after = known(
        seen(0, bombs=(Bomb(3, 9, 3, 0, 0),)), seen(1, fog=LEFT, bombs=(Bomb(5, 8, 3, 0, 0),))
    )
    assert [(bomb.cell, bomb.life) for bomb in after.bombs] == [(3, 8), (5, 8)]


def test_looking_twice_at_one_step_changes_nothing() -> None:
    looks = seen(0, bombs=(Bomb(0, 4, 3, 0, 0),)), seen(1, fog=LEFT)
    assert known(*looks) == known(looks[0], looks[0], looks[1], looks[1], looks[1])


def test_the_empty_table_is_nothing_to_remember() -> None:
    assert known(PommermanState(), seen(0, wood=0b10)).wood == 0b10


def test_without_fog_nothing_is_added() -> None:
    now = seen(1, fog=0)
    assert known(seen(0, rigid=1 << 7), now) is now


def test_all_else_is_as_it_is_seen() -> None:
    words = ((1, 2), (0, 0), (3, 4), (0, 0))
    now = seen(5, fog=LEFT, flames=(0, 1 << 9, 0), words=words, fallen=(1,), reruns=2)
    assert known(now) == now


def test_a_new_board_makes_the_old_one_void() -> None:
    first = seen(7, rigid=1 << 0, wood=1 << 1, powers=(1 << 2, 0, 0), bombs=(Bomb(3, 9, 3, 0, 0),))
    for again in (seen(0, fog=LEFT, reruns=1), seen(9, fog=LEFT, reruns=1), seen(0, fog=LEFT)):
        assert known(first, again) == again


@given(st.integers(0, 1000), st.integers(0, 3))
@settings(max_examples=15, deadline=None)
def test_what_is_remembered_was_true_when_it_was_seen(seed: int, seat: int) -> None:
    game = Pommerman(mode="team", view=2, rerun_ties=True, steps=14, first_collapse=12)
    match: Match[PommermanState, Any, Any] = Match(game, seed=seed, max_plies=40)
    memory, boards = Memory(11), {0: [0, 0]}
    while match.waiting_for:
        one_step(match)
        state = match.state
        if match.steps[-1].is_chance:
            boards = {state.reruns: [state.rigid, state.wood]}
        look = game.redact(state, seat)
        memory.watch(look)
        whole = memory.complete(look)
        rigid, wood = boards[state.reruns]
        # Walls that are remembered were on this board, not on one before it.
        assert whole.rigid & ~(rigid | state.rigid) == 0
        assert whole.wood & ~wood == 0
        clear = ~look.fog
        assert (whole.rigid ^ state.rigid) & clear == 0
        assert (whole.wood ^ state.wood) & clear == 0
        assert whole.fog & clear == 0
