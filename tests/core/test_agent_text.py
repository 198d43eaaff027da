from __future__ import annotations

import pytest

from boardgames_cli.core.agent import join_agent, split_agent


@pytest.mark.parametrize(
    "text",
    [
        "greedy",
        "hard:samples=40",
        "perfect:x,level=easy",
        "cmd[memory=512M,start=60]:python bot.py --a=b,c:d",
    ],
)
def test_what_is_split_can_be_joined(text: str) -> None:
    assert join_agent(*split_agent(text)) == text
