"""``boardgames stats`` and ``ladder``: what people have won here, and how far they have come."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Iterator, Sequence
from typing import Any

from boardgames_cli.agents.ratings import bundled_ratings
from boardgames_cli.cli.command import GameFilter, command
from boardgames_cli.cli.errors import notify
from boardgames_cli.cli.output import say, say_json, say_table
from boardgames_cli.cli.parameters import AsJson
from boardgames_cli.core.errors import GameError
from boardgames_cli.evaluation.milestones import (
    climb_of,
    days_in_a_row,
    player_of,
    rating_of,
)
from boardgames_cli.registry import find_game, game_ids
from boardgames_cli.storage.paths import results_file
from boardgames_cli.storage.played_games import (
    PlayedGame,
    PlayerStatistics,
    ResultTally,
    read_results,
    statistics,
)


def show_statistics(which: GameFilter, form: AsJson) -> int:
    """Show what people have won and lost on this machine."""
    if which.game:
        find_game(which.game)
    games, unreadable = read_results(results_file())
    if unreadable:
        notify(f"{results_file()}: damaged lines left out: {unreadable}.")
    found = statistics(game for game in games if which.game in ("", game.game))
    if form.json:
        say_json([_facts(one, games) for one in found])
    elif not found:
        say("No game has been played to its end yet. To play one: boardgames play GAME")
    else:
        streak = days_in_a_row((game.ended for game in games), datetime.date.today())
        if streak > 1:
            say(f"{streak} days in a row with a game.")
            say()
        for number, one in enumerate(found):
            if number:
                say()
            _show(one, games)
    return 0


def _facts(one: PlayerStatistics, games: Sequence[PlayedGame]) -> dict[str, Any]:
    rating = rating_of(games, one.game, one.player)
    climb = climb_of(games, one.game, one.player)
    return {
        **dataclasses.asdict(one),
        "rating": None if rating is None else dataclasses.asdict(rating),
        "beaten": None if climb is None else climb.beaten,
    }


def _show(one: PlayerStatistics, games: Sequence[PlayedGame]) -> None:
    remarks = "; ".join(_remarks(one))
    say(f"{one.player} at {_title(one.game)}" + (f": {remarks}" if remarks else ""))
    rating = rating_of(games, one.game, one.player)
    if rating is not None:
        say(f"rating {rating}; {', '.join(_levels(one.game))}")
    climb = climb_of(games, one.game, one.player)
    if climb is not None:
        ahead = "" if climb.next is None else f", next: {climb.next.name}"
        say(f"ladder: {climb.beaten} of {len(climb.ladder.opponents)} beaten{ahead}")
    rows = [(name, *_counts(tally)) for name, tally in one.opponents.items()]
    say_table(("against", "games", "won", "drawn", "lost"), [*rows, ("all", *_counts(one.total))])


def _levels(game: str) -> Iterator[str]:
    spec = find_game(game)
    ratings = bundled_ratings(spec)
    for level in spec.levels:
        rating = None if ratings is None else ratings.of(level)
        if rating is not None:
            yield f"{level} {rating.rating:+d}"


def _counts(tally: ResultTally) -> tuple[str, str, str, str]:
    return str(tally.games), str(tally.won), str(tally.drawn), str(tally.lost)


def _remarks(one: PlayerStatistics) -> list[str]:
    remarks = []
    if one.best is not None and abs(one.best) > 1:  # otherwise just a win or a loss
        remarks.append(f"best result {one.best:g}")
    if one.assisted:
        remarks.append(f"hints taken in {one.assisted}")
    return remarks


def _title(game: str) -> str:
    try:
        return find_game(game).info.name
    except GameError:  # of a plug-in that is gone
        return game


make = command(show_statistics, "stats", "stats senet", "stats --json")


def show_ladder(which: GameFilter, form: AsJson) -> int:
    """Show the next opponent on each game's ladder, or all those of one game."""
    games, _ = read_results(results_file())
    ids = [find_game(which.game).info.id] if which.game else game_ids()
    climbs = {id: climb_of(games, id, player_of(games, id)) for id in ids}
    known = {id: climb for id, climb in climbs.items() if climb is not None}
    if which.game and not known:
        raise GameError(f"{find_game(which.game).info.name} has no ladder.")
    if form.json:
        say_json({id: dataclasses.asdict(climb) for id, climb in known.items()})
    elif which.game:
        climb = known[ids[0]]
        say(climb.rule)
        people = enumerate(climb.ladder.opponents)
        say_table(
            ("opponent", "rating", "", "style"),
            [(one.name, f"{one.rating:+d}", climb.state(at), one.style) for at, one in people],
        )
        if climb.next is not None:
            say(f'To play: boardgames play {ids[0]} --vs "{climb.next.name}"')
    else:
        rows = []
        for id, climb in known.items():
            ahead = "the top is reached" if climb.next is None else f"next: {climb.next.name}"
            rows.append((id, f"{climb.beaten} of {len(climb.ladder.opponents)} beaten", ahead))
        say_table(("game", "ladder", ""), rows)
    return 0


make_ladder = command(show_ladder, "ladder", "ladder senet", 'play kuhn --vs "Mad Max"')
