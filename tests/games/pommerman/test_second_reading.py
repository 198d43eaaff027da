"""The rules against a second reading of the reference engine's step, in crowds of all kinds."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import PommermanState
from tests.games.pommerman.crowds import crowded, moves_at_bombs, piled_up, scrum
from tests.games.pommerman.records import DATA, MODES, Row, joint_moves, reference_game
from tests.games.pommerman.reference_step import reference_step

ORIGINAL: dict[str, Any] = {"caps": True, "items_block": True}
FALLING: dict[str, Any] = {"collapse": True, "first_collapse": 30, "steps": 97}
GAMES = {
    "ffa": Pommerman(**ORIGINAL),
    "ffa written": Pommerman(),
    "ffa collapse": Pommerman(caps=True, **FALLING),
    "team written": Pommerman(mode="team", items_block=True),
    "team collapse": Pommerman(mode="team", view=2, **ORIGINAL, **FALLING),
    "duel": Pommerman(mode="duel", **ORIGINAL),
    "duel collapse": Pommerman(mode="duel", **FALLING),
}
"""Each two options meet, and each two of their values."""
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
    step_rules = game.step_rules
    return reference_step(
        before,
        moves,
        game.collapses_in(game.initial_state()),
        ammo_cap=step_rules.ammo_cap,
        strength_cap=step_rules.strength_cap,
        items_block=game.items_block,
    )


def without_words(position: Row) -> Row:
    return {key: value for key, value in position.items() if key not in ("messages", "fallen")}


def check(game: Pommerman, state: PommermanState, moves: list[int], where: Any = "") -> Row:
    """The rules against the second reading, field by field; the position they agree on."""
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
    return found


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
