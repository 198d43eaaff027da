"""Every game as an environment for learning programs: PettingZoo, Gymnasium and OpenSpiel.

Everything here is built from the game and its encoder, so that games of other packages work without
additional code. Needs the extra ``environments``.

Importing this package registers all games with Gymnasium, as ``boardgames/Senet-v0`` and the like
(`registration`), if Gymnasium is installed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from boardgames_cli.core.errors import MissingPackageError
from boardgames_cli.core.game import AnyGame

if TYPE_CHECKING:
    from boardgames_cli.environments.aec import AecEnvironment
    from boardgames_cli.environments.parallel import ParallelEnvironment
    from boardgames_cli.environments.seat import SeatEnvironment

_PACKAGES: Final = ("gymnasium", "pettingzoo", "numpy")


def aec_env(game: str | AnyGame, /, **options: Any) -> AecEnvironment:
    """Any game as a PettingZoo AEC environment.

    Args:
        game: The id of a game, or a rulebook.
        **options: Options of the environment (`environments.episodes.EnvironmentOptions`) and of
            the game.

    Raises:
        UnknownNameError: There is no such game, option or encoding.
        OptionError: An option has an invalid value.
        GameError: The extra ``environments`` is not installed.
    """
    with _extra():
        from boardgames_cli.environments.aec import AecEnvironment
    return AecEnvironment(game, **options)


def parallel_env(game: str | AnyGame, /, **options: Any) -> ParallelEnvironment:
    """A game in which seats move at once as a PettingZoo parallel environment.

    Args:
        game: The id of a game, or a rulebook.
        **options: Options of the environment (`environments.episodes.EnvironmentOptions`) and of
            the game.

    Raises:
        GameError: Its seats move in turn, or the extra ``environments`` is not installed.
        UnknownNameError: There is no such game, option or encoding.
        OptionError: An option has an invalid value.
    """
    with _extra():
        from boardgames_cli.environments.parallel import ParallelEnvironment
    return ParallelEnvironment(game, **options)


def gymnasium_env(
    game: str | AnyGame,
    *,
    seat: int | str = 0,
    opponents: Any = "random",
    **options: Any,
) -> SeatEnvironment:
    """One seat of a game as a Gymnasium environment; agents play the others.

    Args:
        game: The id of a game, or a rulebook.
        seat: The learner's seat, counted from 0; ``"random"`` draws a new one for every episode.
        opponents: An agent for all other seats, or a list with one for each, in the order of their
            seats: specifications such as ``"hard"`` and ``"expectimax:depth=2"``, or agents.
        **options: Options of the environment (`environments.episodes.EnvironmentOptions`) and of
            the game.

    Raises:
        SeatError: There is no such seat, or the number of opponents is wrong.
        UnknownNameError: There is no such game, agent, option or encoding.
        OptionError: An option has an invalid value.
        GameError: The extra ``environments`` is not installed.
    """
    with _extra():
        from boardgames_cli.environments.seat import SeatEnvironment
    return SeatEnvironment(game, seat=seat, opponents=opponents, **options)


@contextlib.contextmanager
def _extra() -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in _PACKAGES:
            raise
        raise MissingPackageError("environments", package, "environments") from error


def _register() -> None:
    try:
        with _extra():
            from boardgames_cli.environments.registration import register_all
    except MissingPackageError:
        return  # creating an environment reports it
    register_all()


_register()
