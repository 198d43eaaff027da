"""Who can't play what, and why."""

from __future__ import annotations

import pytest

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.registry import make, make_agent
from tests.algorithms.toys import Walk
from tests.toys import Cards, Lots, Pennies, Race

KUHN, SENET, TAPNSWAP = make("kuhn"), make("senet"), make("tapnswap")


@pytest.mark.parametrize(
    ("agent", "game", "reason"),
    [
        ("greedy", Cards(), "it has no heuristic"),
        ("greedy", Pennies(), "all seats act at once"),
        ("expectimax", KUHN, "it hides things"),
        ("expectimax", Pennies(), "all seats act at once"),
        ("expectimax", Lots(), "too many outcomes of chance"),
        ("expectimax", make("deepsea"), "two seats"),
        ("expectimax", Race(), "it has no heuristic"),
        ("mcts", KUHN, "ismcts is for"),
        ("mcts:rollout=cfr", TAPNSWAP, 'agent "cfr" can\'t play'),
        ("perfect", SENET, "chance has a part in it"),
        ("perfect", Race(), "chance has a part in it"),
        ("perfect", Pennies(), "all seats act at once"),
        ("q-table", SENET, "chance has a part in it"),
        ("q-table", Walk(), "it has no bundled Q-table"),
        ("q-table:level=impossible", TAPNSWAP, "level can't be"),
        ("cfr", KUHN, "cfr:file=PATH"),
        ("network", KUHN, "boardgames train kuhn --method network makes"),
        ("best-response", SENET, "more than 20,000 histories"),
        ("best-response:to=nobody", KUHN, "nobody"),
        ("mix:weaker=easy,stronger=perfect", SENET, 'agent "perfect" can\'t play'),
        ("mix:weaker=nobody", KUHN, "nobody"),
    ],
    ids=str,
)
def test_who_cant_play_a_game_says_why(agent: str, game: AnyGame, reason: str) -> None:
    with pytest.raises(GameError, match=reason):
        make_agent(agent, game)
