"""Judges Senet by its evaluation, with one move and one throw ahead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from boardgames_cli.algorithms.search_analyst import Returns, SearchAnalyst
from boardgames_cli.core.analyst import Method, Reason
from boardgames_cli.core.game import Observation
from boardgames_cli.games.senet import reasons
from boardgames_cli.games.senet.actions import Move, Throw
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState

VALUE_ERROR: Final = {"kendall": 0.03, "skyruk": 0.03}
"""The standard error of a value, by rules: by how much it changes from one look to the next.

benchmarks/review_calibration.py measures it.
"""

STEP_ERROR: Final = {"kendall": 0.015, "skyruk": 0.015}
"""By how much the evaluation corrects itself in a step, as the same script measures it."""

LOSS_ERROR: Final = {"kendall": 0.02, "skyruk": 0.02}
"""The standard error of the difference between two moves, as the same script measures it."""

_METHOD: Final = Method(False, "the learned evaluation, one move and one throw ahead")


@dataclass(frozen=True)
class SenetAnalyst(SearchAnalyst[Senet, SenetState, Move, Throw]):
    """Takes the learned evaluation's word for positions, one move and one throw further."""

    is_quick: ClassVar[bool] = False

    @property
    def method(self) -> Method:
        """The evaluation."""
        return _METHOD

    @property
    def step_error(self) -> float:
        """What was measured over games of the program against itself."""
        return STEP_ERROR[self.game.rules]

    def error_of(self, state: SenetState, ahead: Returns) -> float:
        """The measured error of the evaluation."""
        return VALUE_ERROR[self.game.rules]

    def loss_error(self, errors: tuple[float, float]) -> float:
        """The measured error of a comparison: both moves are misjudged alike in part."""
        return LOSS_ERROR[self.game.rules] if any(errors) else 0.0

    def reason(self, seen: Observation[SenetState, Move], played: Move, better: Move) -> Reason:
        """Pairs, open dancers, swaps, blockades and throws that both moves leave."""
        return reasons.explain(self.game, seen.state, played, better)
