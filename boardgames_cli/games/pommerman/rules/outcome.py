"""The end of a game and its returns."""

from __future__ import annotations

from typing import Final

from boardgames_cli.games.pommerman.state import PommermanState

Returns = tuple[float, ...]

COLLAPSE_AFTER: Final = 2
"""The number of ties after which the board collapses."""
MOST_RERUNS: Final = 99
"""The maximum number of reruns, so that a match has an end: the hundredth tie is final."""


def final_returns(state: PommermanState, *, teams: bool, steps: int) -> Returns | None:
    """The final returns; None while the game is running.

    Agents just killed by the collapse still count as alive. But if nobody is left to act in a game
    that would continue, it is over at once, with the outcome of the next step.

    Args:
        state: The state.
        teams: Whether seats 0 and 2 play against 1 and 3.
        steps: The length of the longest game.
    """
    final_of = _team_returns if teams else _solo_returns
    final = final_of(_counted_alive(state), state.step >= steps)
    if final is None and state.fallen:
        alive = tuple(agent.alive for agent in state.agents)
        if not any(alive):
            return final_of(alive, False)
    return final


def is_tie(final: Returns) -> bool:
    """Whether final returns have no winner."""
    return max(final) <= 0


def running_returns(state: PommermanState, *, teams: bool) -> Returns:
    """The returns of a running game: in free for all the dead have already lost."""
    alive = _counted_alive(state)
    if teams or len(alive) == 2:
        return (0.0,) * len(alive)
    return tuple([0.0 if is_alive else -1.0 for is_alive in alive])


def _counted_alive(state: PommermanState) -> tuple[bool, ...]:
    alive = [agent.alive for agent in state.agents]
    for seat in state.fallen:
        alive[seat] = True
    return tuple(alive)


def _team_returns(alive: tuple[bool, ...], is_last: bool) -> Returns | None:
    sides = (alive[0] or alive[2], alive[1] or alive[3])
    if all(sides) and not is_last:
        return None
    if sides[0] == sides[1]:
        return (-1.0,) * 4
    return tuple(1.0 if sides[seat % 2] else -1.0 for seat in range(4))


def _solo_returns(alive: tuple[bool, ...], is_last: bool) -> Returns | None:
    living = sum(alive)
    if living == 1:
        return tuple(1.0 if is_alive else -1.0 for is_alive in alive)
    if is_last:
        return (-1.0,) * len(alive)
    if living:
        return None
    # In a tie all lose, except that a duel in which both die at once is worth 0.
    return (-1.0,) * 4 if len(alive) == 4 else (0.0, 0.0)
