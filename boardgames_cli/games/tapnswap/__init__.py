"""TapnSwap, a finger game for two: tap the other side's hands until both are dead."""

from __future__ import annotations

from boardgames_cli.core.game import GameInfo, Traits
from boardgames_cli.core.spec import GameSpec

GAME = GameSpec(
    info=GameInfo(
        id="tapnswap",
        name="TapnSwap",
        seats=(2,),
        traits=Traits.ZERO_SUM,
        rules_version=1,
        summary="Tap fingers onto the other side's hands, swap between your own; over 4 is dead.",
        minutes=5,
    ),
    rules="boardgames_cli.games.tapnswap.rules:TapnSwap",
    view="boardgames_cli.games.tapnswap.view:TapnSwapView",
    encoder="boardgames_cli.games.tapnswap.encode:TapnSwapEncoder",
    batch="boardgames_cli.algorithms.fast.table_batch:TableBatch",
    encodings={
        "hands": "boardgames_cli.games.tapnswap.encode:TapnSwapHands",
    },
    heuristic="boardgames_cli.games.tapnswap.heuristic:evaluate",
    analyst="boardgames_cli.games.tapnswap.analyst:TapnSwapAnalyst",
    levels={
        "easy": "q-table:level=easy",
        "medium": "q-table:level=medium",
        "hard": "q-table:level=hard",
        "perfect": "perfect",
    },
    # The side that begins has lost against perfect play, so that a person is second by default.
    menu_defaults={"first": 2},
    recommended=("random", "greedy", "expectimax", "q-table", "perfect"),
    parts={"table_format": "boardgames_cli.games.tapnswap.rl_tables:read_rl_table"},
)
