"""Every game as a game of OpenSpiel, so that its algorithms run on ours.

    from boardgames_cli.environments import openspiel

    game = openspiel.load("kuhn")
    state = game.new_initial_state()

It needs the extra ``openspiel``; pyspiel is imported by the first call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.options import options_of
from boardgames_cli.registry import find_game, game_ids, make

if TYPE_CHECKING:
    from boardgames_cli.environments.openspiel.game import SpielGame


def load(id: str, *, rng_seed: int = 0, **options: Any) -> SpielGame:
    """A game as OpenSpiel knows it; the name is known to ``pyspiel.load_game`` from then on.

    Args:
        id: The game's name, such as ``"kuhn"``.
        rng_seed: The seed of chance, where OpenSpiel can't list what chance may bring.
        **options: The game's options; those left out have their defaults.

    Raises:
        UnknownNameError: There is no such game or option.
        OptionError: An option can't have that value.
        GameError: OpenSpiel is not installed, or the game's actions have no ids.
    """
    rules = make(id, **options)
    module = _module()
    chosen = {option.name: getattr(rules, option.name) for option in options_of(rules)}
    game: SpielGame = module.class_of(find_game(id))({**chosen, module.SEED: rng_seed})
    return game


def register() -> list[str]:
    """Make all games known to OpenSpiel, say before states of another process are read.

    Returns:
        The names for ``pyspiel.load_game``, such as ``boardgames_kuhn``.

    Raises:
        GameError: OpenSpiel is not installed.
    """
    module = _module()
    return [module.class_of(find_game(id)).__name__ for id in game_ids()]


def _module() -> Any:
    try:
        from boardgames_cli.environments.openspiel import game
    except ImportError as error:
        raise GameError(
            f"OpenSpiel games need a package that is not installed ({error.name}).",
            "Install it: pip install 'boardgames-cli[openspiel]'",
        ) from error
    return game
