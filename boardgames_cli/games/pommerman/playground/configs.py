"""The environments of the original playground, and the matching options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from boardgames_cli.games.pommerman.rules import Pommerman

RULES: Final[Mapping[str, Any]] = {"items_block": True, "caps": True, "strength": 2}
"""The options common to all environments."""

RULES_FLAGS: Final = "--items-block --caps --strength 2"

_FFA: Final = {"mode": "ffa"}
_TEAM: Final = {"mode": "team"}
_RADIO: Final = {"mode": "radio"}
_COLLAPSE: Final = {"collapse": True}
# Everything is visible there, and the blast strength is capped as in free for all.
_CLEAR: Final = {"view": 10}

_OPTIONS: Final[Mapping[str, Mapping[str, Any]]] = {
    "OneVsOne-v0": {"mode": "duel"},
    "PommeFFACompetition-v0": _FFA,
    "PommeFFACompetitionFast-v0": _FFA,
    "PommeFFAFast-v0": _FFA,
    "PommeFFA-v1": _FFA | _COLLAPSE,
    "PommeTeamCompetition-v0": _TEAM,
    "PommeTeamCompetitionFast-v0": _TEAM,
    "PommeTeamCompetition-v1": _TEAM | _COLLAPSE,
    "PommeTeam-v0": _TEAM | _CLEAR,
    "PommeTeamFast-v0": _TEAM | _CLEAR,
    "PommeRadioCompetition-v2": _RADIO,
    "PommeRadio-v2": _RADIO,
}


def options_of_config(config: Any) -> dict[str, Any]:
    """The options of an environment by its name; empty if unknown."""
    return dict(_OPTIONS.get(config, {})) if isinstance(config, str) else {}


def config_of(game: Pommerman) -> str:
    """The closest environment to a rulebook: with its mode and, if available, its collapse.

    Other rules may differ from those of the environment.
    """
    fitting = [name for name, options in _OPTIONS.items() if options["mode"] == game.mode]
    wanted = {"mode": game.mode, **(_COLLAPSE if game.collapse else {})}
    return next((name for name in fitting if _OPTIONS[name] == wanted), fitting[0])
