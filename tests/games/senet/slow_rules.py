"""Senet once more, slowly and from the written rules alone: lists, no masks, nothing shared.

It answers to nobody but the prose of RULES.md and confirms what the fast rules say. Houses are
numbers 1 to 30, a side is a set of them, and a move is (start, end) with "off" as the last end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

End = int | Literal["off"]
SlowMove = tuple[int, End] | Literal["pass"]

SAFE_HOUSES = {15, 26, 27, 28, 29, 30}


@dataclass(frozen=True)
class SlowState:
    rules: str
    sides: tuple[frozenset[int], frozenset[int]]
    player: int
    steps: int | None

    @property
    def own(self) -> frozenset[int]:
        return self.sides[self.player]

    @property
    def opponent(self) -> frozenset[int]:
        return self.sides[1 - self.player]


def rows(side: frozenset[int]) -> list[list[int]]:
    """The dancers that stand side by side along the path."""
    found: list[list[int]] = []
    for house in sorted(side):
        if found and found[-1][-1] == house - 1:
            found[-1].append(house)
        else:
            found.append([house])
    return found


def is_protected(state: SlowState, house: int) -> bool:
    """Whether an opponent on a house can't be beaten because of its neighbours."""
    row = next(row for row in rows(state.opponent) if house in row)
    if len(row) < 2:
        return False
    return state.rules == "kendall" or house in (row[0], row[-1])


def jumps_a_blockade(state: SlowState, start: int, end: int) -> bool:
    """Whether a whole blockade of the opponent lies between two houses."""
    least = 3 if state.rules == "kendall" else 2
    between = range(min(start, end) + 1, max(start, end))
    return any(
        len(row) >= least and all(house in between for house in row) for row in rows(state.opponent)
    )


def may_land(state: SlowState, start: int, end: int) -> bool:
    """The ordinary rules for a move from one house to another."""
    if end in state.own or jumps_a_blockade(state, start, end):
        return False
    if end in state.opponent:
        return end not in SAFE_HOUSES and not is_protected(state, end)
    return True


def reborn(state: SlowState) -> int:
    """Where the water carries a dancer: Rebirth, or the nearest empty house before it."""
    house = 15
    while house in state.own or house in state.opponent:
        house -= 1
    return house


def forward(state: SlowState, start: int) -> End | None:
    """Where one dancer goes with the throw, moving forward; None if it can't."""
    if state.rules == "kendall":
        return _forward_kendall(state, start)
    return _forward_skyruk(state, start)


def _forward_kendall(state: SlowState, start: int) -> End | None:
    steps = state.steps
    assert steps is not None
    taken = state.own | state.opponent
    if start < 26:
        end = start + steps
        if end > 26 or (end == 26 and 26 in taken):
            return None
        return end if may_land(state, start, end) else None
    if start == 26:
        if steps == 1:
            return reborn(state)
        if steps == 5:
            return "off"
        return None if 26 + steps in taken else 26 + steps
    return "off" if steps == {28: 3, 29: 2, 30: 1}[start] else None


def _forward_skyruk(state: SlowState, start: int) -> End | None:
    steps = state.steps
    assert steps is not None
    taken = state.own | state.opponent
    if start == 26:
        if steps == 5:
            return "off"
        for house in (26 + steps, 27):
            if house not in taken:
                return house
        return reborn(state)
    if 26 in state.own:
        return None
    if start < 26:
        end = min(start + steps, 26)
        if end == 26 and 26 in taken:
            return None
        return end if may_land(state, start, end) else None
    if start == 27:
        return "off" if steps == 4 else None if steps == 5 else reborn(state)
    if start == 30:
        return "off"
    return "off" if steps == {28: 3, 29: 2}[start] else None


def legal(state: SlowState) -> list[SlowMove]:
    """All legal moves: forward; if there is none, backward; if there is none, the pass."""
    assert state.steps is not None
    moves: list[SlowMove] = []
    for start in sorted(state.own):
        end = forward(state, start)
        if end is not None:
            moves.append((start, end))
    if not moves:
        for start in sorted(state.own):
            back = start - state.steps
            if start < 26 and back >= 1 and may_land(state, start, back):
                moves.append((start, back))
    return moves or ["pass"]


def after(state: SlowState, move: SlowMove) -> SlowState:
    own, opponent = set(state.own), set(state.opponent)
    again = state.steps in (1, 4, 5)
    if move == "pass":
        again = False
    else:
        start, end = move
        own.remove(start)
        if end != "off":
            assert isinstance(end, int)
            if end in opponent:
                opponent.remove(end)
                opponent.add(start)
            own.add(end)
        if state.rules == "skyruk" and end == 26:
            again = True
    sides = (frozenset(own), frozenset(opponent))
    return SlowState(
        state.rules,
        sides if state.player == 0 else (sides[1], sides[0]),
        state.player if again else 1 - state.player,
        None,
    )


def thrown(state: SlowState, steps: int) -> SlowState:
    """The state after a throw of the sticks."""
    return SlowState(state.rules, state.sides, state.player, steps)


def count(state: SlowState, depth: int) -> tuple[int, int, int]:
    """Histories of up to so many steps, by what their last state is: chance, decision, the end."""
    if not state.sides[0] or not state.sides[1]:
        return (0, 0, 1)
    total = [1, 0, 0] if state.steps is None else [0, 1, 0]
    if depth:
        if state.steps is None:
            following = [thrown(state, steps) for steps in (1, 2, 3, 4, 5)]
        else:
            following = [after(state, move) for move in legal(state)]
        for next_state in following:
            for kind, number in enumerate(count(next_state, depth - 1)):
                total[kind] += number
    return (total[0], total[1], total[2])
