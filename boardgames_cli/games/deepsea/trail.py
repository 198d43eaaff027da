"""Movement along the trail, which skips occupied and removed places."""

from __future__ import annotations

from collections.abc import Sequence

from boardgames_cli.games.deepsea.chips import GONE


def descend(trail: Sequence[int], places: Sequence[int], place: int, steps: int) -> int:
    """A diver's place after some steps outward; it stops at the end of the trail."""
    if not steps:
        return place
    for there in range(place + 1, len(trail) + 1):
        if trail[there - 1] != GONE and there not in places:
            place = there
            steps -= 1
            if not steps:
                break
    return place


def ascend(trail: Sequence[int], places: Sequence[int], place: int, steps: int) -> int:
    """A diver's place after some steps towards home; 0 is the submarine."""
    if not steps:
        return place
    for there in range(place - 1, 0, -1):
        if trail[there - 1] != GONE and there not in places:
            steps -= 1
            if not steps:
                return there
    return 0


def way(
    trail: Sequence[int], places: Sequence[int], place: int, steps: int, *, diving: bool
) -> list[int]:
    """The places a diver visits, step by step, without the one it starts from."""
    move = descend if diving else ascend
    stops: list[int] = []
    for step in range(1, steps + 1):
        there = move(trail, places, place, step)
        if there != (stops[-1] if stops else place):
            stops.append(there)
    return stops
