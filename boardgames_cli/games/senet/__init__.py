"""Senet, the race game of ancient Egypt, with Kendall's or Skyruk's rules."""

from __future__ import annotations

from boardgames_cli.core.game import GameInfo, Traits
from boardgames_cli.core.spec import AgentSpec, GameSpec

GAME = GameSpec(
    info=GameInfo(
        id="senet",
        name="Senet",
        seats=(2,),
        traits=Traits.CHANCE | Traits.ZERO_SUM,
        rules_version=1,
        summary="Race your dancers over 30 houses: throw the sticks, swap, block, bear off.",
        minutes=10,
        seat_names=("cones", "spools"),
    ),
    rules="boardgames_cli.games.senet.rules:Senet",
    view="boardgames_cli.games.senet.view:SenetView",
    encoder="boardgames_cli.games.senet.encode:SenetEncoder",
    encodings={"board": "boardgames_cli.games.senet.encode:SenetBoard"},
    batch="boardgames_cli.games.senet.fast.batch:SenetBatch",
    heuristic="boardgames_cli.games.senet.heuristic:evaluate",
    analyst="boardgames_cli.games.senet.analyst:SenetAnalyst",
    parts={
        "endings": "boardgames_cli.games.senet.ending_tables:ENDINGS",
        "search": "boardgames_cli.games.senet.fast.search:make_search",
    },
    levels={
        "easy": "chaser:temperature=6.5",
        "medium": "greedy:temperature=0.036",
        "hard": "expectimax:depth=2",
    },
    levels_where={
        "pieces=7": {"easy": "chaser:temperature=12", "medium": "greedy:temperature=0.046"},
        "rules=skyruk": {"easy": "chaser:temperature=1.2", "medium": "greedy:temperature=0.032"},
        "rules=skyruk,pieces=7": {
            "easy": "chaser:temperature=0.8",
            "medium": "greedy:temperature=0.025",
        },
    },
    agents=(
        AgentSpec(
            "chaser",
            "boardgames_cli.games.senet.agents:Chaser",
            "swaps, bears off, brings up its rear, and looks no further",
        ),
    ),
    beginner="chaser:temperature=0,foremost=3",
    recommended=("random", "greedy", "expectimax"),
)
