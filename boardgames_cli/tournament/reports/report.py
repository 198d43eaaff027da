"""The report of a tournament: a page of HTML, or data for scripts."""

from __future__ import annotations

import html
import json
import math
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from boardgames_cli import __version__
from boardgames_cli.agents import ratings as bundled
from boardgames_cli.core.game import AnyGame, Traits
from boardgames_cli.core.options import option_words, options_of, spelled
from boardgames_cli.registry import make
from boardgames_cli.storage.files import replace_file
from boardgames_cli.tournament.folder import POSITIONS_FILE
from boardgames_cli.tournament.ratings.sprt import Sprt
from boardgames_cli.tournament.ratings.standings import Standings, standings
from boardgames_cli.tournament.reports.pictures import html_page, rating_plot
from boardgames_cli.tournament.reports.tables import (
    Table,
    behaviour_table,
    cross_table,
    luck_table,
    speed_table,
    standings_table,
)
from boardgames_cli.tournament.rows import Tally
from boardgames_cli.tournament.tournament_config import (
    ROUND_ROBIN,
    SCHEDULES,
    TournamentConfig,
)

HTML_FILE: Final = "report.html"


class PairingTest(NamedTuple):
    """The sequential test of a pairing."""

    entrants: tuple[str, ...]
    options: str
    """The name of its set of options; empty if there is only one."""
    test: Sprt

    def __str__(self) -> str:
        words = f" ({self.options})" if self.options else ""
        return f"{' against '.join(self.entrants)}{words}: {self.test}"


@dataclass(frozen=True)
class Report:
    """A tournament and its results."""

    title: str
    facts: tuple[tuple[str, str], ...]
    command: str
    table: Standings
    parts: tuple[tuple[str, Standings], ...] = ()
    """The standings of each set of options by name, if there were several."""
    tests: tuple[PairingTest, ...] = ()
    is_finished: bool = True

    def tables(self) -> list[Table]:
        """All tables, in the order of the report."""
        found = [standings_table(self.table), cross_table(self.table)]
        if self.table.has_luck:
            found.insert(1, luck_table(self.table))
        for name, part in self.parts:
            alone = standings_table(part)
            found.append(replace(alone, title=f"{alone.title}: {name}"))
        found.append(behaviour_table(self.table))
        if any(row.sums.decisions for row in self.table.rows):
            found.append(speed_table(self.table))
        return found

    @property
    def remarks(self) -> list[str]:
        unfinished = [] if self.is_finished else ["The tournament is not finished."]
        return [*unfinished, *self.table.notes, *(f"{test}." for test in self.tests)]

    def html(self) -> str:
        facts = "".join(
            f"<dt>{html.escape(name)}</dt><dd>{html.escape(words)}</dd>"
            for name, words in self.facts
        )
        remarks = "".join(f"<li>{html.escape(remark)}</li>" for remark in self.remarks)
        notes = f"<h2>Notes</h2>\n<ul>{remarks}</ul>\n" if remarks else ""
        drawn = rating_plot(self.table)
        picture = "" if drawn is None else f"<figure>{drawn}</figure>\n"
        first, *others = (table.html() for table in self.tables())
        body = (
            f"<h1>{html.escape(self.title)}</h1>\n<dl>{facts}</dl>\n{first}"
            f"{picture}{notes}{''.join(others)}"
            f"<h2>Again</h2>\n<pre>{html.escape(self.command)}</pre>\n"
        )
        return html_page(self.title, body)

    def as_json(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "facts": dict(self.facts),
            "command": self.command,
            "finished": self.is_finished,
            **self.table.as_json(),
            "parts": {name: part.as_json() for name, part in self.parts},
            "sprt": [
                {"entrants": list(entrants), "options": options, **test.as_json()}
                for entrants, options, test in self.tests
            ],
        }

    def write(self, folder: Path) -> None:
        """Write the page and the ratings to a folder, replacing older ones.

        Raises:
            StorageError: They can't be written.
        """
        replace_file(folder / HTML_FILE, self.html())
        replace_file(folder / bundled.FILE, ratings_text(self))


