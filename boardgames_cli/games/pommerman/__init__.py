"""Pommerman: four bombers move simultaneously, alone, in teams, or with a radio."""

from __future__ import annotations

from boardgames_cli.core.game import GameInfo, Traits
from boardgames_cli.core.spec import AgentSpec, GameSpec

_DECIDED = {
    "easy": "mix:weaker=simple:foresight=3,stronger=simple,share=0.98",
    "medium": "mix:weaker=simple,stronger=hard:temperature=1.15,share=0.3",
    "tricky": "mix:weaker=simple,stronger=hard:temperature=1.15,share=0.7",
}
"""Where fewer games end with nobody the winner, an error costs more of them."""
_TEAMS = {**_DECIDED, "skilled": "hard:temperature=0.8", "tough": "hard:temperature=0.24"}
_FALLING = {**_DECIDED, "skilled": "hard:temperature=0.65", "tough": "hard:temperature=0.17"}

GAME = GameSpec(
    info=GameInfo(
        id="pommerman",
        name="Pommerman",
        seats=(2, 4),
        traits=Traits.SAMPLED_CHANCE | Traits.HIDDEN | Traits.SIMULTANEOUS,
        rules_version=1,
        summary="Lay bombs, break walls, fetch power-ups, and be the last one standing.",
        minutes=10,
        seat_names=("A", "B", "C", "D"),
    ),
    rules="boardgames_cli.games.pommerman.rules:Pommerman",
    view="boardgames_cli.games.pommerman.view:PommermanView",
    encoder="boardgames_cli.games.pommerman.encode:PommermanEncoder",
    encodings={
        "playground": "boardgames_cli.games.pommerman.encode:PlaygroundEncoder",
    },
    batch="boardgames_cli.games.pommerman.fast.batch:BoardBatch",
    analyst="boardgames_cli.games.pommerman.analyst:PommermanAnalyst",
    parts={"analyst_needs": "numba"},
    levels={
        "easy": "simple:foresight=3",
        "medium": "simple",
        "tricky": "mix:weaker=simple,stronger=hard:temperature=1.2,share=0.33",
        "skilled": "hard:temperature=1.4",
        "tough": "hard:temperature=0.45",
        "hard": "hard",
    },
    levels_where={
        "mode=team": _TEAMS,
        "mode=radio": _TEAMS,
        "collapse=True": _FALLING,
        "mode=duel": {
            "easy": "simple:foresight=3",
            "medium": "simple",
            "tricky": "hard:temperature=1.15",
            "skilled": "hard:temperature=0.65",
            "tough": "hard:temperature=0.25",
        },
        "mode=duel,collapse=True": {
            "tricky": "hard:temperature=1.5",
            "skilled": "hard:temperature=0.55",
            "tough": "hard:temperature=0.2",
        },
    },
    agents=(
        AgentSpec(
            "hard",
            "boardgames_cli.games.pommerman.agents.search:Hard",
            "searches ahead in a fast model of the rules",
        ),
        AgentSpec(
            "rollouts",
            "boardgames_cli.games.pommerman.agents.rollouts:Rollouts",
            "Monte Carlo playouts of the best moves, on compiled rules",
            needs="fast",
        ),
        AgentSpec(
            "simple",
            "boardgames_cli.games.pommerman.agents.simple:Simple",
            "flees from blasts, bombs nearby targets, collects power-ups, wanders",
        ),
    ),
    beginner="simple:foresight=2",
    recommended=("random",),
)
