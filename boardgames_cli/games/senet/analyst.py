"""Judges Senet: exactly where the endings are known, else by its evaluation, one throw ahead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from boardgames_cli.algorithms.open_analyst import make_value
from boardgames_cli.algorithms.search_analyst import Returns, SearchAnalyst
from boardgames_cli.core.analyst import CHANCE_TO_WIN, Judgement, Method, Reason, Scale, Value
from boardgames_cli.core.game import Observation
from boardgames_cli.games.senet import reasons
from boardgames_cli.games.senet.actions import Move, Throw
from boardgames_cli.games.senet.endings import Endings
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState

VALUE_ERROR: Final = {"kendall": 0.028, "skyruk": 0.037}
"""The standard error of a return that the evaluation expects, by rules.

The greatest of what two scripts measure: benchmarks/review_endings.py in endings that the bundled
table does not have, against exact values, and benchmarks/review_rollouts.py in whole games with
five and with seven dancers, against games played on from there. docs/review.md has all the figures.
"""

LOSS_ERROR: Final = {"kendall": 0.015, "skyruk": 0.028}
"""The standard error of the difference between two moves, the greatest that the same scripts
measure."""

STEP_ERROR: Final = {"kendall": 0.003, "skyruk": 0.008}
"""By how much the evaluation corrects itself in a step.

Measured by benchmarks/review_calibration.py over whole games with five and with seven dancers.
"""

_EXACT: Final = Method(True, "the table of endings")


@dataclass(frozen=True)
class SenetAnalyst(SearchAnalyst[Senet, SenetState, Move, Throw]):
    """Looks endings up; elsewhere it takes the evaluation's word, one move and one throw ahead."""

    version: ClassVar[int] = 2
    is_quick: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "_endings", Endings.load(self.game.rules))

    @property
    def scale(self) -> Scale:
        """Chances to win."""
        return CHANCE_TO_WIN

    @property
    def method(self) -> Method:
        """The evaluation, and how many dancers the table of endings reaches."""
        endings: Endings = self._endings  # type: ignore[attr-defined]
        return Method(
            False,
            "the learned evaluation, one move and one throw ahead; exact with up to "
            f"{endings.up_to} dancers on either side",
        )

    @property
    def step_error(self) -> float:
        """What was measured over games of the program against itself."""
        return STEP_ERROR[self.game.rules]

    def exactly(self, state: SenetState) -> Returns | None:
        """What a position before a throw is worth, if the table has it."""
        if state.steps is not None:
            return None
        endings: Endings = self._endings  # type: ignore[attr-defined]
        player = state.player
        chance = endings.chance(state.side(player), state.side(1 - player))
        if chance is None:
            return None
        own = 2 * chance - 1
        return (-own, own) if player else (own, -own)

    def value(self, state: SenetState) -> Value:
        """The table's value, else that of the choices or of the throws."""
        known = None if self.game.is_over(state) else self.exactly(state)
        if known is not None:
            return make_value(self, known, 0.0, is_exact=True)
        return super().value(state)

    def judge_state(self, state: SenetState) -> Judgement[Move]:
        """What each move is worth; exact if the table has all positions after them."""
        judgement = super().judge_state(state)
        if any(choice.error for choice in judgement.choices):
            return judgement
        return Judgement(judgement.seat, judgement.choices, judgement.expected, _EXACT)

    def leaf(self, state: SenetState) -> Returns:
        """What the table says of a position, else the evaluation."""
        known = None if self.game.is_over(state) else self.exactly(state)
        return super().leaf(state) if known is None else known

    def ahead(self, state: SenetState) -> Returns:
        """What the table says of a position, else the evaluation after another throw and move."""
        known = None if self.game.is_over(state) else self.exactly(state)
        return super().ahead(state) if known is None else known

    def error_of(self, state: SenetState, ahead: Returns) -> float:
        """Nothing for a position of the table, else the measured error of the evaluation."""
        return 0.0 if self.exactly(state) is not None else VALUE_ERROR[self.game.rules]

    def loss_error(self, errors: tuple[float, float]) -> float:
        """The measured error of a comparison: both moves are misjudged alike in part."""
        return LOSS_ERROR[self.game.rules] if any(errors) else 0.0

    def chance_label(self, outcome: Throw) -> str:
        """The throw."""
        return f"threw {outcome.steps}"

    def reason(self, seen: Observation[SenetState, Move], played: Move, better: Move) -> Reason:
        """Pairs, open dancers, swaps, blockades and throws that both moves leave."""
        return reasons.explain(self.game, seen.state, played, better)
