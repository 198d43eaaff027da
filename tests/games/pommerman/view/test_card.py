"""The manifest names what there is."""

from __future__ import annotations

from boardgames_cli.core.spec import load
from boardgames_cli.games.pommerman import GAME
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.view import PommermanView
from boardgames_cli.registry import BUILT_IN_AGENTS


def test_the_card_is_complete() -> None:
    assert GAME.game_class() is Pommerman
    assert isinstance(GAME.make_view(Pommerman()), PommermanView)
    assert list(GAME.levels) == ["easy", "medium", "tricky", "skilled", "tough", "hard"]
    names = {agent.name for agent in (*GAME.agents, *BUILT_IN_AGENTS)}
    assert {level.partition(":")[0] for level in GAME.levels.values()} <= names
    for agent in GAME.agents:
        refusal = load(agent.path)().supports(Pommerman())
        # One that runs somebody's class can't play before it is told which.
        assert (refusal is None) is not agent.runs_foreign_code, refusal
    text = GAME.rules_text()
    assert text.startswith("# Pommerman")
    for mode in ("ffa", "team", "radio", "duel"):
        assert f"`{mode}`" in text
        assert Pommerman(mode=mode).seats in GAME.info.seats
