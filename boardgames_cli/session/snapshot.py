"""What a table shows at one moment, as a value that front ends draw, and the log of a match."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from boardgames_cli.core.game import Ending, Observation, Seat, Step
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.presentation.view import AnyView, Moment, RenderContext, Size
from boardgames_cli.core.text import Picture
from boardgames_cli.session.viewpoint import Viewpoint


@dataclass(frozen=True, slots=True)
class LogLine:
    """A sentence of the log, with the ply at which it was written."""

    ply: int
    text: str
    seat: Seat | None = None
    """The seat that acted; None for chance and the program."""


@dataclass(frozen=True, slots=True)
class TableSnapshot:
    """A match at one ply as seen from one viewpoint; later changes of the match don't touch it."""

    view: AnyView
    seen: Observation[Any, Any]
    """What is seen. Legal are the actions of a person who can act now; none in the past."""
    context: RenderContext[Any, Any]
    before: Any = None
    """The state before the last step, as seen from the same viewpoint; None at the start."""
    ending: Ending | None = None
    """How the match ended; None while it goes on, and at an earlier ply."""
    log: Sequence[LogLine] = ()

    def pointing_at(self, action: Any) -> TableSnapshot:
        """The same with an action under the cursor; None takes it away."""
        return replace(self, context=replace(self.context, highlight=action))

    def with_log(self, lines: Sequence[LogLine]) -> TableSnapshot:
        """The same with the log so far, and what happened according to it."""
        moments = tuple(line.text for line in lines if isinstance(line.text, Moment))
        return replace(self, log=lines, context=replace(self.context, moments=moments))

    @property
    def listed(self) -> Sequence[Any]:
        return self.view.shortlist(self.seen) if self.seen.legal else ()

    @property
    def refusals(self) -> list[tuple[Any, str]]:
        """The game's `near_misses`, each with the reason why it is illegal."""
        game, state, seat = self.view.game, self.seen.state, self.seen.seat
        if seat is None or not self.seen.legal:
            return []
        return [
            (action, game.explain_illegal(state, seat, action))
            for action in game.near_misses(state, seat)
        ]

    @property
    def prompt(self) -> str:
        """The decision to make, or what the match waits for."""
        return self._stopped or self.view.prompt(self.seen, self.context)

    @property
    def result(self) -> str:
        """The result of a match that is over, or why it stopped before."""
        return self._stopped or self.view.result(self.seen.state, self.context)

    @property
    def _stopped(self) -> str:
        ending, names = self.ending, self.context.names
        return "" if ending is None else ending.in_words(names, self.seen.ply)

    @property
    def sentences(self) -> list[str]:
        """What happened in the last step; empty at the start."""
        step = self.context.last
        if step is None:
            return []
        return list(self.view.narrate(self.before, step, self.seen.state, self.context))

    def board(self, size: Size) -> Picture:
        return self.view.picture(self.seen, size, self.context)

    def sidebar(self, width: int) -> Picture:
        return self.view.sidebar(self.seen, width, self.context)

    def frames(self, size: Size) -> tuple[Picture, ...]:
        step = self.context.last
        if step is None:
            return ()
        context = replace(self.context, highlight=None)
        return tuple(self.view.frames(self.before, step, self.seen.state, size, context))

    def pause(self) -> str:
        """What follows the last step if the game should pause there for people; else empty."""
        step = self.context.last
        if step is None:
            return ""
        return self.view.pause_after(self.before, step, self.seen.state, self.context)


@dataclass
class Company:
    """The others at a table on a server, as it has described them last."""

    poll: Callable[[], bool]
    """Takes what the server has said since the last call; whether that was anything."""
    talk: Callable[[str, str], None]
    """Obeys a command about the others, given its word and argument; see `GameCommand`."""
    games: int = 1
    watchers: int = 0
    question: str = ""
    """The offer that waits for an answer of this side, as a sentence; empty for none."""
    running: Sequence[Seat] = ()
    is_up: bool = True
    """Whether the server is heard; the connection comes back by itself."""
    is_gone: bool = False
    """Whether the table was closed, or can't be reached any more."""
    left: Sequence[int] = ()
    """The seconds that every seat had left then; empty without a clock."""
    missing: Mapping[Seat, int] = field(default_factory=dict)
    """Who was away, and the seconds until they might be replaced."""
    heard_at: float = 0.0

    def clocks(self) -> dict[Seat, int]:
        """The seconds that every seat has left now."""
        passed = int(time.monotonic() - self.heard_at)
        times = enumerate(self.left)
        return {seat: max(0, left - passed * (seat in self.running)) for seat, left in times}

    def away(self) -> dict[Seat, int]:
        """Who is away, and the seconds until they may be replaced now."""
        passed = int(time.monotonic() - self.heard_at)
        return {seat: max(0, left - passed) for seat, left in self.missing.items()}


