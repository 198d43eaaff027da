"""The table of a tournament: numbers, notes, order, and how it is written."""

from __future__ import annotations

import json
import random
import re
import sys
from typing import Any

import pytest
from simulated_tournaments import game, tally_of, two_sided

from boardgames_cli.core.errors import install_command
from boardgames_cli.tournament import bradley_terry
from boardgames_cli.tournament.ratings import estimates
from boardgames_cli.tournament.ratings.standings import Standings, StandingsRow, standings
from boardgames_cli.tournament.ratings.statistics import mean_interval
from boardgames_cli.tournament.reports.tables import (
    behaviour_table,
    cross_table,
    speed_table,
    standings_table,
)
from boardgames_cli.tournament.rows import GameRow, Rows, Tally
from tests.tournament.test_rows import tally_of as tally_from

NAMES = ("hard", "medium", "easy", "greedy", "random")
TRUTH = (150.0, 60.0, 0.0, -40.0, -170.0)


def table_of(tally: Tally, names: tuple[str, ...] = NAMES, **more: Any) -> Standings:
    return standings(tally, names, **more)


def deal(number: int, first: float) -> Rows:
    """A deal of two games with the same winner, or two draws."""
    return (
        GameRow(number, 0, 7, (0, 1), (first, -first), 10, (5, 5), (0.5, 0.0), (0, 1), (0, 2)),
        GameRow(number, 0, 7, (1, 0), (-first, first), 20, (10, 10), (0.0, 1.0)),
    )


def record(row: StandingsRow) -> tuple[str, int, int, int, int]:
    sums = row.sums
    return row.name, sums.sides, sums.wins, sums.draws, sums.losses


def test_one_against_many_counts_each_side() -> None:
    won, lost = game((0, 1, 1, 1), (1, 0, 0, 0)), game((0, 1, 1, 1), (0, 1, 0, 0))
    drawn = game((1, 0, 1, 1), (0, 0, 0, 0))
    table = table_of(tally_of({(won, won, lost, drawn): 10}), ("one", "many"))
    assert table.par == 0.25
    one, many = table.rows
    assert record(one) == ("one", 40, 20, 10, 10)
    assert record(many) == ("many", 120, 10, 30, 80)
    # A game is worth one point, however many sides share it.
    assert (one.sums.points, many.sums.points) == (22.5, 17.5)
    assert (one.sums.score, many.sums.score) == (22.5 / 40, 17.5 / 120)
    cell = table.cross[0][1]
    assert cell is not None
    assert (cell.meetings, cell.points) == (120, 10 * (3 + 3 + 1 + 1.5))


def test_the_numbers_of_a_small_tournament() -> None:
    table = table_of(tally_from(deal(0, 1), deal(1, 1), deal(2, 0), deal(3, -1)), ("a", "b"))
    assert (table.games, table.deals, table.sides, table.par) == (8, 4, (2,), 0.5)
    first, second = table.rows
    assert record(first) == ("a", 8, 4, 2, 2)
    assert (first.sums.points, first.sums.score) == (5, 0.625)
    assert (second.sums.points, second.sums.score) == (3, 0.375)
    assert first.sums.mean_return == 0.25
    assert first.sums.plies == 120
    assert first.sums.pace == pytest.approx(6 / 60)
    assert (second.sums.failures, second.sums.late) == (4, 8)
    cell = table.cross[0][1]
    assert cell is not None
    assert (cell.points, cell.meetings, cell.share) == (5, 8, 0.625)
    assert table.cross[0][0] is None


def test_rows_stand_by_rating_then_score_then_as_named() -> None:
    assert [row.name for row in table_of(two_sided(TRUTH, 40, random.Random(1))).rows] == list(
        NAMES
    )
    nobody = table_of(Tally())
    assert [row.name for row in nobody.rows] == list(NAMES)


def games(*results: tuple[tuple[int, ...], tuple[float, ...]], times: int = 40) -> Tally:
    return tally_of({(game(entrants, returns),): times for entrants, returns in results})


@pytest.mark.parametrize(
    ("deals", "note"),
    [
        (Tally(), "No game has been played yet"),
        (games(((0, 1), (0, 0))), "Every game was a draw"),
        (games(((0, 1), (1, 0)), ((0, 1), (0, 1)), times=3), "Fewer than 30 deals"),
        (games(((0, 1), (1, 0)), ((2, 3), (0, 1))), "never met"),
        (games(((0, 1), (1, 0))), "All results between hard and medium went one way"),
        (games(((0, 1, 2), (1, -1, -1))), "ranks nobody but the winners"),
    ],
)  # fmt: skip
def test_a_note_says_what_the_numbers_can_not(deals: Tally, note: str) -> None:
    table = table_of(deals)
    assert any(note in text for text in table.notes), table.notes


