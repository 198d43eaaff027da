from __future__ import annotations

import pytest

from boardgames_cli.core.errors import (
    AmbiguousActionError,
    IllegalActionError,
    PositionError,
    UnknownActionError,
)
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.games.tapnswap.actions import ALL_MOVES, Swap, Tap, spelled_out
from boardgames_cli.games.tapnswap.rules import TapnSwap
from boardgames_cli.games.tapnswap.state import TapnSwapState
from tests.games.tapnswap import slow_rules

GAME = TapnSwap()


@pytest.mark.parametrize(
    ("own", "opponent", "text", "reason"),
    [
        ((0, 2), (1, 1), "tap L>L", "your left hand is dead, so it can't tap"),
        ((1, 2), (1, 0), "tap L>R", "the other side's right hand is dead already"),
        ((2, 2), (1, 3), "tap R>L", "the fingers are the same as in tap L>L"),
        ((1, 2), (3, 3), "tap L>R", "the fingers are the same as in tap L>L"),
        ((3, 2), (1, 1), "swap 2-3", "the same hands mirrored"),
        ((3, 2), (1, 1), "swap 3-2", "nobody may pass"),
        ((3, 2), (1, 1), "swap 2-2", "have 5 fingers together, 2-2 has 4"),
    ],
)
def test_the_reason_is_the_rule(
    own: tuple[int, int], opponent: tuple[int, int], text: str, reason: str
) -> None:
    with pytest.raises(IllegalActionError) as caught:
        GAME.parse(TapnSwapState((own, opponent), 0), 0, text)
    assert reason in caught.value.message
    with pytest.raises(IllegalActionError) as caught:
        GAME.parse(TapnSwapState((opponent, own), 1), 1, text)
    assert reason in caught.value.message


def test_every_illegal_move_is_explained_everywhere() -> None:
    for own, opponent in slow_rules.POSITIONS:
        state = TapnSwapState((own, opponent), 0)
        legal = GAME.legal_actions(state, 0)
        for action in ALL_MOVES:
            if action not in legal:
                reason = GAME.explain_illegal(state, 0, action)
                assert reason
                assert not reason.endswith(".")
        mirror = [Swap(own[1], own[0])] if own[0] != own[1] else []
        assert list(GAME.near_misses(state, 0)) == mirror


def test_out_of_turn_and_foreign_actions_are_explained() -> None:
    start = GAME.initial_state()
    assert GAME.explain_illegal(start, 1, Tap(0, 0)) == "it is not your turn"
    match: AnyMatch = Match(GAME, seed=1)
    with pytest.raises(IllegalActionError, match='"e4" is not an action of TapnSwap'):
        match.submit(0, "e4")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("LR", "tap l>r"),
        ("l>r", "tap l>r"),
        ("tap l to r", "tap l>r"),
        ("TAP  L-R", "tap l>r"),
        ("41", "swap 4-1"),
        ("4 1", "swap 4-1"),
        ("swap 4,1", "swap 4-1"),
        ("swap 4-1", "swap 4-1"),
        ("lx", "lx"),
        ("", ""),
        ("411", "411"),
    ],
)
def test_short_ways_to_type_a_move(typed: str, meant: str) -> None:
    assert spelled_out(typed) == meant


def test_beginnings_and_nonsense() -> None:
    state = TapnSwapState(((3, 2), (4, 1)), 0)
    assert GAME.parse(state, 0, "swap 4") == Swap(4, 1)
    with pytest.raises(AmbiguousActionError):
        GAME.parse(state, 0, "tap")
    with pytest.raises(UnknownActionError):
        GAME.parse(state, 0, "swap 5-0")


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({}, "hands"),
        ({"hands": [[1, 1], [1, 1]]}, "player"),
        ({"hands": [[1, 1], [1, 1]], "player": 0, "ply": 3}, "ply"),
        ({"hands": [[1, 1]], "player": 0}, "hands"),
        ({"hands": "1111", "player": 0}, "hands"),
        ({"hands": [[1, 1], [1, 1, 1]], "player": 0}, r"hands\[1\]"),
        ({"hands": [[1, 5], [1, 1]], "player": 0}, r"hands\[0\] has 5 fingers on the right"),
        ({"hands": [[1, 1], [-1, 1]], "player": 0}, r"hands\[1\] has -1 fingers on the left"),
        ({"hands": [[True, 1], [1, 1]], "player": 0}, r"hands\[0\]"),
        ({"hands": [[1.0, 1], [1, 1]], "player": 0}, r"hands\[0\]"),
        ({"hands": [[0, 0], [0, 0]], "player": 0}, "two dead sides"),
        ({"hands": [[1, 1], [1, 1]], "player": 2}, "player"),
        ({"hands": [[1, 1], [1, 1]], "player": "0"}, "player"),
        ({"hands": [[1, 1], [1, 1]], "player": False}, "player"),
    ],
)
def test_an_impossible_position_names_the_field(data: dict[str, object], field: str) -> None:
    with pytest.raises(PositionError, match=field):
        GAME.from_json(data)


def test_a_finished_position_can_be_read() -> None:
    state = GAME.from_json({"hands": [[0, 0], [1, 1]], "player": 0})
    assert GAME.is_over(state)
    assert GAME.returns(state) == (-1.0, 1.0)
