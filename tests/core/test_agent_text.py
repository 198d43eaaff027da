from __future__ import annotations

import pytest

from boardgames_cli.core.agent import join_agent, split_agent


@pytest.mark.parametrize(
    "text",
    [
        "greedy",
        "hard:samples=40",
        "perfect:x,level=easy",
        "cmd[memory=512M,cpu=60s]:python bot.py --a=b,c:d",
        "playground[url=http://localhost:10080,timeout=5]:a.b:C",
        "policy:a.b:C",
    ],
)
def test_what_is_split_can_be_joined(text: str) -> None:
    assert join_agent(*split_agent(text)) == text


def test_what_is_in_brackets_belongs_to_the_class() -> None:
    found = split_agent(" playground[a=1,b=c:d]: mine:Bold ")
    assert found == ("playground", {"": "mine:Bold", "arguments": "a=1,b=c:d"})
