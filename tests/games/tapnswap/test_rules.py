from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.games.tapnswap.actions import Swap, Tap
from boardgames_cli.games.tapnswap.rules import TapnSwap
from boardgames_cli.games.tapnswap.state import TapnSwapState
from tests.games.tapnswap import slow_rules

GAME = TapnSwap()
TRACES = Path(__file__).parents[2] / "data" / "tapnswap.jsonl.gz"


def state_of(own: tuple[int, int], opponent: tuple[int, int], player: int = 0) -> TapnSwapState:
    return TapnSwapState((own, opponent) if player == 0 else (opponent, own), player)


def fingers(hands: Any) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(sorted(side)) for side in hands)


def recorded_id(action: list[int]) -> int:
    swaps, first, second = action
    return 4 + 3 * first + second - 1 if swaps else 2 * first + second


def rows() -> list[dict[str, Any]]:
    with gzip.open(TRACES, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def test_every_recorded_position() -> None:
    recorded = rows()
    assert len(recorded) == 576
    for row in recorded:
        state = GAME.from_json({key: row[key] for key in ("hands", "player")})
        ours: dict[Any, set[int]] = {}
        for action in GAME.legal_actions(state, 0):
            after = GAME.apply(state, {0: action})
            ours.setdefault(fingers(after.hands), set()).add(GAME.action_id(state, action))
        assert ours.keys() == {fingers(after) for _, after, _, _ in row["results"]}, row
        for action, after, reward, over in row["results"]:
            id = recorded_id(action)
            assert id in ours[fingers(after)], row
            reached = GAME.apply(state, {0: GAME.action_of(state, id)})
            assert reached.hands == tuple(map(tuple, after)), row
            assert GAME.is_over(reached) == over, row
            assert GAME.returns(reached) == ((1.0, -1.0) if reward > 0 else (0.0, 0.0)), row


@pytest.mark.parametrize("player", [0, 1])
def test_the_slow_rules_agree_everywhere(player: int) -> None:
    for own, opponent in slow_rules.POSITIONS:
        state = state_of(own, opponent, player)
        reached = []
        for action in GAME.legal_actions(state, player):
            after = GAME.apply(state, {player: action})
            assert after.player == 1 - player
            assert after.ply == state.ply + 1
            reached.append((after.hands[1 - player], after.hands[player]))
        assert set(reached) <= set(slow_rules.next_positions(own, opponent))
        # A tap that is left out is the same in fingers as one that is offered.
        wanted = {fingers(position) for position in slow_rules.next_positions(own, opponent)}
        assert {fingers(position) for position in reached} == wanted
        swaps = {own for _, own in reached if own != state.hands[player]}
        assert swaps == {after for after, _ in slow_rules.swap_results(own, opponent)}


def test_killing_with_the_last_move_wins() -> None:
    game = TapnSwap(max_plies=1)
    state = TapnSwapState(((4, 4), (0, 1)), 0)
    after = game.apply(state, {0: Tap(0, 1)})
    assert game.is_over(after)
    assert game.returns(after) == (1.0, -1.0)


def test_the_age_of_a_game_is_no_part_of_the_position() -> None:
    young, old = TapnSwapState(((1, 1), (1, 1)), 0), TapnSwapState(((1, 1), (1, 1)), 0, 77)
    assert young == old
    assert hash(young) == hash(old)
    assert GAME.from_json(GAME.to_json(old)).ply == 0


def test_the_swap_that_changes_nothing_comes_near_and_others_wait_for_their_turn() -> None:
    for own, opponent in slow_rules.POSITIONS:
        state = state_of(own, opponent)
        mirrored = [Swap(own[1], own[0])] if own[0] != own[1] else []
        assert list(GAME.near_misses(state, 0)) == mirrored
        assert GAME.explain_illegal(state, 1, Tap(0, 0)) == "it is not your turn"
