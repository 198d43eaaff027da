"""Achievements in Pommerman."""

from __future__ import annotations

from typing import Final

from boardgames_cli.core.presentation.achievement import Achievement, FinishedGame
from boardgames_cli.games.pommerman.state import Bomber

_BOMBS: Final = 3
_STRENGTH: Final = 4


def _own_bombers(game: FinishedGame) -> list[Bomber]:
    """The person's bomber in every state; before the layout is drawn there is none."""
    return [state.agents[game.seat] for state in game.states if state.agents]


def _survived(game: FinishedGame) -> bool:
    return game.is_won and bool(game.states[-1].agents[game.seat].alive)


def _kicked(game: FinishedGame) -> bool:
    """Whether a bomb rolls away from where the person has just walked."""
    for turn in game.own_turns:
        before, after = turn.before.agents[game.seat], turn.after.agents[game.seat]
        lay = {bomb.cell for bomb in turn.before.bombs if not bomb.direction}
        rolls = any(bomb.direction for bomb in turn.after.bombs)
        if before.kicks and before.cell != after.cell and after.cell in lay and rolls:
            return True
    return False


def _carried_many(game: FinishedGame) -> bool:
    return any(bomber.ammo >= _BOMBS for bomber in _own_bombers(game))


def _grew(game: FinishedGame) -> bool:
    return any(bomber.strength >= _STRENGTH for bomber in _own_bombers(game))


ACHIEVEMENTS: Final = (
    Achievement(
        "survivor", "Last one standing", "Win alive.",
        "Who knows the way out before laying a bomb is alive when it bursts.",
        _survived,
    ),
    Achievement(
        "kick", "Take it back", "Kick a bomb.",
        "With the kick a bomb is no wall: walk into it, and it rolls to somebody else.",
        _kicked,
    ),
    Achievement(
        "ammo", "Three bombs at hand", "Have three bombs at once.",
        "Power-ups lie behind wood: the first bombs are for walls, not for opponents.",
        _carried_many,
    ),
    Achievement(
        "long-flames", "Long flames", "Bring your flames to length 4.",
        "A longer flame reaches round no corner: one step aside is still safe.",
        _grew,
    ),
)  # fmt: skip
