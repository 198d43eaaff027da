"""A recorded game as shown to one viewer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.presentation.view import RenderContext
from boardgames_cli.core.record import Record
from boardgames_cli.core.text import Glyphs
from boardgames_cli.registry import spec_of
from boardgames_cli.session.seats import people, seat_people
from boardgames_cli.session.session import Session
from boardgames_cli.session.snapshot import (
    LogLine,
    TableSnapshot,
    narrate_step,
    one_line,
    take_snapshot,
)
from boardgames_cli.session.viewpoint import Viewpoint, disclosed_seed, disclosed_step, is_secret
from boardgames_cli.storage.reading import load_record, restore


class Replay:
    """A read-only view of a match.

    Once the game is over, everything is shown. Before that, and if it was truncated, the viewer
    knows what the only person in the game knows, or with several people what a spectator knows.
    """

    def __init__(
        self,
        match: AnyMatch,
        seats: Sequence[str],
        names: Sequence[str],
        notes: Sequence[tuple[int, str]] = (),
        glyphs: Glyphs = Glyphs.ASCII,
    ) -> None:
        self.match = match
        self.game = match.game
        self.view = spec_of(match.game).make_view(match.game)
        self.seats = tuple(seats)
        self.names = tuple(names)
        self.path: Path | None = None
        self.is_judged = False
        """Whether the review starts as soon as it is shown."""
        self.notes = tuple((ply, one_line(text)) for ply, text in notes)
        self.glyphs = glyphs
        self.has_colours = True
        self._lines: dict[int, list[LogLine]] = {}
        self.people = tuple(people(seats))
        reader = self.people if len(self.people) == 1 else ()
        self.reader = self.people[0] if self.people else 0
        """The seat whose game a review tells."""
        self.viewpoint = Viewpoint(reader, see_all=not is_secret(match))

    @classmethod
    def of_record(
        cls,
        match: AnyMatch,
        record: Record,
        glyphs: Glyphs = Glyphs.ASCII,
        path: Path | None = None,
    ) -> Replay:
        seats = record.header.seats
        replay = cls(match, seats, _names(match, seats), record.notes, glyphs)
        replay.path = path
        return replay

    @classmethod
    def of_session(cls, session: Session) -> Replay:
        seats = [holder.spec for holder in session.holders]
        notes = [(line.ply, line.text) for line in session.log.remarks]
        replay = cls(session.match, seats, session.names, notes, session.glyphs)
        replay.path = session.journal.path if session.journal is not None else None
        return replay

    @property
    def details(self) -> list[str]:
        """What boards leave out: the agents behind the names, and the seed if it may be told."""
        told = [f"{name}: {spec}" for name, spec in zip(self.names, self.seats, strict=True)]
        seed = disclosed_seed(self.match)
        return [*told, *([] if seed is None else [f"seed {seed}"])]

    def sentences(self, ply: int) -> list[str]:
        """The sentences about the step after a ply, and the remarks made then.

        Before the first step (ply -1) there are only remarks.
        """
        narrated = [line.text for line in self._narrated(ply)] if ply >= 0 else []
        return [*narrated, *(text for at, text in self.notes if at == ply + 1)]

    def step(self, ply: int) -> dict[str, str | None]:
        """The actions in the step after a ply, as far as the viewer may know them."""
        return disclosed_step(self.match, ply, self.viewpoint.seats)

    def log(self, upto: int) -> list[LogLine]:
        lines = [line for ply in range(upto) for line in self._narrated(ply)]
        # As in the session: remarks at a ply come after the steps before it.
        lines += [LogLine(at, text) for at, text in self.notes if at <= upto]
        return sorted(lines, key=lambda line: line.ply)

    def snapshot(self, ply: int) -> TableSnapshot:
        """What the viewer sees at a ply, where nothing can be done."""
        return self._taken(ply).with_log(self.log(ply))

    def _taken(self, ply: int) -> TableSnapshot:
        look: RenderContext[Any, Any] = RenderContext(
            self.glyphs, self.names, shows_layer=True, has_colours=self.has_colours
        )
        return take_snapshot(self.match, self.view, self.viewpoint, ply, look)

    def ending(self) -> str:
        """The result, or a sentence saying that the game is not over."""
        match = self.match
        if not match.is_over:
            return f"The game is not over; it stands after step {match.ply}."
        return self._taken(match.ply).result

    def _narrated(self, ply: int) -> list[LogLine]:
        # Cached: stepping back and forth asks for the same sentences many times.
        if ply not in self._lines:
            self._lines[ply] = narrate_step(self.match, self._taken(ply + 1))
        return self._lines[ply]


def replay_of(path: Path, glyphs: Glyphs = Glyphs.ASCII) -> Replay:
    """The save in a file as a replay, read-only."""
    record = load_record(path)
    return Replay.of_record(restore(record, path), record, glyphs, path)


def _names(match: AnyMatch, specs: Sequence[str]) -> tuple[str, ...]:
    try:
        return tuple(holder.name for holder in seat_people(match.game, specs))
    except (GameError, ImportError):  # the agent is not installed here, but its name is enough
        return tuple(specs)
