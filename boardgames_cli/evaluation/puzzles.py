"""Puzzles: positions in which one choice is clearly the best, with the answer and the reason.

A file of puzzles is one JSON object. Games have theirs in ``data/puzzles.json``; `mining` makes
them from games that agents play.
"""

from __future__ import annotations

import dataclasses
import datetime
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final

from boardgames_cli.codec.derived import check_keys, object_codec
from boardgames_cli.codec.fields import Whole
from boardgames_cli.codec.json_reader import JsonReader
from boardgames_cli.core.errors import EXIT_FILE, GameError, PositionError
from boardgames_cli.core.game import AnyGame, Observation
from boardgames_cli.core.spec import PUZZLES
from boardgames_cli.core.text import percent, sentence
from boardgames_cli.registry import find_game, game_ids, make

FORMAT: Final = 1
LEVELS: Final = {1: "easy", 2: "medium", 3: "hard"}
"""The names of the difficulty levels."""

SHORT: Final = 11
"""The most plies of a short win: six moves of one's own."""

_LARGEST: Final = 10_000_000


class PuzzleError(GameError):
    """A file of puzzles can't be used."""

    exit_code = EXIT_FILE


_READER: Final = JsonReader(
    "the puzzles", _LARGEST, PuzzleError, "boardgames puzzle --make N --out FILE makes such a file."
)


@dataclass(frozen=True, kw_only=True)
class Puzzle:
    """One position, and what is right there."""

    id: str = ""
    """A unique id, such as ``senet-17``."""
    game: str
    """The game's id."""
    options: Mapping[str, Any]
    """The game's options."""
    position: Mapping[str, Any]
    """The position as seen by the seat to act."""
    ply: Annotated[int, Whole(0, 10**9)]
    """The number of steps before."""
    seat: Annotated[int, Whole(0, 100)]
    """The seat to act."""
    level: Annotated[int, Whole(1, max(LEVELS))]
    """The difficulty; see `LEVELS`."""
    task: str
    """What to find, such as ``Find the win in 5.``"""
    answer: str
    """The notation of the best choice."""
    losses: dict[str, str]
    """The cost of every other choice, such as ``2.35 points``, or the error of a probability, in
    increasing order; empty if `words` is enough."""
    words: dict[str, str]
    """Remarks on choices, such as ``lives 97 %`` or ``win in 7``."""
    labels: dict[str, str] = field(default_factory=dict)
    """Labels of choices that differ from their notation: ``call`` for ``bet``."""
    why: str
    """Why the answer is the best, as a sentence; may be empty."""
    share_of: str = ""
    """The action whose probability is asked for; the choices are then probabilities, such as
    ``33 %``. Empty if the question is which action to take."""
    also: tuple[str, ...] = ()
    """Other correct choices, nearest to the answer first."""
    method: str
    """How the answer was computed, such as ``exact: every position is solved``."""
    found: dict[str, float] = field(default_factory=dict)
    """How often ``random`` and each level of the game chose the answer, as a share of
    `mining.TRIES` tries; empty if that was not measured."""

    def rulebook(self) -> AnyGame:
        """The game with the puzzle's options.

        Raises:
            PuzzleError: There is no such game, or it has no such option or value.
        """
        try:
            return make(self.game, **self.options)
        except GameError as error:
            raise self._unfit(error) from error

    def observation(self, game: AnyGame) -> Observation[Any, Any]:
        """The observation of the seat to act.

        Raises:
            PuzzleError: It is not a position of the game, or the answer is not legal there.
        """
        try:
            state = game.read_seen(self.position, self.ply)
        except GameError as error:
            raise self._unfit(error) from error
        if self.seat not in game.to_act(state):
            raise PuzzleError(f"puzzle {self.id} can't be shown: it is not its seat's turn.")
        legal = tuple(game.legal_actions(state, self.seat))
        notations = {str(action) for action in legal}
        if self.share_of not in notations if self.share_of else notations != set(self.choices):
            raise PuzzleError(f"puzzle {self.id} doesn't fit the rules of this version.")
        return Observation(self.seat, self.ply, state, legal)

    def _unfit(self, error: GameError) -> PuzzleError:
        return PuzzleError(f"puzzle {self.id} can't be shown: {error.message}", error.todo)

    @property
    def finders(self) -> str:
        """How often random choices and the levels find the answer, as a sentence; may be empty."""
        shares = [f"{name} {percent(share)}" for name, share in self.found.items()]
        return f"Found by {', '.join(shares)}." if shares else ""

    @property
    def is_humane(self) -> bool:
        """Whether a person can see the solution: the level medium finds it, and it is short."""
        win = re.fullmatch(r"win in (\d{1,4})", self.words.get(self.answer, ""), re.ASCII)
        return self.level < max(LEVELS) and (win is None or int(win[1]) <= SHORT)

    @property
    def choices(self) -> tuple[str, ...]:
        """The notations of all choices: the correct ones, then the others in order of cost."""
        return (*self.right, *self.losses)

    @property
    def right(self) -> tuple[str, ...]:
        """The notations of the correct choices, the answer first."""
        return (self.answer, *self.also)

    def label(self, choice: str) -> str:
        """The label of a choice, by its notation."""
        return self.labels.get(choice, choice)

    def verdict(self, choice: str) -> str:
        """The verdict on a choice, such as ``costs 2.35 points (home 45 %)``."""
        loss, words = self.losses.get(choice, ""), self.words.get(choice, "")
        if self.share_of or not loss:
            return f"{loss} {words}".strip()
        return f"costs {loss} ({words})" if words else f"costs {loss}"

    def comment(self, tried: Sequence[str], is_done: bool) -> str:
        """What there is to say of the last of some answers, or of the answer that was shown."""
        answer = f"The answer is {self.label(self.answer)}."
        if not tried:
            return answer if is_done else ""
        last = tried[-1]
        if last in self.right:
            return f"Right: {self.label(last)}."
        refuted = f"Not the best: {self.label(last)}: {self.verdict(last)}."
        if not is_done:
            return f"{refuted} Try again."
        return f"{refuted} {answer}" if self.losses.keys() <= set(tried) else answer

    @property
    def hint(self) -> str:
        """A first hint, which leaves the answer open; empty if there is none."""
        if len(self.choices) > 2 and not self.share_of:
            pair = sorted([self.label(self.answer), *map(self.label, [*self.losses][:1])])
            return f"It is {' or '.join(pair)}."
        fact = re.split(r"[;:(]", self.why)[0].strip()
        names = "|".join(re.escape(name) for one in self.choices for name in (one, self.label(one)))
        return sentence(re.sub(rf"(?<!\w)({names})(?!\w)", "one choice", fact))

    @property
    def reason(self) -> str:
        """Why the answer is the best, as a sentence with a full stop; may be empty."""
        return sentence(self.why)


