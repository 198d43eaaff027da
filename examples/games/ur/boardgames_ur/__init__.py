"""The Royal Game of Ur: a race of 4,600 years ago."""

from __future__ import annotations

from boardgames_cli import GameInfo, GameSpec, Traits

GAME = GameSpec(
    info=GameInfo(
        id="ur",
        name="Royal Game of Ur",
        seats=(2,),
        traits=Traits.CHANCE | Traits.ZERO_SUM,
        rules_version=1,
        summary="Bring your pieces home first: rosettes throw again, and what you meet goes back.",
        minutes=10,
    ),
    rules="boardgames_ur.rules:Ur",
    view="boardgames_ur.view:UrView",
    heuristic="boardgames_ur.heuristic:evaluate",
    analyst="boardgames_ur.analyst:UrAnalyst",
    levels={
        "easy": "greedy:slips=0.5",
        "medium": "greedy",
        "hard": "expectimax:depth=2",
    },
    recommended=("random", "greedy", "expectimax", "rollout", "mcts"),
)
