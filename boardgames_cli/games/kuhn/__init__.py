"""Kuhn poker: three cards, one bet, and the smallest game in which bluffing is right."""

from __future__ import annotations

from boardgames_cli.core.game import GameInfo, Traits
from boardgames_cli.core.spec import AgentSpec, GameSpec

_AGENTS = "boardgames_cli.games.kuhn.agents"

GAME = GameSpec(
    info=GameInfo(
        id="kuhn",
        name="Kuhn poker",
        seats=(2,),
        traits=Traits.CHANCE | Traits.HIDDEN | Traits.ZERO_SUM,
        rules_version=1,
        summary="Three cards, one chip, one bet: call the bluff, or make it.",
        minutes=3,
    ),
    rules="boardgames_cli.games.kuhn.rules:Kuhn",
    view="boardgames_cli.games.kuhn.view:KuhnView",
    encoder="boardgames_cli.games.kuhn.encode:KuhnEncoder",
    batch="boardgames_cli.algorithms.fast.table_batch:TableBatch",
    parts={"movers": "equilibrium"},
    analyst="boardgames_cli.games.kuhn.analyst:KuhnAnalyst",
    levels={
        "easy": "equilibrium:curiosity=0.87",
        "medium": "equilibrium:curiosity=0.58",
        "hard": "equilibrium:curiosity=0.29",
        "perfect": "equilibrium",
    },
    agents=(
        AgentSpec("equilibrium", f"{_AGENTS}:Equilibrium", "plays an equilibrium strategy"),
        AgentSpec("always-call", f"{_AGENTS}:AlwaysCall", "never folds, bets only with the king"),
        AgentSpec("maniac", f"{_AGENTS}:Maniac", "always bets and calls"),
        AgentSpec("rock", f"{_AGENTS}:Rock", "bets and calls only with the king"),
    ),
    menu_defaults={"hands": 20},
    recommended=("random", "best-response", "cfr"),
)
