"""``boardgames ladder``: the named opponents of each game, and how far a person has come."""

from __future__ import annotations

import dataclasses
from functools import partial

from boardgames_cli.cli.command import GameFilter, examples, make_command
from boardgames_cli.cli.output import say, say_json, say_table
from boardgames_cli.cli.parameters import AsJson
from boardgames_cli.core.errors import GameError
from boardgames_cli.evaluation.milestones import climb_of, player_of
from boardgames_cli.registry import find_game, game_ids
from boardgames_cli.storage.paths import results_file
from boardgames_cli.storage.played_games import ResultsFile


def show_ladder(which: GameFilter, form: AsJson) -> int:
    """Write the ladder of a game, or where the person who played last stands on all."""
    games, _ = ResultsFile(results_file()).read()
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


make = partial(
    make_command,
    action=show_ladder,
    help="Show the next opponent on each game's ladder, or all those of one game.",
    epilog=examples("ladder", "ladder senet", 'play kuhn --vs "Mad Max"'),
)
