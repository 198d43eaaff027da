"""What a position is worth at a glance."""

from __future__ import annotations

from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.games.deepsea.agents.odds import chance_home, turns_left
from boardgames_cli.games.deepsea.agents.planner import WORTH, PlannerPolicy, way_home
from boardgames_cli.games.deepsea.state import DeepSeaState, Phase

_POLICY = PlannerPolicy()


def evaluate(
    game: AnyGame,  # noqa: ARG001  # every game's heuristic is asked so
    state: DeepSeaState,
    seat: Seat,
) -> float:
    """An estimate of the seat's points at the end of this round.

    Its points so far, and what it carries times the chance to bring that home: turning back at once
    on the oxygen that the others leave, or with the chips that it may still hope for.
    """
    points = float(state.points[seat])
    carried = sum(WORTH[chip] for chip in state.held[seat])
    if state.phase is Phase.OVER:
        return points
    if state.is_home(seat):
        return points + carried
    if state.phase is Phase.REVEAL:
        return points
    load = len(state.held[seat])
    drain = _POLICY.drain(state, seat)
    turns = turns_left(state.oxygen, drain, load)
    if seat == state.current and state.phase is not Phase.CHIP:
        turns += 1
    now = carried * chance_home(way_home(state.trail, state.places[seat]), load, turns)
    return points + max(now, _POLICY.best_expectation(state, seat))
