"""``boardgames solve GAME``: exact values of games, endings and positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from boardgames_cli.algorithms.endings import ROUNDING
from boardgames_cli.algorithms.retrograde import Counts, Survey, Verdict
from boardgames_cli.cli import completion
from boardgames_cli.cli.command import CommonOptions, argument, option
from boardgames_cli.cli.output import say, say_json, say_table
from boardgames_cli.cli.parameters import AsJson, for_game, given_options
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.text import percent
from boardgames_cli.registry import make as make_game
from boardgames_cli.registry import spec_of
from boardgames_cli.session.opening import read_position, state_to_play


@dataclass(frozen=True, slots=True)
class Problem:
    """What is solved."""

    game: str = argument("The game to solve.", autocompletion=completion.games)
    position: Path | None = option(
        None, "Evaluate the moves of a position; - reads standard input."
    )


def solve(problem: Problem, form: AsJson, _: CommonOptions, **values: Any) -> int:
    """Solve a game or tell of its endings, and write the result."""
    from boardgames_cli.algorithms.retrograde import survey

    game = make_game(problem.game, **given_options(values))
    known, path = spec_of(game).load_part("endings"), problem.position
    if known is not None:
        told = _table(game, known) if path is None else _judge_ending(game, known, path)
    elif path is not None:
        told = _judge(game, path)
    else:
        told = _survey(survey(game))
    if form.json:
        say_json({"game": game.info.id, **told.data})
        return 0
    say(f"{game.info.name}{told.heading}")
    if told.rows:
        say_table(told.columns, told.rows)
    return 0


class _Solved(NamedTuple):
    data: dict[str, Any]
    heading: str  # after the name of the game
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


def _survey(found: Survey) -> _Solved:
    everywhere = found.everywhere
    data = {
        "start": _verdict_json(found.start),
        "reachable": asdict(found.reachable),
        "all": None if everywhere is None else asdict(everywhere),
    }
    rows = [["reachable", *_row(found.reachable)]]
    if everywhere is not None:
        rows.append(["all", *_row(everywhere)])
    columns = ("positions", "number", "won", "drawn", "lost", "longest end in plies")
    return _Solved(data, f": the side that begins has a {found.start}.", columns, rows)


def _row(counts: Counts) -> list[str]:
    numbers = (counts.total, counts.won, counts.drawn, counts.lost, counts.longest)
    return [str(number) for number in numbers]


def _verdict_json(verdict: Verdict) -> dict[str, Any]:
    return {"outcome": verdict.outcome.name.lower(), "plies": verdict.plies}


def _judge(game: AnyGame, path: Path) -> _Solved:
    from boardgames_cli.algorithms.position_graph import explore
    from boardgames_cli.algorithms.retrograde import solve as solve_game

    state = state_to_play(game, read_position(path))
    solution = solve_game(explore(game, [state]))
    verdict = solution.verdict(state)
    ranked = sorted(solution.judge(state).items(), key=lambda item: -item[1].value)
    moves = {str(action): _verdict_json(after) for action, after in ranked}
    data = {"position": _verdict_json(verdict), "actions": moves}
    rows = [[str(action), str(after)] for action, after in ranked]
    return _Solved(data, f": the side to move has a {verdict}.", ("action", "leads to"), rows)


def _table(game: AnyGame, known: Any) -> _Solved:
    table = known.table(game)
    chances = known.start_chances(table)
    data = {
        "rules": table.rules,
        "up_to": table.up_to,
        "positions": len(table.numbers),
        "error": table.error + ROUNDING,
        "starts": list(chances),
    }
    heading = (
        f", {table.rules}: {len(table.numbers):,} positions with up to {table.up_to} "
        f"{known.pieces} a side.\n"
        f"error: at most {table.error:.1e}, and {ROUNDING:.1e} by rounding to 16 bits"
    )
    columns = (f"{known.pieces} a side at the start", "the side that begins wins")
    rows = [[str(pieces), percent(chance, 2)] for pieces, chance in enumerate(chances, start=1)]
    return _Solved(data, heading, columns, rows)


def _judge_ending(game: AnyGame, known: Any, path: Path) -> _Solved:
    judged = known.judge(game, state_to_play(game, read_position(path)))
    if judged is None:
        raise GameError(
            f"this position is in no table of endings of {game.info.name}.",
            f"See what is known: boardgames solve {game.info.id}",
        )
    chance, actions = judged
    ranked = sorted(actions.items(), key=lambda item: -item[1])
    heading = f": the player whose turn it is wins with probability {chance:.4f}."
    rows = [[action, f"{after:.4f}"] for action, after in ranked]
    data = {"chance": chance, "actions": dict(ranked)}
    return _Solved(data, heading, ("action", "chance of winning"), rows)


make = for_game(
    solve,
    "solve tapnswap",
    "solve tapnswap --position position.json",
    "solve senet --rules skyruk",
    help="Solve a small game: how every position ends with best play, and in how many plies. "
    "Or tell of the endings of a large one: the chance of winning in every position with few "
    "pieces, in a table that its agents use.",
)
