"""The agent that plays from a Q-table, with human-like mistakes at lower levels."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from boardgames_cli.algorithms.action_value_table import (
    QTable,
    Row,
    check_table,
    parse_table,
    read_table,
)
from boardgames_cli.algorithms.action_values import pick_like_a_person
from boardgames_cli.algorithms.learned_file import LearnedFileError
from boardgames_cli.algorithms.position_graph import position_key, why_not_small
from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.game import A, AnyGame, Game, Observation, S, Seat
from boardgames_cli.core.options import option
from boardgames_cli.registry import file_of, spec_of

BUNDLED: Final = "q-table.jsonl"

TEMPERATURES: Final[Mapping[str, float]] = {
    "easy": 0.8,
    "medium": 0.35,
    "hard": 0.18,
    "perfect": 0.0,
}
"""The softmax temperature of each level; docs/training.md shows the effect."""


@dataclass
class QTableAgent(Agent[S, A]):
    """Samples actions by their learned values (softmax).

    An action whose value is lower than the best by the temperature is e times less likely. At
    temperature 0 the best action is taken. `boardgames train` learns the values.
    """

    level: str = option("hard", "how strong", choices=tuple(TEMPERATURES))
    file: str = option("", "a Q-table file instead of the bundled one, ours or of another program")
    temperature: float = option(
        -1.0, "0 plays the best it knows, 1 nearly anything; -1 goes by the level",
        low=-1.0, high=100.0,
    )  # fmt: skip

    _game: Game[S, A, Any] = field(init=False, repr=False, compare=False)
    _table: QTable = field(init=False, repr=False, compare=False)

    def supports(self, game: AnyGame) -> str | None:
        """Small games with a bundled or given table.

        Raises:
            LearnedFileError: The given file is missing, damaged, or for another game.
        """
        reason = why_not_small(game)
        if reason:
            return reason
        if not self.file and spec_of(game).data_file(BUNDLED) is None:
            return "it has no bundled Q-table"
        table_for(game, self.file)
        return None

    def reset(self, game: Game[S, A, Any], seat: Seat) -> None:
        """Load the table, unless it is cached."""
        self._game = game
        self._table = table_for(game, self.file)

    def act(self, seen: Observation[S, A], thinking: Thinking) -> A:
        values = self.evaluate_actions(seen, thinking)
        heat = TEMPERATURES[self.level] if self.temperature < 0 else self.temperature
        return pick_like_a_person(self._game, seen, values, heat, thinking.rng)

    def evaluate_actions(self, seen: Observation[S, A], thinking: Thinking) -> dict[A, float]:
        """The Q-value of every action; 0 if the table has no entry."""
        known = self.known(seen)
        return {action: known.get(action, (0.0, 0))[0] for action in seen.legal}

    def facts(self) -> list[tuple[str, str]]:
        """Facts about the table for people; see `core.agent.HasLearned`."""
        return self._table.facts()

    def known(self, seen: Observation[S, A]) -> dict[A, tuple[float, int]]:
        """The Q-value and the number of visits of every action in the table."""
        if seen.seat is None or not seen.legal:
            return {}
        row: Row = self._table.rows.get(self._key(seen.state), {})
        keys = (
            (action, self._key(self._game.apply(seen.state, {seen.seat: action})))
            for action in seen.legal
        )
        return {action: row[key] for action, key in keys if key in row}

    def _key(self, state: S) -> str:
        return position_key(self._game, state, self._table.shared)


def table_for(game: AnyGame, file: str = "") -> QTable:
    """The table in a file, or by default the bundled one.

    Raises:
        LearnedFileError: The table is missing, damaged, or for another game.
    """
    if file:
        table = read_table(file_of(game, file), spec_of(game).load_part("table_format"))
    else:
        table = _bundled(game)
    check_table(table, game)
    if position_key(game, game.initial_state(), table.shared) not in table.rows:
        raise LearnedFileError("the Q-table does not know the start of this game.")
    return table


@functools.lru_cache(maxsize=8)
def _bundled(game: AnyGame) -> QTable:
    try:
        return parse_table(spec_of(game).data_text(BUNDLED) or "")
    except LearnedFileError as error:
        raise LearnedFileError(
            f"the bundled Q-table: {error.message}", "Reinstall boardgames."
        ) from error