def write_puzzles(puzzles: Sequence[Puzzle]) -> str:
    """The text of a file of puzzles, one per line."""
    lines = ",\n".join(json.dumps(dataclasses.asdict(puzzle)) for puzzle in puzzles)
    return f'{{"format": {FORMAT}, "puzzles": [\n{lines}\n]}}\n'


def read_puzzles(path: Path) -> list[Puzzle]:
    """Read a file of puzzles.

    Raises:
        PuzzleError: It can't be read, or is not a file of puzzles.
    """
    return _puzzles(_READER.read(path), _READER.subject(path))


def bundled_puzzles(*games: str) -> list[Puzzle]:
    """The bundled puzzles of games; those that have no file of them are skipped."""
    found = []
    for game in games:
        text, subject = find_game(game).data_text(PUZZLES), f"{PUZZLES} of {game}"
        found += [] if text is None else _puzzles(_READER.parse(text, subject), subject)
    return found


def require_puzzles(game: str) -> list[Puzzle]:
    """The bundled puzzles of a game.

    Raises:
        GameError: There are none.
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
    """The ids of the games with bundled puzzles."""
    return [id for id in game_ids() if find_game(id).has_puzzles]


def puzzle_of_the_day(puzzles: Sequence[Puzzle], day: datetime.date) -> Puzzle:
    """The puzzle for a day: the same for everybody who has the same puzzles.

    It is one that a person can solve, if there is any; see `Puzzle.is_humane`.
    """
    offered = [puzzle for puzzle in puzzles if puzzle.is_humane] or puzzles
    digest = hashlib.sha256(day.isoformat().encode()).digest()
    return offered[int.from_bytes(digest[:8]) % len(offered)]


def _puzzles(data: Any, subject: str) -> list[Puzzle]:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise PuzzleError(f"{subject} is not a file of puzzles of format {FORMAT}.")
    listed = data.get("puzzles")
    if not isinstance(listed, list) or not listed:
        raise PuzzleError(f"{subject} has no puzzles.")
    return [
        read_puzzle(item, f"{subject}, puzzle {number}") for number, item in enumerate(listed, 1)
    ]


_SHARE: Final = re.compile(r"\d{1,3} %", re.ASCII)


def read_puzzle(item: Any, subject: str) -> Puzzle:
    """Read one puzzle of a file.

    Raises:
        PuzzleError: It has other fields than a puzzle; the message begins with the subject.
    """
    codec = object_codec(Puzzle)
    try:
        whole = {"found": {}, **item} if isinstance(item, Mapping) else item
        check_keys(whole, subject, codec.keys)
        puzzle = codec.build(whole, f"{subject}: ")
    except PositionError as error:
        raise PuzzleError(error.message, error.todo) from None
    if not all(0 <= share <= 1 for share in puzzle.found.values()):
        raise PuzzleError(f"{subject}: found holds something that is no share from 0 to 1.")
    if puzzle.share_of and not all(map(_SHARE.fullmatch, puzzle.choices)):
        raise PuzzleError(f"{subject}: a choice is no share such as 33 %.")
    return puzzle
