"""``boardgames solve GAME``: exact values of games, endings and positions."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from boardgames_cli.algorithms.endings import GameEndings
from boardgames_cli.algorithms.retrograde import Counts, Survey, Verdict
from boardgames_cli.cli import completion
from boardgames_cli.cli.command import CommonOptions, argument, examples, make_command, option
from boardgames_cli.cli.output import say, say_json, say_table
from boardgames_cli.cli.parameters import AsJson
from boardgames_cli.cli.solve_endings import (
    EndingsArguments,
    judge_ending,
    list_tables,
    read_unfinished,
    solve_endings,
)
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.registry import make as make_game
from boardgames_cli.registry import spec_of


@dataclass(frozen=True, slots=True)
class Problem:
    """What is solved."""

    game: str | None = argument(
        "The game to solve; left out with --list.",
        default=None,
        metavar="GAME",
        autocompletion=completion.games,
        show_default=False,
    )
    position: Path | None = option(
        None, "Evaluate the moves of a position; - reads standard input."
    )


def solve(problem: Problem, endings: EndingsArguments, form: AsJson, common: CommonOptions) -> int:
    """Solve a game or its endings, and write the result.

    Returns:
        The exit code: 0, or 128 and the number of the signal that ended the work.

    Raises:
        GameError: The game can't be solved, or the position is wrong.
    """
    from boardgames_cli.algorithms.retrograde import survey

    if endings.list:
        list_tables(problem.game, form.json)
        return 0
    if problem.game is None:
        raise GameError("no game is named.", "Name one, or see what is solved: --list")
    options = {} if endings.rules is None else {"rules": endings.rules}
    game = make_game(problem.game, **options)
    known: GameEndings | None = spec_of(game).load_part("endings")
    if known is not None:
        if problem.position is not None:
            judge_ending(game, known, problem.position, form.json)
            return 0
        return solve_endings(game, known, endings, form.json, common.is_plain)
    if endings.is_given:
        raise GameError(
            f"{game.info.name} has no tables of endings.", "Leave out --up-to, --out and --force."
        )
    if problem.position is not None:
        _judge(game, problem.position, form.json)
        return 0
    found = survey(game)
    if form.json:
        say_json(_as_json(problem.game, found))
        return 0
    say(f"{game.info.name}: the side that begins has a {found.start}.")
    rows = [["reachable", *_row(found.reachable)]]
    if found.everywhere is not None:
        rows.append(["all", *_row(found.everywhere)])
    say_table(["positions", "number", "won", "drawn", "lost", "longest end in plies"], rows)
    return 0


def _row(counts: Counts) -> list[str]:
    numbers = (counts.total, counts.won, counts.drawn, counts.lost, counts.longest)
    return [str(number) for number in numbers]


def _as_json(id: str, found: Survey) -> dict[str, Any]:
    everywhere = found.everywhere
    return {
        "game": id,
        "start": _verdict_json(found.start),
        "reachable": asdict(found.reachable),
        "all": None if everywhere is None else asdict(everywhere),
    }


def _verdict_json(verdict: Verdict) -> dict[str, Any]:
    return {"outcome": verdict.outcome.name.lower(), "plies": verdict.plies}


def _judge(game: AnyGame, path: Path, as_json: bool) -> None:
    from boardgames_cli.algorithms.retrograde import solve as solve_game

    state = read_unfinished(game, path)
    solution = solve_game(game, [state])
    verdict = solution.verdict(state)
    ranked = sorted(solution.judge(state).items(), key=lambda item: -item[1].value)
    if as_json:
        moves = {str(action): _verdict_json(after) for action, after in ranked}
        say_json({"game": game.info.id, "position": _verdict_json(verdict), "actions": moves})
        return
    say(f"{game.info.name}: the side to move has a {verdict}.")
    say_table(["action", "leads to"], [[str(action), str(after)] for action, after in ranked])


make = partial(
    make_command,
    action=solve,
    help="Solve a small game: how every position ends with best play, and in how many plies. "
    "Or solve the endings of a large one: the chance of winning in every position with few "
    "pieces, in a table that its agents then use. Ctrl+C keeps the work done.",
    epilog=examples(
        "solve tapnswap",
        "solve tapnswap --position position.json",
        "solve senet --rules skyruk --up-to 3",
        "solve --list",
    ),
)
