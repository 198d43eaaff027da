"""The rules, readable and compiled, against a second reading of the reference engine's step."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardgames_cli.games.pommerman.board import grid_of
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import PommermanState
from tests.games.pommerman.crowds import crowded, moves_at_bombs, piled_up, scrum
from tests.games.pommerman.records import DATA, MODES, Row, joint_moves, reference_game, rows
from tests.games.pommerman.reference_step import reference_step

ORIGINAL: dict[str, Any] = {"caps": True, "items_block": True}
FALLING: dict[str, Any] = {"collapse": True, "first_collapse": 30, "steps": 97}
GAMES = {
    "ffa": Pommerman(**ORIGINAL),
    "ffa collapse": Pommerman(**ORIGINAL, **FALLING),
    "team": Pommerman(mode="team", **ORIGINAL),
    "team collapse": Pommerman(mode="team", **ORIGINAL, **FALLING),
    "duel": Pommerman(mode="duel", **ORIGINAL),
    "duel collapse": Pommerman(mode="duel", **ORIGINAL, **FALLING),
}
TYPES = {ours: theirs for theirs, ours in MODES.items()}


def rewards(game_type: str, alive: list[bool], is_last: bool) -> tuple[bool, list[int]]:
    """Whether the game is over, and what each seat gets.

    Args:
        game_type: ``ffa``, ``1v1``, ``team`` or ``radio``.
        alive: Who lives.
        is_last: Whether this was the last step that the game can have.
    """
    if game_type in ("team", "radio"):
        sides = [alive[0] or alive[2], alive[1] or alive[3]]
        if sum(sides) == 1:
            return True, [1 if sides[seat % 2] else -1 for seat in range(4)]
        return (True, [-1] * 4) if is_last or not any(sides) else (False, [0] * 4)
    if sum(alive) == 1:
        return True, [1 if lives else -1 for lives in alive]
    if game_type == "ffa":
        if is_last:
            return True, [-1] * 4
        return not any(alive), [0 if lives else -1 for lives in alive]
    if is_last:
        return True, [-1, -1]
    return not any(alive), [0, 0]


def second_reading(game: Pommerman, before: Row, moves: list[int]) -> tuple[Row, list[bool]]:
    return reference_step(before, moves, game.step_rules.strength_cap, game.collapses)


def without_words(position: Row) -> Row:
    return {key: value for key, value in position.items() if key not in ("messages", "fallen")}


def check(game: Pommerman, state: PommermanState, moves: list[int], where: Any = "") -> Row:
    """Both rules against the second reading, field by field; the position they agree on."""
    before = without_words(game.to_json(state))
    wanted, alive = second_reading(game, before, moves)
    after = game.apply(state, joint_moves(moves, None))
    found = without_words(game.to_json(after))
    for key, value in wanted.items():
        assert found[key] == value, (where, key, before, moves)
    is_over, worth = rewards(TYPES[game.mode], alive, wanted["step"] >= game.steps)
    # Where the collapse leaves nobody to act ours is over at once, not a step later.
    if any(agent.alive for agent in after.agents):
        assert (game.is_over(after), list(game.returns(after))) == (is_over, worth), where
    check_compiled(game, state, moves, found, where)
    return found


def check_compiled(
    game: Pommerman, state: PommermanState, moves: list[int], wanted: Row, where: Any
) -> None:
    try:
        import numpy as np

        from boardgames_cli.games.pommerman.fast.arrays import pack, pack_options, unpack
        from boardgames_cli.games.pommerman.fast.step import WORK_LENGTH, play_step
    except ImportError:  # the extra `fast` is not there: the readable rules were compared
        return
    flat, work = pack(game, state), np.zeros(WORK_LENGTH, dtype=np.int32)
    padded = np.array([*moves, 0, 0][:4], dtype=np.int32)
    play_step(flat, padded, pack_options(game), work)
    found = without_words(game.to_json(unpack(game, flat)))
    for key, value in wanted.items():
        assert found[key] == value, (where, key, "compiled")


def test_a_bomb_sent_back_keeps_its_claim_beside_a_kick() -> None:
    # A kick, the bomb that it would free a cell from, and one that comes back to that very cell.
    recorded = json.loads((DATA / "pommerman-pile-up.json").read_text(encoding="utf-8"))
    game = reference_game(recorded["options"])
    found = check(game, game.from_json(recorded["before"]), recorded["actions"])
    assert found == recorded["after"]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(("make", "count"), [(crowded, 30), (piled_up, 60), (scrum, 250)])
def test_crowded_positions_go_on_alike(name: str, make: Any, count: int) -> None:
    game = GAMES[name]
    for seed in range(count):
        rng = random.Random(f"{name} {seed}")
        state = make(game, rng)
        for step in range(3):
            moves = moves_at_bombs(state, game.board_spec.size, rng)
            check(game, state, moves, (name, seed, step))
            state = game.apply(state, joint_moves(moves, None))


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(GAMES)),
    st.sampled_from([piled_up, scrum]),
    st.randoms(use_true_random=False),
    st.lists(st.integers(0, 5), min_size=4, max_size=4),
)
def test_any_pile_goes_on_alike(name: str, make: Any, rng: random.Random, moves: list[int]) -> None:
    game = GAMES[name]
    check(game, make(game, rng), moves[: game.seats])


def test_piles_can_be_read_as_positions() -> None:
    for name, game in GAMES.items():
        for seed in range(20):
            state = piled_up(game, random.Random(f"{name} {seed}"))
            assert game.from_json(game.to_json(state)) == state


def test_the_second_reading_plays_the_recorded_games() -> None:
    steps = 0
    for row in rows("pommerman"):
        game = reference_game(row["options"])
        before = without_words(row["initial"])
        for step in row["steps"][:30]:
            wanted = before | without_words(step["after"])
            before, alive = second_reading(game, before, step["actions"])
            assert before == wanted, (row["episode"], wanted["step"])
            is_over, worth = rewards(TYPES[game.mode], alive, wanted["step"] >= game.steps)
            assert (is_over, worth) == (step["done"], step["rewards"])
            steps += 1
    assert steps > 900


def test_the_second_reading_plays_the_recorded_exceptions() -> None:
    for number, row in enumerate(rows("pommerman-deviations")):
        game = reference_game(row["options"])
        assert grid_of(game.board_spec.size).cells == sum(map(len, row["before"]["board"]))
        found, _ = second_reading(game, without_words(row["before"]), row["actions"])
        assert found == without_words(row["after"]), number
