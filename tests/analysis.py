"""Games that nothing can judge."""

from __future__ import annotations

import pytest

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.algorithms.analysts.simulation_analyst import SimulationAnalyst
from boardgames_cli.core.game import AnyGame


def refuse_analysis(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the analyst of every game that has no better one refuse it, as a plug-in's own may."""

    def why_not(game: AnyGame) -> str:
        return "it has no evaluation of positions"

    analyst_for.cache_clear()
    monkeypatch.setattr(SimulationAnalyst, "why_not", why_not)
