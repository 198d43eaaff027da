"""Selects the analyst of a game: its own, or a generic one.

The generic ones use the game's heuristic, an equilibrium, or else simulations.
"""

from __future__ import annotations

import functools
from importlib.util import find_spec

from boardgames_cli.core.analyst import AnyAnalyst, NoAnalystError
from boardgames_cli.core.errors import GameError, UnknownNameError, install_command
from boardgames_cli.core.game import AnyGame
from boardgames_cli.registry import spec_of


def why_no_analyst(game: AnyGame) -> str | None:
    """None if there is an analyst for a game, otherwise the reason why not."""
    try:
        analyst_for(game)
    except GameError as error:
        return error.message
    return None


def may_be_judged(game: AnyGame) -> bool:
    """Whether a game has an analyst, checked without loading it.

    For menus, which must not wait. A plug-in's analyst may still refuse some options.
    """
    try:
        spec = spec_of(game)
    except UnknownNameError:
        return False
    if spec.analyst:
        needed = spec.parts.get("analyst_needs")
        return needed is None or find_spec(needed) is not None
    return True


@functools.lru_cache(maxsize=8)
def analyst_for(game: AnyGame, table: tuple[str, ...] = ()) -> AnyAnalyst:
    """The analyst of a game with its options, and with its table if that is known; cached.

    Raises:
        NoAnalystError: There is none, or a package is missing.
    """
    kind = _kind(game)
    name = game.info.name
    reason = kind.why_not(game)
    if reason is not None:
        raise NoAnalystError(
            f"{name} can't be reviewed: {reason}.",
            "To be reviewed, a game needs an analyst (docs/review.md).",
        )
    return kind(game, table)


def _kind(game: AnyGame) -> type[AnyAnalyst]:
    try:
        own: type[AnyAnalyst] | None = spec_of(game).load_part("analyst")
    except UnknownNameError:  # a rulebook that is not registered
        own = None
    except ImportError as error:
        raise NoAnalystError(
            f"{game.info.name} can't be reviewed: a package is not installed ({error.name}).",
            f"Install it: {install_command('fast')}",
        ) from error
    if own is not None:
        return own
    # Imported late: a first board asks only whether its game may be judged.
    from boardgames_cli.algorithms.analysts.equilibrium_analyst import EquilibriumAnalyst
    from boardgames_cli.algorithms.analysts.open_analyst import SearchAnalyst
    from boardgames_cli.algorithms.analysts.simulation_analyst import SimulationAnalyst

    generic: tuple[type[AnyAnalyst], ...] = (SearchAnalyst, EquilibriumAnalyst)
    fitting = (kind for kind in generic if kind.why_not(game) is None)
    return next(fitting, SimulationAnalyst)