def make_report(
    config: TournamentConfig,
    games: Sequence[AnyGame],
    tally: Tally,
    tests: Mapping[tuple[tuple[int, ...], int], Sprt] | None = None,
    *,
    is_finished: bool = True,
) -> Report:
    """The report of a tournament."""
    # An agent's command line may have several lines; a cell has one.
    names = [_one_line(entrant.name) for entrant in config.entrants]
    labels = [", ".join(option_words(game)) or "default options" for game in games]

    is_zero_sum = all(Traits.ZERO_SUM in game.traits for game in games)
    by_returns = is_zero_sum and tally.is_for_stakes

    def table(tally: Tally) -> Standings:
        return standings(tally, names, seed=config.seed, by_returns=by_returns)

    parts = [
        (label, table(tally.part(number)))
        for number, label in enumerate(labels if len(labels) > 1 else ())
    ]
    whole = table(tally)
    return Report(
        f"Tournament: {games[0].info.name}",
        tuple(_facts(config, labels, whole)),
        command_of(config),
        whole,
        tuple(parts),
        tuple(
            PairingTest(tuple(names[at] for at in lineup), labels[at_set] if parts else "", test)
            for (lineup, at_set), test in (tests or {}).items()
        ),
        is_finished,
    )


def _facts(config: TournamentConfig, labels: list[str], table: Standings) -> list[tuple[str, str]]:
    renamed = [f"{one.name} is {one.agent}" for one in config.entrants if one.name != one.agent]
    facts = [
        ("Options", "; ".join(labels)),
        ("Format", f"{config.schedule}, {SCHEDULES[config.schedule]}"),
        (
            "Played",
            f"{table.games:,} games in {table.deals:,} deal{'' if table.deals == 1 else 's'}",
        ),
        ("Seed", str(config.seed)),
        ("Program", f"boardgames {config.program}, rules version {config.rules_version}"),
    ]
    if renamed:
        facts.insert(1, ("Entrants", "; ".join(renamed)))
    if config.positions:
        facts.append(("Positions", f"{len(config.positions)}, each from all seats, in turn"))
    if config.think is not None:
        facts.append(("Time limit", f"{config.think:g} s a decision, so results depend on speed"))
    if config.clock:
        facts.append(("Clock", f"{config.clock} a game, so results depend on speed"))
    if config.program != __version__:
        facts.append(("Report", f"boardgames {__version__}"))
    return facts


def command_of(config: TournamentConfig) -> str:
    """The command that reproduces the games."""
    words = ["boardgames", "tournament", config.game]
    for one in config.entrants:
        words += ["-s", one.agent]
    games = [make(config.game, **options) for options in config.option_sets]
    for option in options_of(games[0]):
        values = dict.fromkeys(spelled(getattr(game, option.name)) for game in games)
        words += option.words_for(config.game, *values, taken=vars(config))
    if config.schedule != ROUND_ROBIN or any(len(game.teams) > 2 for game in games):
        words += ["--format", config.schedule]
    words += ["--games", str(config.games), "--seed", str(config.seed)]
    if config.sprt is not None:
        words += ["--sprt", f"{config.sprt[0]:g},{config.sprt[1]:g}"]
    if config.positions:
        words += ["--positions", POSITIONS_FILE]
    for name in _FLAGS:
        value = getattr(config, name)
        if value != getattr(TournamentConfig, name):
            words.append(f"--{name.replace('_', '-')}")
            words += [] if value is True else [format(value, "g" if type(value) is float else "")]
    return shlex.join(words)


_FLAGS: Final = ("max_plies", "think", "clock", "luck")
"""The options of the command that are called as in `TournamentConfig`."""


def _one_line(name: str) -> str:
    return " ".join(name.split())


def ratings_text(report: Report) -> str:
    """The file that holds the ratings of a tournament, the highest first, with its command."""
    rated = [(row, row.rating) for row in report.table.rows if row.rating is not None]
    rows = [
        bundled.BundledRating(
            row.name,
            round(rating.value),
            _whole(rating.interval.low),
            _whole(rating.interval.high),
            round(row.sums.mean_return or 0.0, 4),
        )
        for row, rating in sorted(rated, key=lambda pair: -pair[1].value)
    ]
    listed = ",\n    ".join(json.dumps(asdict(row)) for row in rows)
    return (
        f'{{\n  "format": {bundled.FORMAT},\n  "command": {json.dumps(report.command)},\n'
        f'  "games": {report.table.games},\n  "ratings": [\n    {listed}\n  ]\n}}\n'
    )


def _whole(value: float) -> int | None:
    return round(value) if math.isfinite(value) else None
