"""What the home screen shows of a game, as data beside its rules: a small picture, and a ladder.

The ladder is a list of named opponents, weakest first; each is an agent with a style of its own.
"""

from __future__ import annotations

import functools
import itertools
import operator
from dataclasses import dataclass
from typing import Final

from boardgames_cli.codec.derived import parse_as
from boardgames_cli.codec.json_reader import JsonReader
from boardgames_cli.core.agent import NAME_OPTION, join_agent, split_agent
from boardgames_cli.core.errors import EXIT_FILE, GameError
from boardgames_cli.core.spec import HOME, GameSpec
from boardgames_cli.core.text import Glyphs, Picture, Span, columns

FORMAT: Final = 1
PICTURE_SIZE: Final = (14, 3)
"""The columns and rows of a picture."""
_LARGEST: Final = 100_000


class HomePageError(GameError):
    """What a game says for the home screen can't be used."""

    exit_code = EXIT_FILE


_READER: Final = JsonReader("", _LARGEST, HomePageError)


@dataclass(frozen=True, slots=True)
class TextPicture:
    """A picture as rows of characters, and for each character a letter that stands for its role."""

    unicode: tuple[str, ...]
    ascii: tuple[str, ...]
    letters: tuple[str, ...]
    roles: dict[str, str]
    """The role that each letter stands for; a space has none."""

    def drawn(self, glyphs: Glyphs) -> Picture:
        """The picture with the characters that may be used.

        Raises:
            HomePageError: It has another size than `PICTURE_SIZE`, or a letter has no role.
        """
        rows = self.ascii if glyphs is Glyphs.ASCII else self.unicode
        width, height = PICTURE_SIZE
        sizes = {columns(row) for row in rows} | {len(row) for row in (*rows, *self.letters)}
        if sizes != {width} or {len(rows), len(self.letters)} != {height}:
            raise HomePageError(f"the picture is not {width} columns wide and {height} rows high.")
        roles = {" ": "", **self.roles}
        try:
            lines = [
                [
                    Span("".join(sign for sign, _ in run), roles[letter])
                    for letter, run in itertools.groupby(
                        zip(row, letters, strict=True), key=operator.itemgetter(1)
                    )
                ]
                for row, letters in zip(rows, self.letters, strict=True)
            ]
        except KeyError as error:
            raise HomePageError(f"the picture names no role for {error}.") from None
        return Picture.of(lines)


@dataclass(frozen=True, slots=True)
class Opponent:
    """A named opponent of a ladder."""

    name: str
    agent: str
    """The specification of the agent that plays."""
    style: str
    """A sentence about how it plays."""
    rating: int
    """Its strength on the scale of the levels."""
    face: str = ""
    """A face in a few ASCII characters."""
    on_win: str = ""
    on_loss: str = ""
    """What it says when it has won, and when it has lost."""

    @property
    def seat(self) -> str:
        """The specification of a seat that it holds under its name."""
        name, options = split_agent(self.agent)
        return join_agent(name, {**options, NAME_OPTION: self.name})


@dataclass(frozen=True, slots=True)
class Ladder:
    """The opponents of a game, weakest first.

    One is beaten by winning ``wins`` of ``games`` games in a row against it: more where luck
    decides much.
    """

    wins: int
    games: int
    opponents: tuple[Opponent, ...]


@dataclass(frozen=True, slots=True)
class HomePage:
    """What the home screen shows of a game."""

    format: int
    picture: TextPicture | None = None
    ladder: Ladder | None = None


def home_page_of(spec: GameSpec) -> HomePage:
    """What a game says for the home screen; empty if it says nothing.

    Raises:
        HomePageError: The file is damaged; the message names the entry.
    """
    text = spec.text_beside_rules(HOME)
    if text is None:
        return HomePage(FORMAT)
    return _parsed(text, f"{HOME} of {spec.info.id}")


@functools.lru_cache(maxsize=32)
def _parsed(text: str, subject: str) -> HomePage:
    page = parse_as(HomePage, _READER, text, subject)
    if page.format != FORMAT:
        raise HomePageError(f"{subject} is not of format {FORMAT}.")
    ladder = page.ladder
    if ladder is not None and not (ladder.opponents and 0 < ladder.wins <= ladder.games):
        raise HomePageError(f"{subject}: the ladder has no opponent, or asks for too many wins.")
    return page


def opponent_of(spec: GameSpec, name: str) -> Opponent | None:
    """The opponent with a name, in upper or lower case; None if there is none.

    Raises:
        HomePageError: The file is damaged.
    """
    ladder = home_page_of(spec).ladder
    found = [] if ladder is None else ladder.opponents
    return next((one for one in found if one.name.lower() == name.strip().lower()), None)
