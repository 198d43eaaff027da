"""Deep Sea Adventure: two to six divers, one tank of oxygen, three rounds."""

from __future__ import annotations

from boardgames_cli.core.game import GameInfo, Traits
from boardgames_cli.core.spec import AgentSpec, GameSpec

GAME = GameSpec(
    info=GameInfo(
        id="deepsea",
        name="Deep Sea Adventure",
        seats=(2, 3, 4, 5, 6),
        traits=Traits.CHANCE,
        rules_version=1,
        summary="Dive for treasure chips on one shared tank of oxygen, and be home before it ends.",
        minutes=20,
        seat_names=("A", "B", "C", "D", "E", "F"),
    ),
    rules="boardgames_cli.games.deepsea.rules:DeepSea",
    view="boardgames_cli.games.deepsea.view:DeepSeaView",
    encoder="boardgames_cli.games.deepsea.encode:DeepSeaEncoder",
    batch="boardgames_cli.games.deepsea.fast:DeepSeaBatch",
    encodings={
        "vector": "boardgames_cli.games.deepsea.encode:DeepSeaVector",
    },
    heuristic="boardgames_cli.games.deepsea.heuristic:evaluate",
    analyst="boardgames_cli.games.deepsea.analyst:DeepSeaAnalyst",
    levels={
        "easy": "greedy",
        "medium": "risk:care=0.41",
        "hard": "monte-carlo",
    },
    agents=(
        AgentSpec(
            "monte-carlo",
            "boardgames_cli.games.deepsea.agents.monte_carlo:MonteCarlo",
            "plays the round to its end, hundreds of times for each choice, and goes for the win",
        ),
        AgentSpec(
            "risk",
            "boardgames_cli.games.deepsea.agents.policies:RiskAgent",
            "follows a plan of numbers tuned for each number of seats",
        ),
        AgentSpec(
            "grabber",
            "boardgames_cli.games.deepsea.agents.policies:Grabber",
            "takes the first n chips, then returns",
        ),
        AgentSpec(
            "diver",
            "boardgames_cli.games.deepsea.agents.policies:Diver",
            "dives to a depth, taking up to n chips on the way",
        ),
        AgentSpec(
            "greedy-classic",
            "boardgames_cli.games.deepsea.agents.policies:GreedyClassic",
            "returns with the first 4-dot chip",
        ),
    ),
    recommended=("random", "greedy"),
)
