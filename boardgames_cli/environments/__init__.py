"""Every game as an environment for learning programs: PettingZoo, Gymnasium and OpenSpiel.

Everything here is built from the game and its encoder, so that games of other packages work without
additional code. Needs the extra ``environments``.

Importing this package registers all games with Gymnasium and PettingZoo, if they are installed:
``boardgames/Senet-v0`` for ``senet``. Since version 1.0, Gymnasium no longer discovers environments
of packages. In one step: ``gymnasium.make("boardgames_cli.environments:boardgames/Senet-v0")``.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from boardgames_cli.core.errors import MissingPackageError
from boardgames_cli.core.game import AnyGame, Traits
from boardgames_cli.registry import find_game, list_games

if TYPE_CHECKING:
    from boardgames_cli.environments.aec import AecEnvironment
    from boardgames_cli.environments.parallel import ParallelEnvironment
    from boardgames_cli.environments.seat import SeatEnvironment

NAMESPACE: Final = "boardgames"
VERSION: Final = 0
"""Increased whenever learning results could differ: spaces, rewards, termination."""
_PACKAGES: Final = ("gymnasium", "pettingzoo", "numpy")


def aec_env(game: str | AnyGame, /, **options: Any) -> AecEnvironment:
    """Any game as a PettingZoo environment: an `environments.aec.AecEnvironment`.

    Raises:
        GameError: The extra ``environments`` is not installed; or as for the class.
    """
    with _extra():
        from boardgames_cli.environments.aec import AecEnvironment
    return AecEnvironment(game, **options)


def parallel_env(game: str | AnyGame, /, **options: Any) -> ParallelEnvironment:
    """A game in which seats move at once: an `environments.parallel.ParallelEnvironment`.

    Raises:
        GameError: The extra ``environments`` is not installed; or as for the class.
    """
    with _extra():
        from boardgames_cli.environments.parallel import ParallelEnvironment
    return ParallelEnvironment(game, **options)


def gymnasium_env(game: str | AnyGame, **options: Any) -> SeatEnvironment:
    """One seat of a game, with agents at the others: an `environments.seat.SeatEnvironment`.

    Raises:
        GameError: The extra ``environments`` is not installed; or as for the class.
    """
    with _extra():
        from boardgames_cli.environments.seat import SeatEnvironment
    return SeatEnvironment(game, **options)


@contextlib.contextmanager
def _extra() -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in _PACKAGES:
            raise
        raise MissingPackageError("environments", package, "environments") from error


def gymnasium_id(game: str) -> str:
    """The id of a game's environment: its own id with capitals for hyphens."""
    name = "".join(part.capitalize() for part in re.split(r"[^0-9A-Za-z]+", game))
    return f"{NAMESPACE}/{name}-v{VERSION}"


def register_all() -> None:
    """Register every game, including those of plug-ins; existing registrations are kept.

    Raises:
        GameError: The extra ``environments`` is not installed.
    """
    with _extra():
        import gymnasium
        import pettingzoo
    for info in list_games():
        id, game = gymnasium_id(info.id), {"game": info.id}
        if id not in gymnasium.registry:
            # Gymnasium prefers the vector entry point if there is one.
            many = f"{__name__}.vector:VectorEnvironment" if find_game(info.id).batch else None
            gymnasium.register(
                id,
                entry_point=f"{__name__}.seat:SeatEnvironment",
                vector_entry_point=many,
                kwargs=game,
            )
        if pettingzoo.EnvSpec(id).id not in pettingzoo.aec_registry:
            pettingzoo.register("aec", id, f"{__name__}.aec:AecEnvironment", kwargs=game)
            if Traits.SIMULTANEOUS in info.traits:
                entry_point = f"{__name__}.parallel:ParallelEnvironment"
                pettingzoo.register("parallel", id, entry_point, kwargs=game)


with contextlib.suppress(MissingPackageError):  # creating an environment reports it
    register_all()
