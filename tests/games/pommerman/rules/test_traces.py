"""Every recorded step of the reference engine, and our readings where it errs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import PommermanState
from tests.games.pommerman.records import DATA, MODES, Row, joint_moves, reference_game, rows


def check_step(game: Pommerman, before: PommermanState, step: Row, whole: Row, where: str) -> Any:
    # The dead are given moves too: they must not matter.
    after = game.apply(before, joint_moves(step["actions"], step.get("messages")))
    position = game.to_json(after)
    position.pop("messages", None)
    position.pop("fallen", None)
    for key, wanted in whole.items():
        assert position[key] == wanted, f"{where}: {key}"
    assert [agent.alive for agent in after.agents] == step["alive"], where
    if any(step["alive"]) or step["done"]:
        assert list(game.returns(after)) == step["rewards"], where
        assert game.is_over(after) == step["done"], where
    else:
        # The collapse killed all who were left. Nobody can act, so for us it is over at once; the
        # reference plays one more step with nobody and then gives the same rewards.
        assert game.is_over(after), where
        assert set(game.returns(after)) == {-1.0}, where
    if "winners" in step:
        won = [seat for seat, value in enumerate(game.returns(after)) if value == 1]
        assert won == step["winners"], where
    return after


@pytest.mark.parametrize("mode", sorted(MODES))
def test_recorded_games(mode: str) -> None:
    steps = 0
    for row in rows("pommerman"):
        if row["options"]["game_type"] != mode:
            continue
        game = reference_game(row["options"])
        assert list(game.collapses_in(game.initial_state())) == row["options"].get("collapses", [])
        whole = dict(row["initial"])
        state = game.from_json(whole)
        for step in row["steps"]:
            whole |= step["after"]
            where = f"episode {row['episode']} {row['mode']} step {whole['step']}"
            state = check_step(game, state, step, whole, where)
            steps += 1
    assert steps > 300


def test_all_recorded_steps_are_replayed() -> None:
    assert sum(len(row["steps"]) for row in rows("pommerman")) == 5230


def test_a_bomb_sent_back_keeps_its_claim_beside_a_kick() -> None:
    # A kick, the bomb that it would free a cell from, and one that comes back to that very cell.
    recorded = json.loads((DATA / "pommerman-pile-up.json").read_text(encoding="utf-8"))
    game = reference_game(recorded["options"])
    after = game.apply(game.from_json(recorded["before"]), joint_moves(recorded["actions"], None))
    assert game.to_json(after) == recorded["after"]


def only(kind: str) -> list[Row]:
    """The deviations of one kind and no other."""
    found = [row for row in rows("pommerman-deviations") if all(kind in why for why in row["why"])]
    assert found
    return found


def play_deviation(row: Row, *, caps: bool, items_block: bool) -> tuple[Any, PommermanState]:
    model = reference_game(row["options"])
    game = Pommerman(mode=model.mode, steps=model.steps, caps=caps, items_block=items_block)
    return game, game.apply(game.from_json(row["before"]), joint_moves(row["actions"], None))


def test_the_options_play_what_the_reference_played() -> None:
    recorded = rows("pommerman-deviations")
    assert len(recorded) == 51
    for number, row in enumerate(recorded):
        if row["mode"] == "collapse":
            game = reference_game(row["options"])
            after = game.apply(game.from_json(row["before"]), joint_moves(row["actions"], None))
        else:
            game, after = play_deviation(row, caps=True, items_block=True)
        position = game.to_json(after)
        position.pop("messages", None)
        assert position == row["after"], number
        assert list(game.returns(after)) == row["rewards"], number


def test_strength_is_not_capped() -> None:
    for row in only("caps it"):
        game, after = play_deviation(row, caps=False, items_block=True)
        ours, theirs = game.to_json(after)["agents"], row["after"]["agents"]
        raised = [seat for seat in range(4) if ours[seat] != theirs[seat]]
        assert raised
        for seat in raised:
            assert theirs[seat]["blast_strength"] == 4
            assert ours[seat] == theirs[seat] | {"blast_strength": 5}
        assert game.to_json(after) | {"agents": [], "messages": []} == row["after"] | {
            "agents": [],
            "messages": [],
        }


def test_a_power_up_neither_stops_a_bomb_nor_refuses_a_kick() -> None:
    same = rolled = kicked = 0
    for row in rows("pommerman-deviations"):
        if any("caps it" in why for why in row["why"]):
            continue
        game, after = play_deviation(row, caps=True, items_block=False)
        before, position = game.from_json(row["before"]), game.to_json(after)
        same += all(position[key] == row["after"][key] for key in ("bombs", "agents", "flames"))
        hidden = [pos for pos, _ in position["items"]]
        for bomb in after.bombs:
            if before.open_powers >> bomb.cell & 1 and bomb.direction:
                # The power-up is still there, under the bomb.
                assert after.open_powers >> bomb.cell & 1
                assert list(divmod(bomb.cell, game.board_spec.size)) in hidden
                rolled += 1
                kicked += any("kick" in kind for kind in row["kinds"])
    assert same == 2, "in two cases something else is in the way all the same"
    assert (rolled, kicked) == (27, 4)
