"""Leduc poker: six cards, two rounds of betting."""

from __future__ import annotations

from boardgames_cli import GameInfo, GameSpec, Traits

GAME = GameSpec(
    info=GameInfo(
        id="leduc",
        name="Leduc poker",
        seats=(2,),
        traits=Traits.CHANCE | Traits.HIDDEN | Traits.ZERO_SUM,
        rules_version=1,
        summary="Six cards, two rounds of betting: a pair beats the higher card.",
        minutes=5,
    ),
    rules="boardgames_leduc.rules:Leduc",
    view="boardgames_leduc.view:LeducView",
    # Without a file, `cfr` plays data/strategy.json, which `boardgames train` made (README.md).
    levels={
        "easy": "cfr:slips=0.5",
        "medium": "cfr:slips=0.2",
        "hard": "cfr",
    },
    menu_defaults={"hands": 10},
    recommended=("random", "cfr", "best-response", "ismcts"),
)
