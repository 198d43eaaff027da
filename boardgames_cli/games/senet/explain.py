"""Why a move is illegal, in the words of the rules."""

from __future__ import annotations

from typing import Final

from boardgames_cli.games.senet.actions import MOVE, PASS, Move
from boardgames_cli.games.senet.board import (
    DANCER_NAMES,
    HAPPINESS,
    HOUSE_NAMES,
    OFF,
    RE_ATUM,
    RE_HORAKHTY,
    SAFE,
    THREE_TRUTHS,
    WATER,
    bit,
    houses,
    runs,
)
from boardgames_cli.games.senet.movement import RuleSet

_NEEDED: Final = {THREE_TRUTHS: 3, RE_ATUM: 2, RE_HORAKHTY: 1}


def explain_illegal(
    rule_set: RuleSet, own: int, foe: int, steps: int, move: Move, foe_seat: int
) -> str:
    """Which rule forbids a move that is not legal, as an end of the sentence "illegal: ..."."""
    legal = rule_set.moves(own, foe, steps)
    if move == PASS:
        return "you can move, so you can't pass"
    if not own & bit(move.start):
        return f"you have no dancer on house {move.start}"
    if rule_set.name == "skyruk" and own & bit(HAPPINESS) and move.start != HAPPINESS:
        return "the dancer on house 26 must move first"
    if move.start >= HAPPINESS:
        return _beyond(rule_set, own | foe, steps, move)
    if move.end == move.start - steps and any(choice.end > choice.start for choice in legal):
        return "a dancer moves backward only when none can move forward"
    if abs(move.end - move.start) != steps and not _stops_at_happiness(rule_set, move, steps):
        target = _target(rule_set, move.start, steps)
        return f"the throw is {steps}: from house {move.start} that leads to {target}"
    return _obstacle(rule_set, own, foe, move, DANCER_NAMES[foe_seat])


def near_misses(rule_set: RuleSet, own: int, foe: int, steps: int) -> list[Move]:
    """For every dancer without a legal move, the forward move it would like to make."""
    movable = {move.start for move in rule_set.moves(own, foe, steps)}
    wishes = []
    for house in houses(own):
        if house in movable:
            continue
        end = OFF if house > HAPPINESS else _target(rule_set, house, steps)
        wishes.append(MOVE[house][min(end, OFF)])
    return wishes


def _target(rule_set: RuleSet, house: int, steps: int) -> int:
    end = house + steps
    return min(end, HAPPINESS) if rule_set.name == "skyruk" and house < HAPPINESS else end


def _stops_at_happiness(rule_set: RuleSet, move: Move, steps: int) -> bool:
    return rule_set.name == "skyruk" and move.end == HAPPINESS and move.start + steps > HAPPINESS


def _beyond(rule_set: RuleSet, occupied: int, steps: int, move: Move) -> str:
    if move.start == WATER:
        return f"from the water 4 bears off and 1, 2 or 3 leads to rebirth; the throw is {steps}"
    if move.start == RE_HORAKHTY and rule_set.name == "skyruk":
        return f"house {RE_HORAKHTY} bears off with any throw, and leads nowhere else"
    if move.start > HAPPINESS:
        needed = _NEEDED[move.start]
        return f"house {move.start} bears off with exactly {needed}; the throw is {steps}"
    landing = HAPPINESS + steps
    if move.end == landing < OFF and occupied & bit(landing):
        return f"house {landing} is occupied"
    if steps == 5 and move.end == OFF:
        return "a blockade stands before the way off the board"
    return (
        f"from house 26 a throw of {steps} leads elsewhere: 1 water, 2 to 4 houses 28 to 30, 5 off"
    )


def _obstacle(rule_set: RuleSet, own: int, foe: int, move: Move, foe_name: str) -> str:
    end = move.end
    if end > HAPPINESS:
        how = ", by an exact throw" if rule_set.name == "kendall" else ""
        return f"every dancer must stop on house 26 first{how}"
    if own & bit(end):
        return f"your own dancer stands on house {end}"
    low, high = sorted((move.start, end))
    if rule_set.is_blocked(foe, low, high):
        first, last = next(
            run for run in runs(foe) if low < run[0] and run[1] < high and run[1] > run[0]
        )
        return f"the {foe_name} on {first}-{last} are a blockade, which can't be jumped"
    if foe & bit(end) & SAFE:
        return f"house {end} is the {HOUSE_NAMES[end]}, where nobody can be beaten"
    if foe & bit(end) & rule_set.protected(foe):
        first, last = next(run for run in runs(foe) if run[0] <= end <= run[1])
        return f"house {end} is protected: {foe_name} stand side by side on {first}-{last}"
    return f"{move} is not possible with this throw"
