"""``boardgames solve GAME``: exact values of games, endings and positions."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

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
    known = spec_of(game).load_part("endings")
    if known is not None:
        if problem.position is not None:
            judge_ending(game, known, problem.position, form.json)
            return 0
        _say_table(game, known, form.json)
        return 0
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
    from boardgames_cli.algorithms.position_graph import explore
    from boardgames_cli.algorithms.retrograde import solve as solve_game

    state = state_to_play(game, read_position(path))
    solution = solve_game(explore(game, [state]))
    verdict = solution.verdict(state)
    ranked = sorted(solution.judge(state).items(), key=lambda item: -item[1].value)
    if as_json:
        moves = {str(action): _verdict_json(after) for action, after in ranked}
        say_json({"game": game.info.id, "position": _verdict_json(verdict), "actions": moves})
        return
    say(f"{game.info.name}: the side to move has a {verdict}.")
    say_table(["action", "leads to"], [[str(action), str(after)] for action, after in ranked])


def _say_table(game: AnyGame, known: Any, as_json: bool) -> None:
    table = known.table(game)
    chances = known.start_chances(table)
    if as_json:
        told = {
            "game": game.info.id,
            "rules": table.rules,
            "up_to": table.up_to,
            "positions": len(table.numbers),
            "error": table.error + ROUNDING,
            "starts": list(chances),
        }
        say_json(told)
        return
    say(
        f"{game.info.name}, {table.rules}: {len(table.numbers):,} positions with up to "
        f"{table.up_to} {known.pieces} a side."
    )
    say(f"error: at most {table.error:.1e}, and {ROUNDING:.1e} by rounding to 16 bits")
    rows = [[str(pieces), percent(chance, 2)] for pieces, chance in enumerate(chances, start=1)]
    say_table([f"{known.pieces} a side at the start", "the side that begins wins"], rows)


def judge_ending(game: AnyGame, known: Any, path: Path, as_json: bool) -> None:
    """Write the exact winning probability in a position, and after each move."""
    state = state_to_play(game, read_position(path))
    judged = known.judge(game, state)
    if judged is None:
        raise GameError(
            f"this position is in no table of endings of {game.info.name}.",
            f"See what is known: boardgames solve {game.info.id}",
        )
    chance, actions = judged
    ranked = sorted(actions.items(), key=lambda item: -item[1])
    if as_json:
        say_json({"game": game.info.id, "chance": chance, "actions": dict(ranked)})
        return
    say(f"{game.info.name}: the player whose turn it is wins with probability {chance:.4f}.")
    if ranked:
        rows = [[action, f"{chance_after:.4f}"] for action, chance_after in ranked]
        say_table(["action", "chance of winning"], rows)


make = for_game(
    solve,
    "solve tapnswap",
    "solve tapnswap --position position.json",
    "solve senet --rules skyruk",
    help="Solve a small game: how every position ends with best play, and in how many plies. "
    "Or tell of the endings of a large one: the chance of winning in every position with few "
    "pieces, in a table that its agents use.",
)
