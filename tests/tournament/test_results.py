from __future__ import annotations

import json
from pathlib import Path

import pytest

from boardgames_cli.core.errors import RecordError, StorageError
from boardgames_cli.tournament.results import (
    MAX_PLIES,
    VOID,
    GameOutcome,
    GameResult,
    GameSetResult,
    Tally,
    deal_line,
    outcome_of,
    read_deal,
)
from boardgames_cli.tournament.tournament_config import Entrant, TournamentConfig

WON = GameResult(3, 0, 13, (0, 1), (1.0, -1.0), 20, (5, 4), (0.25, 0.5))
LOST = GameResult(3, 0, 13, (1, 0), (1.0, -1.0), 22, (5, 5), (0.125, 0.25), (0, 1), (2, 0))
TABLE = GameResult(4, 1, 14, (0, 1, 2), (5, 9, 5), 70, (9, 8, 7), (1.0, 2.0, 3.0))


LINE = deal_line((WON, LOST))


@pytest.mark.parametrize(
    "deal",
    [
        (WON, LOST),
        (TABLE,),
        (WON._replace(ending=MAX_PLIES), WON),
        (WON._replace(decisions=()),),
        (WON._replace(luck=(0.5, -0.5)), LOST),
        (WON._replace(lost=(0.0, 0.125), judged=(0, 2)),),
    ],
)
def test_a_line_holds_the_whole_result(deal: GameSetResult) -> None:
    assert read_deal(deal_line(deal)) == deal
    assert json.loads(deal_line(deal))["deal"] == deal[0].deal


def test_luck_in_chances_of_0_2_is_left_out() -> None:
    line = LINE.replace('"plies"', '"luck_to_win":[[0.25,-0.25],[0,0]],"plies"')
    assert read_deal(line) == (WON, LOST)


def test_a_line_does_not_depend_on_how_returns_are_counted() -> None:
    whole = WON._replace(returns=(1, -1))
    assert deal_line((whole, LOST)) == deal_line((WON, LOST))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "null",
        LINE[:-2],
        LINE.replace('"plies":[20,', '"plies":[-1,'),
        LINE.replace('"plies":[20,', '"plies":[true,'),
        LINE.replace('"plies":[20,', '"plies":['),
        LINE.replace("[1.0,-1.0]", "[1.0]"),
        LINE.replace("[1.0,-1.0]", "[NaN,1.0]"),
        LINE.replace("[0,1]", "[]"),
        deal_line((WON._replace(ending="rain"),)),
        LINE.replace('"deal"', '"boat"'),
        "[" * 100_000,
    ],
)
def test_other_lines_are_refused_with_their_number(text: str) -> None:
    with pytest.raises(RecordError, match="line 7"):
        read_deal(text, 7)


def test_equals_share_a_place_and_a_game_cut_short_is_a_draw() -> None:
    assert TABLE.places == (1, 0, 1)
    assert WON.places == (0, 1)
    assert WON._replace(ending=MAX_PLIES).places == (0, 0)


def test_a_void_game_counts_for_nobody() -> None:
    tally = Tally.of([(WON, LOST._replace(ending=VOID))])
    assert tally.games == 1
    assert (tally.totals[0].games, tally.totals[0].void) == (1, 1)
    assert outcome_of((WON, LOST)).games == (
        GameOutcome((0, 1), (0, 1)),
        GameOutcome((1, 0), (0, 1)),
    )


def test_tallies_of_parts_add_up() -> None:
    deals = [(WON, LOST), (TABLE,), (WON, WON)]
    whole, parts = Tally.of(deals), Tally.of(deals[2:])
    parts.add(Tally.of(deals[:2]))
    assert parts == whole
    first = whole.totals[0]
    assert (first.games, first.deals, first.failures, first.late) == (5, 3, 1, 0)
    assert (first.returns, first.squares) == (0.0 + 5.0 + 2.0, 0.0 + 25.0 + 4.0)


CONFIG = TournamentConfig(
    "senet",
    (Entrant("hard", "hard"), Entrant('a "b" \\ ☃', "expectimax:depth=3")),
    ({"rules": "skyruk"}, {"pieces": 7, "blocks": True}),
    games=50,
    sprt=(0.0, 20.0),
    think=0.5,
    clocks=("1m+1s", ""),
)


def test_a_tournament_reads_what_it_wrote(tmp_path: Path) -> None:
    path = tmp_path / "tournament.toml"
    path.write_text(CONFIG.text(), encoding="utf-8")
    assert TournamentConfig.read(path) == CONFIG


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("tournament = 1", "tournament = 2"),
        ("games = 50", "games = true"),
        ("games = 50", "games = 0"),
        ("games = 50", "games = "),
        ("games = 50", "balls = 50"),
        ('schedule = "round-robin"', 'schedule = "knock-out"'),
        ("think = 0.5", 'think = "long"'),
        ('clocks = ["1m+1s", ""]', 'clocks = ["1m+1s"]'),
        ('clocks = ["1m+1s", ""]', 'clocks = ["1m+1s", "soon"]'),
        ('name = "hard"', "name = 7"),
        ('name = "hard"', 'nome = "hard"'),
    ],
)
def test_a_damaged_file_is_refused_with_its_name(tmp_path: Path, old: str, new: str) -> None:
    path = tmp_path / "tournament.toml"
    text = CONFIG.text()
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(RecordError, match=r"tournament\.toml"):
        TournamentConfig.read(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"tournament\.toml"):
        TournamentConfig.read(tmp_path / "tournament.toml")