def clock_text(seconds: int) -> str:
    """The time on a clock, such as ``4:05``."""
    return f"{seconds // 60}:{seconds % 60:02d}"


def take_snapshot(
    match: AnyMatch,
    view: AnyView,
    viewpoint: Viewpoint,
    ply: int,
    look: RenderContext[Any, Any],
    legal: tuple[Any, ...] = (),
) -> TableSnapshot:
    """What is seen of a match.

    The look has names, glyphs and what else does not depend on the moment; legal are the actions of
    a person who can act now.
    """
    game = match.game
    moved = next((at for at in reversed(range(ply)) if not match.steps[at].is_chance), None)
    last = last_move = viewpoint.step_of(match, ply - 1) if ply else None
    if moved != ply - 1:
        last_move = None if moved is None else viewpoint.step_of(match, moved)
    return TableSnapshot(
        view,
        Observation(viewpoint.seat, ply, viewpoint.state(game, match.state_at(ply)), legal),
        replace(look, last=last, last_move=last_move, viewer=viewpoint.seat),
        viewpoint.state(game, match.state_at(ply - 1)) if ply else None,
        match.ending if ply == match.ply else None,
    )


_LONGEST_REMARK: Final = 1000
"""The maximum length of a remark; notes in a save may be of any length."""


class GameLog:
    """The log of a match, updated step by step."""

    def __init__(
        self, match: AnyMatch, snapshot: Callable[[int, Viewpoint], TableSnapshot]
    ) -> None:
        self._match = match
        self._snapshot = snapshot
        self._viewpoint: Viewpoint | None = None
        self._lines: list[LogLine] = []
        self._narrated = 0
        self.remarks: list[LogLine] = []
        """The lines not about a step: hints taken, agents that failed."""
        self.version = 0
        """Changes whenever a line is added or taken away."""
        self._news: list[LogLine] = []

    def remark(self, text: str, ply: int | None = None) -> None:
        """Add a line that is not about a step."""
        line = LogLine(self._match.ply if ply is None else ply, one_line(text))
        self.remarks.append(line)
        self._tell([line])

    def recall(self, notes: Sequence[tuple[int, str]]) -> None:
        """Set the lines that are not about a step; they are no news."""
        remarks = [LogLine(ply, one_line(text)) for ply, text in notes]
        self.remarks = sorted(remarks, key=_ply_of)
        self.version += 1

    def news(self) -> list[LogLine]:
        """The lines added since this was asked last, in the order in which they came."""
        news, self._news = self._news, []
        return news

    def _tell(self, lines: Sequence[LogLine]) -> None:
        self._news += lines
        self.version += 1

    def lines(self, upto: int | None = None) -> list[LogLine]:
        """All lines in order, up to a ply if one is given."""
        lines = sorted([*self._lines, *self.remarks], key=_ply_of)
        return [line for line in lines if upto is None or line.ply <= upto]

    def since(self, ply: int) -> list[str]:
        """The sentences about the steps after a ply."""
        return [line.text for line in self._lines if line.ply > ply]

    def catch_up(self, viewpoint: Viewpoint) -> None:
        """Narrate new steps, and drop undone ones.

        If the viewpoint has changed, everything is narrated again; news is only what was not told.
        """
        told: set[LogLine] = set()
        if viewpoint != self._viewpoint:
            told = {*self._lines}
            self._viewpoint, self._lines, self._narrated = viewpoint, [], 0
        last = self._match.ply
        if self._narrated > last:
            self._lines = [line for line in self._lines if line.ply <= last]
            self.version += 1
        for ply in range(self._narrated, last):
            lines = narrate_step(self._match, self._snapshot(ply + 1, viewpoint))
            self._lines += lines
            self._tell([line for line in lines if line not in told])
        self._narrated = last


def narrate_step(match: AnyMatch, after: TableSnapshot) -> list[LogLine]:
    """The sentences about a step, after which something is seen."""
    ply, names = after.seen.ply, after.context.names
    by = actor(match.steps[ply - 1])
    return [LogLine(ply, text, _speaks_of(text, names, by)) for text in after.sentences]


def _speaks_of(text: str, names: Sequence[str], by: Seat | None) -> Seat | None:
    if by is None:
        return None
    found = [seat for seat, name in enumerate(names) if text.startswith(f"{name} ")]
    return max(found, key=lambda seat: len(names[seat]), default=by)


def actor(step: Step[Any, Any]) -> Seat | None:
    """The seat that acted alone in a step; None if chance or several did."""
    return next(iter(step.joint)) if len(step.joint) == 1 else None


def _ply_of(line: LogLine) -> int:
    return line.ply


def one_line(text: str) -> str:
    """Join a remark into one line, so that it can't pass for several log lines."""
    cut = text[:_LONGEST_REMARK]
    return " ".join(cut.split()) + ("..." if cut != text else "")
