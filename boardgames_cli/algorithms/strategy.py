"""Strategies as tables: the probability of each action at every information set.

Strategies are stored in JSON files (docs/file-formats.md), which can be read, compared and edited
by hand. Reading checks everything and executes nothing.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from boardgames_cli.algorithms.game_tree import GameTree, Policy, information_set
from boardgames_cli.algorithms.learned_file import Count, LearnedFile
from boardgames_cli.codec.fields import is_number
from boardgames_cli.core.game import AnyGame, Observation
from boardgames_cli.core.options import option_values
from boardgames_cli.core.text import percent
from boardgames_cli.registry import spec_of

_DIGITS: Final = 6
_TOLERANCE: Final = 1e-4
_REMEDY: Final = "Make a new one with boardgames train."
BUNDLED: Final = "strategy.json"
"""The name of the file of a strategy in a game's folder ``data``."""

_FILE: Final = LearnedFile("boardgames_strategy", "strategy", 16_000_000, _REMEDY)
STRATEGIES: Final = _FILE.reader


@dataclass(frozen=True, slots=True)
class Strategy:
    """Action probabilities by the name of the information set and the notation of the action."""

    game: str
    rules_version: Count
    options: Mapping[str, Any]
    table: Mapping[str, Mapping[str, float]]
    about: Mapping[str, Any] = field(default_factory=dict)
    """How it was trained, and how good it is."""

    @classmethod
    def of(cls, game: AnyGame, table: Mapping[str, Mapping[str, float]], **about: Any) -> Strategy:
        info = game.info
        return cls(info.id, info.rules_version, option_values(game), table, about)

    def policy(self, game: AnyGame, seen: Observation[Any, Any]) -> Policy[Any]:
        """The probabilities of a seat's legal actions.

        Raises:
            LearnedFileError: The table lacks the information set or one of the actions.
        """
        row = self._row(information_set(game, seen), seen.legal)
        return dict(zip(seen.legal, row, strict=True))

    def profile(self, tree: GameTree[Any, Any]) -> list[list[float]]:
        """The table indexed like a tree's information sets.

        Raises:
            LearnedFileError: It does not fit the tree.
        """
        return [self._row(known.name, known.actions) for known in tree.information_sets]

    def _row(self, name: str, actions: Sequence[Any]) -> list[float]:
        row = self.table.get(name, {})
        if set(row) != {str(action) for action in actions}:
            raise _FILE.error(f'the strategy does not say what to do at "{name}".')
        return [row[str(action)] for action in actions]

    def fits(self, game: AnyGame) -> str | None:
        """None if the strategy fits a game, otherwise the reason why not."""
        reason = _FILE.misfit(self, game)
        if reason is None and dict(self.options) != option_values(game):
            values = ", ".join(f"{name}={value}" for name, value in self.options.items())
            return f"the strategy was made for other options ({values})"
        return reason

    def rows(self) -> list[tuple[str, str]]:
        """The table for people: each information set with the probabilities of its actions."""
        return [
            (name, "  ".join(f"{action} {percent(chance, 1):>7}" for action, chance in row.items()))
            for name, row in self.table.items()
        ]

    def to_text(self) -> str:
        rows = ",\n".join(
            f"    {json.dumps(name)}: "
            + json.dumps({action: round(chance, _DIGITS) for action, chance in row.items()})
            for name, row in self.table.items()
        )
        head = _FILE.entries(self, "table").items()
        lines = "".join(f"  {json.dumps(key)}: {json.dumps(value)},\n" for key, value in head)
        return f'{{\n{lines}  "strategy": {{\n{rows}\n  }}\n}}\n'


def read_strategy(path: Path) -> Strategy:
    """Read a strategy from a file.

    Raises:
        LearnedFileError: It is missing, too large, damaged, or of a newer format.
    """
    return parse_strategy(STRATEGIES.read_text(path), str(path))


def bundled_strategy(game: AnyGame) -> Strategy | None:
    """The strategy that comes with a game; None if there is none.

    Raises:
        LearnedFileError: It is damaged or of a newer format.
    """
    text = spec_of(game).data_text(BUNDLED)
    return None if text is None else parse_strategy(text, f"the strategy of {game.info.name}")


def parse_strategy(text: str, name: str) -> Strategy:
    """Parse the text of a strategy file, which messages call `name`.

    Raises:
        LearnedFileError: It is damaged or of a newer format.
    """
    data = _FILE.header(STRATEGIES.parse(text, STRATEGIES.subject(name)), name)
    about = data.get("about")
    if not isinstance(about, dict):
        about = {}
    table = _read_table(data.get("strategy"), name)
    return _FILE.read(Strategy, data, name, table=table, about=about)


def _read_table(rows: Any, name: str) -> dict[str, dict[str, float]]:
    if not isinstance(rows, dict) or not rows:
        raise _FILE.error(f'{name} is damaged: "strategy" is missing or empty.')
    return {key: _read_row(row, f'{name} is damaged: "{key}"') for key, row in rows.items()}


def _read_row(row: Any, place: str) -> dict[str, float]:
    if not isinstance(row, dict) or not row:
        raise _FILE.error(f"{place} has no actions.")
    for chance in row.values():
        if not is_number(chance) or not 0 <= chance <= 1:
            raise _FILE.error(f"{place} has {chance!r} for a probability.")
    total = math.fsum(row.values())
    if abs(total - 1) > _TOLERANCE:
        raise _FILE.error(f"{place} adds up to {total:g} instead of 1.")
    return {action: chance / total for action, chance in row.items()}
