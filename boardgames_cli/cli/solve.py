"""``boardgames solve GAME``: the exact value of a small game, or of one of its positions."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from boardgames_cli.algorithms.retrograde import Counts, Verdict
from boardgames_cli.algorithms.survey import Survey
from boardgames_cli.cli import completion
from boardgames_cli.cli.command import make_command
from boardgames_cli.cli.options import AsJson
from boardgames_cli.cli.output import say, say_json, say_table
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.registry import make as make_game


@dataclass(frozen=True, slots=True)
class Problem:
    """What is solved."""

    game: Annotated[str, typer.Argument(help="The game to solve.", autocompletion=completion.games)]
    position: Annotated[
        Path | None,
        typer.Option(
            "--position", metavar="FILE", help="Judge the moves of a position; - reads it here."
        ),
    ] = None


def make(name: str) -> Any:
    """The verb."""
    return make_command(
        name,
        solve,
        Problem,
        AsJson,
        help="Solve a small game: how every position ends with best play, and in how many plies.",
        epilog="Examples: boardgames solve tapnswap   "
        """echo '{"hands": [[3, 2], [4, 1]], "player": 0}' | """
        "boardgames solve tapnswap --position -",
    )


def solve(problem: Problem, form: AsJson) -> int:
    """Solve a game and say what came of it.

    Returns:
        The exit code.

    Raises:
        GameError: The game can't be solved, or the position is wrong.
    """
    from boardgames_cli.algorithms.survey import survey

    game = make_game(problem.game)
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
    from boardgames_cli.session.positions import read_position

    state = game.from_json(read_position(path))
    if game.is_over(state):
        raise GameError("the game is over in this position.", "Choose one with moves to make.")
    solution = solve_game(game, [state])
    verdict = solution.verdict(state)
    ranked = sorted(solution.judge(state).items(), key=lambda item: -item[1].value)
    if as_json:
        moves = {str(action): _verdict_json(after) for action, after in ranked}
        say_json({"game": game.info.id, "position": _verdict_json(verdict), "actions": moves})
        return
    say(f"{game.info.name}: the side to move has a {verdict}.")
    say_table(["action", "leads to"], [[str(action), str(after)] for action, after in ranked])
