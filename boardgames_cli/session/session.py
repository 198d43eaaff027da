"""A session: a match with its seat holders, save and log, driven by a front end.

A front end asks for the next event (`Session.next_event`), shows it, and reports back. All calls
must come from one thread; agents run in others (see `driven_match`).
"""

from __future__ import annotations

import contextlib
import os
import random
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, Final

from boardgames_cli.core.agent import Budget
from boardgames_cli.core.errors import EXIT_FILE, IllegalActionError, StorageError
from boardgames_cli.core.game import EliminatesSeats, Observation, Seat, Traits
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.options import option_words
from boardgames_cli.core.plugins import ConfinedError, is_confined
from boardgames_cli.core.presentation.view import KeyedView, RenderContext
from boardgames_cli.core.text import Glyphs, counted, sentence
from boardgames_cli.registry import spec_of
from boardgames_cli.session.driven_match import DrivenMatch
from boardgames_cli.session.driven_match import Event as Event
from boardgames_cli.session.seats import SeatHolder, keeps_secrets
from boardgames_cli.session.snapshot import GameLog, TableSnapshot, take_snapshot
from boardgames_cli.session.viewpoint import PUBLIC, Viewpoint, disclosed_seed, has_secrets
from boardgames_cli.storage.files import reason_of
from boardgames_cli.storage.journal import (
    SUFFIX,
    Journal,
    SaveGoneError,
    SaveUnwritableError,
    is_plain,
)
from boardgames_cli.storage.store import Store

_WORLDS: Final = 24
"""The number of determinizations used to test whether a step revealed something."""


def undo(
    match: AnyMatch, people: Collection[Seat], witnesses: Collection[Seat] | None = None
) -> None:
    """Go back to the last decision of a person.

    Throws and deals repeat as they were, since they derive from the seed. Steps that revealed
    hidden information to a person can't be undone. The witnesses are the seats of everybody who
    could have learned something; by default the people.
    """
    target = undo_target(match, people, witnesses)
    if target == match.ply:
        match.undo()  # only the submitted actions of an incomplete joint step
    while match.ply > target:
        match.undo()


def redo(match: AnyMatch, people: Collection[Seat]) -> None:
    """Redo up to a person's next decision."""
    match.redo()
    while match.can_redo and not _had_choice(match, people, match.ply):
        match.redo()


def undo_target(
    match: AnyMatch, people: Collection[Seat], witnesses: Collection[Seat] | None = None
) -> int:
    """The ply to which `undo` goes back; raises `IllegalActionError` if it can't."""
    if any(seat in people for seat in match.committed):
        return match.ply
    plies = range(match.ply - 1, -1, -1)
    target = next((ply for ply in plies if _had_choice(match, people, ply)), None)
    if target is None:
        raise IllegalActionError("there is no decision of yours to take back.")
    seats = people if witnesses is None else witnesses
    if Traits.HIDDEN in match.game.traits and any(
        _has_shown(match, seats, ply) for ply in range(target, match.ply)
    ):
        raise IllegalActionError("what was shown since your last decision can't be hidden again.")
    return target


def _has_shown(match: AnyMatch, people: Collection[Seat], ply: int) -> bool:
    # It did if another state that was indistinguishable before would look different after it.
    game, step = match.game, match.steps[ply]
    if step.is_chance:
        return True
    rng = random.Random(f"{match.seed}/shown/{ply}")
    for seat in people:
        before = match.observe(seat, ply)
        after = game.redact(match.state_at(ply + 1), seat)
        for _ in range(_WORLDS):
            world = game.apply(game.determinize(before, rng), step.joint)
            if game.redact(world, seat) != after:
                return True
    return False


def _had_choice(match: AnyMatch, people: Collection[Seat], ply: int) -> bool:
    game, state = match.game, match.state_at(ply)
    return any(
        seat in people and len(game.legal_actions(state, seat)) > 1 for seat in game.to_act(state)
    )


TOOK_HINT: Final = "took a hint"  # in every remark about help that a person was given


