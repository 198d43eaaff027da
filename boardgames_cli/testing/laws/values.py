"""Laws of values: states are frozen, comparable, storable, and positions survive JSON."""

from __future__ import annotations

import json
from dataclasses import is_dataclass
from typing import Any, Final

from boardgames_cli.core.errors import GameError, PositionError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.options import option_values
from boardgames_cli.testing.findings import BrokenLaw, Law, demand
from boardgames_cli.testing.scene import Scene, pickled_copy

_JUNK: Final[tuple[Any, ...]] = (None, "junk", -1, 10**9, True, 0.5, [], [[]], [-7, "x"], {"a": 1})
_IMMUTABLE: Final = (tuple, frozenset, str, bytes, int, float)


def is_a_frozen_value(game: AnyGame) -> None:
    """A rulebook is a frozen dataclass: equal options make equal, hashable, picklable games."""
    twin = type(game)(**option_values(game))
    demand(
        twin == game and hash(twin) == hash(game),
        "two games with equal options are not equal",
        "Make the class a frozen dataclass whose fields are its options.",
    )
    demand(
        pickled_copy(game) == game,
        "the game is not equal to itself after pickling",
        "Keep nothing in it but options.",
    )


def has_frozen_states(scene: Scene) -> None:
    """States can't be changed, and equal states have equal hashes."""
    state = scene.state
    twin = pickled_copy(state)
    demand(
        twin == state and hash(twin) == hash(state),
        "a pickled copy of the state is not equal to it, or has another hash",
        "Use a frozen, slotted dataclass of plain values.",
    )
    if is_dataclass(state):
        # The attribute is undocumented but stable; trying to assign might succeed.
        frozen = getattr(state, "__dataclass_params__").frozen  # noqa: B009  # not typed
        demand(frozen, "the state's dataclass is not frozen", "Write @dataclass(frozen=True, ...).")
        return
    demand(
        isinstance(state, _IMMUTABLE),
        f"the state is a {type(state).__name__}, which may not be frozen",
        "Use a frozen, slotted dataclass of plain values.",
    )


def writes_positions(scene: Scene) -> None:
    """A position survives to_json, real JSON text and from_json."""
    game, state = scene.game, scene.state
    text = json.dumps(game.to_json(state), allow_nan=False)
    data = json.loads(text)
    demand(isinstance(data, dict), "to_json gave no object", "Give a dict with text keys.")
    again = game.from_json(data)
    demand(
        again == state,
        f"the position {text} was read back as {again!r}",
        "Write everything that the state holds, and read it back the same.",
    )
    for seat in scene.viewers:
        json.dumps(game.to_json(game.redact(state, seat)), allow_nan=False)


def refuses_damaged_positions(scene: Scene) -> None:
    """from_json takes a position or raises PositionError, whatever stands in it."""
    data = scene.game.to_json(scene.state)
    _refuse(scene, {}, must=True)
    for key in data:
        _refuse(scene, {name: value for name, value in data.items() if name != key}, must=False)
        for junk in _JUNK:
            _refuse(scene, data | {key: junk}, must=False)


def _refuse(scene: Scene, data: dict[str, Any], *, must: bool) -> None:
    try:
        state = scene.game.from_json(json.loads(json.dumps(data)))
        # An accepted position must be playable.
        for seat in scene.game.to_act(state):
            if seat >= 0:
                scene.game.legal_actions(state, seat)
    except PositionError as error:
        demand(bool(error.message), "the PositionError is empty", "Name the field that is wrong.")
        return
    except GameError as error:
        raise BrokenLaw(
            f"{json.dumps(data)} raised {type(error).__name__}", "Raise PositionError."
        ) from error
    except Exception as error:
        raise BrokenLaw(
            f"{json.dumps(data)} raised {type(error).__name__}: {error}",
            "Check every field before using it, and raise PositionError naming it.",
        ) from error
    demand(
        not must,
        f"{json.dumps(data)} was accepted",
        "Raise PositionError naming the field that is missing.",
    )


GAME_LAWS: Final[tuple[Law, ...]] = (is_a_frozen_value,)
LAWS: Final[tuple[Law, ...]] = (has_frozen_states, writes_positions)
RARE_LAWS: Final[tuple[Law, ...]] = (refuses_damaged_positions,)
"""Slow laws, checked only at the first few states of a match."""
