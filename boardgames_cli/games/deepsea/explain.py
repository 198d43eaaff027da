"""Why a decision is illegal, in the words of the rules."""

from __future__ import annotations

from collections.abc import Sequence

from boardgames_cli.core.game import Seat
from boardgames_cli.games.deepsea.actions import (
    DIVE,
    KEEP,
    LEAVE,
    RETURN,
    TAKE,
    Choice,
)
from boardgames_cli.games.deepsea.chips import BLANK
from boardgames_cli.games.deepsea.state import DeepSeaState, Phase


def explain_illegal(state: DeepSeaState, seat: Seat, action: Choice) -> str:
    """Which rule forbids a decision, as an end of the sentence "illegal: ..."."""
    if state.phase is Phase.DIRECTION:
        return "first you dive on or turn back, then the dice are thrown"
    if state.phase is not Phase.CHIP:
        return "divers decide at their own turn only"
    if action in (DIVE, RETURN):
        if not state.diving[seat]:
            return "you have turned back, and there is no way down again in this round"
        return "the direction is chosen before the dice, and you have moved already"
    place = state.places[seat]
    if state.chip_under(seat) != BLANK:
        return f"a chip lies on place {place}: chips are put down on blanks only"
    if action in (TAKE, LEAVE):
        return f"place {place} is blank: there is nothing to take"
    return f"you carry no such chip ({action})"


def near_misses(state: DeepSeaState, seat: Seat, actions: Sequence[Choice]) -> list[Choice]:
    """Illegal decisions that a diver might well try, out of all that the game has."""
    if state.phase is not Phase.CHIP:
        return []
    wishes: list[Choice] = []
    if state.chip_under(seat) == BLANK:
        wishes.append(TAKE)
    elif state.held[seat]:
        wishes += [action for action in actions if _puts_down(state, seat, action)]
    return wishes


def _puts_down(state: DeepSeaState, seat: Seat, action: Choice) -> bool:
    chip = getattr(action, "chip", 0)
    return str(action) == "drop" or (action != KEEP and bool(chip) and chip in state.held[seat])
