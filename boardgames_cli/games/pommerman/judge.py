"""When a game is over, and what it is worth to whom."""

from __future__ import annotations

from typing import Final

from boardgames_cli.games.pommerman.state import PommermanState

Returns = tuple[float, ...]

MOST_RERUNS: Final = 2
"""A tie is played again so often at most; a third one stands."""


def verdict(state: PommermanState, *, teams: bool, steps: int) -> Returns | None:
    """The final rewards, or None while the game goes on.

    Whom the collapse has killed just now still counts as alive. But if that leaves nobody to act
    in a game that should go on, it is over at once, and judged as the next step would.

    Args:
        state: The state.
        teams: Whether seats 0 and 2 play against 1 and 3.
        steps: The game is over after so many.
    """
    judge = _judge_teams if teams else _judge_each
    final = judge(_judged_alive(state), state.step >= steps)
    if final is None and state.fallen:
        alive = tuple(agent.alive for agent in state.agents)
        if not any(alive):
            return judge(alive, False)
    return final


def is_tie(final: Returns) -> bool:
    """Whether final rewards have no winner."""
    return max(final) <= 0


def standing(state: PommermanState, *, teams: bool) -> Returns:
    """The rewards while the game goes on: in free for all the dead have lost already."""
    alive = _judged_alive(state)
    if teams or len(alive) == 2:
        return (0.0,) * len(alive)
    return tuple([0.0 if is_alive else -1.0 for is_alive in alive])


def _judged_alive(state: PommermanState) -> tuple[bool, ...]:
    alive = [agent.alive for agent in state.agents]
    for seat in state.fallen:
        alive[seat] = True
    return tuple(alive)


def _judge_teams(alive: tuple[bool, ...], is_last: bool) -> Returns | None:
    sides = (alive[0] or alive[2], alive[1] or alive[3])
    if all(sides) and not is_last:
        return None
    if sides[0] == sides[1]:
        return (-1.0,) * 4
    return tuple(1.0 if sides[seat % 2] else -1.0 for seat in range(4))


def _judge_each(alive: tuple[bool, ...], is_last: bool) -> Returns | None:
    living = sum(alive)
    if living == 1:
        return tuple(1.0 if is_alive else -1.0 for is_alive in alive)
    if is_last:
        return (-1.0,) * len(alive)
    if living:
        return None
    # A tie: all of four are lost, but two who die at once get nothing.
    return (-1.0,) * 4 if len(alive) == 4 else (0.0, 0.0)
