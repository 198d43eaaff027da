"""The report: every form of it, its pictures, and the command that plays it again."""

from __future__ import annotations

import html
import json
import random
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

from simulated_tournaments import game, tally_of, two_sided

from boardgames_cli import registry
from boardgames_cli.core.options import option_values
from boardgames_cli.tournament.ratings.sprt import Sprt
from boardgames_cli.tournament.reports.pictures import rating_plot
from boardgames_cli.tournament.reports.report import Report, command_of, make_report
from boardgames_cli.tournament.reports.tables import cross_table, share_text
from boardgames_cli.tournament.rows import GameRow, Tally
from boardgames_cli.tournament.tournament_config import Entrant, TournamentConfig

TRUTH = (150.0, 0.0, -40.0, -170.0)
NAMES = ("hard", "easy", "expectimax:depth=2", "random")


def report_of(deals: int = 40, seed: int = 1, sets: int = 1) -> Report:
    tally = Tally()
    for number in range(sets):
        tally.update(two_sided(TRUTH, deals, random.Random(seed + number), options=number))
    options = ({}, {"rules": "skyruk"})[:sets]
    entrants = tuple(Entrant(name, name) for name in NAMES)
    config = TournamentConfig("senet", entrants, options, games=2 * deals)
    games = [registry.make("senet", **values) for values in options]
    return make_report(config, games, tally, {((0, 3), 0): Sprt(0, 20)})


