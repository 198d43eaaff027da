"""The row of a game: its line, what it says of sides, and what rows come to."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from simulated_tournaments import game

from boardgames_cli.core.errors import RecordError
from boardgames_cli.tournament.rows import (
    FORFEIT,
    MAX_PLIES,
    VOID,
    DealOutcome,
    GameRow,
    Rows,
    Tally,
    meetings,
    read_row,
    row_line,
)
from boardgames_cli.tournament.tournament_config import Entrant, TournamentConfig

WON = GameRow(3, 0, 13, (0, 1), (1.0, -1.0), 20, (5, 4), (0.25, 0.5))
LOST = GameRow(3, 0, 13, (1, 0), (1.0, -1.0), 22, (5, 5), (0.125, 0.25), (0, 1), (2, 0))
TABLE = GameRow(4, 1, 14, (0, 1, 2), (5, 9, 5), 70, (9, 8, 7), (1.0, 2.0, 3.0))
TWO, THREE, TEAMS = ((0,), (1,)), ((0,), (1,), (2,)), ((0, 2), (1, 3))


def won(**changes: Any) -> GameRow:
    return WON._replace(**changes)


LINE = row_line(WON)


@pytest.mark.parametrize(
    "row",
    [
        WON,
        LOST,
        TABLE,
        won(ending=MAX_PLIES),
        won(decisions=()),
        won(luck=(0.5, -0.5)),
        won(returns=(1, -1)),
    ],
)
def test_a_line_holds_the_whole_row(row: GameRow) -> None:
    assert read_row(row_line(row)) == row
    assert json.loads(row_line(row))["deal"] == row.deal
    assert all(type(value) is float for value in json.loads(row_line(row))["returns"])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "null",
        LINE[:-2],
        LINE.replace('"plies":20', '"plies":-1'),
        LINE.replace('"plies":20', '"plies":true'),
        LINE.replace("[1.0,-1.0]", "[1.0]"),
        LINE.replace("[1.0,-1.0]", "[NaN,1.0]"),
        LINE.replace("[0,1]", "[]"),
        row_line(won(ending="rain %d")),
        LINE.replace('"deal"', '"boat"'),
        "[" * 100_000,
    ],
)
def test_other_lines_are_refused_with_their_number(text: str) -> None:
    with pytest.raises(RecordError, match="line 7"):
        read_row(text, 7)


def test_a_game_is_the_places_of_its_sides() -> None:
    assert TABLE.sides(THREE) == ((0, 1), (1, 0), (1, 2))
    # Seatings that say the same are the same.
    assert WON.sides(TWO) == game((1, 0), (-1.0, 1.0)).sides(TWO) == ((0, 0), (1, 1))
    assert game((4, 7, 4, 7), (1, -1, 1, -1)).sides(TEAMS) == ((0, 4), (1, 7))
    assert won(ending=MAX_PLIES).sides(TWO) == ((0, 0), (0, 1))
    assert won(ending=FORFEIT).sides(TWO) == WON.sides(TWO)


def test_meetings_are_between_entrants() -> None:
    table = ((0, 1), (1, 0), (1, 2))
    assert set(meetings(table)) == {(1, 0, 1), (1, 2, 1), (0, 2, 0.5), (2, 0, 0.5)}
    assert set(meetings(table, winners_only=True)) == {(1, 0, 1), (1, 2, 1)}
    drawn = ((0, 0), (0, 1))
    assert set(meetings(drawn, winners_only=True)) == {(0, 1, 0.5), (1, 0, 0.5)}
    assert list(meetings(((0, 5), (1, 5)))) == []


def tally_of(*deals: Rows) -> Tally:
    tally = Tally()
    for rows in deals:
        tally.add(rows, THREE if len(rows[0].entrants) == 3 else TWO)
    return tally


def test_a_void_game_counts_for_nobody() -> None:
    tally = tally_of((WON, won(entrants=(1, 0), ending=VOID)))
    assert tally.games == 1
    sums = tally.totals(2)[0]
    assert (sums.games, sums.void, sums.wins, sums.failures) == (1, 1, 1, 0)
    tally = Tally()
    tally.add((won(ending=VOID),), TWO)
    assert tally.deals == {DealOutcome(0, ()): 1}


def test_first_places_are_won_or_shared() -> None:
    tally = tally_of((WON, LOST), (game((0, 1, 2), (5, 5, 1)),), (game((2, 2, 1), (3, 3, 3)),))
    found = [(one.sides, one.wins, one.draws, one.losses, one.points) for one in tally.totals(3)]
    assert found == [
        (3, 1, 1, 1, Fraction(3, 2)),
        (4, 1, 2, 1, Fraction(11, 6)),
        (3, 0, 2, 1, Fraction(2, 3)),
    ]


def test_deals_say_the_same_from_whichever_seat_they_were_won() -> None:
    deals = tally_of((WON, LOST), (game((0, 1), (-1, 1)), game((1, 0), (-1, 1)))).deals
    assert list(deals.values()) == [2]


def test_tallies_of_parts_add_up() -> None:
    deals = [(WON, LOST), (TABLE,), (WON, WON)]
    whole, parts = tally_of(*deals), tally_of(*deals[2:])
    assert whole.is_for_stakes is parts.is_for_stakes is False
    parts.update(tally_of(*deals[:2]))
    assert parts == whole
    first = whole.totals(3)[0]
    assert (first.games, first.deals, first.failures, first.late) == (5, 3, 1, 0)
    assert (first.returns, first.squares) == (0.0 + 5.0 + 2.0, 0.0 + 25.0 + 4.0)
    assert whole.part(1) == tally_of((TABLE,))
    parts.update(tally_of((won(returns=(3.0, -3.0)),)))
    assert parts.is_for_stakes


def test_equal_deals_are_counted_at_once() -> None:
    plain = won(decisions=(), seconds=())
    one, many = tally_of(*[(plain, plain)] * 3), Tally()
    many.add((plain, plain), TWO, 3, 120)
    assert one == many


CONFIG = TournamentConfig(
    "senet",
    (Entrant("hard", "hard"), Entrant('a "b" \\ ☃', "expectimax:depth=3")),
    ({"rules": "skyruk"}, {"pieces": 7, "blocks": True}),
    games=50,
    sprt=(0.0, 20.0),
    think=0.5,
    clock="1m+1s",
)


def test_a_tournament_reads_what_it_wrote(tmp_path: Path) -> None:
    path = tmp_path / "tournament.toml"
    path.write_text(CONFIG.text(), encoding="utf-8")
    assert TournamentConfig.read(path) == CONFIG


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("games = 50", "games = true"),
        ("games = 50", "games = 0"),
        ("games = 50", "games = "),
        ("games = 50", "balls = 50"),
        ('schedule = "round-robin"', 'schedule = "knock-out"'),
        ("think = 0.5", 'think = "long"'),
        ('clock = "1m+1s"', 'clock = "soon"'),
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
