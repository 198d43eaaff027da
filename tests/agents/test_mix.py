"""An agent whose moves are by turns those of two others."""

from __future__ import annotations

import pytest

from boardgames_cli.core.errors import OptionError, UnknownNameError
from boardgames_cli.core.match import Match, play
from boardgames_cli.registry import commands_in, find_game, make, make_agent

KUHN = make("kuhn", hands=1)


def moves(agent: str, count: int = 200) -> list[str]:
    """The first moves of many games, each with other cards."""
    agents = [make_agent(agent, KUHN), make_agent(agent, KUHN)]
    found: list[str] = []
    for seed in range(count):
        match = Match(KUHN, seed=seed)
        play(match, agents)
        found += map(str, match.steps[2].joint.values())
    return found


def test_the_share_says_how_often_the_other_agent_moves() -> None:
    bets = {
        share: moves(f"mix:weaker=rock,stronger=maniac,share={share}").count("bet") / 200
        for share in (0, 0.5, 1)
    }
    assert bets[1] == 1.0
    assert bets[0] == moves("rock").count("bet") / 200
    assert bets[0] + 0.15 < bets[0.5] < bets[1] - 0.15


def test_both_agents_must_play_the_game() -> None:
    with pytest.raises(OptionError, match=r"q-table.*can't play|can't play"):
        make_agent("mix:weaker=easy,stronger=perfect", make("senet"))
    with pytest.raises(UnknownNameError, match="nobody"):
        make_agent("mix:weaker=nobody", KUHN)


def test_its_programs_need_consent() -> None:
    assert commands_in("mix:stronger=cmd:python bot.py", find_game("kuhn")) == ["python bot.py"]
