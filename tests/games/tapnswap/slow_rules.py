"""TapnSwap once more, written plainly from the rules' text alone; the real rules must agree."""

from __future__ import annotations

from collections.abc import Iterator

Hands = tuple[int, int]
Position = tuple[Hands, Hands]
"""The hands of the side to move, then the other side's."""

SIDES = [(left, right) for left in range(5) for right in range(5) if left or right]
POSITIONS: list[Position] = [(own, opponent) for own in SIDES for opponent in SIDES]


def mirrored(hands: Hands) -> Hands:
    return hands[1], hands[0]


def tap_results(own: Hands, opponent: Hands) -> Iterator[Position]:
    """What a tap can lead to: own hands, foreign hands after it; double ones too."""
    for adding in own:
        for number, tapped in enumerate(opponent):
            if adding and tapped:
                fingers = adding + tapped if adding + tapped <= 4 else 0
                yield own, ((fingers, opponent[1]) if number == 0 else (opponent[0], fingers))


def swap_results(own: Hands, opponent: Hands) -> Iterator[Position]:
    total = own[0] + own[1]
    for left in range(total + 1):
        after = left, total - left
        if max(after) <= 4 and after not in (own, mirrored(own)):
            yield after, opponent


def next_positions(own: Hands, opponent: Hands) -> Iterator[Position]:
    """What the other side can be given to move in."""
    for new_own, new_opponent in (*tap_results(own, opponent), *swap_results(own, opponent)):
        yield new_opponent, new_own


def solve() -> dict[Position, int]:
    """Plies to a forced end: odd numbers are wins, even ones losses, 0 stands for a draw.

    Found by sweeping over all positions again and again: in the n-th sweep those that end in
    exactly n plies are settled.
    """
    plies: dict[Position, int] = {}
    for sweep in range(1, 100):
        found = {}
        for position in POSITIONS:
            if position in plies:
                continue
            after = list(next_positions(*position))
            ends = [0 if following[0] == (0, 0) else plies.get(following) for following in after]
            wins = [end for end in ends if end is not None and end % 2 == 0]
            if wins or all(end is not None for end in ends):
                found[position] = sweep
        plies |= found
    return {position: plies.get(position, 0) for position in POSITIONS}
