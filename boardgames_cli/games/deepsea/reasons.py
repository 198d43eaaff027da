"""Why one decision of a diver is better than another, from the sea and the tank."""

from __future__ import annotations

from typing import Final

from boardgames_cli.core.analyst import Reason
from boardgames_cli.core.game import Seat
from boardgames_cli.games.deepsea.actions import DIVE, LEAVE, RETURN, TAKE, Choice
from boardgames_cli.games.deepsea.agents.odds import SUMS
from boardgames_cli.games.deepsea.agents.planner import WORTH, way_home
from boardgames_cli.games.deepsea.state import DeepSeaState

_MEAN_THROW: Final = sum(total * chance for total, chance in enumerate(SUMS))


def explain(
    state: DeepSeaState,
    seat: Seat,
    choices: tuple[Choice, Choice],
    homes: tuple[float | None, float | None],
) -> Reason:
    """What speaks against one decision and for the other.

    Args:
        state: The position before it.
        seat: The diver.
        choices: The one that was taken, and the better one.
        homes: For both the share of plays in which the diver came home; None if unknown.
    """
    played, better = choices
    facts = [_situation(state, seat)]
    odds = [f"{share:.0%} of plays" for share in homes if share is not None]
    if len(odds) == 2:
        facts.append(f"home in {odds[1]} after {better}, in {odds[0]} after {played}")
    return Reason(_kind(state, seat, played, better), "; ".join(facts))


def _kind(state: DeepSeaState, seat: Seat, played: Choice, better: Choice) -> str:
    if played == DIVE:
        return "dived on too long"
    if played == RETURN:
        return "turned back too early"
    if played == TAKE:
        return "took a chip too many"
    if played == LEAVE:
        return "left a chip"
    if better.id and not played.id:
        return "kept too heavy a load"
    return "put down a chip" if state.held[seat] and not better.id else "put down the wrong chip"


def _situation(state: DeepSeaState, seat: Seat) -> str:
    """The way home, the load, and the oxygen that all use."""
    way, load = way_home(state.trail, state.places[seat]), len(state.held[seat])
    used = sum(
        len(held)
        for other, held in enumerate(state.held)
        if state.places[other] or state.diving[other]
    )
    parts = [f"{way} step{'s' if way != 1 else ''} from home"]
    if load:
        pace = max(0.0, _MEAN_THROW - load)
        parts.append(
            f"carrying {load} chip{'s' if load != 1 else ''} at about {pace:.0f} "
            f"step{'s' if round(pace) != 1 else ''} a turn"
        )
    lap = f"a lap of all divers uses {used}" if used else "nobody uses oxygen yet"
    parts.append(f"oxygen {state.oxygen} and {lap}")
    chip = state.chip_under(seat)
    if chip:
        parts.append(f"the chip here is worth about {WORTH[chip]:.0f}")
    return ", ".join(parts)
