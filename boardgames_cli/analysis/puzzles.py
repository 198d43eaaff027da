"""Puzzles: positions in which one choice is clearly the best, with the answer and the reason.

A file of puzzles is one JSON object. Games have theirs in ``data/puzzles.json``; `mining` makes
them from games that agents play.
"""

from __future__ import annotations

import dataclasses
import datetime
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from boardgames_cli.core.errors import EXIT_FILE, GameError
from boardgames_cli.core.game import AnyGame, Observation
from boardgames_cli.core.json_reader import JsonReader
from boardgames_cli.core.spec import PUZZLES
from boardgames_cli.registry import find_game, game_ids, make

FORMAT: Final = 1
LEVELS: Final = {1: "easy", 2: "medium", 3: "hard"}
"""How hard a puzzle is, in words."""

_LARGEST: Final = 10_000_000


class PuzzleError(GameError):
    """A file of puzzles can't be used."""

    exit_code = EXIT_FILE


_READER: Final = JsonReader(
    "the puzzles", _LARGEST, PuzzleError, "boardgames puzzle --make N --out FILE makes such a file."
)


@dataclass(frozen=True)
class Puzzle:
    """One position, and what is right there."""

    id: str
    """Tells it from all others, such as ``senet-17``."""
    game: str
    """The game's id."""
    options: dict[str, Any]
    """The game's options."""
    position: dict[str, Any]
    """What the seat to act sees, as a position."""
    ply: int
    """How many steps had come before."""
    seat: int
    """Who is to act."""
    level: int
    """How hard it is; see `LEVELS`."""
    task: str
    """What to find, such as ``Find the win in 5.``"""
    answer: str
    """The notation of the best choice."""
    losses: dict[str, str]
    """For every other choice what it costs, such as ``2.35 points``, or how far off a share is;
    empty if `words` say it all. The dearest stands last."""
    words: dict[str, str]
    """What is known of choices besides, such as ``lives 97%`` or ``win in 7``."""
    labels: dict[str, str]
    """What people call a choice where that is not its notation: ``call`` for ``bet``."""
    why: str
    """Why the answer is the best, as a sentence; may be empty."""
    share_of: str
    """The notation of the action of which the question is how often to take it. The choices are
    shares then, such as ``33 %``. Empty if the question is which action to take."""
    also: list[str]
    """What is as good as the answer, nearest to it first."""
    method: str
    """How that is known, such as ``exact: every position is solved``."""

    def rulebook(self) -> AnyGame:
        """The game with the puzzle's options."""
        return make(self.game, **self.options)

    def observation(self, game: AnyGame) -> Observation[Any, Any]:
        """What the seat to act sees.

        Raises:
            PuzzleError: It is not a position of the game, or the answer is not legal there.
        """
        try:
            state = game.read_seen(self.position, self.ply)
            legal = tuple(game.legal_actions(state, self.seat))
        except GameError as error:
            raise PuzzleError(f"puzzle {self.id} can't be shown: {error.message}") from error
        notations = {str(action) for action in legal}
        if self.share_of not in notations if self.share_of else notations != set(self.choices):
            raise PuzzleError(f"puzzle {self.id} doesn't fit the rules of this version.")
        return Observation(self.seat, self.ply, state, legal)

    @property
    def choices(self) -> tuple[str, ...]:
        """The notations of all choices: what is right, then the others, the dearest last."""
        return (*self.right, *self.losses)

    @property
    def right(self) -> tuple[str, ...]:
        """The notations of what is right, the answer first."""
        return (self.answer, *self.also)

    def label(self, choice: str) -> str:
        """What people call a choice, by its notation."""
        return self.labels.get(choice, choice)

    def verdict(self, choice: str) -> str:
        """What a choice comes to, such as ``costs 2.35 points (home 45%)``."""
        loss, words = self.losses.get(choice, ""), self.words.get(choice, "")
        if self.share_of or not loss:
            return f"{loss} {words}".strip()
        return f"costs {loss} ({words})" if words else f"costs {loss}"

    @property
    def reason(self) -> str:
        """Why the answer is the best, as a sentence with a full stop; empty if nobody knows."""
        text = self.why.rstrip(".")
        return f"{text[0].upper()}{text[1:]}." if text else ""


