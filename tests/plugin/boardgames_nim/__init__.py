"""Nim: take matches from one heap; who takes the last one wins, or loses."""

from __future__ import annotations

from boardgames_cli.core.game import GameInfo, Traits
from boardgames_cli.core.spec import AgentSpec, GameSpec

GAME = GameSpec(
    info=GameInfo(
        id="nim",
        name="Nim",
        seats=(2,),
        traits=Traits.ZERO_SUM,
        rules_version=1,
        summary="Take matches from one heap: who takes the last one wins.",
        minutes=2,
    ),
    rules="boardgames_nim.rules:Nim",
    view="boardgames_nim.view:NimView",
    levels={
        "easy": "random",
        "medium": "nim-sum:slips=0.5",
        "hard": "nim-sum:slips=0.1",
        "perfect": "nim-sum",
    },
    agents=(AgentSpec("nim-sum", "boardgames_nim.agents:NimSum", "can't be beaten"),),
    recommended=("random",),
)
