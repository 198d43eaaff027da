"""What happens to the hands of TapnSwap while a move is made, moment by moment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from boardgames_cli.games.tapnswap.actions import MOST, Hands, Swap, Tap, TapnSwapAction
from boardgames_cli.games.tapnswap.drawing import Side
from boardgames_cli.games.tapnswap.state import TapnSwapState

Sides: TypeAlias = tuple[Side, Side]
"""Both sides by seat; their titles are left to the view."""


def moments(before: TapnSwapState, action: TapnSwapAction) -> Iterator[Sides]:
    """The hands between two positions, in order; neither position is among them.

    Args:
        before: The position before the move.
        action: The move.
    """
    if isinstance(action, Swap):
        return _swap(before, action)
    return _tap(before, action)


def _tap(before: TapnSwapState, tap: Tap) -> Iterator[Sides]:
    player, foe = before.player, 1 - before.player
    striking, struck = before.hands[player][tap.own], before.hands[foe][tap.foe]
    own = replace(_still(player, before.hands[player]), struck=frozenset({tap.own}))
    other = _still(foe, before.hands[foe])
    yield _by_seat(own, other)
    total = striking + struck
    raised = replace(
        _still(foe, _with(before.hands[foe], tap.foe, min(total, MOST))),
        struck=frozenset({tap.foe}),
        counts={tap.foe: total},
    )
    yield _by_seat(own, raised)
    yield _by_seat(_still(player, before.hands[player]), raised)
    if total > MOST:
        for is_struck in (True, False):
            hit = raised.struck if is_struck else frozenset[int]()
            broken = replace(raised, struck=hit, broken=raised.struck)
            yield _by_seat(_still(player, before.hands[player]), broken)


def _swap(before: TapnSwapState, swap: Swap) -> Iterator[Sides]:
    player, foe = before.player, 1 - before.player
    left, right = before.hands[player]
    step = 1 if swap.left > left else -1
    other = _still(foe, before.hands[foe])
    both = frozenset({0, 1})
    for moved in range(0, swap.left - left, step):
        hands = (left + moved, right - moved)
        next = (left + moved + step, right - moved - step)
        yield _by_seat(replace(_still(player, hands), after=next), other)
        yield _by_seat(replace(_still(player, next), struck=both), other)


def _still(seat: int, hands: Hands) -> Side:
    return Side(seat, "", hands, hands, frozenset())


def _with(hands: Hands, hand: int, fingers: int) -> Hands:
    return (fingers, hands[1]) if hand == 0 else (hands[0], fingers)


def _by_seat(one: Side, other: Side) -> Sides:
    return (one, other) if one.seat == 0 else (other, one)