class Session(DrivenMatch):
    """A match with its seat holders, log and save.

    Without a journal it is not saved. Where a screen is shared, people may see each other's
    secrets.
    """

    def __init__(
        self,
        match: AnyMatch,
        holders: Sequence[SeatHolder],
        journal: Journal | None = None,
        budget: Budget = Budget(seconds=2.0),  # noqa: B008  # frozen
        glyphs: Glyphs = Glyphs.ASCII,
        is_shared: bool = False,
    ) -> None:
        super().__init__(match, holders, budget, self.remark)
        self.spec = spec_of(match.game)
        self.view = self.spec.make_view(match.game)
        self.glyphs = glyphs
        self.is_shared = is_shared
        self.tick: float | None = None
        """Seconds between joint steps in real time; None waits until everybody has chosen."""
        self.won_before = (0,) * len(self.holders)
        """The games that each seat has won of those whose rematch this is."""
        self.shows_layer = True
        self.has_colours = True
        self._followed: Viewpoint | None = None
        self._latest: tuple[Any, TableSnapshot] | None = None
        """The snapshot of the current position, and what it depends on."""
        self.log = GameLog(match, lambda ply, viewpoint: self._taken(viewpoint, ply))
        self.log.catch_up(self._listener)
        self.saving = Saving(match, journal, self.log.remark)

    @property
    def title(self) -> str:
        """The game with the options that matter, such as ``Senet - skyruk, pieces 7``."""
        shown = option_words(self.game)
        return f"{self.game.info.name} - {', '.join(shown)}" if shown else self.game.info.name

    @property
    def details(self) -> list[str]:
        """What boards leave out: the agents behind the names, and the seed if it may be told."""
        agents = {
            f"{holder.name.partition(' ')[0]}: {holder.exact_agent}": None
            for holder in self.holders
            if holder.exact_agent
        }
        seed = disclosed_seed(self.match)
        return [*agents, *([] if seed is None else [f"seed {seed}"])]

    @property
    def journal(self) -> Journal | None:
        return self.saving.journal

    @property
    def games_won(self) -> list[int]:
        best = self.match.winners
        return [won + (seat in best) for seat, won in enumerate(self.won_before)]

    @property
    def keeps_secrets(self) -> bool:
        """Whether people who share the screen must not see each other's secrets."""
        return keeps_secrets(self.game) and len(self.humans) > 1 and not self.is_shared

    def viewer(self) -> Seat | None:
        """The seat whose view is shown: the person to act, else the first person.

        None (a spectator) if no person plays.
        """
        acting = [seat for seat in self.match.waiting_for if seat in self.humans]
        return next(iter([*acting, *self.humans]), None)

    @property
    def viewpoint(self) -> Viewpoint:
        if self._borrowed is not None:
            return self._borrowed
        viewer = self.viewer()
        if viewer is None:
            view, seat = self.view, None
            if isinstance(view, KeyedView) and self.match.is_whole:
                seat = view.audience_viewpoint()
            return PUBLIC if seat is None else Viewpoint((seat,))
        if self.keeps_secrets:
            return Viewpoint((viewer,))
        return Viewpoint((viewer, *[seat for seat in self.humans if seat != viewer]))

    @property
    def is_audience(self) -> bool:
        """Whether no person can act any more, so that any view may be shown."""
        game, state = self.game, self.match.state
        if game.is_over(state) or not isinstance(game, EliminatesSeats):
            return game.is_over(state) or not self.humans
        return all(game.is_out(state, seat) for seat in self.humans)

    def follow(self, viewpoint: Viewpoint) -> None:
        """Switch to another viewpoint, unless a person who still plays would learn a secret."""
        if not self.is_audience or not self.match.is_whole:
            raise IllegalActionError("you can't change the viewpoint while one of you still plays.")
        self._followed = viewpoint
        self.log.catch_up(self._listener)

    @property
    def _listener(self) -> Viewpoint:
        """The viewpoint of the log, which must not be rewritten whenever another person acts."""
        if self.keeps_secrets and self._borrowed is None:
            return PUBLIC
        shown = self.viewpoint
        return shown if shown.see_all else Viewpoint(tuple(sorted(shown.seats)))

    @property
    def _borrowed(self) -> Viewpoint | None:
        return self._followed if self._followed is not None and self.is_audience else None

    def observe(self, seat: Seat | None, ply: int | None = None) -> Observation[Any, Any]:
        """What a seat sees now or saw at a ply."""
        return self.match.observe(seat, ply)

    def snapshot(self, viewpoint: Viewpoint | None = None, ply: int | None = None) -> TableSnapshot:
        """What the table shows now or at an earlier ply, where no action is legal.

        By default it is seen from the viewpoint of the session.
        """
        match, viewpoint = self.match, viewpoint or self.viewpoint
        if ply is not None:
            return self._taken(viewpoint, ply).with_log(self.log.lines(ply))
        key = (
            *(match.version, viewpoint, self.log.version, self.shows_layer, self.has_colours),
            *(self.glyphs, self.names, frozenset(self.chosen)),
        )
        if self._latest is None or self._latest[0] != key:
            seat = viewpoint.seat
            acts = seat in self.humans and not viewpoint.see_all
            legal = self.observe(seat).legal if acts else ()
            now = self._taken(viewpoint, match.ply, legal)
            self._latest = key, now.with_log(self.log.lines())
        return self._latest[1]

    def _taken(self, viewpoint: Viewpoint, ply: int, legal: tuple[Any, ...] = ()) -> TableSnapshot:
        match = self.match
        # A single person playing agents never waits for other people.
        is_awaited = ply == match.ply and len(self.humans) > 1
        look: RenderContext[Any, Any] = RenderContext(
            self.glyphs,
            self.names,
            committed={*match.committed, *self.chosen} if is_awaited else set(),
            people=self.humans,
            shows_layer=self.shows_layer,
            has_colours=self.has_colours,
        )
        return take_snapshot(match, self.view, viewpoint, ply, look, legal)

    def remark(self, text: str) -> None:
        """Add a remark, such as a hint taken, to the log and the save."""
        self.log.remark(text)
        self.saving.note(text)

    def take_hint(self, seat: Seat, best: Any) -> str:
        """Record in the log and the save that a person took a hint; return the remark."""
        # The best action would reveal something about the hand in the save.
        return self._note_help(seat, "" if has_secrets(self.game) else f": {best}")

    def note_warning(self, seat: Seat) -> str:
        """Record that the tutor warned a person, which counts as a hint; return the remark."""
        return self._note_help(seat, " from the tutor")

    def _note_help(self, seat: Seat, what: str) -> str:
        remark = f"{self.names[seat]} {TOOK_HINT}{what}."
        self.remark(remark)
        return remark

    @property
    def hints_taken(self) -> int:
        return sum(TOOK_HINT in line.text for line in self.log.remarks)

    def _went_on(self) -> None:
        self.log.catch_up(self._listener)
        self.saving.record()

    def undo(self) -> None:
        """Go back to the last decision of a person; see `undo`."""
        if self.humans and self._borrowed is not None and Traits.HIDDEN in self.game.traits:
            raise IllegalActionError("what another viewpoint has shown can't be hidden again.")
        if has_secrets(self.game) and self.match.has_result:
            raise IllegalActionError("what was shown at the end can't be hidden again.")
        undo(self.match, self.humans)
        self._went_back()

    def redo(self) -> None:
        """Redo up to a person's next decision."""
        redo(self.match, self.humans)
        self._went_back()

    def _went_back(self) -> None:
        self.forget()
        self.log.catch_up(self._listener)
        self.saving.rewrite()

    @property
    def holder_specs(self) -> tuple[str, ...]:
        """The specifications of the seat holders, as far as they are known."""
        return tuple(holder.spec for holder in self.holders)

    def action_name(self, seat: Seat | None, action: Any) -> str:
        """An action's notation, or its label where that says something else: fold for check."""
        label = self.view.describe(self.observe(seat), action)
        return str(action) if label.startswith(str(action)) else label

    def pause_word(self) -> str:
        match = self.match
        if not match.ply or match.is_over or not self.humans:  # games between agents never pause
            return ""
        return self.snapshot().pause()

    def review(self) -> list[str]:
        """A summary of the finished match in a few lines; empty if reviewing it takes long."""
        from boardgames_cli.evaluation.review_text import closing_review  # needed only at the end

        return closing_review(self.match, self.names, self.viewer())

    @property
    def is_untouched(self) -> bool:
        """Whether nobody here has acted yet, so that there is nothing to keep."""
        people = self.humans or range(self.game.seats)
        return not any(seat in step.joint for step in self.match.steps for seat in people)

    def close(self) -> None:
        super().close()
        self.saving.close()


