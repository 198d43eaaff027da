from __future__ import annotations

import pytest

from boardgames_cli.registry import find_game, game_ids
from boardgames_cli.terminal.streams import reflow, wrap_lines


def test_only_long_lines_are_broken() -> None:
    text = "short\n" + "word " * 8 + "\n+--+--+"
    assert wrap_lines(text, 24) == "short\nword word word word word\n    word word word\n+--+--+"


def test_paragraphs_are_filled_and_the_rest_stays() -> None:
    text = "# Head\n\none two\nthree\n- an item\n  goes on\n\n| a | b |\n```\nco  de\n```\nend"
    assert reflow(text, 60) == (
        "# Head\n\none two three\n- an item goes on\n\n| a | b |\n```\nco  de\n```\nend"
    )


def test_items_hang() -> None:
    assert reflow("- one two three four five six", 20) == "- one two three four\n  five six"


@pytest.mark.parametrize("id", game_ids())
@pytest.mark.parametrize("width", [40, 80])
def test_rules_of_all_games_fit_and_lose_no_word(id: str, width: int) -> None:
    text = find_game(id).rules_text()
    shown = reflow(text, width)
    assert shown.split() == text.split()
    prose = [line for line in shown.split("\n") if " " in line and line[0] not in "|# `"]
    assert all(len(line) <= width for line in prose)
