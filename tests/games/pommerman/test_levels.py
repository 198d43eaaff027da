"""The page on agents tells what the levels mean."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.core.agent import split_agent
from boardgames_cli.core.options import every_option_set
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.registry import spec_of

PAGE = Path(__file__).parents[3] / "docs/agents.md"
ROWS = {
    ("ffa", False): "free for all",
    ("team", False): "teams, radio",
    ("radio", False): "teams, radio",
    ("duel", False): "duels",
    ("duel", True): "duels with `collapse`",
}


@pytest.mark.parametrize("options", list(every_option_set(Pommerman)))
def test_the_documents_tell_what_each_level_means(options: dict[str, Any]) -> None:
    row = ROWS.get((options["mode"], options["collapse"]), "all others with `collapse`")
    meant = spec_of(Pommerman(**options)).levels.values()
    cells = " | ".join([row, *map(_in_words, meant)])
    assert f"| {cells} |" in PAGE.read_text(encoding="utf-8")


def _in_words(agent: str) -> str:
    name, values = split_agent(agent)
    if name != "mix":
        return f"`{agent}`"
    share = round(100 * float(values["share"]))
    return f"`mix` of `{values['weaker']}` and `{values['stronger']}`, which chooses {share} %"
