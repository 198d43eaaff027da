"""The games, one folder each; the registry knows their names.

The public API has a function of the same name. As soon as a game is imported Python puts this
package in the function's place, so the package can be called as well, and does the same.
"""

from __future__ import annotations

import sys
from types import ModuleType

from boardgames_cli.core.game import GameInfo


class _Games(ModuleType):
    """A package that lists what there is to play when it is called."""

    def __call__(self) -> list[GameInfo]:
        from boardgames_cli.registry import games

        return games()


sys.modules[__name__].__class__ = _Games