def test_a_sound_tournament_has_no_notes() -> None:
    assert table_of(two_sided(TRUTH, 40, random.Random(1))).notes == ()


def test_games_that_could_not_be_played_are_noted() -> None:
    void = tuple(row._replace(ending="void") for row in deal(5, 0))
    table = table_of(tally_from(deal(0, 1), void), ("a", "b"))
    assert table.games == 2
    assert any("could not be played" in note for note in table.notes)


def test_games_won_by_more_or_less_are_ordered_by_mean_returns() -> None:
    """Two small wins against one large loss: more wins, but less money."""
    tally = tally_from(deal(0, 1), deal(1, 1), deal(2, -4))
    assert tally.is_for_stakes
    assert not tally_from(deal(0, 1), deal(1, -1), deal(2, 0)).is_for_stakes
    table = table_of(tally, ("often", "high"), by_returns=True)
    assert [row.name for row in table.rows] == ["high", "often"]
    made = standings_table(table)
    assert made.heads.index("mean return") == made.heads.index("games") + 1
    assert made.rows[0][made.heads.index("mean return")] == "0.667"
    usual = table_of(tally, ("often", "high"))
    assert [row.name for row in usual.rows] == ["often", "high"]
    assert "mean return" not in standings_table(usual).heads


def test_without_the_extra_there_are_scores_and_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    deals = two_sided(TRUTH, 40, random.Random(1))
    full = table_of(deals)
    for module in (estimates, bradley_terry):
        monkeypatch.delitem(sys.modules, module.__name__)
    monkeypatch.setitem(sys.modules, "numpy", None)
    table = table_of(deals)
    assert install_command("tournament") in table.notes[0]
    assert "rating" not in standings_table(table).heads
    assert {row.name: row.sums.points for row in table.rows} == {
        row.name: row.sums.points for row in full.rows
    }
    assert all(row.rating is row.interval is None for row in table.rows)
    assert cross_table(table).text() == cross_table(full).text()


def test_text_has_equal_columns_and_nothing_but_text() -> None:
    table = table_of(two_sided(TRUTH, 40, random.Random(1)))
    for made in (standings_table, cross_table, behaviour_table, speed_table):
        lines = made(table).text().splitlines()
        assert all(line == line.rstrip() and line.isprintable() for line in lines)
        body = lines[1 : len(NAMES) + 2]
        assert len({len(line) for line in body}) == 1, "numbers stand at the right"


@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_a_table_wider_than_the_screen_goes_on_below(width: int) -> None:
    table = table_of(two_sided(TRUTH, 40, random.Random(1)))
    for made in (standings_table(table), cross_table(table)):
        text = made.text(width)
        _, body = text.removesuffix(f"{made.words}\n").rstrip().split("\n", 1)
        blocks = [block.splitlines() for block in body.split("\n\n")]
        for block in blocks:
            assert max(map(len, block)) <= width
            assert len(block) == len(NAMES) + 1
        first = [word for block in blocks for word in block[1].split()[made.left :]]
        assert first == " ".join(made.rows[0][made.left :]).split(), "nothing is left out"
        for number in ("score", "rating"):
            assert not any(re.search(rf"\b{number}$", block[0]) for block in blocks), "its interval"
    assert standings_table(table).text(200) == standings_table(table).text()


def test_json_keeps_what_depends_on_the_machine_apart() -> None:
    data = table_of(tally_from(deal(0, 1), deal(1, -1)), ("a", "b")).as_json()
    machine = data.pop("machine")
    assert machine["a"]["seconds"] == 3.0
    assert "seconds" not in json.dumps(data)
    assert data["entrants"][0]["score_interval"][0] < 0.5
    open_ended = table_of(games(((0, 1), (1, 0))), ("a", "b")).as_json()
    assert open_ended["entrants"][0]["rating_interval"][1] is None
    json.dumps(open_ended, allow_nan=False)


def test_intervals_by_hand() -> None:
    # Two deals of two games with the sums 1 and 3: a mean of 1, and sums that vary by 2.
    assert mean_interval(4, 10, 2, 4) == pytest.approx((1 - 0.98, 1 + 0.98), abs=1e-3)
    assert mean_interval(1, 1, 1, 2) is None
