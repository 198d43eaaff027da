"""Goofspiel: everybody bids a card for each prize, at the same time."""

from __future__ import annotations

from boardgames_cli import AgentSpec, GameInfo, GameSpec, Traits

GAME = GameSpec(
    info=GameInfo(
        id="goofspiel",
        name="Goofspiel",
        seats=(2, 3, 4),
        traits=Traits.CHANCE | Traits.SIMULTANEOUS | Traits.ZERO_SUM,
        rules_version=1,
        summary="Bid a card for each prize, all at once: the highest card takes it.",
        minutes=5,
    ),
    rules="boardgames_goofspiel.rules:Goofspiel",
    view="boardgames_goofspiel.view:GoofspielView",
    levels={
        "easy": "matching:slips=0.7",
        "medium": "matching",
        "hard": "mcts",
    },
    agents=(
        AgentSpec("matching", "boardgames_goofspiel.agents:Matching", "bids what the prize is"),
    ),
    recommended=("random", "mcts", "rollout"),
)
