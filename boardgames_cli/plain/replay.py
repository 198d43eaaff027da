"""A recorded game told again, all of it or step by step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import Observation, Seat
from boardgames_cli.core.match import Match
from boardgames_cli.core.record import Record
from boardgames_cli.core.view import Look, Size
from boardgames_cli.plain.console import Console, EndOfInput
from boardgames_cli.registry import spec_of, split_agent
from boardgames_cli.session.seats import HUMAN, seat_people

_HELP = "enter goes on, - goes back, a number goes to that step, all tells the rest, q quits"


class Retelling:
    """A record and the match it makes, as one reader may see it.

    Once the game is over nothing is secret any more. Before that the reader knows what the only
    person at the table knows, or with several people what a spectator does.

    Args:
        match: The whole match.
        record: Where it came from.
    """

    def __init__(self, match: Match[Any, Any], record: Record) -> None:
        self.match = match
        self.game = match.game
        self.view = spec_of(match.game).make_view()
        self.names = _names(match, record.header.seats)
        self.notes = record.notes
        people = [
            seat for seat, spec in enumerate(record.header.seats) if split_agent(spec)[0] == HUMAN
        ]
        self._eyes: Seat | None = people[0] if len(people) == 1 else None

    def sentences(self, ply: int) -> list[str]:
        """What the step after a ply was, and the remarks made then."""
        before, after = self._state(ply), self._state(ply + 1)
        step = self.match.steps[ply]
        told = self.view.narrate(self.game, before, step.joint, after, self._look(ply + 1))
        return [*told, *(text for at, text in self.notes if at == ply + 1)]

    def board(self, ply: int, size: Size) -> str:
        """The board at a ply."""
        seen: Observation[Any, Any] = Observation(self._eyes, ply, self._state(ply), ())
        return str(self.view.picture(self.game, seen, size, self._look(ply)))

    def ending(self) -> str:
        """How it ended, or that it has not."""
        if not self.match.is_over:
            return f"The game is not over; it stands after step {self.match.ply}."
        return self.view.result(self.game, self.match.state, self._look(self.match.ply))

    def _state(self, ply: int) -> Any:
        state = self.match.state_at(ply)
        return state if self.match.is_over else self.game.redact(state, self._eyes)

    def _look(self, ply: int) -> Look[Any]:
        last = self.match.steps[ply - 1].joint if ply else {}
        return Look(names=self.names, last=last)


def _names(match: Match[Any, Any], specs: Sequence[str]) -> tuple[str, ...]:
    try:
        return tuple(occupant.name for occupant in seat_people(match.game, specs))
    except (GameError, ImportError):  # an agent that is not installed here; its name will do
        return tuple(specs)


def tell_all(story: Retelling, console: Console, boards: bool, start: int = 0) -> None:
    """Tell everything from a ply on, with a board after every step if wanted, and at the end."""
    for ply in range(start, story.match.ply):
        for sentence in story.sentences(ply):
            console.say(f"{ply + 1:>4} {sentence}")
        if boards:
            console.say(story.board(ply + 1, _room(console)))
    if not boards:
        console.say(story.board(story.match.ply, _room(console)))
    console.say(story.ending())


def tell_stepwise(story: Retelling, console: Console) -> None:
    """Go through the game as the reader wants."""
    last = story.match.ply
    ply = 0
    console.say(f"{last} steps: {_HELP}.")
    while True:
        for sentence in story.sentences(ply - 1) if ply else ["The start."]:
            console.say(f"{ply:>4} {sentence}")
        console.say(story.board(ply, _room(console)))
        if ply == last:
            console.say(story.ending())
        try:
            word = console.ask(f"step {ply} of {last}> ").lower()
        except EndOfInput:
            return
        if word in ("q", "quit", "exit") or (not word and ply == last):
            return
        if word == "all":
            tell_all(story, console, boards=False, start=ply)
            return
        ply = _next_ply(word, ply, last, console)


def _next_ply(word: str, ply: int, last: int, console: Console) -> int:
    if word in ("", "n", "next", "+"):
        return min(ply + 1, last)
    if word in ("-", "b", "back", "p"):
        return max(ply - 1, 0)
    if word.isascii() and word.isdigit() and len(word) < 7 and int(word) <= last:
        return int(word)
    console.say(f'"{word}" is no step from 0 to {last}; {_HELP}.')
    return ply


def _room(console: Console) -> Size:
    return Size(max(1, console.size.width - 1), console.size.height)
