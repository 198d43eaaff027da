"""Connect Four: drop discs into columns, four in a row win."""

from __future__ import annotations

from boardgames_cli import GameInfo, GameSpec, Traits

GAME = GameSpec(
    info=GameInfo(
        id="connect4",
        name="Connect Four",
        seats=(2,),
        traits=Traits.ZERO_SUM,
        rules_version=1,
        summary="Drop discs into columns: four in a row win.",
        minutes=5,
    ),
    rules="boardgames_connect4.rules:Rules",
    view="boardgames_connect4.view:GameView",
    encoder="boardgames_connect4.encode:GameEncoder",
    heuristic="boardgames_connect4.heuristic:evaluate",
    levels={
        "easy": "greedy:slips=0.3",
        "medium": "expectimax:depth=2",
        "hard": "expectimax:depth=4",
    },
    recommended=("random", "greedy", "expectimax", "mcts"),
)
