"""Tables of every game's arrays: a page of the site; ``python docs/spaces.py`` prints them."""

from __future__ import annotations

import inspect
import itertools
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from boardgames_cli.core.encoder import AnyEncoder, ArrayField
from boardgames_cli.core.game import AnyGame, Game
from boardgames_cli.core.options import OptionSpec, options_of
from boardgames_cli.registry import find_game, list_games, make, make_encoder

_HEAD = "| Field | Shape | Type | Bounds | Axes | Meaning |\n| --- | --- | --- | --- | --- | --- |"


def page() -> str:
    """All tables, in Markdown."""
    games = itertools.chain.from_iterable(_game(info.id) for info in list_games())
    return "\n\n".join(["# Arrays of the games", "With each game's usual options.", *games]) + "\n"


def _game(id: str) -> Iterator[str]:
    spec, game = find_game(id), make(id)
    yield f"## {spec.info.name}"
    yield f"{game.action_count} actions: {_actions(game)}"
    for name in ("", *spec.encodings):
        encoder = make_encoder(game, name)
        arguments = f'make("{id}")' + (f', "{name}"' if name else "")
        yield f"`make_encoder({arguments})`: {_about(encoder)}"
        yield "\n".join([_HEAD, *map(_row, encoder.fields)])
        changes = list(_changes(id, name))
        if changes:
            yield f"Fields that depend on options: {'; '.join(changes)}."


def _actions(game: AnyGame) -> str:
    if type(game).action_id is Game.action_id:
        return ", ".join(f"{number} {action}" for number, action in enumerate(game.actions)) + "."
    return _paragraph(type(game).action_id)


def _about(encoder: AnyEncoder) -> str:
    size = sum(field.size for field in encoder.fields)
    return f"{_paragraph(type(encoder))} {size} number{'s' * (size > 1)}."


def _paragraph(thing: Any) -> str:
    """The docstring of something as one paragraph."""
    return " ".join((inspect.getdoc(thing) or "").split())


def _row(field: ArrayField) -> str:
    shape = ", ".join(map(str, field.shape))
    axes = ", ".join(field.axes)
    cells = (f"`{field.name}`", f"[{shape}]", field.dtype, f"{field.low} to {field.high}", axes)
    return f"| {' | '.join(cells)} | {field.meaning.replace('|', '/')} |"


def _changes(id: str, name: str) -> Iterator[str]:
    """For each option the fields that depend on it."""
    usual = make_encoder(make(id), name).fields
    for option in options_of(find_game(id).game_class()):
        changed: dict[str, None] = {}
        for value in _values(option):
            fields = make_encoder(make(id, **{option.name: value}), name).fields
            changed |= dict.fromkeys(field.name for field in fields if field not in usual)
        if changed:
            yield f"`{option.name}`: {', '.join(f'`{field}`' for field in changed)}"


def _values(option: OptionSpec) -> Sequence[Any]:
    if option.type is bool:
        return (False, True)
    return option.choices or [bound for bound in (option.low, option.high) if bound is not None]


if __name__ == "__main__":
    sys.stdout.write(page())
