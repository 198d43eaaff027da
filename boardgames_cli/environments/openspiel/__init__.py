"""Every game as a game of OpenSpiel, so that its algorithms run on ours.

    from boardgames_cli.environments import openspiel

    game = openspiel.load("kuhn")
    state = game.new_initial_state()

It needs the extra ``openspiel``; pyspiel is imported by the first call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boardgames_cli.core.errors import MissingPackageError
from boardgames_cli.core.options import options_of
from boardgames_cli.registry import find_game, game_ids, make

if TYPE_CHECKING:
    from boardgames_cli.environments.openspiel.adapter import SpielGame


def load(id: str, /, *, rng_seed: int = 0, **options: Any) -> SpielGame:
    """A game as an OpenSpiel game; its name is then known to ``pyspiel.load_game``, too.

    Args:
        id: The game's name, such as ``"kuhn"``.
        rng_seed: The seed of chance in games with sampled chance.
        **options: The game's options; others have their defaults.

    Raises:
        UnknownNameError: There is no such game or option.
        OptionError: An option has an invalid value.
        GameError: OpenSpiel is not installed, or the game's actions have no ids.
    """
    rules = make(id, **options)
    module = _module()
    chosen = {option.name: getattr(rules, option.name) for option in options_of(rules)}
    game: SpielGame = module.class_of(find_game(id))({**chosen, module.SEED: rng_seed})
    return game


def register() -> list[str]:
    """Register all games with OpenSpiel, for example before reading states of another process.

    Returns:
        The names for ``pyspiel.load_game``, such as ``boardgames_kuhn``.

    Raises:
        GameError: OpenSpiel is not installed.
    """
    module = _module()
    return [module.class_of(find_game(id)).__name__ for id in game_ids()]


def _module() -> Any:
    try:
        from boardgames_cli.environments.openspiel import adapter
    except ImportError as error:
        name = error.name or "open_spiel"
        raise MissingPackageError("OpenSpiel games", name, "openspiel") from error
    return adapter
