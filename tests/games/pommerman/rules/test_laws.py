"""Laws of the step, on crowded positions made up at random."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from boardgames_cli.games.pommerman.board import grid_of
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.rules.step import lay, play_step, settle
from boardgames_cli.games.pommerman.state import Bomb, PommermanState
from tests.games.pommerman.crowds import crowded

FFA = Pommerman()
BLOCKING = Pommerman(items_block=True, caps=True)
SEEDS = st.integers(0, 2**32)


def make(seed: int, game: Pommerman = FFA) -> tuple[PommermanState, list[int]]:
    rng = random.Random(seed)
    return crowded(game, rng), [rng.randrange(6) for _ in range(game.seats)]


def owned(state: PommermanState) -> list[int]:
    """Every agent's bombs, in the pocket and on the board."""
    return [
        agent.ammo + sum(bomb.owner == seat for bomb in state.bombs)
        for seat, agent in enumerate(state.agents)
    ]


@given(SEEDS)
@settings(max_examples=300, deadline=None)
def test_bombs_are_conserved(seed: int) -> None:
    state, moves = make(seed)
    after = play_step(FFA.step_rules, state, moves)
    for seat, (before, now) in enumerate(zip(owned(state), owned(after), strict=True)):
        # One more only by taking the power-up; never one less.
        took = now - before
        assert took in (0, 1), seat
        if took:
            lit = state.powers[0] | state.hidden[0] & state.flames[0]
            assert lit >> after.agents[seat].cell & 1


@given(SEEDS)
@settings(max_examples=300, deadline=None)
def test_nobody_goes_through_walls_or_into_another(seed: int) -> None:
    state, moves = make(seed)
    after = play_step(FFA.step_rules, state, moves)
    walls = state.rigid | state.wood
    near = grid_of(FFA.board_spec.size).near
    for before, now in zip(state.agents, after.agents, strict=True):
        assert now.cell == before.cell or now.cell in near[before.cell]
        assert not walls >> now.cell & 1
        assert before.alive >= now.alive
    living = [agent.cell for agent in after.agents if agent.alive]
    assert len(set(living)) == len(living)
    cells = [bomb.cell for bomb in after.bombs]
    assert cells == sorted(set(cells))
    assert not any(walls >> cell & 1 or after.burning >> cell & 1 for cell in cells)
    assert not any(after.burning >> cell & 1 for cell in living)
    assert after.rigid == state.rigid
    assert after.wood & ~state.wood == 0


@given(SEEDS, st.sampled_from([FFA, BLOCKING]), st.permutations(range(4)))
@settings(max_examples=300, deadline=None)
def test_the_numbers_of_the_seats_mean_nothing(
    seed: int, game: Pommerman, places: list[int]
) -> None:
    state, moves = make(seed, game)
    plain = play_step(game.step_rules, state, moves)
    renamed = play_step(game.step_rules, _renamed(state, places), [moves[seat] for seat in places])
    assert renamed == _renamed(plain, places)


def _renamed(state: PommermanState, places: list[int]) -> PommermanState:
    bombs = tuple(sorted(bomb._replace(owner=places.index(bomb.owner)) for bomb in state.bombs))
    return PommermanState(
        state.rigid,
        state.wood,
        state.powers,
        state.hidden,
        state.flames,
        bombs,
        tuple(state.agents[seat] for seat in places),
        state.step,
    )


@given(SEEDS, st.randoms(use_true_random=False))
@settings(max_examples=300, deadline=None)
def test_the_order_of_the_bombs_means_nothing(seed: int, shuffler: random.Random) -> None:
    state, moves = make(seed)
    agents = list(state.agents)
    bombs = lay(agents, state.bombs, moves, 10)
    cells, moved = settle(FFA.step_rules.grid, state.walls, state.walls, agents, bombs, moves)
    shuffler.shuffle(bombs)
    again, others = settle(FFA.step_rules.grid, state.walls, state.walls, agents, bombs, moves)
    assert cells == again
    assert sorted(moved) == sorted(others)


@given(SEEDS)
@settings(max_examples=100, deadline=None)
def test_the_board_turned_round_plays_the_same(seed: int) -> None:
    state, moves = make(seed)
    turn = {0: 0, 1: 3, 2: 4, 3: 1, 4: 2, 5: 5}  # mirrored about the main diagonal
    turned = play_step(FFA.step_rules, _mirrored(state, turn), [turn[move] for move in moves])
    assert turned == _mirrored(play_step(FFA.step_rules, state, moves), turn)


def _mirrored(state: PommermanState, turn: dict[int, int]) -> PommermanState:
    size = FFA.board_spec.size

    def cell(old: int) -> int:
        row, column = divmod(old, size)
        return column * size + row

    def mask(old: int) -> int:
        return sum(1 << cell(place) for place in range(size * size) if old >> place & 1)

    def three(masks: tuple[int, int, int]) -> tuple[int, int, int]:
        return mask(masks[0]), mask(masks[1]), mask(masks[2])

    return PommermanState(
        mask(state.rigid),
        mask(state.wood),
        three(state.powers),
        three(state.hidden),
        three(state.flames),
        tuple(
            sorted(
                Bomb(cell(bomb.cell), bomb.life, bomb.strength, bomb.owner, turn[bomb.direction])
                for bomb in state.bombs
            )
        ),
        tuple(agent._replace(cell=cell(agent.cell)) for agent in state.agents),
        state.step,
    )