class Outline(HTMLParser):
    """Checks that elements end, and counts them."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def outline(text: str) -> Outline:
    found = Outline()
    found.feed(text)
    assert found.open == []
    return found


def test_html_is_one_sound_file_with_pictures() -> None:
    text = report_of().html()
    found = outline(text)
    assert found.seen.count("svg") == 1
    assert found.seen.count("table") == 3
    assert all(link.startswith("#") for link in found.links), "nothing is fetched"
    assert 'aria-label="Ratings' in text


def test_every_rating_is_in_the_picture_and_every_share_has_its_colour() -> None:
    report = report_of()
    ratings = rating_plot(report.table)
    assert ratings is not None
    texts = [one.text for one in ET.fromstring(ratings).iter() if one.text]
    page = cross_table(report.table).html()
    for row, cells in zip(report.table.rows, report.table.cross, strict=True):
        assert row.rating is not None
        assert f"{row.rating.value:.0f}" in texts
        assert row.name in texts
        for cell in filter(None, cells):
            shown = rf'style="background:rgb\([0-9,]+\)(;color:white)?">{share_text(cell.share)}<'
            found = re.search(shown, page)
            assert found is not None
            assert bool(found[1]) == (not 0.18 <= cell.share <= 0.82)


def test_every_form_says_the_same(tmp_path: Path) -> None:
    report = report_of()
    report.write(tmp_path)
    best = report.table.rows[0]
    assert best.rating is not None
    low, high = best.rating.interval
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert f"{best.rating.value:.0f}" in text
    assert f"{low:.0f} to {high:.0f}" in text
    rated = json.loads((tmp_path / "ratings.json").read_text(encoding="utf-8"))
    assert rated["ratings"][0]["rating"] == round(best.rating.value)
    assert "hard against random: SPRT 0 against 20: undecided" in text
    assert html.escape(report.command) in text
    data = json.loads(json.dumps(report.as_json(), allow_nan=False))
    assert data["sprt"][0]["entrants"] == ["hard", "random"]
    assert data["sprt"][0]["verdict"] == "undecided"
    assert round(data["entrants"][0]["rating"]) == round(best.rating.value)
    assert all(line.isprintable() for line in text.splitlines())


def test_option_sets_have_a_table_each() -> None:
    report = report_of(sets=2)
    titles = [table.title for table in report.tables()]
    assert titles.count("Standings") == 1
    assert [title for title in titles if title.startswith("Standings: ")] == [
        "Standings: kendall",
        "Standings: skyruk",
    ]
    whole, parts = report.table, [part for _, part in report.parts]
    assert whole.games == sum(part.games for part in parts)
    assert whole.deals == 2 * parts[0].deals


def test_tables_of_option_sets_lead_with_mean_returns_where_that_of_all_does() -> None:
    options: tuple[dict[str, int], ...] = ({"first": 1}, {"first": 2})
    hands = [(0, 1.0), (0, -2.0), (1, -1.0), (1, 2.0), (1, -1.0)]
    tally = Tally()
    for deal, (number, earned) in enumerate(hands):
        row = GameRow(deal, number, 0, (0, 1), (earned, -earned), 3)
        tally.add((row,), ((0,), (1,)))
    entrants = (Entrant("rock", "rock"), Entrant("maniac", "maniac"))
    config = TournamentConfig("kuhn", entrants, options, games=5)
    games = [registry.make("kuhn", **values) for values in options]
    report = make_report(config, games, tally)
    assert report.table.by_returns
    found = [
        {row.name: (row.sums.mean_return, row.sums.games) for row in part.rows if part.by_returns}
        for _, part in report.parts
    ]
    assert found == [
        {"maniac": (0.5, 2), "rock": (-0.5, 2)},
        {"rock": (0.0, 3), "maniac": (0.0, 3)},
    ]
    assert [list(part) for part in found] == [["maniac", "rock"], ["maniac", "rock"]]


def test_a_report_of_nothing_says_so() -> None:
    entrants = tuple(Entrant(name, name) for name in NAMES)
    config = TournamentConfig("senet", entrants)
    report = make_report(config, [registry.make("senet")], Tally())
    assert "No game has been played yet." in report.html()
    outline(report.html())
    assert rating_plot(report.table) is None
    assert "background" not in cross_table(report.table).html()


def test_an_open_end_is_drawn_to_the_edge() -> None:
    tally = tally_of({(game((0, 1), (1.0, -1.0)),): 100})
    config = TournamentConfig("senet", (Entrant("a$b", "hard"), Entrant("<b>", "random")))
    report = make_report(config, [registry.make("senet")], tally)
    text = report.html()
    assert "or more" in text
    assert "or less" in text
    outline(text)
    assert "a$b" in text
    assert "<b>" not in text
    assert ("Entrants", "a$b is hard; <b> is random") in report.facts


def test_names_can_not_command_a_terminal() -> None:
    entrants = (Entrant("a\x1b[2J", "cmd:a\x1b[2J"), Entrant("b\nc", "cmd:b\nc"))
    config = TournamentConfig("senet", entrants)
    report = make_report(config, [registry.make("senet")], Tally())
    text = report.html()
    assert all(line.isprintable() for line in text.split("\n"))
    assert "a?[2J" in text
    assert [row.name for row in report.table.rows][1] == "b c"


def test_the_command_plays_the_same_again() -> None:
    entrants = (Entrant("hard", "hard"), Entrant("x", "expectimax:depth=2"))
    # All options are known of one set; those that are usual are left out of the command.
    whole = option_values(registry.make("pommerman", mode="ffa", collapse=True))
    sets = (whole, {"mode": "team", "collapse": True})
    config = TournamentConfig(
        "pommerman", entrants, sets, "round-robin", 40, 7, max_plies=90, think=0.5, sprt=(0, 12.5),
        clock="1m+1s",
    )  # fmt: skip
    assert command_of(config) == (
        "boardgames tournament pommerman -s hard -s expectimax:depth=2 --mode ffa,team "
        "--collapse --format round-robin --games 40 --seed 7 --sprt 0,12.5 --max-plies 90 "
        "--think 0.5 --clock 1m+1s"
    )


def test_an_unfinished_tournament_says_so() -> None:
    config = TournamentConfig("senet", (Entrant("a", "easy"), Entrant("b", "random")))
    report = make_report(config, [registry.make("senet")], Tally(), is_finished=False)
    assert report.remarks[0] == "The tournament is not finished."
    assert report.as_json()["finished"] is False


def test_numpy_is_not_imported_before_it_is_needed() -> None:
    script = (
        "import sys, boardgames_cli.tournament.reports.report as r; print('numpy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
