"""What luck gave in a finished game.

The luck of a chance step is the value of the position that came less the mean over all outcomes.
Whatever evaluates the positions, its expectation is 0.
"""

from __future__ import annotations

import functools

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame, Traits
from boardgames_cli.core.match import AnyMatch


@functools.lru_cache(maxsize=64)
def check_luck(game: AnyGame) -> None:
    """Check that the luck of a game can be computed.

    Raises:
        GameError: Chance does not act in the game, its outcomes can't be listed, or nothing
            evaluates positions quickly.
    """
    name, leave_out = game.info.name, "Leave --luck out."
    if Traits.CHANCE not in game.traits:
        raise GameError(f"there is no luck in {name} that could be listed.", leave_out)
    if analyst_for(game).rough_value(game.initial_state()) is None:
        raise GameError(f"nothing evaluates positions of {name} quickly.", leave_out)


def luck_of(match: AnyMatch) -> tuple[float, ...]:
    """What the chance steps of a match gave each seat in returns; 0 in expectation."""
    game, analyst = match.game, analyst_for(match.game)
    given = [0.0] * game.seats
    for ply, step in enumerate(match.steps):
        if not step.is_chance:
            continue
        state = match.state_at(ply)
        outcomes = game.chance_outcomes(state)
        for outcome, chance in outcomes if len(outcomes) > 1 else ():
            value = analyst.rough_value(game.apply_chance(state, outcome))
            assert value is not None, "checked before the tournament"
            weight = float(outcome == step.outcome) - chance
            for seat in range(game.seats):
                given[seat] += weight * value.returns[seat]
    return tuple(given)