def write_puzzles(puzzles: Sequence[Puzzle]) -> str:
    """The text of a file of puzzles, a line each."""
    lines = ",\n".join(json.dumps(dataclasses.asdict(puzzle)) for puzzle in puzzles)
    return f'{{"format": {FORMAT}, "puzzles": [\n{lines}\n]}}\n'


def read_puzzles(path: Path) -> list[Puzzle]:
    """The puzzles of a file.

    Raises:
        PuzzleError: It can't be read, or is no such file.
    """
    return _puzzles(_READER.read(path), _READER.subject(path))


def bundled_puzzles(game: str) -> list[Puzzle]:
    """The puzzles that come with a game; none if it has no file of them."""
    text = find_game(game).data_text(PUZZLES)
    subject = f"{PUZZLES} of {game}"
    return [] if text is None else _puzzles(_READER.parse(text, subject), subject)


def require_puzzles(game: str) -> list[Puzzle]:
    """The puzzles that come with a game.

    Raises:
        GameError: It has none.
    """
    puzzles = bundled_puzzles(game)
    if not puzzles:
        raise GameError(
            f"{find_game(game).info.name} has no puzzles.",
            f"Games with puzzles: {' '.join(games_with_puzzles())}. "
            f"To make some: boardgames puzzle {game} --make 10 --out FILE",
        )
    return puzzles


def games_with_puzzles() -> list[str]:
    """The ids of the games that have bundled ones."""
    return [id for id in game_ids() if find_game(id).has_puzzles]


def puzzles_of(games: Iterable[str]) -> list[Puzzle]:
    """The puzzles that come with games, by their ids; a game that has none adds none."""
    return [puzzle for id in games for puzzle in bundled_puzzles(id)]


def puzzle_of_the_day(puzzles: Sequence[Puzzle], day: datetime.date) -> Puzzle:
    """The same one for everybody who has the same puzzles."""
    digest = hashlib.sha256(day.isoformat().encode()).digest()
    return puzzles[int.from_bytes(digest[:8]) % len(puzzles)]


def _puzzles(data: Any, subject: str) -> list[Puzzle]:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise PuzzleError(f"{subject} is not a file of puzzles of format {FORMAT}.")
    listed = data.get("puzzles")
    if not isinstance(listed, list) or not listed:
        raise PuzzleError(f"{subject} has no puzzles.")
    return [_puzzle(item, f"{subject}, puzzle {number}") for number, item in enumerate(listed, 1)]


def _puzzle(item: Any, subject: str) -> Puzzle:
    kinds = {
        "id": str, "game": str, "options": dict, "position": dict, "ply": int, "seat": int,
        "level": int, "task": str, "answer": str, "losses": dict, "words": dict, "labels": dict,
        "why": str, "share_of": str, "also": list, "method": str,
    }  # fmt: skip
    if not isinstance(item, dict) or item.keys() != kinds.keys():
        raise PuzzleError(f"{subject} has other fields than: {', '.join(kinds)}.")
    for name, kind in kinds.items():
        if type(item[name]) is not kind:
            raise PuzzleError(f"{subject}: {name} is no {kind.__name__}.")
    for name in ("losses", "words", "labels"):
        if not all(isinstance(value, str) for value in item[name].values()):
            raise PuzzleError(f"{subject}: {name} holds something that is not text.")
    if not all(isinstance(value, str) for value in item["also"]):
        raise PuzzleError(f"{subject}: also holds something that is not text.")
    if item["level"] not in LEVELS:
        raise PuzzleError(f"{subject}: level is {item['level']}; it is 1, 2 or 3.")
    return Puzzle(**item)