class Saving:
    """The save of a match that is being played.

    A game goes on even if its save can't be written: nothing here raises for that. The players are
    told once, `problem` describes it while it lasts, and every step tries again.

    Players and the log get remarks, which are sentences.
    """

    def __init__(
        self, match: AnyMatch, journal: Journal | None, remark: Callable[[str], None]
    ) -> None:
        self.journal = journal
        self.problem = ""
        """Why the save is incomplete, in a few words; empty if it is complete."""
        self.at_end: Callable[[], None] | None = None
        """Called when the game ends, and again if it ends anew after undo."""
        self._match = match
        self._remark = remark
        self._is_closed = False

    @property
    def is_complete(self) -> bool:
        return self.journal is None or not self.journal.is_behind

    @property
    def missing(self) -> str:
        """What the save lacks, such as ``12 steps``; empty if it is complete."""
        if self.journal is None or not self.journal.is_behind:
            return ""
        count = self.journal.missing(self._match)
        return counted(count, "step") if count else "the last change"

    @property
    def warning(self) -> str:
        """A sentence about what is not saved and why; empty if the save is complete."""
        if not self.missing:
            return ""
        return f"Not saved: {self.missing}{f' ({self.problem})' if self.problem else ''}."

    def exit_code(self, code: int) -> int:
        """The exit code: the given one, unless the save is incomplete."""
        return code if self.is_complete else EXIT_FILE

    def record(self) -> None:
        self._write(lambda journal: journal.record(self._match))
        has_ended = self._match.is_over and self.journal is not None
        if self.at_end is not None and has_ended and not self._is_closed:
            self.at_end()

    def rewrite(self) -> None:
        self._write(lambda journal: journal.rewrite(self._match))

    def note(self, text: str) -> None:
        """Save a remark at the current ply."""
        self._write(lambda journal: journal.note(self._match, text))

    def retry(self) -> bool:
        """Try again to complete the save; whether it is complete now."""
        if not self.is_complete:
            self._write(lambda journal: journal.record(self._match))
        return self.is_complete

    def close(self) -> None:
        """Try once more, and close the save."""
        if self.journal is not None and not self._is_closed:
            self.retry()
            self.journal.close()
        self._is_closed = True

    def move(self, text: str) -> Path:
        """Continue in another file with the whole game; the old file keeps its content.

        The text is a folder, a file, or a new name in the same folder; the new file is returned.
        """
        if is_confined():
            raise ConfinedError("games in a browser are always saved in the same place.")
        journal = self._require()
        journal.move(self._match, self._place(text, journal.path))
        self.problem = ""
        self._announce(f"The game is saved as {journal.path} from now on.")
        return journal.path

    def keep_copy(self, name: str) -> Path:
        """Copy the current game to a save with another name; return the copy."""
        journal = self._require()
        return Store(journal.path.parent).keep(name, journal.data(self._match))

    def discard(self) -> None:
        self._require().discard()
        self._is_closed = True
        self.journal = None

    def _require(self) -> Journal:
        if self.journal is None:
            raise StorageError("this game is not saved (--no-save).", "Start without --no-save.")
        return self.journal

    @staticmethod
    def _place(text: str, old: Path) -> Path:
        try:
            path = Path(text).expanduser()
            if text.endswith(os.sep) or path.is_dir():
                path.mkdir(parents=True, exist_ok=True)
                return path / old.name
        except (OSError, RuntimeError, ValueError) as error:  # no such home, or a null byte
            raise StorageError(
                f"{text} can't be used ({reason_of(error)}).", "Choose another place."
            ) from None
        if path.suffix != SUFFIX:
            path = path.with_name(path.name + SUFFIX)
        return old.with_name(path.name) if is_plain(text) else path

    def _write(self, write: Callable[[Journal], None]) -> None:
        journal = self.journal
        if journal is None or self._is_closed:
            return
        try:
            try:
                write(journal)
            except SaveGoneError as gone:
                journal.recreate(self._match)
                self._announce(f"{sentence(gone.message)} It goes on as {journal.path}.")
        except SaveUnwritableError as error:
            is_news, self.problem = not self.problem, error.reason
            if is_news:
                self._announce(
                    f"This game is not being saved: {error.message} "
                    f"Every step tries again. {error.todo}".rstrip()
                )
        else:
            if self.problem:
                self.problem = ""
                self._announce("The game is being saved again; nothing is missing.")

    def _announce(self, text: str) -> None:
        self._remark(text)
        if self.journal is not None:
            with contextlib.suppress(StorageError):  # it is then written with the next step
                self.journal.note(self._match, text)
