"""``boardgames stats`` and ``ladder``: what people have reached here, and who is next."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from boardgames_cli.cli.command import CommonOptions, GameFilter, command
from boardgames_cli.cli.errors import notify
from boardgames_cli.cli.output import long_work, say, say_json, say_table
from boardgames_cli.cli.parameters import AsJson
from boardgames_cli.core.errors import GameError
from boardgames_cli.evaluation.milestones import climb_of, player_of
from boardgames_cli.evaluation.you import You
from boardgames_cli.registry import find_game, game_ids
from boardgames_cli.session.played_reviews import LookBack, look_back
from boardgames_cli.session.settings import Settings
from boardgames_cli.storage.paths import drill_file, results_file
from boardgames_cli.storage.played_games import read_results


def show_statistics(which: GameFilter, form: AsJson, common: CommonOptions) -> int:
    """Show what people have reached here: record, rating, ladder, last games, what to train."""
    if which.game:
        find_game(which.game)
    settings = Settings(results_file=results_file(), drill_file=drill_file())
    found = LookBack()
    with long_work(common.is_plain) as work:
        show = work.reviewing("steps of your last games")
        looking = look_back(settings, show, work.is_stopped, which.game)
        while work.stop is None and (further := next(looking, None)):
            found = further
    for remark in found.remarks:
        notify(remark)
    if form.json:
        say_json([dataclasses.asdict(one) for one in found.people])
    elif not found.people:
        say("No game has been played to its end yet. To play one: boardgames play GAME")
    else:
        say("\n\n".join("\n".join(_lines(one)) for one in found.people))
    return work.exit_code(". The reviews so far are kept; repeat the command to continue.")


def _lines(one: You) -> Iterator[str]:
    yield one.headline
    for record in one.records:
        yield "\n{}: {}".format(*record.row)
        yield from record.sentences()
        if len(record.course) > 1:
            yield f"The last ratings: {' '.join(map(str, record.course[-10:]))}"
    yield "\nTo train"
    yield from one.training()
    yield "\nLast games" if one.recent else "\nNone of the games is saved here."
    for game in one.recent:
        yield f"{game.save}  {game.day}  {game}"
        yield from [f"  {game.mistake}"] * bool(game.mistake)


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
            [(one.name, f"{one.rating}", climb.state(at), one.style) for at, one in people],
        )
        if climb.next is not None:
            say(f'To play: boardgames play {ids[0]} --vs "{climb.next.name}"')
    else:
        say_table(("game", "ladder"), [(id, str(climb)) for id, climb in known.items()])
    return 0


make_ladder = command(show_ladder, "ladder", "ladder senet", 'play kuhn --vs "Mad Max"')
