"""Why a move is illegal, in the words of the rules."""

from __future__ import annotations

from boardgames_cli.games.tapnswap.moves import (
    DEAD,
    HAND_NAMES,
    LEFT,
    LEGAL,
    Hands,
    Swap,
    Tap,
)


def explain_illegal(own: Hands, foe: Hands, action: object) -> str:
    """Which rule forbids a move that is not legal, as an end of the sentence "illegal: ..."."""
    if isinstance(action, Tap):
        return _no_tap(own, foe, action)
    if isinstance(action, Swap):
        return _no_swap(own, action)
    return f"{action} is no move of TapnSwap"


def _no_tap(own: Hands, foe: Hands, tap: Tap) -> str:
    if not own[tap.own]:
        return f"your {HAND_NAMES[tap.own]} hand is dead, so it can't tap"
    if not foe[tap.foe]:
        return f"the other side's {HAND_NAMES[tap.foe]} hand is dead already"
    same = next(
        move
        for move in LEGAL[own, foe]
        if isinstance(move, Tap) and (own[move.own], foe[move.foe]) == (own[tap.own], foe[tap.foe])
    )
    return f"the fingers are the same as in {same}, which is the one to choose"


def _no_swap(own: Hands, swap: Swap) -> str:
    total, wanted = sum(own), swap.left + swap.right
    if wanted != total:
        return f"your hands have {total} fingers together, {swap.left}-{swap.right} has {wanted}"
    if (swap.left, swap.right) == own:
        return "that changes nothing, and nobody may pass"
    return "that is the same hands mirrored, which would be a pass"


def near_misses(own: Hands) -> list[Swap]:
    """The mirror image of the own hands, if it is another one."""
    if own == DEAD or own[LEFT] == own[1]:
        return []
    return [Swap(own[1], own[LEFT])]
