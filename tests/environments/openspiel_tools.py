"""What the tests of OpenSpiel games share; without OpenSpiel they are skipped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.games.kuhn.spiel import load as load_pyspiel

pyspiel = load_pyspiel()


def every_state(state: Any) -> Iterator[Any]:
    """A state and all that can follow; of games that take turns."""
    yield state
    for action in state.legal_actions():
        yield from every_state(state.child(action))


def play_randomly(state: Any, rng: Any, most: int = 10_000) -> Any:
    """Play on with random actions, for so many steps at most, and give the state."""
    for _ in range(most):
        if state.is_terminal():
            break
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=chances)))
        elif state.is_simultaneous_node():
            seats = range(state.num_players())
            legal = [state.legal_actions(seat) for seat in seats]
            state.apply_actions([int(rng.choice(ids)) if ids else 0 for ids in legal])
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
    return state
