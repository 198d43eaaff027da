"""The results of a tournament as PGN, the format that rating programs of chess read.

There are no moves in it: programs such as Ordo and BayesElo need the players and the results.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.options import option_words
from boardgames_cli.storage.files import replace_file
from boardgames_cli.tournament.folder import RunFolder
from boardgames_cli.tournament.results import VOID, GameResult
from boardgames_cli.tournament.run import Tournament

_RESULTS: Final = {(0, 1): "1-0", (1, 0): "0-1", (0, 0): "1/2-1/2"}
"""The results by the places of the two seats."""


def check_pgn(tournament: Tournament) -> None:
    """Check that a tournament's games have two seats.

    Raises:
        GameError: They have more, which PGN can't say.
    """
    if any(game.seats != 2 for game in tournament.games):
        raise GameError(
            "--pgn needs a game of two seats: PGN has White and Black.",
            "Leave it out; results.jsonl has the results of every game.",
        )


def write_pgn(tournament: Tournament, folder: RunFolder, path: Path) -> None:
    """Write all results; void games are left out.

    Raises:
        StorageError: The results can't be read, or the file can't be written.
    """
    replace_file(path, "".join(_games(tournament, folder)))


def _games(tournament: Tournament, folder: RunFolder) -> Iterator[str]:
    names = [entrant.name for entrant in tournament.config.entrants]
    events = [", ".join([game.info.name, *option_words(game)]) for game in tournament.games]
    for deal in folder.deals():
        for number, game in enumerate(deal, 1):
            if game.ending != VOID:
                yield _text(game, number, names, events[game.options])


def _text(game: GameResult, number: int, names: list[str], event: str) -> str:
    result = _RESULTS[game.places[0], game.places[1]]
    white, black = (names[entrant] for entrant in game.entrants)
    tags = {
        "Event": event,
        "Site": "?",
        "Date": "????.??.??",
        "Round": f"{game.deal + 1}.{number}",
        "White": white,
        "Black": black,
        "Result": result,
        "PlyCount": str(game.plies),
    }
    lines = "".join(f'[{name} "{_escaped(text)}"]\n' for name, text in tags.items())
    return f"{lines}\n{result}\n\n"


def _escaped(text: str) -> str:
    """A PGN string: one line, with quotes and backslashes escaped."""
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
